import { isBusinessGroup } from '../../../../shared/data-sources/key-columns'
import type { FindingPeriod } from '../../../../shared/findings'
import type { CandidateDraft } from '../candidates'
import { formatNumberAtScale } from '../decimals'
import {
  figureOf,
  isNamed,
  levelDraft,
  namedMember,
  recordGaps,
  rowsOf,
  sumOf,
  valueAt,
  weightOf,
  wholeFigure,
  type Fact,
  type FactInput,
} from './fact-parts'
import { leaderSentence, lossSentence, peakSentence, rateGapSentence } from './fact-sentences'
import type { Eligibility, MemberFigure } from './fact-sentences'
import {
  seriesDecimals,
  toFindingPeriod,
  type AnalysisSubject,
  type BucketRange,
  type SubjectDimension,
  type SubjectMember,
} from '../subject'

/** Members told of one dimension. */
const TOLD = 3
/** Dimensions with more members are lists of things: who loses among them is no group. */
const GROUPS_MAX = 60
/** What members lose, of what the others bring, to be told. */
const LOSS_MIN = 0.01
/** Who takes away more than this is no loss but a cost by nature: the expenses of a result. */
const LOSS_MAX = 0.4
const LOSS_ROWS_MIN = 5
const DIMENSIONS_TOLD = 3

/** Who buys and what is sold. */
const THINGS_SOLD = /product|item|customer|client|company|artikel|produkt|kund|företag/i
/** Where: countries, regions and cities tell one story at most twice. */
const PLACES = /country|region|state|province|county|city|town|territory|market|land|län|kommun|stad|ort\b/i
const PLACES_TOLD = 2
/** How much a person would want to hear of groups of a dimension, 0…0.35. */
const interestOf = (label: string, count: number): number =>
  (isBusinessGroup(label) ? 0.2 : 0) +
  (THINGS_SOLD.test(label) ? 0.1 : 0) +
  (count <= 12 ? 0.15 : count <= GROUPS_MAX ? 0.08 : 0)

/** Members below nothing where the whole is above it: of each dimension together, the largest losses first. */
export function lossFacts({ analysis, level, whole }: FactInput): Fact[] {
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
    if (!worst || lost < LOSS_MIN * brought || lost > LOSS_MAX * brought || now.length > members.length / 2) return []
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
            whole: whole && toFindingPeriod(subject, whole),
            all: whole ? figures(all, whole) : [],
          }),
      }
      return [{ draft, member: namedMember(dimension, worst.member) }]
    })
}

/** Who costs most is told after who brings most. */
const costFactor = ({ direction }: AnalysisSubject): number => (direction === 'down' ? 0.75 : 1)

/** The largest has to make up at least so much to be told; of many, so many times what one of them has on average. */
const LEADER_SHARE_MIN = 0.04
const LEADER_TIMES_MIN = 2
/** One of many that is no large part of the whole is told after those that are. */
const SMALL_LEADER_FACTOR = 0.5
const LEADERS_TOLD = 6
/** Of so many members the largest tenth is told as well: how much hangs on few. */
const TENTH_FROM = 50

/** The largest tenth of many members, by their shares, largest first; null for few, or where not all of it is known one by one. */
function largestTenth(shares: readonly number[], count: number): { members: number; share: number } | null {
  const members = Math.round(count / 10)
  if (count < TENTH_FROM || members > shares.length) return null
  return { members, share: shares.slice(0, members).reduce((sum, share) => sum + share, 0) }
}

/** A member that came in each of so many buckets is gone when it stays away in the newest ones. */
const STEADY_BUCKETS = 6
const GONE_ROWS_MIN = 10
const GONE_BUCKETS_MIN: Partial<Record<AnalysisSubject['grain'], number>> = { month: 2, week: 4, day: 14 }

/** Since when one of the largest has no row; nothing where it comes now and then. */
function goneSince(
  { subject, span }: FactInput['analysis'],
  dimension: SubjectDimension,
  one: SubjectMember,
): { member: MemberFigure['member']; since: FindingPeriod }[] {
  const { count } = one.series
  const last = count.slice(0, span.to + 1).findLastIndex((rows) => rows > 0)
  const before = { from: last - STEADY_BUCKETS + 1, to: last }
  if (span.to - last < (GONE_BUCKETS_MIN[subject.grain] ?? 1) || before.from < span.from) return []
  const isSteady = count.slice(before.from, last + 1).every((rows) => rows > 0) && rowsOf(one, before) >= GONE_ROWS_MIN
  const since = toFindingPeriod(subject, { from: last + 1, to: last + 1 })
  return isSteady ? [{ member: namedMember(dimension, one.member), since }] : []
}

/** Who makes up most of a figure, by each dimension. */
export function leaderFacts({ analysis, level, whole }: FactInput): Fact[] {
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
    const count = dimension.members.length + (dimension.other?.members ?? 0)
    const least = Math.min(LEADER_SHARE_MIN, LEADER_TIMES_MIN / count) * total
    // Yes and no are no groups.
    if (!first || !isSplit || typeof first.one.member === 'boolean' || first.value < least) return []
    // Neither that all are alike nor that there is hardly anything else tells much.
    const apart = (first.value / total - 1 / Math.max(2, count)) * (1 - first.value / total)
    const isSmall = first.value < LEADER_SHARE_MIN * total
    const interest = (apart + interestOf(dimension.label, count)) * (isSmall ? SMALL_LEADER_FACTOR : 1)
    const others = dimension.other && sumOf(dimension.other.series, level) !== 0 ? dimension.other.members : 0
    const told = named.slice(0, TOLD)
    const nameless = ranked.find(({ one, value }) => !isNamed(one) && value >= (told.at(-1)?.value ?? 0))
    const tenth = largestTenth(
      named.map(({ value }) => value / total),
      named.length + others,
    )
    return [{ dimension, named: told, nameless, count: named.length + others, tenth, interest }]
  })
  const ranked = found.toSorted((a, b) => b.interest - a.interest)
  const isPlace = ({ dimension }: { dimension: SubjectDimension }): boolean => PLACES.test(dimension.label)
  const further = ranked.filter(isPlace).slice(PLACES_TOLD)
  return ranked
    .filter((one) => !further.includes(one))
    .slice(0, LEADERS_TOLD)
    .flatMap(({ dimension, named, nameless, count, tenth, interest }) => {
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
            tenth,
            whole: whole && toFindingPeriod(subject, whole),
            all: whole ? figures(whole, 1) : [],
            gone: named.flatMap(({ one }) => goneSince(analysis, dimension, one)),
            nameless: nameless
              ? { member: namedMember(dimension, nameless.one.member), value: '0', share: nameless.value / total }
              : null,
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

/** An average over fewer rows is that of single ones. */
const RATE_ROWS_MIN = 5
const rateShareMin = ({ underLabel }: Pick<AnalysisSubject, 'underLabel'>, below: number): number =>
  underLabel === undefined ? Math.max(RATE_WEIGHT_MIN, RATE_ROWS_MIN / below) : RATE_WEIGHT_MIN

/** What a member has at least of what a ratio is divided by. */
const leastOf = ({ underLabel }: AnalysisSubject, below: number): Eligibility['least'] =>
  underLabel === undefined
    ? { rows: Math.ceil(rateShareMin({ underLabel }, below) * below) }
    : { share: RATE_WEIGHT_MIN, label: underLabel }

/** Whose ratio is lowest and highest, by each dimension. */
export function rateFacts({ analysis, level }: FactInput): Fact[] {
  const { subject } = analysis
  const { under } = subject
  const below = under ? sumOf(under, level) : 0
  const overall = wholeFigure(analysis, level)
  if (!under || below <= 0 || overall === null) return []
  const rate = Number(overall)
  const found = subject.dimensions.flatMap((dimension) => {
    if (dimension.members.length > GROUPS_MAX) return []
    const all = dimension.members.flatMap((one) => {
      const weight = one.under && isNamed(one) ? sumOf(one.under, level) : 0
      return weight === 0 ? [] : [{ one, weight: weight / below, rate: sumOf(one.series, level) / weight }]
    })
    const share = rateShareMin(subject, below)
    const rated = all.filter(({ weight }) => weight >= share).toSorted((a, b) => a.rate - b.rate)
    const count = all.length + (dimension.other?.members ?? 0)
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
    return [{ dimension, rated, count, low, high, interest }]
  })
  return found
    .toSorted((a, b) => b.interest - a.interest)
    .slice(0, subject.percent ? DIMENSIONS_TOLD : 1)
    .flatMap(({ dimension, rated, count, low, high, interest }) => {
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
            eligible:
              rated.length < count ? { counted: rated.length, of: count, least: leastOf(subject, below) } : null,
          }),
      }
      return [{ draft, member: namedMember(dimension, told.one.member) }]
    })
}

/** Buckets apart by less than this part of their mean are alike. */
const PEAK_APART_MIN = 0.1

/** The highest and the lowest bucket of all that are looked at and have records. */
export function peakFacts({ analysis }: FactInput, within: AnalysisSubject | null = null): Fact[] {
  const { subject, span } = analysis
  const gaps = recordGaps(subject, span)
  const values = Array.from({ length: span.to - span.from + 1 }, (_, n) => span.from + n)
    .filter((at) => !gaps.some(({ from, to }) => from <= at && at <= to))
    .map((at) => ({ at, value: valueAt(subject.total, at) }))
    .toSorted((a, b) => b.value - a.value)
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
        gaps: gaps.map((gap) => toFindingPeriod(subject, gap)),
        within: within && highestBucket(within),
      }),
  }
  return [{ draft, member: null }]
}

/** The highest bucket of a figure that is looked at by weeks or days. */
function highestBucket(subject: AnalysisSubject): { high: FindingPeriod; top: string } | null {
  const { total, buckets, scale } = subject
  const [best] = buckets.map((_, t) => ({ t, value: valueAt(total, t) })).toSorted((a, b) => b.value - a.value)
  if (!best || best.value <= 0) return null
  const top = formatNumberAtScale(best.value, seriesDecimals(total, scale))
  return { high: toFindingPeriod(subject, { from: best.t, to: best.t }), top }
}
