import type { FindingMember } from '../../../shared/findings'
import { numberOf } from './amounts'
import { contributionsOf, changeOf, mixIn } from './contributions'
import { kinOf } from './kin'
import type { SplitColumns } from './kin'
import { drafted, effectBetween, percentOf } from './look'
import type { Look } from './look'
import { mixSplitOf } from './parts'
import { prepared } from './prepared'
import type { Prepared } from './prepared'
import { scan } from './scan'
import { concentrationSentence, mixSentence } from './sentences'
import { isOfYear, seasonOf } from './season'
import { periodOf } from './span'
import type { Subject, SubjectDimension, SubjectMember } from './subject'
import { KEPT_BELOW, PRIOR } from './tested'
import type { Candidate } from './tested'

/** What is tested of a dimension as a whole: its largest share, and what its weights alone do to a ratio. */

interface Result {
  tests: number
  candidates: Candidate[]
}
const NOTHING: Result = { tests: 0, candidates: [] }
const valueAt = (series: { value: Subject['total']['value'] } | undefined, t: number): number =>
  numberOf(series?.value[t] ?? null) ?? 0

/** A series of worked-out figures as a subject that does not add up. */
const derived = (look: Look, value: (number | null)[]): Subject => ({
  ...look.subject,
  additive: false,
  counts: false,
  scale: undefined,
  total: { value, count: look.subject.total.count },
  under: undefined,
  dimensions: [],
})

/** Newest bucket and shift of level of a derived series, with what adds up to it where that is known. */
function tested(look: Look, value: (number | null)[], splitFrom?: (series: Prepared) => SplitColumns) {
  const subject = derived(look, value)
  const series = prepared(subject, look.span)
  if (!series) return null
  const frame = look.frames.of(series)
  const kin = splitFrom && kinOf(frame, [splitFrom(series)])
  const scanned = scan(frame, { ...series, shapes: ['newest', 'step'], kin })
  const [best] = scanned.sightings.toSorted((a, b) => a.p - b.p)
  return best ? { series, best } : null
}

function topShare(dimension: SubjectDimension, t: number): { share: number; top: SubjectMember } | null {
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
export function concentrationOf(look: Look, dimension: SubjectDimension): Result {
  if (!look.subject.additive || look.subject.under || dimension.members.length < 3) return NOTHING
  const tops = look.subject.buckets.map((_, t) => topShare(dimension, t))
  const found = tested(
    look,
    tops.map((top) => top?.share ?? null),
  )
  if (!found) return NOTHING
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  const to = series.at.at(-1) ?? 0
  const top = tops[to]
  const tests = { tests: PRIOR.concentration }
  if (p >= KEPT_BELOW || !top || best.size <= 0 || top.share < 1.5 / dimension.members.length)
    return { ...tests, candidates: [] }
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const ratio = { ...look, subject: { ...look.subject, scale: 12 } }
  const effect = effectBetween(ratio, { value: top.share, previous: top.share - best.size * series.unit })
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: top.top.member }
  const period = periodOf(look.subject, now)
  const told = { look, effect, period: periodOf(look.subject, { from: to, to }), comparison: null, contributions: [] }
  const moved = best.size * series.unit
  const candidate = drafted(look, {
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
function mixAlone(look: Look, dimension: SubjectDimension): (number | null)[] {
  const { span, subject } = look
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
export function mixOf(look: Look, dimension: SubjectDimension): Result {
  const { subject, span } = look
  if (!subject.under || !subject.additive || dimension.members.length < 2) return NOTHING
  const found = tested(look, mixAlone(look, dimension), (series) => mixSplitOf(look, { series, dimension }))
  if (!found) return NOTHING
  const { series, best } = found
  const p = Math.min(1, 2 * best.p)
  if (p >= KEPT_BELOW) return { tests: PRIOR.mixShift, candidates: [] }
  const to = series.at.at(-1) ?? 0
  const now = { from: best.shape === 'newest' ? to : (series.at[best.from] ?? 0), to }
  const length = now.to - now.from + 1
  const season = seasonOf(subject.grain)
  const back = isOfYear(subject.grain) && length <= season && now.from - season >= span.from ? season : length
  const windows = { now, then: { from: now.from - back, to: now.to - back } }
  const change = windows.then.from < span.from ? null : changeOf(subject, windows)
  const table = contributionsOf({ ...subject, dimensions: [dimension] }, windows)[0]
  const mix = table ? mixIn(table) : 0
  if (!change || !table || mix / Number(change.change) < 0.5) return { tests: PRIOR.mixShift, candidates: [] }
  const effect = { ...change, percent: percentOf(Number(change.value), Number(change.previous)) }
  const period = periodOf(subject, now)
  const comparison = periodOf(subject, windows.then)
  const moved = Math.abs(mix) / Math.max(look.usual.own, Number.MIN_VALUE)
  const told = { look, effect, period, comparison, contributions: [table] }
  const candidate = drafted(look, {
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
    sentence: mixSentence(told),
  })
  return { tests: PRIOR.mixShift, candidates: [candidate] }
}
