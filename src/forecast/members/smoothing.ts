import { fitLine } from '../numbers'

const ALPHA_MIN = 0.0001
const ALPHA_MAX = 0.9999

/** Level after the last value and the summed squared one-step errors, for a share given to each new value. */
export interface SmoothingFit {
  alpha: number
  level: number
  squares: number
}

/** One run of simple exponential smoothing with the first level that fits best (closed form: errors are linear in it). */
export function smoothWithAlpha(values: ArrayLike<number>, alpha: number): SmoothingFit {
  let level = 0
  let weight = 1
  let top = 0
  let bottom = 0
  let squares = 0
  for (let t = 0; t < values.length; t++) {
    const error = (values[t] ?? 0) - level
    top += error * weight
    bottom += weight * weight
    squares += error * error
    level += alpha * error
    weight *= 1 - alpha
  }
  const first = bottom > 0 ? top / bottom : 0
  return { alpha, level: level + weight * first, squares: squares - top * first }
}

/** Simple exponential smoothing with the share that fits best: eleven tries, then thirds. */
export function fitSimpleSmoothing(values: ArrayLike<number>): SmoothingFit {
  let best = smoothWithAlpha(values, ALPHA_MIN)
  for (let i = 1; i <= 10; i++) {
    const next = smoothWithAlpha(values, i / 10 - ALPHA_MIN)
    if (next.squares < best.squares) best = next
  }
  let low = Math.max(ALPHA_MIN, best.alpha - 0.1)
  let high = Math.min(ALPHA_MAX, best.alpha + 0.1)
  for (let i = 0; i < 18; i++) {
    const third = (high - low) / 3
    if (smoothWithAlpha(values, low + third).squares < smoothWithAlpha(values, high - third).squares) high -= third
    else low += third
  }
  return smoothWithAlpha(values, (low + high) / 2)
}

/** Simple exponential smoothing: one level for all steps. */
export const simpleExponentialSmoothing = (values: ArrayLike<number>, horizon: number): number[] =>
  new Array<number>(horizon).fill(fitSimpleSmoothing(values).level)

/** Theta method (Assimakopoulos and Nikolopoulos 2000): half the trend line, half the smoothed line of doubled curvature. */
export function theta(values: ArrayLike<number>, horizon: number): number[] {
  const { intercept, slope } = fitLine(values)
  const { level } = fitSimpleSmoothing(Float64Array.from(values, (v, t) => 2 * v - (intercept + slope * (t + 1))))
  return Array.from({ length: horizon }, (_, step) => (intercept + slope * (values.length + step + 1) + level) / 2)
}
