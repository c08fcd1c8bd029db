import { clamp } from './numerics'
import { byLevel, type ForecastLevel, type ForecastPath, type IntervalPath } from '../shared/forecasts/result'

/** What came, and what had been said. */
export interface ForecastVsActual {
  actual: readonly number[]
  path: { mean: readonly number[] }
}

/**
 * Half-widths in deviations of accumulated misses. A normal distribution would have 0.67, 1.28 and 1.96, which hold too little: few
 * origins are seen, and they overlap. Quantiles over 250 competition series and their 250 series of changes, which hold 50, 80 and
 * 95 % of the sums of what came (decision 042).
 */
const BALANCE_HALF_WIDTHS: Record<ForecastLevel, number> = { 50: 0.68, 80: 1.44, 95: 2.63 }
/** Misses that are not alike accumulate by the power 0.5, misses that are all alike by 1 and more. */
const PRIOR_SLOPE = 0.75
const SLOPE_RANGE = { least: 0.3, most: 1.6 }
/** How bands of steps accumulate where nothing was measured: between misses that are all alike (1) and not at all (2). */
const ACCUMULATION_POWER = 1.2

/** Running sums, added in order. */
function runningSums(values: readonly number[], from = 0): number[] {
  let sum = from
  return values.map((v) => (sum += v))
}

/** Least squares slope of log miss over log step, half way to the usual one. */
function accumulatedErrorSlope(squares: readonly number[]): number {
  const points = squares.flatMap((square, step) =>
    square > 0 && Number.isFinite(square) ? [{ x: Math.log(step + 1), y: 0.5 * Math.log(square) }] : [],
  )
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((p) => p.x), mean((p) => p.y)]
  const spread = mean((p) => (p.x - x) ** 2)
  const slope = spread > 1e-9 ? mean((p) => (p.x - x) * (p.y - y)) / spread : PRIOR_SLOPE
  return clamp(Number.isFinite(slope) ? (slope + PRIOR_SLOPE) / 2 : PRIOR_SLOPE, SLOPE_RANGE.least, SLOPE_RANGE.most)
}

/**
 * How far running sums of what was forecast lay from those of what came: `c · step^slope` through the misses of all origins, so that one
 * odd origin does not bend it. Null when there was no origin.
 */
function accumulatedErrors(pastForecasts: readonly ForecastVsActual[], steps: number): number[] | null {
  const misses = pastForecasts.map(({ actual, path }) => runningSums(actual.map((v, i) => v - (path.mean[i] ?? 0))))
  const squares = Array.from({ length: steps }, (_, step) => {
    const reached = misses.filter((miss) => miss.length > step)
    return reached.reduce((sum, miss) => sum + (miss[step] ?? 0) ** 2 / reached.length, 0)
  })
  const slope = accumulatedErrorSlope(squares)
  const first = Math.sqrt(squares.reduce((sum, square, step) => sum + square / (step + 1) ** (2 * slope) / steps, 0))
  return misses.length > 0 && Number.isFinite(first) ? squares.map((_, step) => first * (step + 1) ** slope) : null
}

/**
 * A path as a balance: what there is before it, and its running sums. Misses of sums are measured, not made up from those of
 * steps: whether misses even out or pile up differs from series to series. Never narrower than the first step's band, and
 * never narrower than a step before.
 */
export function accumulatePath(
  { mean, bands }: ForecastPath,
  opening: number,
  pastForecasts: readonly ForecastVsActual[],
): ForecastPath {
  const sums = runningSums(mean, opening)
  const miss = accumulatedErrors(pastForecasts, mean.length)
  const band = (level: ForecastLevel): IntervalPath => {
    const own = mean.map((_, step) => ((bands[level].upper[step] ?? 0) - (bands[level].lower[step] ?? 0)) / 2)
    const widths = miss ? miss.map((v) => BALANCE_HALF_WIDTHS[level] * v) : accumulateWidths(own)
    const first = own[0] ?? 0
    return {
      lower: sums.map((v, step) => v - Math.max(first, widths[step] ?? 0)),
      upper: sums.map((v, step) => v + Math.max(first, widths[step] ?? 0)),
    }
  }
  return { mean: sums, bands: byLevel(band) }
}

/** Widths of steps as those of their sums, where nothing was measured. */
function accumulateWidths(widths: readonly number[]): number[] {
  const unit = Math.max(...widths) || 1
  return runningSums(widths.map((v) => (v / unit) ** ACCUMULATION_POWER)).map(
    (sum) => unit * sum ** (1 / ACCUMULATION_POWER),
  )
}

/** Balances at the end of each period of the past, back from the one they end with; null before what is not known. */
export function pastBalances(opening: number, flows: readonly (number | null)[]): (number | null)[] {
  const past = new Array<number | null>(flows.length).fill(null)
  let balance: number | null = opening
  for (let at = flows.length - 1; at >= 0; at--) {
    past[at] = balance
    const flow = flows[at] ?? null
    balance = balance === null || flow === null ? null : balance - flow
  }
  return past
}
