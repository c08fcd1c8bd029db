import { civilFromDay, dayFromCivil, LAST_DAY, WEEK_OFFSET, type Calendar } from '../../../shared/dates'
import type { DatePart } from '../../../shared/query/date-range'

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

/** An ordinal as it is told and asked for: weekdays from 1, Monday. */
export const partNumber = (ordinal: number, part: DatePart, { weekStart }: Weeks): number =>
  part === 'weekday' ? ((ordinal + WEEK_STARTS[weekStart]) % 7) + 1 : ordinal
