import { minimise } from '../minimise'

/**
 * A model with two states whose one-step errors are linear in the first states. `advance` takes the states (in place), and the error
 * that was made, to the next step; the expectation is `expect(states)`.
 */
export interface TwoStates {
  expect(level: number, other: number): number
  /** Writes the next states. */
  advance(states: Float64Array, at: number, error: number): void
}

export interface Fitted {
  level: number
  other: number
  squares: number
}

/**
 * Runs the model from the first states that fit best: three runs side by side (from nothing, and from one unit of each state without
 * data) give all that least squares needs. `ridge` holds the second state back where the data hardly tell it.
 */
export function fitted(values: ArrayLike<number>, model: TwoStates): Fitted {
  const s = new Float64Array(6)
  s[2] = 1
  s[5] = 1
  let aa = 0
  let ab = 0
  let bb = 0
  let ay = 0
  let by = 0
  let yy = 0
  for (let t = 0; t < values.length; t++) {
    const y = (values[t] ?? 0) - model.expect(s[0] ?? 0, s[1] ?? 0)
    const a = model.expect(s[2] ?? 0, s[3] ?? 0)
    const b = model.expect(s[4] ?? 0, s[5] ?? 0)
    aa += a * a
    ab += a * b
    bb += b * b
    ay += a * y
    by += b * y
    yy += y * y
    model.advance(s, 0, y)
    model.advance(s, 2, -a)
    model.advance(s, 4, -b)
  }
  const ground = aa * bb - ab * ab
  const one = ground > 1e-12 * aa * bb ? (ay * bb - by * ab) / ground : aa > 0 ? ay / aa : 0
  const two = ground > 1e-12 * aa * bb ? (by * aa - ay * ab) / ground : 0
  return {
    level: (s[0] ?? 0) + one * (s[2] ?? 0) + two * (s[4] ?? 0),
    other: (s[1] ?? 0) + one * (s[3] ?? 0) + two * (s[5] ?? 0),
    squares: yy - one * ay - two * by,
  }
}

const squash = (x: number): number => 1 / (1 + Math.exp(-x))

const dampedModel = (share: number, trendShare: number, damping: number): TwoStates => ({
  expect: (level, trend) => level + damping * trend,
  advance(states, at, error) {
    const trend = damping * (states[at + 1] ?? 0)
    states[at] = (states[at] ?? 0) + trend + share * error
    states[at + 1] = trend + trendShare * error
  },
})

/** Damped trend (Gardner and McKenzie 1985): share in (0, 1), share of the trend below it, damping in (0.8, 0.98). */
export function dampedTrend(values: ArrayLike<number>, horizon: number): number[] {
  const place = (at: readonly number[]): [number, number, number] => {
    const share = squash(at[0] ?? 0)
    return [share, share * squash(at[1] ?? 0), 0.8 + 0.18 * squash(at[2] ?? 0)]
  }
  const { at } = minimise((x) => fitted(values, dampedModel(...place(x))).squares, [-0.5, -2, 1], {
    steps: [1, 1, 1],
    most: 120,
    within: 1e-5,
  })
  const [share, trendShare, damping] = place(at)
  const { level, other } = fitted(values, dampedModel(share, trendShare, damping))
  let sum = 0
  return Array.from({ length: horizon }, (_, step) => level + (sum += damping ** (step + 1)) * other)
}

const complexModel = (real: number, imaginary: number): TwoStates => ({
  expect: (level) => level,
  advance(states, at, error) {
    const level = states[at] ?? 0
    const other = states[at + 1] ?? 0
    states[at] = level - (1 - imaginary) * other + (real - imaginary) * error
    states[at + 1] = level + (1 - real) * other + (real + imaginary) * error
  },
})

/** How far the two parameters lie outside of where the model is stable; 0 inside (Svetunkov, Kourentzes and Ord 2022). */
const unstable = (real: number, imaginary: number): number =>
  Math.max(0, 1.25 - (real - 2.5) ** 2 - imaginary ** 2) +
  Math.max(0, 0.25 - (real - 0.5) ** 2 - (imaginary - 1) ** 2) +
  Math.max(0, (real - 1.5) ** 2 + (imaginary - 0.5) ** 2 - 1.5)

/** Complex exponential smoothing without season (Svetunkov, Kourentzes and Ord 2022): level and what the level alone does not tell. */
export function complexSmoothing(values: ArrayLike<number>, horizon: number): number[] {
  const cost = (at: readonly number[]): number => {
    const out = unstable(at[0] ?? 0, at[1] ?? 0)
    return out > 0 ? Infinity : fitted(values, complexModel(at[0] ?? 0, at[1] ?? 0)).squares
  }
  const { at } = minimise(cost, [1.3, 1], { steps: [0.15, 0.02], most: 120, within: 1e-5 })
  const model = complexModel(at[0] ?? 1.3, at[1] ?? 1)
  const { level, other } = fitted(values, model)
  const states = Float64Array.of(level, other)
  return Array.from({ length: horizon }, () => {
    const next = states[0] ?? 0
    model.advance(states, 0, 0)
    return next
  })
}
