import type { Grain, RelativeRange } from './query/date-range'
import type { WeekStart } from './workspaces/workspaces'

/** What turns instants into days, weeks and years. `today` is the workspace's local date (injected clock). */
export interface Calendar {
  timeZone: string
  weekStart: WeekStart
  /** Month 1–12. */
  fiscalYearStart: number
  today: string
  /** How figures are written in the words of an answer; absent: in English. */
  numberLocale?: string
}

/** Integer arithmetic over day numbers (days since 1970-01-01, proleptic Gregorian). No zones in here. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const FIRST_DAY = -719_162
export const LAST_DAY = 2_932_896

export interface CivilDate {
  year: number
  /** 1–12 */
  month: number
  day: number
}

/** Day number of a civil date. Method: count in 400-year eras that begin on 1 March. */
export function dayFromCivil({ year, month, day }: CivilDate): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

export function civilFromDay(dayNumber: number): CivilDate {
  const shifted = dayNumber + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const mp = Math.floor((5 * dayOfYear + 2) / 153)
  const month = mp < 10 ? mp + 3 : mp - 9
  const day = dayOfYear - Math.floor((153 * mp + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0')
export const isoFromDay = (dayNumber: number): string => {
  const { year, month, day } = civilFromDay(dayNumber)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** Null when the text is not a real date of the years 1–9999. */
export function dayFromIso(text: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!found) return null
  const number = dayFromCivil({ year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) })
  return number >= FIRST_DAY && isoFromDay(number) === text ? number : null
}

/** Months since January of year 0. */
export const monthIndexOf = (dayNumber: number): number => {
  const { year, month } = civilFromDay(dayNumber)
  return year * 12 + month - 1
}
export const firstOfMonth = (monthIndex: number): number =>
  dayFromCivil({ year: Math.floor(monthIndex / 12), month: (((monthIndex % 12) + 12) % 12) + 1, day: 1 })

/** The same day of another month; the last day when that month is shorter. */
export function addMonths(dayNumber: number, months: number): number {
  const target = monthIndexOf(dayNumber) + months
  return Math.min(firstOfMonth(target) + civilFromDay(dayNumber).day - 1, firstOfMonth(target + 1) - 1)
}

/** What a day number is added to so that weeks begin at multiples of 7 and the sum is positive. */
export const WEEK_OFFSET = { monday: 1_400_003, sunday: 1_400_004, saturday: 1_400_005 } as const

export type CalendarUnit = RelativeRange['unit']
/** Months of a unit that is made of months. */
export const MONTHS_PER_UNIT: Partial<Record<CalendarUnit, number>> = {
  month: 1,
  quarter: 3,
  year: 12,
  fiscalQuarter: 3,
  fiscalYear: 12,
}
export const isFiscalUnit = (unit: Grain): boolean => unit === 'fiscalQuarter' || unit === 'fiscalYear'

/** First day of the unit that holds this day, `steps` units later. */
export function startOfUnit(dayNumber: number, unit: CalendarUnit, calendar: Calendar, steps = 0): number {
  if (unit === 'day') return dayNumber + steps
  if (unit === 'week') return dayNumber - ((dayNumber + WEEK_OFFSET[calendar.weekStart]) % 7) + 7 * steps
  const months = MONTHS_PER_UNIT[unit] ?? 1
  const offset = isFiscalUnit(unit) ? calendar.fiscalYearStart - 1 : 0
  const index = monthIndexOf(dayNumber) - offset
  return firstOfMonth(Math.floor(index / months) * months + months * steps + offset)
}
