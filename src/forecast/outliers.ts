import { median } from './numbers'
import { hasSeason, estimateSeasonalIndices, removeSeason, restoreSeason } from './season'

export interface Outlier {
  at: number
  value: number
  /** What its neighbours and its season say. */
  expected: number
  /** The value drawn in to the edge of what is usual. */
  dampened: number
}

const MEDIAN_REACH = 3
/** Robust deviations a value must lie off to be called an outlier. */
const OUTLIER_DEVIATIONS = 5

/** Median of the values at most `REACH` steps away; at the ends of those that are there. */
const runningMedian = (values: Float64Array): Float64Array =>
  values.map((_, t) => median(values.subarray(Math.max(0, t - MEDIAN_REACH), t + MEDIAN_REACH + 1)))

/** Expected values: the running median of the series without its season, the season put back. */
export function expectedValues(values: Float64Array, season: number): Float64Array {
  if (!hasSeason(values, season)) return runningMedian(values)
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const index = estimateSeasonalIndices(values, season, kind, { robust: true })
  if (kind === 'multiplicative' && index.indices.some((figure) => !(figure > 0.01))) return runningMedian(values)
  return Float64Array.from(restoreSeason(runningMedian(removeSeason(values, index)), index, 0))
}

/** Values far from their neighbours and their season, by median absolute deviation (Hampel 1974). A lasting change is none. */
export function detectOutliers(values: Float64Array, season: number): Outlier[] {
  const expected = expectedValues(values, season)
  const off = values.map((v, t) => v - (expected[t] ?? 0))
  const deviation = 1.4826 * median(off.map(Math.abs).filter((d) => d > 0))
  if (!(deviation > 0)) return []
  return Array.from(values).flatMap((value, at) => {
    const distance = off[at] ?? 0
    if (Math.abs(distance) <= OUTLIER_DEVIATIONS * deviation) return []
    const usual = expected[at] ?? 0
    return [{ at, value, expected: usual, dampened: usual + Math.sign(distance) * 2 * deviation }]
  })
}

export function dampenOutliers(values: Float64Array, outliers: readonly Outlier[]): Float64Array {
  const calm = values.slice()
  for (const { at, dampened } of outliers) calm[at] = dampened
  return calm
}
