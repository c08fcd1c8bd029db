/** Sum with Neumaier's compensation: what is lost in each addition is added at the end. */
export function sumOf(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}
export const meanOf = (values: readonly number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length)

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/** Median absolute deviation, scaled so that it estimates the standard deviation of normal values. */
export function spreadOf(values: readonly number[]): number {
  const middle = medianOf(values)
  return 1.482_602_218_505_602 * medianOf(values.map((value) => Math.abs(value - middle)))
}

export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.length < 2 ? 0 : sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
}

/**
 * L-kurtosis τ₄ (Hosking 1990): 0.123 for normal values, more for heavier tails. From probability-weighted moments of
 * the sorted sample.
 */
export function tailWeightOf(values: readonly number[]): number {
  const n = values.length
  if (n < 8) return 0.123
  const sorted = Float64Array.from(values).sort()
  const b = [0, 0, 0, 0]
  sorted.forEach((value, at) => {
    let weight = 1 / n
    for (let order = 0; order < 4; order += 1) {
      b[order] = (b[order] ?? 0) + weight * value
      weight *= (at - order) / (n - 1 - order)
    }
  })
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = b
  const second = 2 * b1 - b0
  return second > 0 ? (20 * b3 - 30 * b2 + 12 * b1 - b0) / second : 0.123
}
