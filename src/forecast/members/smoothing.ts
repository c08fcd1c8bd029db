import { line } from '../numbers'

const LOWEST = 0.0001
const HIGHEST = 0.9999

/** Level after the last value and the summed squared one-step errors, for a share given to each new value. */
export interface Smoothed {
  share: number
  level: number
  squares: number
}

/** One run of simple exponential smoothing with the first level that fits best (closed form: errors are linear in it). */
export function smoothedWith(values: ArrayLike<number>, share: number): Smoothed {
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
    level += share * error
    weight *= 1 - share
  }
  const first = bottom > 0 ? top / bottom : 0
  return { share, level: level + weight * first, squares: squares - top * first }
}

/** Simple exponential smoothing with the share that fits best: eleven tries, then thirds. */
export function smoothed(values: ArrayLike<number>): Smoothed {
  let best = smoothedWith(values, LOWEST)
  for (let i = 1; i <= 10; i++) {
    const next = smoothedWith(values, i / 10 - LOWEST)
    if (next.squares < best.squares) best = next
  }
  let low = Math.max(LOWEST, best.share - 0.1)
  let high = Math.min(HIGHEST, best.share + 0.1)
  for (let i = 0; i < 18; i++) {
    const third = (high - low) / 3
    if (smoothedWith(values, low + third).squares < smoothedWith(values, high - third).squares) high -= third
    else low += third
  }
  return smoothedWith(values, (low + high) / 2)
}

/** Simple exponential smoothing: one level for all steps. */
export const simpleSmoothing = (values: ArrayLike<number>, horizon: number): number[] =>
  new Array<number>(horizon).fill(smoothed(values).level)

/** Theta method (Assimakopoulos and Nikolopoulos 2000): half the trend line, half the smoothed line of doubled curvature. */
export function theta(values: ArrayLike<number>, horizon: number): number[] {
  const { intercept, slope } = line(values)
  const { level } = smoothed(Float64Array.from(values, (v, t) => 2 * v - (intercept + slope * (t + 1))))
  return Array.from({ length: horizon }, (_, step) => (intercept + slope * (values.length + step + 1) + level) / 2)
}
