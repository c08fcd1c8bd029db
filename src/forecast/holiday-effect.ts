import { holidaysOf, yearOfDay, type DayNumber } from './holidays'
import { median } from './numbers'
import { expectedOf } from './outliers'

export interface HolidayEffect {
  /** Factor (or amount) of each holiday that was seen often enough, by its rule. */
  figures: Map<string, number>
  kind: 'multiplicative' | 'additive'
}

const WEEK = 7
const FEWEST_SEEN = 2

/** The holiday of each of `count` days from `first`, or null. */
export function holidayNames(country: string, first: DayNumber, count: number): (string | null)[] {
  const byYear = new Map<number, Map<DayNumber, string>>()
  return Array.from({ length: count }, (_, i) => {
    const year = yearOfDay(first + i)
    const days = byYear.get(year) ?? holidaysOf(country, year)
    byYear.set(year, days)
    return days.get(first + i) ?? null
  })
}

/**
 * How far values on each holiday lie from what their neighbours and their weekday say: the median of what was seen, drawn to nothing
 * where it was seen seldom. Null when no holiday was seen twice.
 */
export function holidayEffect(values: Float64Array, names: readonly (string | null)[]): HolidayEffect | null {
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const expected = expectedOf(values, WEEK)
  const seen = new Map<string, number[]>()
  values.forEach((v, t) => {
    const name = names[t]
    const usual = expected[t] ?? 0
    if (!name || (kind === 'multiplicative' && !(usual > 0))) return
    seen.set(name, [...(seen.get(name) ?? []), kind === 'multiplicative' ? Math.log(v / usual) : v - usual])
  })
  const figures = new Map<string, number>()
  for (const [name, parts] of seen) {
    if (parts.length < FEWEST_SEEN) continue
    const drawn = (median(parts) * parts.length) / (parts.length + 1)
    figures.set(name, kind === 'multiplicative' ? Math.exp(drawn) : drawn)
  }
  return figures.size > 0 ? { figures, kind } : null
}

/** Takes the effect off (`off`) or puts it on values that lie on the days named. */
export function withHolidays(
  values: ArrayLike<number>,
  names: readonly (string | null)[],
  { figures, kind }: HolidayEffect,
  direction: 'off' | 'on',
): number[] {
  return Array.from(values, (v, t) => {
    const figure = figures.get(names[t] ?? '')
    if (figure === undefined) return v
    if (kind === 'additive') return direction === 'off' ? v - figure : v + figure
    return direction === 'off' ? v / figure : v * figure
  })
}
