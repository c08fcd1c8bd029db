/** Calendar days as whole numbers since 1970-01-01 (proleptic Gregorian), and as ISO text. */
export type DayNumber = number
const DAY_MS = 86_400_000

export const dayFromIso = (iso: string): DayNumber => Date.parse(`${iso}T00:00:00Z`) / DAY_MS
/** Midnight UTC, as sheets keep days. */
export const dateFromDay = (dayNumber: DayNumber): Date => new Date(dayNumber * DAY_MS)
export const isoFromDay = (dayNumber: DayNumber): string => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
export const yearOf = (dayNumber: DayNumber): number => new Date(dayNumber * DAY_MS).getUTCFullYear()
/** 1–12. */
export const monthOf = (dayNumber: DayNumber): number => new Date(dayNumber * DAY_MS).getUTCMonth() + 1
/** Day 31 of a shorter month is its last; month 13 is January of the next year, month 0 December of the one before. */
export const dayFromDate = (year: number, month: number, day: number): DayNumber => {
  const first = Date.UTC(year, month - 1, 1) / DAY_MS
  const length = Date.UTC(year, month, 1) / DAY_MS - first
  return first + Math.min(day, length) - 1
}

/** Days on which nobody delivers: fixed Swedish holidays; movable ones shift too little to matter here. */
const HOLIDAYS = new Set(['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'])
/** 0 = Sunday. */
const weekdayOf = (dayNumber: DayNumber): number => (((dayNumber + 4) % 7) + 7) % 7
export const isWorkday = (dayNumber: DayNumber): boolean => {
  const weekday = weekdayOf(dayNumber)
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(isoFromDay(dayNumber).slice(5))
}
/** The day itself, or the next one that is worked on. */
export const nextWorkday = (dayNumber: DayNumber): DayNumber =>
  isWorkday(dayNumber) ? dayNumber : nextWorkday(dayNumber + 1)

/** Every month from the one of `from` to the one of `to`. */
export function monthsBetween(
  from: DayNumber,
  to: DayNumber,
): { year: number; month: number; first: DayNumber; last: DayNumber }[] {
  const months: { year: number; month: number; first: DayNumber; last: DayNumber }[] = []
  for (let first = dayFromDate(yearOf(from), monthOf(from), 1); first <= to;) {
    const [year, month] = [yearOf(first), monthOf(first)]
    const last = dayFromDate(year, month, 31)
    months.push({ year, month, first, last })
    first = last + 1
  }
  return months
}
