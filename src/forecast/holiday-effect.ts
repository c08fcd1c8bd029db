import { publicHolidays, yearOfDay, type EpochDay } from './holidays'
import { median } from './numbers'
import { expectedValues } from './outliers'

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
