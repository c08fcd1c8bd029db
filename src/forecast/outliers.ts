import { median } from './numbers'
import { hasSeason, seasonIndex, withoutSeason, withSeason } from './season'

export interface Outlier {
  at: number
  value: number
  /** What its neighbours and its season say. */
  expected: number
  /** The value drawn in to the edge of what is usual. */
  dampened: number
}

const REACH = 3
/** Robust deviations a value must lie off to be called an outlier. */
const FAR = 5

/** Median of the values at most `REACH` steps away; at the ends of those that are there. */
const around = (values: Float64Array): Float64Array =>
  values.map((_, t) => median(values.subarray(Math.max(0, t - REACH), t + REACH + 1)))

/** Expected values: the running median of the series without its season, the season put back. */
export function expectedOf(values: Float64Array, season: number): Float64Array {
  if (!hasSeason(values, season)) return around(values)
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const index = seasonIndex(values, season, kind, { robust: true })
  if (kind === 'multiplicative' && index.figures.some((figure) => !(figure > 0.01))) return around(values)
  return Float64Array.from(withSeason(around(withoutSeason(values, index)), index, 0))
}

/** Values far from their neighbours and their season, by median absolute deviation (Hampel 1974). A lasting change is none. */
export function outliersOf(values: Float64Array, season: number): Outlier[] {
  const expected = expectedOf(values, season)
  const off = values.map((v, t) => v - (expected[t] ?? 0))
  const deviation = 1.4826 * median(off.map(Math.abs).filter((d) => d > 0))
  if (!(deviation > 0)) return []
  return Array.from(values).flatMap((value, at) => {
    const distance = off[at] ?? 0
    if (Math.abs(distance) <= FAR * deviation) return []
    const usual = expected[at] ?? 0
    return [{ at, value, expected: usual, dampened: usual + Math.sign(distance) * 2 * deviation }]
  })
}

export function withDampened(values: Float64Array, outliers: readonly Outlier[]): Float64Array {
  const calm = values.slice()
  for (const { at, dampened } of outliers) calm[at] = dampened
  return calm
}
