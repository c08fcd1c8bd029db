import { minimise, mean } from '../numerics'

/**
 * A model with two states, a level and one more, whose one-step errors are linear in the first states. The value expected next is
 * `level + seen · other`; the next states are sums of these times the states and times the error that was made. Figures instead
 * of functions: this is the innermost loop of a forecast.
 */
interface TwoStateModel {
  observedWeight: number
  level: { other: number; error: number }
  other: { level: number; other: number; error: number }
}

interface TwoStateFit {
  level: number
  other: number
  squares: number
}

/**
 * Runs the model from the first states that fit best: three runs side by side (from nothing, and from one unit of each state without
 * data) give all that least squares needs. `ridge` holds the second state back where the data hardly tell it.
 */
function fitTwoStates(values: ArrayLike<number>, { observedWeight, level, other }: TwoStateModel): TwoStateFit {
  let [l0, o0, l1, o1, l2, o2] = [0, 0, 1, 0, 0, 1]
  let [aa, ab, bb, ay, by, yy] = [0, 0, 0, 0, 0, 0]
  for (let t = 0; t < values.length; t++) {
    const y = (values[t] ?? 0) - (l0 + observedWeight * o0)
    const a = l1 + observedWeight * o1
    const b = l2 + observedWeight * o2
    aa += a * a
    ab += a * b
    bb += b * b
    ay += a * y
    by += b * y
    yy += y * y
    const k0 = l0
    const k1 = l1
    const k2 = l2
    l0 = k0 + level.other * o0 + level.error * y
    l1 = k1 + level.other * o1 - level.error * a
    l2 = k2 + level.other * o2 - level.error * b
    o0 = other.level * k0 + other.other * o0 + other.error * y
    o1 = other.level * k1 + other.other * o1 - other.error * a
    o2 = other.level * k2 + other.other * o2 - other.error * b
  }
  const ground = aa * bb - ab * ab
  const one = ground > 1e-12 * aa * bb ? (ay * bb - by * ab) / ground : aa > 0 ? ay / aa : 0
  const two = ground > 1e-12 * aa * bb ? (by * aa - ay * ab) / ground : 0
  return {
    level: l0 + one * l1 + two * l2,
    other: o0 + one * o1 + two * o2,
    squares: yy - one * ay - two * by,
  }
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

const dampedModel = (share: number, trendShare: number, damping: number): TwoStateModel => ({
  observedWeight: damping,
  level: { other: damping, error: share },
  other: { level: 0, other: damping, error: trendShare },
})

/** Damped trend (Gardner and McKenzie 1985): share in (0, 1), share of the trend below it, damping in (0.8, 0.98). */
export function dampedTrend(values: ArrayLike<number>, horizon: number): number[] {
  const place = (at: readonly number[]): [number, number, number] => {
    const share = logistic(at[0] ?? 0)
    return [share, share * logistic(at[1] ?? 0), 0.8 + 0.18 * logistic(at[2] ?? 0)]
  }
  const { at } = minimise((x) => fitTwoStates(values, dampedModel(...place(x))).squares, [-0.5, -2, 1], {
    steps: [1, 1, 1],
    most: 120,
    within: 1e-5,
  })
  const [share, trendShare, damping] = place(at)
  const { level, other } = fitTwoStates(values, dampedModel(share, trendShare, damping))
  let sum = 0
  return Array.from({ length: horizon }, (_, step) => level + (sum += damping ** (step + 1)) * other)
}

const complexModel = (real: number, imaginary: number): TwoStateModel => ({
  observedWeight: 0,
  level: { other: imaginary - 1, error: real - imaginary },
  other: { level: 1, other: 1 - real, error: real + imaginary },
})

/** How far the two parameters lie outside of where the model is stable; 0 inside (Svetunkov, Kourentzes and Ord 2022). */
const instability = (real: number, imaginary: number): number =>
  Math.max(0, 1.25 - (real - 2.5) ** 2 - imaginary ** 2) +
  Math.max(0, 0.25 - (real - 0.5) ** 2 - (imaginary - 1) ** 2) +
  Math.max(0, (real - 1.5) ** 2 + (imaginary - 0.5) ** 2 - 1.5)

/** Complex exponential smoothing without season (Svetunkov, Kourentzes and Ord 2022): level and what the level alone does not tell. */
export function complexExponentialSmoothing(values: ArrayLike<number>, horizon: number): number[] {
  const cost = (at: readonly number[]): number => {
    const out = instability(at[0] ?? 0, at[1] ?? 0)
    return out > 0 ? Infinity : fitTwoStates(values, complexModel(at[0] ?? 0, at[1] ?? 0)).squares
  }
  const { at } = minimise(cost, [1.3, 1], { steps: [0.15, 0.02], most: 120, within: 1e-5 })
  const model = complexModel(at[0] ?? 1.3, at[1] ?? 1)
  let { level, other } = fitTwoStates(values, model)
  return Array.from({ length: horizon }, () => {
    const next = level
    ;[level, other] = [next + model.level.other * other, next + model.other.other * other]
    return next
  })
}

const BLOCKS_MIN = 8

/** Damped trend over means of `size` values, laid on the grid of single ones by straight lines between the middles of blocks. */
function forecastFromBlocks(values: Float64Array, horizon: number, size: number): number[] {
  const count = Math.floor(values.length / size)
  const from = values.length - count * size
  const blocks = Float64Array.from({ length: count }, (_, i) =>
    mean(values.subarray(from + i * size, from + (i + 1) * size)),
  )
  const ahead = dampedTrend(blocks, Math.ceil(horizon / size) + 1)
  const at = (i: number): number => ahead[i] ?? 0
  return Array.from({ length: horizon }, (_, step) => {
    const place = (step + 1 - (size + 1) / 2) / size
    const left = Math.min(Math.max(0, Math.floor(place)), ahead.length - 2)
    return at(left) + (at(left + 1) - at(left)) * (place - left)
  })
}

/**
 * Multiple temporal aggregation (Kourentzes, Petropoulos and Trapero 2014): the same model over the values and over means of several
 * at a time, averaged. The coarse ones see trends that noise hides from the fine ones.
 */
export function temporalAggregation(values: Float64Array, horizon: number, sizes: readonly number[]): number[] {
  const paths = sizes
    .filter((size) => size === 1 || Math.floor(values.length / size) >= BLOCKS_MIN)
    .map((size) => (size === 1 ? dampedTrend(values, horizon) : forecastFromBlocks(values, horizon, size)))
  return Array.from({ length: horizon }, (_, step) => mean(paths.map((path) => path[step] ?? 0)))
}
