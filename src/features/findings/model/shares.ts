import type { FindingMember } from '../../../shared/findings'
import { toFiniteNumber } from './amounts'
import { contributionTables, changeBetween, totalMixEffect } from './contributions'
import { siblingsOf } from './kin'
import type { SplitColumns } from './kin'
import { toCandidate, effectOfValues, relativeChange } from './look'
import type { SeriesAnalysis } from './look'
import { mixSplitColumns } from './parts'
import { standardizeSeries } from './prepared'
import type { StandardizedSeries } from './prepared'
import { scanForShapes } from './scan'
import { concentrationSentence, mixShiftSentence } from './sentences'
import { isYearlySeason, seasonLength } from './season'
import { toFindingPeriod } from './span'
import type { AnalysisSubject, SubjectDimension, SubjectMember } from './subject'
import { CANDIDATE_P_MAX, KIND_PRIORS } from './tested'
import type { FindingCandidate } from './tested'

/** What is tested of a dimension as a whole: its largest share, and what its weights alone do to a ratio. */

interface TestResult {
  tests: number
  candidates: FindingCandidate[]
}
const NO_RESULT: TestResult = { tests: 0, candidates: [] }
const valueAt = (series: { value: AnalysisSubject['total']['value'] } | undefined, t: number): number =>
  toFiniteNumber(series?.value[t] ?? null) ?? 0

/** A series of worked-out figures as a subject that does not add up. */
const derivedSubject = (seriesAnalysis: SeriesAnalysis, value: (number | null)[]): AnalysisSubject => ({
  ...seriesAnalysis.subject,
  additive: false,
  counts: false,
  scale: undefined,
  total: { value, count: seriesAnalysis.subject.total.count },
  under: undefined,
  dimensions: [],
})

/** Newest bucket and shift of level of a derived series, with what adds up to it where that is known. */
function scanDerivedSeries(
  seriesAnalysis: SeriesAnalysis,
  value: (number | null)[],
  splitFrom?: (series: StandardizedSeries) => SplitColumns,
) {
  const subject = derivedSubject(seriesAnalysis, value)
  const series = standardizeSeries(subject, seriesAnalysis.span)
  if (!series) return null
  const frame = seriesAnalysis.designs.designFor(series)
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
export function testConcentration(seriesAnalysis: SeriesAnalysis, dimension: SubjectDimension): TestResult {
  if (!seriesAnalysis.subject.additive || seriesAnalysis.subject.under || dimension.members.length < 3) return NO_RESULT
  const tops = seriesAnalysis.subject.buckets.map((_, t) => largestShare(dimension, t))
  const found = scanDerivedSeries(
    seriesAnalysis,
    tops.map((top) => top?.share ?? null),
  )
  if (!found) return NO_RESULT
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  const to = series.at.at(-1) ?? 0
  const top = tops[to]
  const tests = { tests: KIND_PRIORS.concentration }
  if (p >= CANDIDATE_P_MAX || !top || best.size <= 0 || top.share < 1.5 / dimension.members.length)
    return { ...tests, candidates: [] }
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const ratio = { ...seriesAnalysis, subject: { ...seriesAnalysis.subject, scale: 12 } }
  const effect = effectOfValues(ratio, { value: top.share, previous: top.share - best.size * series.unit })
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: top.top.member }
  const period = toFindingPeriod(seriesAnalysis.subject, now)
  const told = {
    look: seriesAnalysis,
    effect,
    period: toFindingPeriod(seriesAnalysis.subject, { from: to, to }),
    comparison: null,
    contributions: [],
  }
  const moved = best.size * series.unit
  const candidate = toCandidate(seriesAnalysis, {
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
    sentence: concentrationSentence(told, member),
  })
  return { ...tests, candidates: [{ ...candidate, member }] }
}

/** The ratio as it would be if each member kept its usual own ratio and only the weights moved. */
function mixOnlySeries(seriesAnalysis: SeriesAnalysis, dimension: SubjectDimension): (number | null)[] {
  const { span, subject } = seriesAnalysis
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
export function testMixShift(seriesAnalysis: SeriesAnalysis, dimension: SubjectDimension): TestResult {
  const { subject, span } = seriesAnalysis
  if (!subject.under || !subject.additive || dimension.members.length < 2) return NO_RESULT
  const found = scanDerivedSeries(seriesAnalysis, mixOnlySeries(seriesAnalysis, dimension), (series) =>
    mixSplitColumns(seriesAnalysis, { series, dimension }),
  )
  if (!found) return NO_RESULT
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  if (p >= CANDIDATE_P_MAX) return { tests: KIND_PRIORS.mixShift, candidates: [] }
  const to = series.at.at(-1) ?? 0
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const length = now.to - now.from + 1
  const season = seasonLength(subject.grain)
  const back = isYearlySeason(subject.grain) && length <= season && now.from - season >= span.from ? season : length
  const windows = { now, then: { from: now.from - back, to: now.to - back } }
  const change = windows.then.from < span.from ? null : changeBetween(subject, windows)
  const table = contributionTables({ ...subject, dimensions: [dimension] }, windows)[0]
  const mix = table ? totalMixEffect(table) : 0
  if (!change || !table || mix / Number(change.change) < 0.5) return { tests: KIND_PRIORS.mixShift, candidates: [] }
  const effect = { ...change, percent: relativeChange(Number(change.value), Number(change.previous)) }
  const period = toFindingPeriod(subject, now)
  const comparison = toFindingPeriod(subject, windows.then)
  const moved = Math.abs(mix) / Math.max(seriesAnalysis.usual.own, Number.MIN_VALUE)
  const told = { look: seriesAnalysis, effect, period, comparison, contributions: [table] }
  const candidate = toCandidate(seriesAnalysis, {
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
    sentence: mixShiftSentence(told),
  })
  return { tests: KIND_PRIORS.mixShift, candidates: [candidate] }
}
