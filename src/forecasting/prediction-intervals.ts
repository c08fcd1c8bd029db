import type { Frequency } from './contract'
import { ENSEMBLE_MEMBERS, type EnsembleForecast, type EnsembleMemberName } from './ensemble'
import { optimisedTheta } from './members/theta'
import { clamp, mean as meanOf, median, straightness } from './numerics'
import { seasonStrength } from './seasonality'
import { buildTrainingWindow, type TrainingWindow } from './training-window'
import type { ForecastLevel } from '../shared/forecasts/result'

/**
 * Half-widths of bands in spreads of `spread.ts`, by frequency and the share the band is to hold. Quantiles of what was missed on the
 * competition series of the development sample, at their end and one horizon earlier, each drawn towards the geometric mean over
 * frequencies by the weight of 20 series (decision 042 has the figures).
 */
export const INTERVAL_HALF_WIDTHS: Record<Frequency, Record<ForecastLevel, number>> = {
  yearly: { 50: 0.51, 80: 1.15, 95: 2.1 },
  quarterly: { 50: 0.42, 80: 0.91, 95: 1.66 },
  monthly: { 50: 0.43, 80: 0.91, 95: 1.58 },
  weekly: { 50: 0.42, 80: 0.885, 95: 1.55 },
  daily: { 50: 0.48, 80: 1.05, 95: 1.95 },
  hourly: { 50: 0.235, 80: 0.51, 95: 1 },
}

const STRONG_SEASON = 0.6
const STRAIGHT_TREND = 0.8

/** Where series of a frequency are missed by more or less than its others: a strong season holds months, a straight trend bends. */
export function segmentWidth({ frequency, values, deseasonalised, seasonalIndices, season }: TrainingWindow): number {
  if (frequency !== 'monthly' && frequency !== 'quarterly') return 1
  const isSeasonal = seasonalIndices !== null && seasonStrength(values, deseasonalised, season) >= STRONG_SEASON
  if (frequency === 'quarterly') return isSeasonal ? 1.05 : 1
  if (isSeasonal) return 0.85
  return straightness(deseasonalised).share >= STRAIGHT_TREND ? 1.12 : 0.97
}

/** How far a band is skewed towards growth at most, as a power of e. */
const SKEW_EXPONENT_MAX = 1.5

/**
 * A band around a value: half way between amounts and shares where values are always positive, so that it reaches farther up than down.
 */
export function skewedBand(value: number, width: number, isPositive: boolean): { lower: number; upper: number } {
  if (!isPositive || !(value > 0)) return { lower: value - width, upper: value + width }
  const share = Math.min(SKEW_EXPONENT_MAX, width / value)
  return {
    lower: value - (width + value * (1 - Math.exp(-share))) / 2,
    upper: value + (width + value * (Math.exp(share) - 1)) / 2,
  }
}

/** Weight of how far members lie apart, in a spread. */
export const DISAGREEMENT_WEIGHT = 2

/** Widths grow with the level they are around to this power: between an amount (0) and a share (1). */
export const LEVEL_GROWTH_POWER = 0.5

/** Cheap members whose misses at earlier origins tell how far off this series tends to be. */
const PROBE_MEMBERS: Record<Frequency, EnsembleMemberName[]> = {
  yearly: ['theta', 'ses', 'damped'],
  quarterly: ['theta', 'ses', 'damped'],
  monthly: ['theta', 'ses', 'damped'],
  weekly: ['theta', 'ses', 'damped'],
  daily: ['theta', 'ses', 'damped'],
  hourly: ['seasonal naive', 'same hour last week', 'levels'],
}
const ORIGINS_MAX = 6
/** Misses of origins before a break of the series say little of what comes: held to so many times the other deviations. */
const ORIGIN_ERROR_FACTOR_MAX = 4

/** How much the season lifts a step: a width is as large as what it is around. */
const seasonalScale = (window: TrainingWindow, place: number): number =>
  window.seasonalIndices?.kind === 'multiplicative'
    ? clamp(Math.abs(window.seasonalIndices.indices[place % window.season] ?? 1), 0.3, 3)
    : 1

/** Lengths of the past at which the probes are asked: the newest leaves a whole horizon, or in short series what there is. */
function rollingOrigins(length: number, horizon: number, season: number): number[] {
  const fewest = Math.max(4, Math.min(Math.floor(length / 3), 3 * season))
  const stride = Math.max(1, Math.floor(horizon / 3))
  const origins: number[] = []
  for (let k = 0, at = length - horizon; k < ORIGINS_MAX && fewest + k < length; k++, at -= stride) {
    if (at >= fewest) origins.push(at)
    else origins.push(fewest + k)
  }
  return [...new Set(origins)].filter((at) => at < length)
}

/** Sums of squared misses by step, and their counts, freed of the season's lift. */
function squaredErrorsByStep(window: TrainingWindow, horizon: number): { squares: Float64Array; counts: Float64Array } {
  const squares = new Float64Array(horizon)
  const counts = new Float64Array(horizon)
  const { values, frequency, season } = window
  for (const at of rollingOrigins(values.length, horizon, season)) {
    const past = buildTrainingWindow(values.slice(0, at), { frequency, season, engines: null })
    const steps = Math.min(horizon, values.length - at)
    const paths = PROBE_MEMBERS[frequency].flatMap((name) => {
      const path = ENSEMBLE_MEMBERS[name](past, steps)
      return path ? [path] : []
    })
    for (let step = 0; step < steps; step++) {
      const miss =
        ((values[at + step] ?? 0) - median(paths.map((path) => path[step] ?? 0))) / seasonalScale(window, at + step)
      if (!Number.isFinite(miss)) continue
      squares[step] = (squares[step] ?? 0) + miss * miss
      counts[step] = (counts[step] ?? 0) + 1
    }
  }
  return { squares, counts }
}

/** Least squares slope of log error over log step, half way to that of a random walk (0.5), held in [0, 1]. */
function errorGrowthSlope(squares: Float64Array, counts: Float64Array): number {
  let weight = 0
  let x1 = 0
  let y1 = 0
  let xx = 0
  let xy = 0
  counts.forEach((count, step) => {
    const square = squares[step] ?? 0
    if (count === 0 || !(square > 0)) return
    const x = Math.log(step + 1)
    const y = 0.5 * Math.log(square / count)
    weight += count
    x1 += count * x
    y1 += count * y
    xx += count * x * x
    xy += count * x * y
  })
  if (weight === 0) return 0.5
  const spread = xx / weight - (x1 / weight) ** 2
  const slope = spread > 1e-9 ? (xy / weight - (x1 / weight) * (y1 / weight)) / spread : 0.5
  return clamp(0.5 * slope + 0.25, 0, 1)
}

/** Typical miss at each step: `c · step^slope` through the misses of all origins; null when there were none. */
function rollingOriginErrors(window: TrainingWindow, horizon: number): number[] | null {
  const { squares, counts } = squaredErrorsByStep(window, horizon)
  const slope = errorGrowthSlope(squares, counts)
  let top = 0
  let bottom = 0
  counts.forEach((count, step) => {
    top += (squares[step] ?? 0) / (step + 1) ** (2 * slope)
    bottom += count
  })
  const first = Math.sqrt(top / bottom)
  return bottom > 0 && Number.isFinite(first)
    ? Array.from({ length: horizon }, (_, step) => first * (step + 1) ** slope)
    : null
}

export interface IntervalComponents {
  /** What the season lifts each step by. */
  seasonalScales: number[]
  /** Growth of the expected level against the present one. */
  growth: number[]
  /** Deviations at each step: of a fitted theta, of earlier origins, and how far members lie from the blend, the farthest
   * aside. */
  fitted: number[]
  originErrors: number[]
  disagreement: number[]
}

/** What the width of a band is made from. */
export function intervalComponents(
  window: TrainingWindow,
  horizon: number,
  { mean, members }: EnsembleForecast,
): IntervalComponents {
  const { deseasonalised } = window
  const n = deseasonalised.length
  const theta = optimisedTheta(deseasonalised, 1)
  const level = Math.abs(median(deseasonalised.subarray(Math.max(0, n - 5)))) || 1
  let steps = 0
  for (let t = 1; t < n; t++) steps += Math.abs((deseasonalised[t] ?? 0) - (deseasonalised[t - 1] ?? 0))
  const walk = n > 1 ? steps / (n - 1) : 0
  const fitted = Array.from({ length: horizon }, (_, step) => theta.deviation * Math.sqrt(1 + step * theta.alpha ** 2))
  const lifts = mean.map((_, step) => seasonalScale(window, window.values.length + step))
  const walked = fitted.map((_, step) => walk * Math.sqrt(step + 1))
  return {
    seasonalScales: lifts,
    growth: mean.map((v, step) => (window.logValues ? clamp(Math.abs(v) / (lifts[step] ?? 1) / level, 0.1, 10) : 1)),
    fitted,
    originErrors: (rollingOriginErrors(window, horizon) ?? fitted).map((miss, step) =>
      Math.min(miss, ORIGIN_ERROR_FACTOR_MAX * Math.max(fitted[step] ?? 0, walked[step] ?? 0)),
    ),
    disagreement: mean.map((v, step) => {
      const own = Float64Array.from(members, ({ path }) => Math.abs((path[step] ?? 0) - v)).sort()
      return meanOf(own.subarray(0, Math.max(1, own.length - 1))) / (lifts[step] ?? 1)
    }),
  }
}
