import { numbersOf, type Numbers } from './vectors'
import { civilFromDay, dayFromCivil, DAY_MS, HOUR_MS } from '../../shared/dates'
import type { DateDifferenceUnit, RowFunction } from '../../shared/query/functions'

type DatePart = Extract<RowFunction, 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday'>

/** What a part of a date is at most. */
export const DATE_PART_BOUNDS: Record<DatePart, bigint> = {
  ...{ year: 9999n, quarter: 4n, month: 12n, week: 53n, day: 31n, weekday: 7n },
}
export const UNIT_MS: Record<Extract<DateDifferenceUnit, 'hour' | 'minute'>, number> = {
  hour: HOUR_MS,
  minute: 60_000,
}

/** 1970-01-01 was a Thursday: the fourth day of a week that begins on Monday. */
const MONDAY_SHIFT = 3
const weekdayOf = (day: number): number => ((((day + MONDAY_SHIFT) % 7) + 7) % 7) + 1

const DAY_PARTS: Record<DatePart, (day: number) => number> = {
  year: (day) => civilFromDay(day).year,
  quarter: (day) => Math.ceil(civilFromDay(day).month / 3),
  month: (day) => civilFromDay(day).month,
  week(day) {
    const thursday = day - weekdayOf(day) + 4
    const first = dayFromCivil({ year: civilFromDay(thursday).year, month: 1, day: 1 })
    return Math.floor((thursday - first) / 7) + 1
  },
  day: (day) => civilFromDay(day).day,
  weekday: weekdayOf,
}

/** A part of each local day; the week is the one of ISO 8601: that of the year in which its Thursday lies. Each different day is looked at once. */
export function partsOfDays(part: DatePart, days: Numbers): Numbers {
  const known = new Map<number, number>()
  const partOf = DAY_PARTS[part]
  const lookUp = (day: number): number => {
    const made = partOf(day)
    known.set(day, made)
    return made
  }
  return numbersOf((place, to) => {
    const from = days(place)
    for (let i = 0; i < place.rows; i += 1) {
      const day = from[i] ?? Number.NaN
      to[i] = Number.isNaN(day) ? day : (known.get(day) ?? lookUp(day))
    }
  })
}

/** The hour of each wall clock. */
export const hoursOfDay = (wall: Numbers): Numbers =>
  numbersOf((place, to) => {
    const from = wall(place)
    for (let i = 0; i < place.rows; i += 1) {
      const at = from[i] ?? Number.NaN
      to[i] = Math.floor((at - Math.floor(at / DAY_MS) * DAY_MS) / HOUR_MS)
    }
  })

/** Days from Monday to Friday before a day. */
function weekdaysBefore(day: number): number {
  const shifted = day + MONDAY_SHIFT
  const weeks = Math.floor(shifted / 7)
  return weeks * 5 + Math.min(shifted - weeks * 7, 5)
}
export const weekdaysBetweenDays = (from: Numbers, to: Numbers): Numbers =>
  numbersOf((place, into) => {
    const [a, b] = [from(place), to(place)]
    for (let i = 0; i < place.rows; i += 1)
      into[i] = weekdaysBefore(b[i] ?? Number.NaN) - weekdaysBefore(a[i] ?? Number.NaN)
  })
export const timeBetween = (from: Numbers, to: Numbers, unitMs: number): Numbers =>
  numbersOf((place, into) => {
    const [a, b] = [from(place), to(place)]
    for (let i = 0; i < place.rows; i += 1) into[i] = ((b[i] ?? Number.NaN) - (a[i] ?? Number.NaN)) / unitMs
  })
/** Days as the milliseconds of their beginning. */
export const momentsOfDays = (days: Numbers): Numbers =>
  numbersOf((place, to) => {
    const from = days(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = (from[i] ?? Number.NaN) * DAY_MS
  })
