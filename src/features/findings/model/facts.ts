import type { ContributionTable, DetectedFinding, FindingMember } from '../../../shared/findings'
import { isBusinessGroup } from '../../../shared/data-sources/key-columns'
import type { Cell } from '../../../shared/query/result'
import {
  effectOfWindows,
  toCandidate,
  typicalSize,
  type CandidateDraft,
  type SentenceInput,
  type SeriesAnalysis,
} from './candidates'
import { changeBetween, type WindowComparison } from './contributions'
import { formatNumberAtScale, toFiniteNumber } from './decimals'
import { growthSentence, leaderSentence, lossSentence, peakSentence, rateGapSentence } from './fact-sentences'
import type { MemberFigure } from './fact-sentences'
import { DesignCache, dataSpan } from './regression-design'
import {
  toFindingPeriod,
  type AnalysisSubject,
  type BucketRange,
  type SubjectDimension,
  type SubjectMember,
} from './subject'

/**
 * What an analyst says first of any figure, read off the rows: how the newest year stands beside the one before, who makes
 * it up, who loses, whose ratio is lowest. These are sums, not tests: they are told because they are large, and after
 * what is unusual where both say the same.
 */

/** What a figure is to its dataset: facts are told of few figures, or they would say everything twice. */
export interface FactRole {
  /** The amount that a business looks at first: who makes it up is told of it alone. */
  isMain: boolean
  /** Whether it is money, or a part of it: other figures are told after it. */
  isMoney: boolean
}

interface FactInput {
  analysis: SeriesAnalysis
  /** The newest year, or all that there is. */
  level: BucketRange
  /** Everything that is looked at, where that is more than `level`. */
  whole: BucketRange | null
}

const YEAR_MONTHS = 12
/** Buckets that are held against as many before, where there is no year before: at most, and at least. */
const HALVES: Partial<Record<AnalysisSubject['grain'], { most: number; least: number }>> = {
  month: { most: 6, least: 3 },
  week: { most: 13, least: 4 },
  day: { most: 28, least: 7 },
}
const SAME_MONTHS_MIN = 3

interface ComparedRange extends WindowComparison {
  against: 'year' | 'previous'
}

/** The newest buckets and the same ones a year before, else the newest half and the one before; null for too few. */
export function growthWindows({ grain }: Pick<AnalysisSubject, 'grain'>, span: BucketRange): ComparedRange | null {
  const length = span.to - span.from + 1
  const same = grain === 'month' ? Math.min(YEAR_MONTHS, length - YEAR_MONTHS) : 0
  const last = (n: number): BucketRange => ({ from: span.to - n + 1, to: span.to })
  const before = ({ from, to }: BucketRange, by: number): BucketRange => ({ from: from - by, to: to - by })
  if (same >= SAME_MONTHS_MIN) return { now: last(same), then: before(last(same), YEAR_MONTHS), against: 'year' }
  const { most, least } = HALVES[grain] ?? { most: 0, least: 1 }
  const half = Math.min(most, Math.floor(length / 2))
  return half >= least ? { now: last(half), then: before(last(half), half), against: 'previous' } : null
}

/** @returns what the rows of one figure say, in no order; none where too little is there */
export function factsOf(subject: AnalysisSubject, role: FactRole): DetectedFinding[] {
  const span = dataSpan(subject)
  if (!span || (!subject.additive && !subject.under)) return []
  const own = typicalSize(subject)
  const analysis = {
    ...{ subject, member: null, span, designs: new DesignCache(subject) },
    usual: { whole: own, own },
  }
  const isLong = subject.grain === 'month' && span.to - span.from + 1 > YEAR_MONTHS
  const level = isLong ? { from: span.to - YEAR_MONTHS + 1, to: span.to } : span
  const input: FactInput = { analysis, level, whole: isLong ? span : null }
  const drafts = [
    ...growthFacts(input, role),
    ...(subject.under ? rateFacts(input) : lossFacts(input)),
    ...(role.isMain && !subject.under ? [...leaderFacts(input), ...peakFacts(input)] : []),
  ]
  return drafts.map((draft) => toFact(analysis, draft))
}

interface Fact {
  draft: CandidateDraft
  member: FindingMember | null
}
/** What every fact has in common: nothing was tested, so that nothing may be wrong but the rows. */
const CERTAIN = { p: 0, novelty: 1, statistic: { name: 'share', value: 0 } } as const

function toFact(analysis: SeriesAnalysis, { draft, member }: Fact): DetectedFinding {
  const { family: _family, weight, novelty, isFact: _isFact, ...effect } = toCandidate(analysis, draft)
  return { ...effect, member, q: 0, confidence: 1, score: weight * novelty }
}

const valueAt = (series: SubjectMember['series'], t: number): number => toFiniteNumber(series.value[t] ?? null) ?? 0
const sumOf = (series: SubjectMember['series'], { from, to }: BucketRange): number => {
  let sum = 0
  for (let t = from; t <= to; t += 1) sum += valueAt(series, t)
  return sum
}
const rowsOf = ({ series }: SubjectMember, { from, to }: BucketRange): number =>
  series.count.slice(from, to + 1).reduce((all, count) => all + count, 0)

const namedMember = ({ key, label }: SubjectDimension, value: Cell): FindingMember => ({
  dimension: key,
  label,
  value,
})
/** How tables say that nothing is known. */
const NOTHING_KNOWN =
  /^(|null|n\/?a|nan|none|-+|\(?(blank|empty|unknown|not set|other|others)\)?|okänd|saknas|övrigt|övriga)$/i
const isName = (value: Cell | undefined): boolean =>
  value !== null && value !== undefined && !(typeof value === 'string' && NOTHING_KNOWN.test(value.trim()))
const isNamed = ({ member }: SubjectMember): boolean => isName(member)

/** The exact figure of a member in a range: a sum, or a ratio. */
function figureOf({ subject }: SeriesAnalysis, { series, under }: SubjectMember, range: BucketRange): string | null {
  const own = { ...subject, total: series, ...(subject.under ? { under } : {}), dimensions: [] }
  return changeBetween(own, { now: range, then: range })?.value ?? null
}
const wholeFigure = (analysis: SeriesAnalysis, range: BucketRange): string | null =>
  changeBetween(analysis.subject, { now: range, then: range })?.value ?? null

/** A change as weight: half at one fifth. */
const weightOf = (size: number, half = 0.2): number => size / (size + half)

const LITTLE_CHANGE = 0.02
/** Least part of the figure before by which a member goes against the whole, to be told. */
const AGAINST_MIN = 0.02

/** Who moved it, by what a business is organised by first; a table led by rows without a value says least. */
const namedFirst = (tables: readonly ContributionTable[]): ContributionTable[] => {
  const rank = ({ label, lines: [first] }: ContributionTable): number =>
    first?.others !== undefined || !isName(first?.member) ? 2 : isBusinessGroup(label) ? 0 : 1
  return tables.toSorted((a, b) => rank(a) - rank(b))
}

function growthFacts({ analysis }: FactInput, role: FactRole): Fact[] {
  const { subject, span } = analysis
  // What one row comes to is told by what it differs by.
  if (subject.under && !subject.percent) return []
  const windows = growthWindows(subject, span)
  const made = windows && effectOfWindows(analysis, windows)
  if (!windows || !made) return []
  const { effect } = made
  const contributions = namedFirst(made.contributions)
  const [change, previous] = [Number(effect.change), Math.abs(Number(effect.previous))]
  // That a figure stays as it was is worth telling of what a business looks at first.
  if (!role.isMain && Math.abs(effect.percent ?? 1) < LITTLE_CHANGE) return []
  const size = subject.percent ? Math.abs(change) * 5 : previous > 0 ? Math.abs(change) / previous : 1
  const [table] = contributions
  const against = table?.lines
    .filter(({ others, member, change: part }) => others === undefined && isName(member) && Number(part) * change < 0)
    .toSorted((a, b) => Math.abs(Number(b.change)) - Math.abs(Number(a.change)))[0]
  const isTold = against !== undefined && Math.abs(Number(against.change)) >= AGAINST_MIN * previous
  const other: MemberFigure | null =
    table && against && isTold && !subject.under
      ? {
          member: { dimension: table.dimension, label: table.label, value: against.member ?? null },
          value: against.change,
        }
      : null
  const draft: CandidateDraft = {
    ...CERTAIN,
    kind: 'growth',
    period: toFindingPeriod(subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(subject, windows.then),
    ...{ effect, contributions },
    n: windows.now.to - windows.then.from + 1,
    change,
    weight: ((subject.percent ? 0.4 : 0.3) + 0.4 * weightOf(size)) * (role.isMoney ? 1 : 0.7),
    sentence: (told) => growthSentence(told, { against: other, calendar: calendarYear(analysis, windows) }),
  }
  return [{ draft, member: null }]
}

/** The newest calendar year that is there whole, with the one before, where the newest twelve months are no calendar year. */
function calendarYear(analysis: SeriesAnalysis, { now, against }: ComparedRange): SentenceInput | null {
  const { subject, span } = analysis
  if (against !== 'year' || subject.grain !== 'month') return null
  const monthOf = (at: number): number => Number((subject.buckets[at] ?? '').slice(5, 7))
  const to = span.to - (monthOf(span.to) % YEAR_MONTHS)
  const year = { from: to - YEAR_MONTHS + 1, to }
  const then = { from: year.from - YEAR_MONTHS, to: year.from - 1 }
  if (to === now.to || then.from < span.from) return null
  const made = effectOfWindows(analysis, { now: year, then })
  return (
    made && {
      ...{ look: analysis, ...made },
      period: toFindingPeriod(subject, year),
      comparison: toFindingPeriod(subject, then),
    }
  )
}

/** Members told of one dimension. */
const TOLD = 3
/** Dimensions with more members are lists of things: who loses among them is no group. */
const GROUPS_MAX = 60
/** What members lose, of what the others bring, to be told. */
const LOSS_MIN = 0.01
const LOSS_ROWS_MIN = 5
const DIMENSIONS_TOLD = 3

/** Who buys and what is sold. */
const THINGS_SOLD = /product|item|customer|client|company|artikel|produkt|kund|företag/i
/** Where: countries, regions and cities tell one story at most twice. */
const PLACES = /country|region|state|province|county|city|territory|market|land|län|kommun|stad|ort\b/i
const PLACES_TOLD = 2
/** How much a person would want to hear of groups of a dimension, 0…0.35. */
const interestOf = (label: string, count: number): number =>
  (isBusinessGroup(label) ? 0.2 : 0) +
  (THINGS_SOLD.test(label) ? 0.1 : 0) +
  (count <= 12 ? 0.15 : count <= GROUPS_MAX ? 0.08 : 0)

/** Members below nothing where the whole is above it: of each dimension together, the largest losses first. */
function lossFacts({ analysis, level, whole }: FactInput): Fact[] {
  const { subject } = analysis
  if (subject.counts === true || sumOf(subject.total, level) <= 0) return []
  const found = subject.dimensions.flatMap((dimension) => {
    const { members } = dimension
    if (members.length > GROUPS_MAX) return []
    const below = (range: BucketRange): SubjectMember[] =>
      members
        .filter((one) => isNamed(one) && sumOf(one.series, range) < 0 && rowsOf(one, range) >= LOSS_ROWS_MIN)
        .toSorted((a, b) => sumOf(a.series, range) - sumOf(b.series, range))
    const [now, all] = [below(level), whole ? below(whole) : []]
    const lost = now.reduce((sum, { series }) => sum - sumOf(series, level), 0)
    const brought = members.reduce((sum, { series }) => sum + Math.max(0, sumOf(series, level)), 0)
    const [worst] = now
    if (!worst || lost < LOSS_MIN * brought || now.length > members.length / 2) return []
    const part = lost / brought
    return [{ dimension, now: now.slice(0, TOLD), all: all.slice(0, TOLD), worst, part }]
  })
  return found
    .toSorted((a, b) => b.part - a.part)
    .slice(0, DIMENSIONS_TOLD)
    .flatMap(({ dimension, now, all, worst, part }) => {
      const value = figureOf(analysis, worst, level)
      if (value === null) return []
      const figures = (members: readonly SubjectMember[], range: BucketRange): MemberFigure[] =>
        members.flatMap((one) => {
          const figure = figureOf(analysis, one, range)
          return figure === null ? [] : [{ member: namedMember(dimension, one.member), value: figure }]
        })
      const draft: CandidateDraft = {
        ...levelDraft(analysis, { kind: 'loss', level, value, share: part }),
        change: subject.direction === 'none' ? 0 : Number(value),
        weight: 0.4 + 0.25 * weightOf(part, 0.05) + 0.3 * interestOf(dimension.label, dimension.members.length),
        sentence: (told) =>
          lossSentence(told, {
            label: dimension.label,
            members: figures(now, level),
            since: whole && toFindingPeriod(subject, { from: whole.from, to: whole.from }),
            all: whole ? figures(all, whole) : [],
          }),
      }
      return [{ draft, member: namedMember(dimension, worst.member) }]
    })
}

const levelDraft = (
  { subject }: SeriesAnalysis,
  of: { kind: 'loss' | 'leader' | 'rateGap' | 'peak'; level: BucketRange; value: string; share: number },
): Omit<CandidateDraft, 'change' | 'weight' | 'sentence'> => ({
  ...CERTAIN,
  kind: of.kind,
  period: toFindingPeriod(subject, of.level),
  against: 'rest',
  comparison: null,
  effect: { value: of.value, previous: null, change: of.value, percent: null },
  contributions: [],
  statistic: { name: 'share', value: of.share },
  n: of.level.to - of.level.from + 1,
})

/** Who costs most is told after who brings most. */
const costFactor = ({ direction }: AnalysisSubject): number => (direction === 'down' ? 0.75 : 1)

/** The largest of many has to make up at least so much to be told. */
const LEADER_SHARE_MIN = 0.04
const LEADERS_TOLD = 6

/** Who makes up most of a figure, by each dimension. */
function leaderFacts({ analysis, level, whole }: FactInput): Fact[] {
  const { subject } = analysis
  const total = sumOf(subject.total, level)
  if (total <= 0) return []
  const found = subject.dimensions.flatMap((dimension) => {
    const ranked = dimension.members
      .map((one) => ({ one, value: sumOf(one.series, level) }))
      .filter(({ value }) => value !== 0)
      .toSorted((a, b) => b.value - a.value)
    const named = ranked.filter(({ one }) => isNamed(one))
    const [first] = named
    const isSplit = named.length >= 2 && ranked.every(({ value }) => value >= 0)
    if (!first || !isSplit || first.value < LEADER_SHARE_MIN * total) return []
    const count = dimension.members.length + (dimension.other?.members ?? 0)
    // Neither that all are alike nor that there is hardly anything else tells much.
    const apart = (first.value / total - 1 / Math.max(2, count)) * (1 - first.value / total)
    const interest = apart + interestOf(dimension.label, count)
    return [{ dimension, named: named.slice(0, TOLD), count, interest }]
  })
  const ranked = found.toSorted((a, b) => b.interest - a.interest)
  const isPlace = ({ dimension }: { dimension: SubjectDimension }): boolean => PLACES.test(dimension.label)
  const further = ranked.filter(isPlace).slice(PLACES_TOLD)
  return ranked
    .filter((one) => !further.includes(one))
    .slice(0, LEADERS_TOLD)
    .flatMap(({ dimension, named, count, interest }) => {
      const [first] = named
      const value = first && figureOf(analysis, first.one, level)
      if (!first || value === undefined || value === null) return []
      const figures = (range: BucketRange, n: number): MemberFigure[] => {
        const sum = sumOf(subject.total, range)
        return named
          .toSorted((a, b) => sumOf(b.one.series, range) - sumOf(a.one.series, range))
          .slice(0, n)
          .flatMap(({ one }) => {
            const figure = figureOf(analysis, one, range)
            const part = sum > 0 ? sumOf(one.series, range) / sum : 0
            return figure === null ? [] : [{ member: namedMember(dimension, one.member), value: figure, share: part }]
          })
      }
      const draft: CandidateDraft = {
        ...levelDraft(analysis, { kind: 'leader', level, value, share: first.value / total }),
        change: 0,
        weight: (0.3 + 0.6 * Math.min(1, interest)) * costFactor(subject),
        sentence: (told) =>
          leaderSentence(told, {
            label: dimension.label,
            members: figures(level, TOLD),
            count,
            share: named.reduce((sum, { value: part }) => sum + part, 0) / total,
            since: whole && toFindingPeriod(subject, { from: whole.from, to: whole.from }),
            all: whole ? figures(whole, 1) : [],
          }),
      }
      return [{ draft, member: namedMember(dimension, first.one.member) }]
    })
}

/** A member's part of what a ratio is divided by, to be told. */
const RATE_WEIGHT_MIN = 0.02
/** Ratios apart by less than this part of the whole's are alike. */
const RATE_APART_MIN = 0.2
const AVERAGE_APART_MIN = 0.5

/** Whose ratio is lowest and highest, by each dimension. */
function rateFacts({ analysis, level }: FactInput): Fact[] {
  const { subject } = analysis
  const { under } = subject
  const below = under ? sumOf(under, level) : 0
  const overall = wholeFigure(analysis, level)
  if (!under || below <= 0 || overall === null) return []
  const rate = Number(overall)
  const found = subject.dimensions.flatMap((dimension) => {
    if (dimension.members.length > GROUPS_MAX) return []
    const rated = dimension.members
      .flatMap((one) => {
        const weight = one.under ? sumOf(one.under, level) : 0
        if (!isNamed(one) || weight < RATE_WEIGHT_MIN * below) return []
        return [{ one, weight: weight / below, rate: sumOf(one.series, level) / weight }]
      })
      .toSorted((a, b) => a.rate - b.rate)
    const [low, high] = [rated[0], rated.at(-1)]
    if (
      !low ||
      !high ||
      low === high ||
      high.rate - low.rate < (subject.percent ? RATE_APART_MIN : AVERAGE_APART_MIN) * Math.abs(rate)
    )
      return []
    const spread = Math.sqrt(rated.reduce((sum, one) => sum + one.weight * (one.rate - rate) ** 2, 0))
    const apart = Math.abs(rate) > 0 ? spread / Math.abs(rate) : 1
    const interest = 0.4 * weightOf(apart, 0.5) + interestOf(dimension.label, dimension.members.length)
    return [{ dimension, rated, low, high, interest }]
  })
  return found
    .toSorted((a, b) => b.interest - a.interest)
    .slice(0, subject.percent ? DIMENSIONS_TOLD : 1)
    .flatMap(({ dimension, rated, low, high, interest }) => {
      const told = subject.direction === 'down' ? high : low
      const value = figureOf(analysis, told.one, level)
      if (value === null) return []
      const figures = (some: readonly { one: SubjectMember }[]): MemberFigure[] =>
        some.flatMap(({ one }) => {
          const figure = figureOf(analysis, one, level)
          return figure === null ? [] : [{ member: namedMember(dimension, one.member), value: figure }]
        })
      const isMany = rated.length >= 5
      const draft: CandidateDraft = {
        ...levelDraft(analysis, { kind: 'rateGap', level, value, share: told.weight }),
        change: told.rate < 0 && subject.direction === 'up' ? told.rate : 0,
        weight: (0.3 + 0.5 * interest) * (subject.percent ? 1 : 0.8) * costFactor(subject),
        sentence: (at) =>
          rateGapSentence(at, {
            label: dimension.label,
            low: figures(isMany ? rated.slice(0, 2) : [low]),
            high: figures(isMany ? rated.slice(-2).toReversed() : [high]),
            whole: overall,
          }),
      }
      return [{ draft, member: namedMember(dimension, told.one.member) }]
    })
}

/** Buckets apart by less than this part of their mean are alike. */
const PEAK_APART_MIN = 0.3

/** The highest and the lowest bucket of all that are looked at. */
function peakFacts({ analysis }: FactInput): Fact[] {
  const { subject, span } = analysis
  const values = Array.from({ length: span.to - span.from + 1 }, (_, n) => ({
    at: span.from + n,
    value: valueAt(subject.total, span.from + n),
  })).toSorted((a, b) => b.value - a.value)
  const [high, low] = [values[0], values.at(-1)]
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length
  if (!high || !low || mean <= 0 || high.value - low.value < PEAK_APART_MIN * mean) return []
  const at = (bucket: number): BucketRange => ({ from: bucket, to: bucket })
  const [top, bottom] = [wholeFigure(analysis, at(high.at)), wholeFigure(analysis, at(low.at))]
  if (top === null || bottom === null) return []
  const draft: CandidateDraft = {
    ...levelDraft(analysis, { kind: 'peak', level: span, value: top, share: high.value / (mean * values.length) }),
    change: 0,
    weight: costFactor(subject) * (0.25 + 0.2 * weightOf((high.value - mean) / mean, 0.5)),
    sentence: (told) =>
      peakSentence(told, {
        ...{ high: toFindingPeriod(subject, at(high.at)), low: toFindingPeriod(subject, at(low.at)), top, bottom },
        mean: formatNumberAtScale(mean, subject.scale ?? 2),
      }),
  }
  return [{ draft, member: null }]
}
