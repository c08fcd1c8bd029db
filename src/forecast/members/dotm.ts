import { minimise } from '../minimise'
import { clamp, mean, median } from '../numbers'

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
