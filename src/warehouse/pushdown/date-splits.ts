import type { Dialect } from './dialect'
import type { PlacedColumn } from './foreign-rows'
import { sql, type Sql } from './sql'
import type { RowValues } from './values'
import { lastBucketOf, shiftOf, type BucketShift } from '../query/time/buckets'
import type { AbsolutePeriod } from '../query/time/resolve-period'
import {
  firstOfMonth,
  isFiscalUnit,
  MONTHS_PER_UNIT,
  monthIndexOf,
  WEEK_OFFSET,
  type Calendar,
} from '../../shared/dates'
import type { DatePart, Grain } from '../../shared/query/date-range'

/** What makes hours after midnight a number above 0: a multiple of 24. */
const HOURS_SHIFT = 24_000_000
/** How many days after Monday the week begins. */
const WEEK_STARTS = { monday: 0, sunday: 6, saturday: 5 } as const

/** A part of dates by its place in the natural order: weekdays from the workspace's first day of the week on. */
export function partOrdinal(values: RowValues, placed: PlacedColumn, part: DatePart): Sql {
  const { dialect, planContext } = values.rows
  if (part === 'hourOfDay') return sql`((${values.hours(placed)} + ${HOURS_SHIFT}) % 24)`
  const day = values.days(placed)
  if (part === 'dayOfMonth') return dialect.dayOfMonth(day)
  if (part === 'monthOfYear') return dialect.month(day)
  const weekday = weekdayOf(day, planContext.calendar)
  return part === 'weekday' ? weekday : weekOfYear(dialect, day, planContext.calendar)
}
const weekdayOf = (day: Sql, { weekStart }: Calendar): Sql => sql`((${day} + ${WEEK_OFFSET[weekStart]}) % 7)`

/** Weeks from Monday by ISO 8601, others so that week 1 has 1 January: a week is of the year of its fourth, or its last day. */
function weekOfYear(dialect: Dialect, day: Sql, calendar: Calendar): Sql {
  const anchor = sql`(${day} - ${weekdayOf(day, calendar)} + ${calendar.weekStart === 'monday' ? 3 : 6})`
  return sql`(${dialect.floorBy(sql`(${dialect.dayOfYear(anchor)} - 1)`, 7)} + 1)`
}

/** A part of dates as it is told and asked for: weekdays from 1, Monday. */
export function partNumber(values: RowValues, placed: PlacedColumn, part: DatePart): Sql {
  const ordinal = partOrdinal(values, placed, part)
  return part === 'weekday'
    ? sql`((${ordinal} + ${WEEK_STARTS[values.rows.planContext.calendar.weekStart]}) % 7 + 1)`
    : ordinal
}

/**
 * A unit of time as a number: days, hours, or of units that are made of months the month it begins with (months since year 0).
 */
export interface UnitKey {
  key: Sql
  /** What the number stands for: a bucket of the answer. */
  bucketOf: (key: number) => number
}
export function unitKey(values: RowValues, placed: PlacedColumn, grain: Grain): UnitKey {
  const { dialect, planContext } = values.rows
  const same = (key: number): number => key
  if (grain === 'hour') return { key: values.hours(placed), bucketOf: same }
  const day = values.days(placed)
  if (grain === 'day') return { key: day, bucketOf: same }
  if (grain === 'week') return { key: sql`(${day} - ${weekdayOf(day, planContext.calendar)})`, bucketOf: same }
  const months = MONTHS_PER_UNIT[grain] ?? 1
  const offset = isFiscalUnit(grain) ? planContext.calendar.fiscalYearStart - 1 : 0
  const index = sql`(${dialect.year(day)} * 12 + ${dialect.month(day)} - 1)`
  if (months === 1) return { key: index, bucketOf: firstOfMonth }
  const units = dialect.floorBy(sql`(${index} - ${offset})`, months)
  return { key: sql`(${units} * ${months} + ${offset})`, bucketOf: firstOfMonth }
}

/** Units of the comparison as those of the period they are laid over, and the last that there is. */
export function alignToComparison(
  dialect: Dialect,
  key: Sql,
  { grain, calendar, period }: { grain: Grain; calendar: Calendar; period: AbsolutePeriod },
): { key: Sql; last: number } | null {
  const { range, compare } = period
  if (!range || !compare) return null
  const shift = shiftOf(grain, { from: range.from, compareFrom: compare.from, yearly: compare.yearly }, calendar)
  const last = lastBucketOf(range.to, grain, calendar)
  const isOfMonths = MONTHS_PER_UNIT[grain === 'hour' ? 'day' : grain] !== undefined
  return { key: shifted(dialect, key, { grain, shift }), last: isOfMonths ? monthIndexOf(last) : last }
}
function shifted(dialect: Dialect, key: Sql, { grain, shift }: { grain: Grain; shift: BucketShift }): Sql {
  if (shift.kind === 'months') return sql`(${key} + ${shift.months})`
  if (shift.kind === 'days') return sql`(${key} + ${grain === 'hour' ? shift.days * 24 : shift.days})`
  if (grain !== 'hour') return dialect.yearLater(key)
  const day = dialect.floorBy(key, 24)
  return sql`(${dialect.yearLater(day)} * 24 + (${key} + ${HOURS_SHIFT}) % 24)`
}
