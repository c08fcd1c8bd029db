import { bucketSql } from './buckets'
import { dayNumberOf, type SourceColumn } from '../sources/source'
import { int, sql, type Sql } from '../sources/sql'
import { civilFromDay, dayFromCivil, LAST_DAY, WEEK_OFFSET, type Calendar } from '../../../shared/dates'
import type { DatePart } from '../../../shared/query/plan'

/**
 * Parts of dates as ordinals, in their natural order: weekdays count from the workspace's first day of the week (0–6),
 * hours from 0, all others from 1. Weeks that begin on Monday are numbered by ISO 8601 (week 1 has 4 January); others so
 * that week 1 has 1 January.
 */
type Weeks = Pick<Calendar, 'weekStart'>

/** Days from the first day of a week to the day whose year the week belongs to. */
const anchorOf = ({ weekStart }: Weeks): number => (weekStart === 'monday' ? 3 : 6)
/** How many days after Monday the week begins. */
const WEEK_STARTS = { monday: 0, sunday: 6, saturday: 5 } as const

export const hourOfDay = (hours: number): number => ((hours % 24) + 24) % 24

export function partOfDay(day: number, part: Exclude<DatePart, 'hourOfDay'>, calendar: Weeks): number {
  const { year, month, day: ofMonth } = civilFromDay(day)
  if (part === 'dayOfMonth') return ofMonth
  if (part === 'monthOfYear') return month
  const weekday = (day + WEEK_OFFSET[calendar.weekStart]) % 7
  if (part === 'weekday') return weekday
  const anchor = Math.min(LAST_DAY, day - weekday + anchorOf(calendar))
  const own = month === 1 || month === 12 ? civilFromDay(anchor).year : year
  return Math.floor((anchor - dayFromCivil({ year: own, month: 1, day: 1 })) / 7) + 1
}

export function partSql(column: SourceColumn, part: DatePart, calendar: Calendar): Sql {
  if (part === 'hourOfDay') return sql`((${bucketSql(column, 'hour', calendar)} + 19200000) % 24)`
  const day = dayNumberOf(column)
  if (part === 'dayOfMonth') return sql`CAST(strftime('%d', ${day} * 86400, 'unixepoch') AS INTEGER)`
  if (part === 'monthOfYear') return sql`CAST(strftime('%m', ${day} * 86400, 'unixepoch') AS INTEGER)`
  const weekday = sql`((${day} + ${int(WEEK_OFFSET[calendar.weekStart])}) % 7)`
  if (part === 'weekday') return weekday
  const anchor = sql`min(${int(LAST_DAY)}, ${day} - ${weekday} + ${int(anchorOf(calendar))})`
  return sql`((CAST(strftime('%j', ${anchor} * 86400, 'unixepoch') AS INTEGER) - 1) / 7 + 1)`
}

/** An ordinal as it is told and asked for: weekdays from 1, Monday. */
export const partNumber = (ordinal: number, part: DatePart, { weekStart }: Weeks): number =>
  part === 'weekday' ? ((ordinal + WEEK_STARTS[weekStart]) % 7) + 1 : ordinal

/** {@link partNumber} in SQL. */
export const partNumberSql = (ordinal: Sql, part: DatePart, { weekStart }: Weeks): Sql =>
  part === 'weekday' ? sql`((${ordinal} + ${int(WEEK_STARTS[weekStart])}) % 7 + 1)` : ordinal
