import { compensatedSum } from '../../../lib/compensated-sum'
import { toFiniteNumber } from './decimals'
import { logChoose, P_VALUE_MIN, meanOf, varianceOf } from './statistics'
import {
  toCandidate,
  effectOfWindows,
  noveltyByAge,
  CANDIDATE_P_MAX,
  KIND_PRIORS,
  effectOfValues,
  relativeChange,
  NO_RESULT,
  resultOf,
} from './candidates'
import type { SeriesAnalysis, FindingCandidate, TestResult } from './candidates'
import { HISTORY_BUCKETS_MIN, standardizeSeries, type StandardizedSeries } from './regression-design'
import { isYearlySeason, seasonLength } from './season'
import { lostMemberSentence, newMemberSentence, concentrationSentence, mixShiftSentence } from './sentences'
import { toFindingPeriod, type AnalysisSubject, type SubjectDimension, type SubjectMember } from './subject'
import type { FindingMember } from '../../../shared/findings'
import { contributionTables, changeBetween, totalMixEffect } from './contributions'
import { siblingsOf, mixSplitColumns, type SplitColumns } from './siblings'
import { scanForShapes } from './scan'

/** A member counts as gone or come for at most this share of the buckets. */
const RECENT_SHARE_MAX = 1 / 3
const RECENT_BUCKETS_MAX = 12

/** In which buckets of the span a member was there, and by how many rows. */
function presenceByBucket({ subject, span }: SeriesAnalysis): { rows: number[]; there: boolean[] } {
  const rows: number[] = []
  const there: boolean[] = []
  for (let t = span.from; t <= span.to; t += 1) {
    const value = toFiniteNumber(subject.total.value[t] ?? null)
    const count = subject.total.count[t] ?? 0
    rows.push(count)
    there.push(value !== null && (count > 0 || value !== 0) && value !== 0)
  }
  return { rows, there }
}

/** How many rows come at once: their variance over their mean while the member was there, if that was long enough to say. */
function dispersionIndex(rows: readonly number[]): number {
  const during = rows.slice(
    rows.findIndex((count) => count > 0),
    rows.findLastIndex((count) => count > 0) + 1,
  )
  const own = during.length >= 6 ? during : rows
  const mean = meanOf(own)
  return mean > 0 ? Math.max(1, varianceOf(own) / mean) : 1
}

/**
 * The chance that all of a member's buckets lie in `within` of `all` places if they might lie anywhere: C(within, k) /
 * C(all, k); or the same of its rows, one by one, (within/all)^rows, where rows that come in bunches count as fewer.
 * The smaller of the two, doubled.
 */
function gapPValue(rows: readonly number[], { active, within }: { active: number; within: number }): number {
  const all = rows.length
  const byBucket = within < active ? 0 : Math.exp(logChoose(within, active) - logChoose(all, active))
  const bunching = dispersionIndex(rows)
  const byRow = (within / all) ** (compensatedSum(rows) / bunching)
  return Math.min(1, Math.max(P_VALUE_MIN, 2 * Math.min(byBucket, byRow)))
}

function membershipChange(
  analysis: SeriesAnalysis,
  kind: 'newMember' | 'lostMember',
  { length, p, name, isFact = false }: { length: number; p: number; name: number; isFact?: boolean },
) {
  const { subject, span, member } = analysis
  const now = { from: span.to - length + 1, to: span.to }
  const then = { from: now.from - length, to: now.from - 1 }
  const found = member && effectOfWindows(analysis, { now, then })
  if (!found || !member) return null
  const period = toFindingPeriod(subject, now)
  const comparison = toFindingPeriod(subject, then)
  const moved = Number(found.effect.change) / length
  const share = analysis.usual.whole > 0 ? Math.abs(moved) / analysis.usual.whole : 0
  return toCandidate(analysis, {
    kind,
    period,
    against: 'before',
    comparison,
    isFact,
    ...found,
    contributions: [],
    statistic: { name: 'runs', value: name },
    n: span.to - span.from + 1,
    p,
    change: moved,
    weight: Math.sqrt(share) / (Math.sqrt(share) + 0.2),
    novelty: noveltyByAge(length - 1, 8),
    sentence: (told) => (kind === 'newMember' ? newMemberSentence : lostMemberSentence)(told, member),
  })
}

/** Whether the member was away in the same buckets of the year before too. */
function isSeasonalAbsence({ subject }: SeriesAnalysis, there: readonly boolean[], length: number): boolean {
  const season = seasonLength(subject.grain)
  if (!isYearlySeason(subject.grain) || there.length < season + length) return false
  const from = there.length - length - season
  return !there.slice(from, from + length).includes(true)
}

/** Of the whole, and of the buckets of the year before it was gone, what a member had that is missed without a test. */
const PILLAR_SHARE_MIN = 0.08
const PILLAR_BUCKETS = 12

/** Whether a large member was there without a gap until it was gone: that is a fact, however short the absence. */
const isPillar = ({ usual }: SeriesAnalysis, before: readonly boolean[]): boolean =>
  usual.own >= PILLAR_SHARE_MIN * usual.whole &&
  before.length >= PILLAR_BUCKETS &&
  before.slice(-PILLAR_BUCKETS).every(Boolean)

/** Buckets in which an irregular member came at least, and how its absence compares with the longest one before. */
const IRREGULAR_ACTIVE_MIN = 8
const IRREGULAR_TIMES_MIN = 2

/**
 * Whether a large member that comes now and then has stayed away twice as long as ever before. After k gaps between arrivals by
 * chance the next one is that long with a probability of 2 / ((k + 1)(k + 2)), whatever their mean: under 3 % from eight arrivals on.
 */
function isIrregularPillar({ usual }: SeriesAnalysis, before: readonly boolean[], gone: number): boolean {
  const at = before.flatMap((is, i) => (is ? [i] : []))
  if (usual.own < PILLAR_SHARE_MIN * usual.whole || at.length < IRREGULAR_ACTIVE_MIN) return false
  const longest = Math.max(...at.slice(1).map((each, i) => each - (at[i] ?? each)))
  return gone + 1 >= IRREGULAR_TIMES_MIN * longest
}

/** Whether a member stopped, or began, lately. Two tests. */
export function testMembership(analysis: SeriesAnalysis): TestResult {
  const { rows, there } = presenceByBucket(analysis)
  const all = there.length
  const active = there.filter(Boolean).length
  if (all < HISTORY_BUCKETS_MIN || active === 0) return NO_RESULT
  const gone = all - 1 - there.lastIndexOf(true)
  const since = all - there.indexOf(true)
  const most = Math.min(RECENT_BUCKETS_MAX, Math.floor(all * RECENT_SHARE_MAX))
  const candidates: (FindingCandidate | null)[] = []
  if (gone > 0 && gone <= most && active >= 4 && !isSeasonalAbsence(analysis, there, gone)) {
    const p = gapPValue(rows, { active, within: all - gone })
    const before = there.slice(0, all - gone)
    const isFact = isPillar(analysis, before) || isIrregularPillar(analysis, before, gone)
    if (p < CANDIDATE_P_MAX)
      candidates.push(membershipChange(analysis, 'lostMember', { length: gone, p, name: active, isFact }))
  }
  if (since <= most && gone === 0 && active >= 2) {
    const p = gapPValue(rows, { active, within: since })
    if (p < CANDIDATE_P_MAX)
      candidates.push(membershipChange(analysis, 'newMember', { length: since, p, name: active }))
  }
  return { tests: KIND_PRIORS.lostMember + KIND_PRIORS.newMember, candidates: candidates.flatMap((one) => one ?? []) }
}

const valueAt = (series: { value: AnalysisSubject['total']['value'] } | undefined, t: number): number =>
  toFiniteNumber(series?.value[t] ?? null) ?? 0

/** A series of worked-out figures as a subject that does not add up. */
const derivedSubject = (analysis: SeriesAnalysis, value: (number | null)[]): AnalysisSubject => ({
  ...analysis.subject,
  additive: false,
  counts: false,
  scale: undefined,
  total: { value, count: analysis.subject.total.count },
  under: undefined,
  dimensions: [],
})

/** Newest bucket and shift of level of a derived series, with what adds up to it where that is known. */
function scanDerivedSeries(
  analysis: SeriesAnalysis,
  value: (number | null)[],
  splitFrom?: (series: StandardizedSeries) => SplitColumns,
) {
  const subject = derivedSubject(analysis, value)
  const series = standardizeSeries(subject, analysis.span)
  if (!series) return null
  const frame = analysis.designs.designFor(series)
  const siblings = splitFrom && siblingsOf(frame, [splitFrom(series)])
  const scanned = scanForShapes(frame, { ...series, shapes: ['newest', 'step'], siblings })
  const [best] = scanned.detected.toSorted((a, b) => a.p - b.p)
  return best ? { series, best } : null
}

function largestShare(dimension: SubjectDimension, t: number): { share: number; top: SubjectMember } | null {
  let [sum, most] = [valueAt(dimension.other?.series, t), 0]
  let top: SubjectMember | null = null
  for (const one of dimension.members) {
    const value = valueAt(one.series, t)
    if (value < 0) return null
    sum += value
    if (value <= most) continue
    most = value
    top = one
  }
  return sum > 0 && top ? { share: most / sum, top } : null
}

/** The share of whichever member is the largest in each bucket, against its own past. */
export function testConcentration(analysis: SeriesAnalysis, dimension: SubjectDimension): TestResult {
  if (!analysis.subject.additive || analysis.subject.under || dimension.members.length < 3) return NO_RESULT
  const tops = analysis.subject.buckets.map((_, t) => largestShare(dimension, t))
  const found = scanDerivedSeries(
    analysis,
    tops.map((top) => top?.share ?? null),
  )
  if (!found) return NO_RESULT
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  const to = series.at.at(-1) ?? 0
  const top = tops[to]
  if (p >= CANDIDATE_P_MAX || !top || best.size <= 0 || top.share < 1.5 / dimension.members.length)
    return resultOf('concentration')
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const ratio = { ...analysis, subject: { ...analysis.subject, scale: 12 } }
  const effect = effectOfValues(ratio, { value: top.share, previous: top.share - best.size * series.unit })
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: top.top.member }
  const period = toFindingPeriod(analysis.subject, now)
  const newest = toFindingPeriod(analysis.subject, { from: to, to })
  const moved = best.size * series.unit
  const candidate = toCandidate(analysis, {
    kind: 'concentration',
    period,
    against: 'expected',
    comparison: null,
    effect,
    contributions: [],
    statistic: { name: 't', value: best.t },
    n: series.at.length,
    p,
    change: 0,
    weight: moved / (moved + 0.2),
    novelty: 0.7,
    sentence: (told) => concentrationSentence(told, newest, member),
  })
  return resultOf('concentration', { ...candidate, member })
}

/** The ratio as it would be if each member kept its usual own ratio and only the weights moved. */
function mixOnlySeries(analysis: SeriesAnalysis, dimension: SubjectDimension): (number | null)[] {
  const { span, subject } = analysis
  const parts = [...dimension.members, ...(dimension.other ? [dimension.other] : [])].map(({ series, under }) => {
    let [over, below] = [0, 0]
    for (let t = span.from; t <= span.to; t += 1) {
      over += valueAt(series, t)
      below += valueAt(under, t)
    }
    return { under, own: below === 0 ? 0 : over / below }
  })
  return subject.buckets.map((_, t) => {
    let [sum, below] = [0, 0]
    for (const { under, own } of parts) {
      sum += own * valueAt(under, t)
      below += valueAt(under, t)
    }
    return below === 0 ? null : sum / below
  })
}

/** Whether the weights of a dimension's members moved a ratio, told when that is most of how the ratio moved. */
export function testMixShift(analysis: SeriesAnalysis, dimension: SubjectDimension): TestResult {
  const { subject, span } = analysis
  if (!subject.under || !subject.additive || dimension.members.length < 2) return NO_RESULT
  const found = scanDerivedSeries(analysis, mixOnlySeries(analysis, dimension), (series) =>
    mixSplitColumns(analysis, { series, dimension }),
  )
  if (!found) return NO_RESULT
  const tests = KIND_PRIORS.mixShift / subject.dimensions.length
  const nothing: TestResult = { tests, candidates: [] }
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  if (p >= CANDIDATE_P_MAX) return nothing
  const to = series.at.at(-1) ?? 0
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const length = now.to - now.from + 1
  const season = seasonLength(subject.grain)
  const back = isYearlySeason(subject.grain) && length <= season && now.from - season >= span.from ? season : length
  const windows = { now, then: { from: now.from - back, to: now.to - back } }
  const change = windows.then.from < span.from ? null : changeBetween(subject, windows)
  const table = contributionTables({ ...subject, dimensions: [dimension] }, windows)[0]
  const mix = table ? totalMixEffect(table) : 0
  if (!change || !table || mix / Number(change.change) < 0.5) return nothing
  const effect = { ...change, percent: relativeChange(Number(change.value), Number(change.previous)) }
  const period = toFindingPeriod(subject, now)
  const comparison = toFindingPeriod(subject, windows.then)
  const moved = Math.abs(mix) / Math.max(analysis.usual.own, Number.MIN_VALUE)
  const candidate = toCandidate(analysis, {
    kind: 'mixShift',
    period,
    against: back === season ? 'year' : 'previous',
    comparison,
    effect,
    contributions: [table],
    statistic: { name: 't', value: best.t },
    n: series.at.length,
    p,
    change: mix,
    weight: moved / (moved + 0.2),
    novelty: best.shape === 'newest' ? 1 : 0.9,
    sentence: mixShiftSentence,
  })
  return { tests, candidates: [candidate] }
}
