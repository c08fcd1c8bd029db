import {
  civilFromDay,
  firstOfMonth,
  isFiscalUnit,
  isoFromDay,
  LAST_DAY,
  monthIndexOf,
  DAY_MS,
  startOfUnit,
  MONTHS_PER_UNIT,
  WEEK_OFFSET,
} from '../../../shared/dates'
import { dayNumberOf, floorDiv, wallOf, type SourceColumn } from '../sources/source'
import { int, sql, type Sql } from '../sources/sql'
import type { Grain } from '../../../shared/query/plan'
import type { Calendar } from '../../../shared/dates'

/**
 * Buckets of time. A bucket is the day number of its first day, or for hours the hours since 1970 on the wall clock.
 * Where clocks go back, both passes of the repeated hour are one bucket; the skipped hour has none. Every row is in
 * exactly one bucket; an empty cell in the group without a date.
 */
export function bucketSql(column: SourceColumn, grain: Grain, calendar: Calendar): Sql {
  if (grain === 'hour') return floorDiv(wallOf(column), 3_600_000)
  return dayBucketSql(dayNumberOf(column), grain, calendar)
}

function dayBucketSql(day: Sql, grain: Exclude<Grain, 'hour'>, calendar: Calendar): Sql {
  if (grain === 'day') return day
  if (grain === 'week') return sql`(${day} - (${day} + ${int(WEEK_OFFSET[calendar.weekStart])}) % 7)`
  const months = MONTHS_PER_UNIT[grain] ?? 1
  const seconds = sql`${day} * 86400, 'unixepoch'`
  if (months === 1) return sql`(unixepoch(${seconds}, 'start of month') / 86400)`
  if (grain === 'year') return sql`(unixepoch(${seconds}, 'start of year') / 86400)`
  const shift = isFiscalUnit(grain) ? 12 - calendar.fiscalYearStart : 11
  const back = sql`((CAST(strftime('%m', ${seconds}) AS INTEGER) + ${int(shift)}) % ${int(months)})`
  return sql`(unixepoch(${seconds}, 'start of month', '-' || ${back} || ' months') / 86400)`
}

/** How buckets of the comparison period are laid over those of the period itself. */
export type BucketShift =
  | { kind: 'days'; days: number }
  | { kind: 'months'; months: number }
  /** The same date a year later; 29 February counts to the 28th. */
  | { kind: 'year' }

export function shiftedSql(bucket: Sql, grain: Grain, bucketShift: BucketShift): Sql {
  if (grain === 'hour') {
    const day = sql`(${floorHours(bucket)})`
    return sql`(${shiftedSql(day, 'day', bucketShift)} * 24 + (${bucket} - ${day} * 24))`
  }
  if (bucketShift.kind === 'days') return sql`(${bucket} + ${int(bucketShift.days)})`
  const months = bucketShift.kind === 'year' ? 12 : bucketShift.months
  // The text is ours: an integer we computed.
  const step = sql`${int(Math.abs(months))} || ' months', 'floor'`
  const sign = months < 0 ? sql`'-' || ` : sql`'+' || `
  return sql`(unixepoch(${bucket} * 86400, 'unixepoch', ${sign}${step}) / 86400)`
}
const floorHours = (hours: Sql): Sql => sql`(${hours} + 19200000) / 24 - 800000`

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
