import { P_LEAST, tailOfF } from './distributions'
import { drafted, effectBetween, noveltyOf, weightOf } from './look'
import type { Look } from './look'
import type { Prepared } from './prepared'
import { basisOf, dot, residualOf } from './regression'
import { meanOf } from './robust'
import { isWholeSeason, seasonColumns, seasonOf } from './season'
import { seasonSentence, streakSentence } from './sentences'
import { periodOf } from './span'
import { KEPT_BELOW, PRIOR } from './tested'
import type { Candidate } from './tested'

/** Streaks of one series and its season. */

/** A streak that is told has at least this many steps. */
const STREAK_LEAST = 5

interface Result {
  tests: number
  candidates: Candidate[]
}

/**
 * Steps in a row to the newest bucket that go the same way, season and trend left out. Where nothing happens each step
 * goes up half the time, less often after another (it falls back to the middle), so 2 · ½^length is not too small.
 */
export function streakOf(look: Look, series: Prepared): Result {
  const { subject } = look
  const residuals = residualOf(look.frames.of(series).basis, series.y)
  const steps = [...residuals].slice(1).map((value, i) => value - (residuals[i] ?? 0))
  const ways = steps.map((step) => (Math.abs(step) <= series.floor / 10 ? 0 : Math.sign(step)))
  const way = ways.at(-1) ?? 0
  const start = ways.findLastIndex((one) => one !== way)
  const length = way === 0 ? 0 : ways.length - 1 - start
  const p = Math.min(1, Math.max(P_LEAST, 2 * 0.5 ** length))
  const from = series.at[start + 1]
  if (length < STREAK_LEAST || p >= KEPT_BELOW || from === undefined || start < 4)
    return { tests: PRIOR.streak, candidates: [] }
  const [value, previous] = [series.y.at(-1) ?? 0, series.y[start + 1] ?? 0]
  if (Math.sign(value - previous) !== way) return { tests: PRIOR.streak, candidates: [] }
  const effect = effectBetween(look, { value: value * series.unit, previous: previous * series.unit })
  const period = periodOf(subject, { from, to: series.at.at(-1) ?? 0 })
  const told = { look, effect, period, comparison: null, contributions: [] }
  const change = (value - previous) * series.unit
  const candidate = drafted(look, {
    kind: 'streak',
    period,
    against: 'before',
    comparison: periodOf(subject, { from, to: from }),
    effect,
    contributions: [],
    statistic: { name: 'runs', value: length },
    n: series.at.length,
    p,
    change,
    weight: weightOf(look, change),
    novelty: 0.7,
    sentence: streakSentence(told, length),
  })
  return { tests: PRIOR.streak, candidates: [candidate] }
}

/** Means by place in the season, trend left out, and the newest bucket of the highest place. */
function highest(series: Prepared, season: number): { from: number; above: number } {
  const { at, y } = series
  const line = basisOf([Float64Array.from(at, () => 1), Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0))])
  const beside = residualOf(line, y)
  const places = Array.from({ length: season }, (_, place) => {
    const own = [...beside].filter((_value, i) => (at[i] ?? 0) % season === place)
    return { place, above: meanOf(own) }
  }).toSorted((a, b) => b.above - a.above)
  const [top] = places
  return { from: at.findLast((t) => t % season === top?.place) ?? 0, above: top?.above ?? 0 }
}

/** Whether places of the season differ (F of them beside the trend), where there are two and a half seasons or more. */
export function seasonOfSeries(look: Look, series: Prepared): Result {
  const { subject } = look
  const { at, y } = series
  const season = seasonOf(subject.grain)
  if (!isWholeSeason(at.length, season)) return { tests: 0, candidates: [] }
  const plain = basisOf([Float64Array.from(at, () => 1), Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0))])
  const full = basisOf([...plain, ...seasonColumns(at, season)])
  const [before, after] = [residualOf(plain, y), residualOf(full, y)].map((rest) => dot(rest, rest))
  const df: [number, number] = [full.length - plain.length, at.length - full.length]
  const noise = Math.max((after ?? 0) / df[1], series.floor ** 2)
  const f = ((before ?? 0) - (after ?? 0)) / df[0] / noise
  const p = tailOfF(f, df)
  const { from, above } = highest(series, season)
  const usual = meanOf([...y])
  if (p >= KEPT_BELOW || above <= 0) return { tests: PRIOR.season, candidates: [] }
  const effect = effectBetween(look, { value: (usual + above) * series.unit, previous: usual * series.unit })
  const period = periodOf(subject, { from, to: from })
  const candidate = drafted(look, {
    kind: 'season',
    period,
    against: 'expected',
    comparison: null,
    effect,
    contributions: [],
    statistic: { name: 'F', value: f },
    n: at.length,
    p,
    change: 0,
    weight: weightOf(look, above * series.unit),
    novelty: 0.35 * noveltyOf(0, 1),
    sentence: seasonSentence({ look, effect, period, comparison: null, contributions: [] }),
  })
  return { tests: PRIOR.season, candidates: [candidate] }
}
