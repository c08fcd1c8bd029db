import { exact, real } from './row-number'
import { int, sql, type RowNumber, type Sql } from '../sources/sql'
import type { DateDifferenceUnit, RowFunction } from '../../../shared/query/row-functions'

/** More days than lie between any two dates, in whole weeks: what is shifted by it divides as if it were positive. */
const SHIFT_DAYS = 5_600_000
/** 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday. */
const MONDAY_SHIFT = SHIFT_DAYS + 3
const DAYS_BOUND = 4_000_000n

export type DatePart = Extract<RowFunction, 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday'>

const partOf = (format: Sql, day: Sql): Sql => sql`CAST(strftime(${format}, ${day} * 86400, 'unixepoch') AS INTEGER)`
const weekdaySql = (day: Sql): Sql => sql`((${day} + ${int(MONDAY_SHIFT)}) % 7 + 1)`

/** What a part of a date is at most. */
export const DATE_PART_BOUNDS: Record<DatePart, bigint> = {
  ...{ year: 9999n, quarter: 4n, month: 12n, week: 53n, day: 31n, weekday: 7n },
}

/** A part of a local day. */
export const datePart = (part: DatePart, day: Sql): RowNumber => exact(partSql(part, day), 0, DATE_PART_BOUNDS[part])

/** The week is the one of ISO 8601: that of the year in which its Thursday lies. */
function partSql(part: DatePart, day: Sql): Sql {
  switch (part) {
    case 'year':
      return partOf(sql`'%Y'`, day)
    case 'quarter':
      return sql`((${partOf(sql`'%m'`, day)} + 2) / 3)`
    case 'month':
      return partOf(sql`'%m'`, day)
    case 'week':
      return sql`((${partOf(sql`'%j'`, sql`(${day} - ${weekdaySql(day)} + 4)`)} + 6) / 7)`
    case 'day':
      return partOf(sql`'%d'`, day)
    case 'weekday':
      return weekdaySql(day)
  }
}

/** The hour of a wall clock of milliseconds. */
export const hourSql = (wall: Sql): RowNumber =>
  exact(sql`((${wall} + ${int(SHIFT_DAYS * 86_400_000)}) / 3600000 % 24)`, 0, 23n)

export const daysBetween = (from: Sql, to: Sql): RowNumber => exact(sql`(${to} - ${from})`, 0, DAYS_BOUND)

/** Days from Monday to Friday from the first day on, without the last. */
export const weekdaysBetween = (from: Sql, to: Sql): RowNumber =>
  exact(sql`(${weekdaysBefore(to)} - ${weekdaysBefore(from)})`, 0, DAYS_BOUND)
const weekdaysBefore = (day: Sql): Sql =>
  sql`((${day} + ${int(MONDAY_SHIFT)}) / 7 * 5 + min((${day} + ${int(MONDAY_SHIFT)}) % 7, 5))`

export const UNIT_MS: Record<Extract<DateDifferenceUnit, 'hour' | 'minute'>, number> = {
  hour: 3_600_000,
  minute: 60_000,
}
/** Milliseconds in hours or minutes, with decimals. */
export const clockTimeBetween = (unit: 'hour' | 'minute', from: Sql, to: Sql): RowNumber =>
  real(sql`(CAST(${to} - ${from} AS REAL) / CAST(${int(UNIT_MS[unit])} AS REAL))`)
