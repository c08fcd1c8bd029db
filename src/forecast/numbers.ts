/** Arithmetic mean; 0 for none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0
  return values.length > 0 ? sum / values.length : 0
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
export function line(values: ArrayLike<number>): { intercept: number; slope: number } {
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
