import { DAY_MS } from '../shared/dates'
import { median } from './numerics'
import { expectedValues } from './data-quality'

/** A day of the calendar without a time: days since 1970-01-01. */
export type EpochDay = number

export const epochDay = (year: number, month: number, day: number): EpochDay =>
  Math.round(Date.UTC(year, month - 1, day) / DAY_MS)

export const epochDayOfIso = (iso: string): EpochDay => Math.round(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / DAY_MS)
const yearOfDay = (day: EpochDay): number => new Date(day * DAY_MS).getUTCFullYear()
/** 0 Sunday … 6 Saturday. */
const weekday = (day: EpochDay): number => (((day + 4) % 7) + 7) % 7

/** Easter Sunday of the western churches (Meeus 1991, after Butcher 1876). */
export function easter(year: number): EpochDay {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return epochDay(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

/** Easter Sunday of the eastern churches in today's calendar (Meeus 1991); right for 1900 … 2099. */
export function orthodoxEaster(year: number): EpochDay {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const month = Math.floor((d + e + 114) / 31)
  return epochDay(year, month, ((d + e + 114) % 31) + 1) + 13
}

/** The first day of that weekday on or after a date. */
const weekdayOnOrAfter = (wanted: number, year: number, month: number, day: number): EpochDay => {
  const from = epochDay(year, month, day)
  return from + ((wanted - weekday(from) + 7) % 7)
}

export const HOLIDAY_COUNTRIES = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV'],
  ...['MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
] as const

/** `MM-DD` for fixed days, `E+n` and `O+n` for days after western and eastern Easter, and names of rules below. */
const HOLIDAY_RULES: Record<string, string> = {
  AT: '01-01 01-06 E+1 05-01 E+39 E+50 E+60 08-15 10-26 11-01 12-08 12-25 12-26',
  BE: '01-01 E+1 05-01 E+39 E+50 07-21 08-15 11-01 11-11 12-25',
  BG: '01-01 03-03 O-2 O-1 O+0 O+1 05-01 05-06 05-24 09-06 09-22 12-24 12-25 12-26',
  CY: '01-01 01-06 O-48 03-25 04-01 O-2 O+0 O+1 05-01 O+50 08-15 10-01 10-28 12-24 12-25 12-26',
  CZ: '01-01 E-2 E+1 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26',
  DE: '01-01 E-2 E+1 05-01 E+39 E+50 10-03 12-25 12-26',
  DK: '01-01 E-3 E-2 E+0 E+1 E+39 E+49 E+50 12-25 12-26',
  EE: '01-01 02-24 E-2 E+0 05-01 E+49 06-23 06-24 08-20 12-24 12-25 12-26',
  ES: '01-01 01-06 E-2 05-01 08-15 10-12 11-01 12-06 12-08 12-25',
  FI: '01-01 01-06 E-2 E+0 E+1 05-01 E+39 E+49 midsummer-eve midsummer all-saints 12-06 12-24 12-25 12-26',
  FR: '01-01 E+1 05-01 05-08 E+39 E+50 07-14 08-15 11-01 11-11 12-25',
  GR: '01-01 01-06 O-48 03-25 O-2 O+0 O+1 05-01 O+50 08-15 10-28 12-25 12-26',
  HR: '01-01 01-06 E+0 E+1 05-01 05-30 E+60 06-22 08-05 08-15 11-01 11-18 12-25 12-26',
  HU: '01-01 03-15 E-2 E+0 E+1 05-01 E+49 E+50 08-20 10-23 11-01 12-25 12-26',
  IE: '01-01 brigid 03-17 E+1 first-monday-05 first-monday-06 first-monday-08 last-monday-10 12-25 12-26',
  IT: '01-01 01-06 E+0 E+1 04-25 05-01 06-02 08-15 10-04 11-01 12-08 12-25 12-26',
  LT: '01-01 02-16 03-11 E+0 E+1 05-01 06-24 07-06 08-15 11-01 11-02 12-24 12-25 12-26',
  LU: '01-01 E+1 05-01 05-09 E+39 E+50 06-23 08-15 11-01 12-25 12-26',
  LV: '01-01 E-2 E+0 E+1 05-01 05-04 06-23 06-24 11-18 12-24 12-25 12-26 12-31',
  MT: '01-01 02-10 03-19 03-31 E-2 05-01 06-07 06-29 08-15 09-08 09-21 12-08 12-13 12-25',
  NL: '01-01 E+0 E+1 kings-day E+39 E+49 E+50 12-25 12-26',
  PL: '01-01 01-06 E+0 E+1 05-01 05-03 E+49 E+60 08-15 11-01 11-11 12-24 12-25 12-26',
  PT: '01-01 E-2 E+0 04-25 05-01 E+60 06-10 08-15 10-05 11-01 12-01 12-08 12-25',
  RO: '01-01 01-02 01-06 01-07 01-24 O-2 O+0 O+1 05-01 O+49 O+50 06-01 08-15 11-30 12-01 12-25 12-26',
  SE: '01-01 01-06 E-2 E+0 E+1 05-01 E+39 E+49 06-06 midsummer-eve midsummer all-saints 12-24 12-25 12-26 12-31',
  SI: '01-01 01-02 02-08 E+0 E+1 04-27 05-01 05-02 E+49 06-25 08-15 10-31 11-01 12-25 12-26',
  SK: '01-01 01-06 E-2 E+1 05-01 05-08 07-05 08-29 09-15 11-01 12-24 12-25 12-26',
}

const MONDAY = 1
const FRIDAY = 5
const SATURDAY = 6

const NAMED_RULES: Record<string, (year: number) => EpochDay> = {
  'midsummer-eve': (year) => weekdayOnOrAfter(FRIDAY, year, 6, 19),
  midsummer: (year) => weekdayOnOrAfter(SATURDAY, year, 6, 20),
  'all-saints': (year) => weekdayOnOrAfter(SATURDAY, year, 10, 31),
  // The king's birthday, a day earlier when that is a Sunday.
  'kings-day': (year) => (weekday(epochDay(year, 4, 27)) === 0 ? epochDay(year, 4, 26) : epochDay(year, 4, 27)),
  // The first Monday of February, or the first itself when it is a Friday.
  brigid: (year) =>
    weekday(epochDay(year, 2, 1)) === FRIDAY ? epochDay(year, 2, 1) : weekdayOnOrAfter(MONDAY, year, 2, 1),
  'first-monday-05': (year) => weekdayOnOrAfter(MONDAY, year, 5, 1),
  'first-monday-06': (year) => weekdayOnOrAfter(MONDAY, year, 6, 1),
  'first-monday-08': (year) => weekdayOnOrAfter(MONDAY, year, 8, 1),
  'last-monday-10': (year) => weekdayOnOrAfter(MONDAY, year, 10, 25),
}

function dayOfRule(rule: string, year: number): EpochDay | null {
  const named = NAMED_RULES[rule]
  if (named) return named(year)
  const moved = /^([EO])([+-]\d+)$/.exec(rule)
  if (moved) return (moved[1] === 'E' ? easter(year) : orthodoxEaster(year)) + Number(moved[2])
  const fixed = /^(\d\d)-(\d\d)$/.exec(rule)
  return fixed ? epochDay(year, Number(fixed[1]), Number(fixed[2])) : null
}

/**
 * Nation-wide public holidays of a year by day, each under the rule that makes it; in Sweden with the eves on which trade stands still.
 * Rules as they are now: days that were moved or added by a law are not told for the years before it. Empty for a country not listed.
 */
export function publicHolidays(country: string, year: number): Map<EpochDay, string> {
  const days = new Map<EpochDay, string>()
  for (const rule of (HOLIDAY_RULES[country] ?? '').split(' ')) {
    const day = dayOfRule(rule, year)
    if (day !== null && !days.has(day)) days.set(day, rule)
  }
  return days
}

export interface HolidayEffects {
  /** Factor (or amount) of each holiday that was seen often enough, by its rule. */
  effects: Map<string, number>
  kind: 'multiplicative' | 'additive'
}

const DAYS_PER_WEEK = 7
const OCCURRENCES_MIN = 2

/** The holiday of each of `count` days from `first`, or null. */
export function holidayNames(country: string, first: EpochDay, count: number): (string | null)[] {
  const byYear = new Map<number, Map<EpochDay, string>>()
  return Array.from({ length: count }, (_, i) => {
    const year = yearOfDay(first + i)
    const days = byYear.get(year) ?? publicHolidays(country, year)
    byYear.set(year, days)
    return days.get(first + i) ?? null
  })
}

/**
 * How far values on each holiday lie from what their neighbours and their weekday say: the median of what was seen, drawn to nothing
 * where it was seen seldom. Null when no holiday was seen twice.
 */
export function estimateHolidayEffects(values: Float64Array, names: readonly (string | null)[]): HolidayEffects | null {
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const expected = expectedValues(values, DAYS_PER_WEEK)
  const seen = new Map<string, number[]>()
  values.forEach((v, t) => {
    const name = names[t]
    const usual = expected[t] ?? 0
    if (!name || (kind === 'multiplicative' && !(usual > 0))) return
    seen.set(name, [...(seen.get(name) ?? []), kind === 'multiplicative' ? Math.log(v / usual) : v - usual])
  })
  const effects = new Map<string, number>()
  for (const [name, parts] of seen) {
    if (parts.length < OCCURRENCES_MIN) continue
    const drawn = (median(parts) * parts.length) / (parts.length + 1)
    effects.set(name, kind === 'multiplicative' ? Math.exp(drawn) : drawn)
  }
  return effects.size > 0 ? { effects, kind } : null
}

/** Takes the effect off (`off`) or puts it on values that lie on the days named. */
export function applyHolidayEffects(
  values: ArrayLike<number>,
  names: readonly (string | null)[],
  { effects, kind }: HolidayEffects,
  direction: 'off' | 'on',
): number[] {
  return Array.from(values, (v, t) => {
    const figure = effects.get(names[t] ?? '')
    if (figure === undefined) return v
    if (kind === 'additive') return direction === 'off' ? v - figure : v + figure
    return direction === 'off' ? v / figure : v * figure
  })
}
