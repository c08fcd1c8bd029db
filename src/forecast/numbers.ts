/** Arithmetic mean; 0 for none. Finite when the values are, even where their sum is not. */
export function mean(values: ArrayLike<number>): number {
  const n = values.length
  let sum = 0
  for (let i = 0; i < n; i++) sum += values[i] ?? 0
  if (n === 0 || Number.isFinite(sum)) return n > 0 ? sum / n : 0
  let shares = 0
  for (let i = 0; i < n; i++) shares += (values[i] ?? 0) / n
  return shares
}

/** Middle value, the mean of the two middle ones for an even count; 0 for none. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

/** Median step by step over several paths of the same length. */
export const medianPath = (paths: readonly ArrayLike<number>[], length: number): number[] =>
  Array.from({ length }, (_, step) => median(paths.map((path) => path[step] ?? 0)))

/** Intercept and slope of the least squares line through (1, y1), (2, y2), … */
export function fitLine(values: ArrayLike<number>): { intercept: number; slope: number } {
  const middle = (values.length + 1) / 2
  const level = mean(values)
  let shared = 0
  let spread = 0
  for (let i = 0; i < values.length; i++) {
    shared += (i + 1 - middle) * ((values[i] ?? 0) - level)
    spread += (i + 1 - middle) ** 2
  }
  const slope = spread > 0 ? shared / spread : 0
  return { intercept: level - slope * middle, slope }
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
