import { studentTPValue, dot } from './statistics'
import { toCandidate, effectOfValues, CANDIDATE_P_MAX, NO_RESULT, resultOf } from './candidates'
import type { SeriesAnalysis, TestResult } from './candidates'
import type { StandardizedSeries } from './regression-design'
import { scanForShapes, type DetectedShape } from './scan'
import { seasonColumns, seasonLength } from './season'
import { targetRiskSentence } from './sentences'
import { toFindingPeriod, type SubjectTarget } from './subject'
import { PACE_TOLERANCE } from '../../../shared/targets/pace'

/** Where a figure is heading, and how sure that is. */
interface TargetProjection {
  value: number
  /** Standard error of `value`, what is not known of trend and season included; 0 when nothing is open. */
  error: number
  df: number
}

/**
 * Level, trend and season of the past, with the shifts and turns that were seen in it, carried on over the buckets that are
 * still to come, beside those that are over; of a figure whose buckets do not add up, the mean of all of them. Its error is
 * that of a prediction by ordinary least squares whose errors are correlated by φ from bucket to bucket:
 * σ²·(m + 2·Σ(m−k)·φ^k + x'(X'X)⁻¹x·(1+φ)/(1−φ)) for the sum x of the m coming rows.
 */
function projectTowardsTarget(
  analysis: SeriesAnalysis,
  series: StandardizedSeries,
  target: SubjectTarget,
): TargetProjection {
  const { at, y, unit } = series
  const newest = at.at(-1) ?? 0
  const end = target.first + target.length - 1
  const inside = at.flatMap((t, i) => (t >= target.first && t <= end ? [(y[i] ?? 0) * unit] : []))
  const done = inside.reduce((sum, value) => sum + value, 0)
  const coming = Array.from({ length: Math.max(0, end - Math.max(newest, target.first - 1)) }, (_, k) => end - k)
  const by = target.way === 'level' ? Math.max(1, inside.length + coming.length) : 1
  if (coming.length === 0) return { value: done / by, error: 0, df: at.length }
  const season = seasonLength(analysis.subject.grain)
  const places = [...at, ...coming]
  const middle = at[at.length >> 1] ?? 0
  const waves = seasonColumns(at, season)
  const seen = scanForShapes(analysis.designs.designFor(series), series)
  const columns = [
    Float64Array.from(places, () => 1),
    Float64Array.from(places, (t) => t - middle),
    ...extendSeasonColumns(places, { season, known: at.length, columns: waves.length }),
    ...seen.accepted.map((one) => extendShape(places, at, one)),
  ]
  const { fitted, spread } = extrapolate(columns, { y, known: at.length })
  const { sigma, phi, df } = seen.errors()
  const own = sumVariance(coming.length, phi) + (spread * (1 + phi)) / (1 - phi)
  return { value: (done + fitted * unit) / by, error: (sigma * unit * Math.sqrt(own)) / by, df }
}

/** Variance of the sum of m errors in units of one's. */
function sumVariance(m: number, phi: number): number {
  let sum = m
  for (let k = 1; k < m; k += 1) sum += 2 * (m - k) * phi ** k
  return sum
}

/** A shape that was seen among known places, carried on to others: a shift lasts, a turn goes on, one bucket is over. */
function extendShape(places: readonly number[], at: readonly number[], { shape, from }: DetectedShape): Float64Array {
  const [first, before] = [at[from] ?? 0, at[from - 1] ?? 0]
  if (shape === 'step') return Float64Array.from(places, (t) => (t >= first ? 1 : 0))
  if (shape === 'bend') return Float64Array.from(places, (t) => Math.max(0, t - before))
  return Float64Array.from(places, (t) => (t === first ? 1 : 0))
}

/** The season's columns of known places, carried on to others: whichever kind the known ones have. */
function extendSeasonColumns(
  places: readonly number[],
  { season, known, columns }: { season: number; known: number; columns: number },
): Float64Array[] {
  if (season <= 1 || columns === 0) return []
  if (columns === season - 1 && known >= 2.5 * season)
    return Array.from({ length: season - 1 }, (_, place) =>
      Float64Array.from(places, (t) => (t % season === place + 1 ? 1 : 0)),
    )
  return Array.from({ length: columns / 2 }, (_, k) => (2 * Math.PI * (k + 1)) / season).flatMap((turn) => [
    Float64Array.from(places, (t) => Math.sin(turn * t)),
    Float64Array.from(places, (t) => Math.cos(turn * t)),
  ])
}

/** Sum of the fit over the rows past `known`, and x'(X'X)⁻¹x of their sum, by columns made orthonormal over the known. */
function extrapolate(columns: readonly Float64Array[], { y, known }: { y: Float64Array; known: number }) {
  const head = (column: Float64Array): Float64Array => column.slice(0, known)
  const units: Float64Array[] = []
  for (const column of columns) {
    let rest = Float64Array.from(column)
    for (const unit of units) {
      const along = dot(head(unit), head(rest))
      rest = rest.map((value, i) => value - along * (unit[i] ?? 0))
    }
    const size = Math.sqrt(dot(head(rest), head(rest)))
    if (size > 1e-7) units.push(rest.map((value) => value / size))
  }
  const ahead = units.map((unit) => unit.slice(known).reduce((sum, value) => sum + value, 0))
  const fitted = units.reduce((sum, unit, k) => sum + dot(head(unit), y) * (ahead[k] ?? 0), 0)
  const spread = ahead.reduce((sum, value) => sum + value * value, 0)
  return { fitted, spread }
}

/**
 * Whether the target is likely to be missed by more than a little: above it for figures that are better low, else below
 * it. What lies at its target within the slack of a pace is not told, however sure it is.
 */
export function testTargetRisk(analysis: SeriesAnalysis, series: StandardizedSeries): TestResult {
  const { subject } = analysis
  const { target } = subject
  if (!target || target.first > (series.at.at(-1) ?? 0) + 1) return NO_RESULT
  const heading = projectTowardsTarget(analysis, series, target)
  const short = (heading.value - target.amount) * (subject.direction === 'down' ? -1 : 1)
  const apart = Math.abs(short / target.amount)
  if (short >= 0 || !Number.isFinite(apart) || apart <= PACE_TOLERANCE) return resultOf('targetRisk')
  const t = heading.error > 0 ? short / heading.error : -Infinity
  const p = studentTPValue(t, heading.df) / 2
  if (p >= CANDIDATE_P_MAX) return resultOf('targetRisk')
  const end = Math.min(target.first + target.length, subject.buckets.length) - 1
  const period = toFindingPeriod(subject, { from: Math.max(0, Math.min(target.first, end)), to: end })
  const effect = effectOfValues(analysis, { value: heading.value, previous: target.amount })
  const candidate = toCandidate(analysis, {
    kind: 'targetRisk',
    period,
    against: 'target',
    comparison: null,
    effect,
    contributions: [],
    statistic: { name: 't', value: Number.isFinite(t) ? t : -40 },
    n: series.at.length,
    p,
    change: heading.value - target.amount,
    weight: apart / (apart + 0.1),
    novelty: 1,
    sentence: (told) => targetRiskSentence(told, target.period),
  })
  return resultOf('targetRisk', candidate)
}
