import { fitLine, minimise, clamp, mean, median } from '../numerics'

const ALPHA_MIN = 0.0001
const ALPHA_MAX = 0.9999

/** Level after the last value and the summed squared one-step errors, for a share given to each new value. */
export interface SmoothingFit {
  alpha: number
  level: number
  squares: number
}

/** One run of simple exponential smoothing with the first level that fits best (closed form: errors are linear in it). */
function smoothWithAlpha(values: ArrayLike<number>, alpha: number): SmoothingFit {
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
function fitSimpleSmoothing(values: ArrayLike<number>): SmoothingFit {
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

/** Fitted optimised theta: its path, its share and the deviation of one-step errors (what the intervals stand on). */
export interface OptimisedThetaFit {
  path: number[]
  alpha: number
  deviation: number
}

interface ThetaState {
  n: number
  level: number
  mean: number
  intercept: number
  slope: number
  /** (1 − share)^n, kept running. */
  decay: number
  next: number
}

const initialState = (first: number): ThetaState => ({
  n: 0,
  level: first,
  mean: 0,
  intercept: 0,
  slope: 0,
  decay: 1,
  next: 0,
})

/** Takes one value in: level, running line, and the expectation of the next value. */
function updateState(s: ThetaState, value: number, share: number, bend: number): void {
  s.n++
  const before = s.mean
  s.mean = ((s.n - 1) * before + value) / s.n
  s.slope = s.n < 2 ? 0 : ((s.n - 2) * s.slope + (6 * (value - before)) / s.n) / (s.n + 1)
  s.intercept = s.mean - ((s.n + 1) / 2) * s.slope
  s.level = share * value + (1 - share) * s.level
  s.decay *= 1 - share
  s.next = s.level + bend * (s.decay * s.intercept + ((1 - s.decay * (1 - share)) / share) * s.slope)
}

/** Deviations past which a miss is told as that many: one jump of the past must not widen the band for ever. */
const ERROR_CLIP_DEVIATIONS = 5
const FITTED_PARAMETERS = 3

function residualDeviation(misses: number[]): number {
  const most = ERROR_CLIP_DEVIATIONS * 1.4826 * median(misses)
  const squares = misses.reduce((sum, miss) => sum + (most > 0 ? Math.min(miss, most) : miss) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, misses.length - FITTED_PARAMETERS))
}

/**
 * Dynamic optimised theta model (Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler 2016): level, share and theta fitted to one-step
 * errors; the line is that of the values seen so far.
 */
export function optimisedTheta(values: ArrayLike<number>, horizon: number): OptimisedThetaFit {
  const unit = mean(Float64Array.from(values, Math.abs)) || 1
  const skip = Math.min(3, values.length - 2)
  const evaluate = (
    at: readonly number[],
    misses?: number[],
  ): { state: ThetaState; squares: number; share: number; bend: number } => {
    const share = clamp(at[1] ?? 0.5, 0.1, 0.99)
    const bend = 1 - 1 / Math.exp(clamp(at[2] ?? 0, 0, 7))
    const state = initialState((at[0] ?? 0) * unit)
    let squares = 0
    for (let t = 0; t < values.length; t++) {
      const value = values[t] ?? 0
      if (t >= skip) squares += (value - state.next) ** 2
      misses?.push(Math.abs(value - state.next))
      updateState(state, value, share, bend)
    }
    return { state, squares, share, bend }
  }
  const outside = (at: readonly number[]): number =>
    1 + Math.abs((at[1] ?? 0) - clamp(at[1] ?? 0, 0.1, 0.99)) + Math.abs((at[2] ?? 0) - clamp(at[2] ?? 0, 0, 7))
  const { at } = minimise((x) => evaluate(x).squares * outside(x), [(values[0] ?? 0) / unit / 2, 0.5, Math.log(2)], {
    steps: [0.5, 0.2, 0.7],
  })
  const misses: number[] = []
  const { state, share: alpha, bend } = evaluate(at, misses)
  const path: number[] = []
  for (let step = 0; step < horizon; step++) {
    path.push(state.next)
    updateState(state, state.next, alpha, bend)
  }
  return { path, alpha, deviation: residualDeviation(misses.slice(Math.max(skip, values.length >> 2))) }
}
