/** Sum with Neumaier's compensation: what is lost in each addition is added at the end. */
export function compensatedSum(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}
export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : compensatedSum(values) / values.length

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/** Median absolute deviation, scaled so that it estimates the standard deviation of normal values. */
export function robustDeviation(values: readonly number[]): number {
  const middle = medianOf(values)
  return 1.482_602_218_505_602 * medianOf(values.map((value) => Math.abs(value - middle)))
}

export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.length < 2 ? 0 : compensatedSum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
}
