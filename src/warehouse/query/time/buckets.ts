import {
  civilFromDay,
  firstOfMonth,
  isoFromDay,
  LAST_DAY,
  monthIndexOf,
  DAY_MS,
  startOfUnit,
} from '../../../shared/dates'
import type { Grain } from '../../../shared/query/date-range'
import type { Calendar } from '../../../shared/dates'

/*
 * Buckets of time. A bucket is the day number of its first day, or for hours the hours since 1970 on the wall clock.
 * Where clocks go back, both passes of the repeated hour are one bucket; the skipped hour has none. Every row is in
 * exactly one bucket; an empty cell in the group without a date.
 */

/** How buckets of the comparison period are laid over those of the period itself. */
export type BucketShift =
  | { kind: 'days'; days: number }
  | { kind: 'months'; months: number }
  /** The same date a year later; 29 February counts to the 28th. */
  | { kind: 'year' }

/** The bucket that holds the end of this day: the last one of a period that ends with it. */
export function lastBucketOf(day: number, grain: Grain, calendar: Calendar): number {
  return grain === 'hour' ? day * 24 + 23 : startOfUnit(day, grain, calendar)
}

/** First and last day of the period → how far its buckets lie from the comparison's. */
export function shiftOf(
  grain: Grain,
  at: { from: number; compareFrom: number; yearly: boolean },
  calendar: Calendar,
): BucketShift {
  const { from, compareFrom, yearly } = at
  if (grain === 'hour' || grain === 'day') return yearly ? { kind: 'year' } : { kind: 'days', days: from - compareFrom }
  const [start, compareStart] = [startOfUnit(from, grain, calendar), startOfUnit(compareFrom, grain, calendar)]
  if (grain === 'week') return { kind: 'days', days: start - compareStart }
  return { kind: 'months', months: monthIndexOf(start) - monthIndexOf(compareStart) }
}

/** The bucket as ISO text: `2026-03-01`, hours as `2026-03-01T14:00` on the wall clock. */
export function bucketText(bucket: number, grain: Grain): string {
  if (grain !== 'hour') return isoFromDay(bucket)
  const day = Math.floor(bucket / 24)
  return `${isoFromDay(day)}T${String(bucket - day * 24).padStart(2, '0')}:00`
}

/** The stored instant or wall clock as ISO text; instants end in `Z`. */
export function momentText(ms: number, zoned: boolean): string {
  const day = Math.floor(ms / DAY_MS)
  const rest = ms - day * DAY_MS
  const clock = new Date(rest).toISOString().slice(11, rest % 1000 === 0 ? 19 : 23)
  return `${isoFromDay(Math.min(day, LAST_DAY))}T${clock}${zoned ? 'Z' : ''}`
}

export const lastDayOfMonth = (day: number): number => firstOfMonth(monthIndexOf(day) + 1) - 1
export const isFirstOfMonth = (day: number): boolean => civilFromDay(day).day === 1
