/** Sum of floating-point numbers: what is lost in each addition is added at the end (A. Neumaier, 1974). */
export function compensatedSum(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}
