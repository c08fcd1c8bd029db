/** Calendar days as whole numbers since 1970-01-01 (proleptic Gregorian), and as ISO text. */
export type Day = number
const DAY_MS = 86_400_000

export const dayOf = (iso: string): Day => Date.parse(`${iso}T00:00:00Z`) / DAY_MS
/** Midnight UTC, as sheets keep days. */
export const dateOf = (day: Day): Date => new Date(day * DAY_MS)
export const isoOf = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
export const yearOf = (day: Day): number => new Date(day * DAY_MS).getUTCFullYear()
/** 1–12. */
export const monthOf = (day: Day): number => new Date(day * DAY_MS).getUTCMonth() + 1
/** Day 31 of a shorter month is its last; month 13 is January of the next year, month 0 December of the one before. */
export const dateIn = (year: number, month: number, day: number): Day => {
  const first = Date.UTC(year, month - 1, 1) / DAY_MS
  const length = Date.UTC(year, month, 1) / DAY_MS - first
  return first + Math.min(day, length) - 1
}

/** Days on which nobody delivers: fixed Swedish holidays; movable ones shift too little to matter here. */
const HOLIDAYS = new Set(['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'])
/** 0 = Sunday. */
const weekdayOf = (day: Day): number => (((day + 4) % 7) + 7) % 7
export const isWorkday = (day: Day): boolean => {
  const weekday = weekdayOf(day)
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(isoOf(day).slice(5))
}
/** The day itself, or the next one that is worked on. */
export const nextWorkday = (day: Day): Day => (isWorkday(day) ? day : nextWorkday(day + 1))

/** Every month from the one of `from` to the one of `to`. */
export function monthsBetween(from: Day, to: Day): { year: number; month: number; first: Day; last: Day }[] {
  const months: { year: number; month: number; first: Day; last: Day }[] = []
  for (let first = dateIn(yearOf(from), monthOf(from), 1); first <= to;) {
    const [year, month] = [yearOf(first), monthOf(first)]
    const last = dateIn(year, month, 31)
    months.push({ year, month, first, last })
    first = last + 1
  }
  return months
}
