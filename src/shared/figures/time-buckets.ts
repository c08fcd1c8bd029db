import { DAY_MS } from '../dates'
import type { Grain } from '../query/date-range'

/** Arithmetic over buckets of time, each named by its first day (ISO). Days only: no zone is involved. */
const MONTHS: Partial<Record<Grain, number>> = { month: 1, quarter: 3, fiscalQuarter: 3, year: 12, fiscalYear: 12 }
const DAYS: Partial<Record<Grain, number>> = { day: 1, week: 7 }

const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The day part of an ISO date or instant; `2026` and `2026-03` stand for their first day. */
export function dayOf(text: string): string | null {
  const found = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(text)
  if (!found) return null
  const day = `${found[1]}-${found[2] ?? '01'}-${found[3] ?? '01'}`
  return Number.isNaN(Date.parse(day)) ? null : day
}

/** The same day `months` later, at most the last day of that month. */
export function addMonths(day: string, months: number): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return iso(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

export const addDays = (day: string, days: number): string => iso(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)

/** First day of the bucket after this one; hours have none. */
export function nextBucket(start: string, grain: Grain): string | null {
  const months = MONTHS[grain]
  if (months !== undefined) return addMonths(start, months)
  const days = DAYS[grain]
  return days === undefined ? null : addDays(start, days)
}

/** Last day of the bucket that begins on `start`. */
export function bucketEnd(start: string, grain: Grain): string {
  const next = nextBucket(start, grain)
  return next === null ? start : addDays(next, -1)
}

/** Every bucket from the first to the last: a month without rows must not vanish from a time axis. */
export function fillBuckets(starts: readonly string[], grain: Grain, max = 2000): string[] {
  const sorted = [...new Set(starts)].sort()
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined || grain === 'hour') return sorted
  const known = new Set(sorted)
  const filled: string[] = []
  for (let at: string | null = first; at !== null && at <= last && filled.length < max; at = nextBucket(at, grain))
    filled.push(at)
  // Starts that do not lie on the grid (another week start, say) are kept: nothing that was answered is dropped.
  const onGrid = new Set(filled)
  return [...known].every((start) => onGrid.has(start)) ? filled : sorted
}
