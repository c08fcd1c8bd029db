import { P_VALUE_MIN, fPValue } from './distributions'
import { toCandidate, effectOfValues, noveltyByAge, effectWeight } from './look'
import type { SeriesAnalysis } from './look'
import type { StandardizedSeries } from './prepared'
import { orthonormalBasis, dot, residualOf } from './regression'
import { meanOf } from './robust'
import { hasFullSeasons, seasonColumns, seasonLength } from './season'
import { seasonSentence, streakSentence } from './sentences'
import { toFindingPeriod } from './span'
import { CANDIDATE_P_MAX, KIND_PRIORS } from './tested'
import type { FindingCandidate } from './tested'

/** Streaks of one series and its season. */

/** A streak that is told has at least this many steps. */
const STREAK_MIN = 5

interface TestResult {
  tests: number
  candidates: FindingCandidate[]
}

/**
 * Steps in a row to the newest bucket that go the same way, season and trend left out. Where nothing happens each step
 * goes up half the time, less often after another (it falls back to the middle), so 2 · ½^length is not too small.
 */
export function testStreak(seriesAnalysis: SeriesAnalysis, series: StandardizedSeries): TestResult {
  const { subject } = seriesAnalysis
  const residuals = residualOf(seriesAnalysis.designs.designFor(series).basis, series.y)
  const steps = [...residuals].slice(1).map((value, i) => value - (residuals[i] ?? 0))
  const ways = steps.map((step) => (Math.abs(step) <= series.floor / 10 ? 0 : Math.sign(step)))
  const way = ways.at(-1) ?? 0
  const start = ways.findLastIndex((one) => one !== way)
  const length = way === 0 ? 0 : ways.length - 1 - start
  const p = Math.min(1, Math.max(P_VALUE_MIN, 2 * 0.5 ** length))
  const from = series.at[start + 1]
  if (length < STREAK_MIN || p >= CANDIDATE_P_MAX || from === undefined || start < 4)
    return { tests: KIND_PRIORS.streak, candidates: [] }
  const [value, previous] = [series.y.at(-1) ?? 0, series.y[start + 1] ?? 0]
  if (Math.sign(value - previous) !== way) return { tests: KIND_PRIORS.streak, candidates: [] }
  const effect = effectOfValues(seriesAnalysis, { value: value * series.unit, previous: previous * series.unit })
  const period = toFindingPeriod(subject, { from, to: series.at.at(-1) ?? 0 })
  const told = { look: seriesAnalysis, effect, period, comparison: null, contributions: [] }
  const change = (value - previous) * series.unit
  const candidate = toCandidate(seriesAnalysis, {
    kind: 'streak',
    period,
    against: 'before',
    comparison: toFindingPeriod(subject, { from, to: from }),
    effect,
    contributions: [],
    statistic: { name: 'runs', value: length },
    n: series.at.length,
    p,
    change,
    weight: effectWeight(seriesAnalysis, change),
    novelty: 0.7,
    sentence: streakSentence(told, length),
  })
  return { tests: KIND_PRIORS.streak, candidates: [candidate] }
}

/** Means by place in the season, trend left out, and the newest bucket of the highest place. */
function seasonalPeak(series: StandardizedSeries, season: number): { from: number; above: number } {
  const { at, y } = series
  const line = orthonormalBasis([
    Float64Array.from(at, () => 1),
    Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0)),
  ])
  const beside = residualOf(line, y)
  const places = Array.from({ length: season }, (_, place) => {
    const own = [...beside].filter((_value, i) => (at[i] ?? 0) % season === place)
    return { place, above: meanOf(own) }
  }).toSorted((a, b) => b.above - a.above)
  const [top] = places
  return { from: at.findLast((t) => t % season === top?.place) ?? 0, above: top?.above ?? 0 }
}

/** Whether places of the season differ (F of them beside the trend), where there are two and a half seasons or more. */
export function testSeason(seriesAnalysis: SeriesAnalysis, series: StandardizedSeries): TestResult {
  const { subject } = seriesAnalysis
  const { at, y } = series
  const season = seasonLength(subject.grain)
  if (!hasFullSeasons(at.length, season)) return { tests: 0, candidates: [] }
  const plain = orthonormalBasis([
    Float64Array.from(at, () => 1),
    Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0)),
  ])
  const full = orthonormalBasis([...plain, ...seasonColumns(at, season)])
  const [before, after] = [residualOf(plain, y), residualOf(full, y)].map((rest) => dot(rest, rest))
  const df: [number, number] = [full.length - plain.length, at.length - full.length]
  const noise = Math.max((after ?? 0) / df[1], series.floor ** 2)
  const f = ((before ?? 0) - (after ?? 0)) / df[0] / noise
  const p = fPValue(f, df)
  const { from, above } = seasonalPeak(series, season)
  const usual = meanOf([...y])
  if (p >= CANDIDATE_P_MAX || above <= 0) return { tests: KIND_PRIORS.season, candidates: [] }
  const effect = effectOfValues(seriesAnalysis, { value: (usual + above) * series.unit, previous: usual * series.unit })
  const period = toFindingPeriod(subject, { from, to: from })
  const candidate = toCandidate(seriesAnalysis, {
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
    weight: effectWeight(seriesAnalysis, above * series.unit),
    novelty: 0.35 * noveltyByAge(0, 1),
    sentence: seasonSentence({ look: seriesAnalysis, effect, period, comparison: null, contributions: [] }),
  })
  return { tests: KIND_PRIORS.season, candidates: [candidate] }
}
