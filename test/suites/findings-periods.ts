import type { FindingPeriod } from '../../src/shared/findings'

const DAY_MS = 86_400_000
const isoOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The last day of a bucket that begins on this day. */
export function unitEnd(from: string, grain: FindingPeriod['grain']): string {
  const start = new Date(`${from.slice(0, 10)}T00:00:00Z`)
  if (grain === 'day') return isoOf(start.getTime())
  if (grain === 'week') return isoOf(start.getTime() + 6 * DAY_MS)
  return isoOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0))
}
