/** One line of the table: our figure, what it is measured against in the same run, and the ratio. */
export interface Row {
  id: string
  what: string
  ours: string
  reference: string
  ratio: string
  /** Which way is better; lower unless said. */
  better?: 'higher'
}

/** The value below which `share` of the sample lies (nearest rank). */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
export const p95 = (sample: readonly number[]): number => quantile(sample, 0.95)
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const MB = 1024 * 1024
