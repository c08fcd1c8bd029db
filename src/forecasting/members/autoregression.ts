import { mean } from '../numerics'

const LAGS_MAX = 6

/** Autoregression by Burg's recursion (1975) with the number of lags by AICc (Hurvich and Tsai 1989). Always stationary. */
function burgCoefficients(values: Float64Array): number[] {
  const n = values.length
  const ahead = Float64Array.from(values)
  const behind = Float64Array.from(values)
  const cost = (power: number, lags: number): number =>
    n * Math.log(power || Number.MIN_VALUE) + (2 * (lags + 1) * n) / Math.max(1, n - lags - 2)
  let power = values.reduce((sum, v) => sum + v * v, 0) / n
  let lags: number[] = []
  let best = { lags, cost: cost(power, 0) }
  for (let p = 1; p <= Math.max(1, Math.min(LAGS_MAX, n >> 2)); p++) {
    const k = burgStep(ahead, behind, p)
    const before = lags
    lags = [...before.map((lag, i) => lag - k * (before[p - 2 - i] ?? 0)), k]
    power *= 1 - k * k
    if (cost(power, p) < best.cost) best = { lags, cost: cost(power, p) }
  }
  return best.lags
}

/** One step of Burg's recursion, in place; answers the reflection coefficient. */
function burgStep(ahead: Float64Array, behind: Float64Array, p: number): number {
  let top = 0
  let bottom = 0
  for (let t = p; t < ahead.length; t++) {
    const a = ahead[t] ?? 0
    const b = behind[t - 1] ?? 0
    top += a * b
    bottom += a * a + b * b
  }
  const k = bottom > 0 ? (2 * top) / bottom : 0
  for (let t = ahead.length - 1; t >= p; t--) {
    const a = ahead[t] ?? 0
    const b = behind[t - 1] ?? 0
    ahead[t] = a - k * b
    behind[t] = b - k * a
  }
  return k
}

function extrapolate(values: Float64Array, horizon: number): number[] {
  const lags = burgCoefficients(values)
  const known = Array.from(values)
  for (let step = 0; step < horizon; step++)
    known.push(lags.reduce((sum, lag, j) => sum + lag * (known[known.length - 1 - j] ?? 0), 0))
  return known.slice(values.length)
}

/** Autoregression around the mean: returns to it. */
export function levelAutoregression(values: Float64Array, horizon: number): number[] {
  const centre = mean(values)
  return extrapolate(
    values.map((v) => v - centre),
    horizon,
  ).map((v) => v + centre)
}

/** Autoregression of the changes: goes on from the last value. */
export function changeAutoregression(values: Float64Array, horizon: number): number[] {
  const changes = Float64Array.from({ length: values.length - 1 }, (_, i) => (values[i + 1] ?? 0) - (values[i] ?? 0))
  let level = values.at(-1) ?? 0
  return extrapolate(changes, horizon).map((change) => (level += change))
}
