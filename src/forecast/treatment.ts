import { type Ask, type Forecast } from './contract'
import { forecast } from './forecast'
import { holidayEffect, holidayNames, withHolidays } from './holiday-effect'
import { type DayNumber } from './holidays'
import { outliersOf, withDampened } from './outliers'
import { hasSeason, seasonIndex, withoutSeason } from './season'
import { newestBreak } from './structural-break'

/** What is done to a series before it is forecast, and undone to the forecast. */
export interface Treatment {
  /** Only the values after the newest break are used. */
  cut: boolean
  holidays: boolean
  /** Values far off are drawn in. */
  dampen: boolean
}

export interface Surroundings {
  /** Steps in a season. */
  season: number
  country: string | null
  /** Day of the first value; null where values are no days. */
  firstDay: DayNumber | null
}

const FEWEST_AFTER_BREAK = 8

/** Where the history would be cut: at the newest break of the values without their season; 0 for not at all. */
export function cutOf(values: Float64Array, season: number): number {
  const flat = hasSeason(values, season) ? withoutSeason(values, seasonIndex(values, season, 'additive')) : values
  return newestBreak(flat, Math.max(FEWEST_AFTER_BREAK, 2 * season))
}

/** Forecasts under a treatment that is learnt, each time anew, from nothing but the past it is given. */
export function treated(ask: Omit<Ask, 'values' | 'horizon'>, treatment: Treatment, around: Surroundings) {
  return (given: readonly number[], steps: number): Forecast | null => {
    const calm = treatment.dampen
      ? withDampened(Float64Array.from(given), outliersOf(Float64Array.from(given), around.season))
      : Float64Array.from(given)
    const { firstDay, country } = around
    const names =
      treatment.holidays && country !== null && firstDay !== null
        ? holidayNames(country, firstDay, given.length + steps)
        : null
    const effect = names && holidayEffect(calm, names)
    const past = effect ? Float64Array.from(withHolidays(calm, names, effect, 'off')) : calm
    const from = treatment.cut ? cutOf(past, around.season) : 0
    const made = forecast({ ...ask, values: Array.from(past.subarray(from)), horizon: steps })
    if (made.kind !== 'forecast' || !effect) return made.kind === 'forecast' ? made : null
    const ahead = names.slice(given.length)
    const on = (path: readonly number[]): number[] => withHolidays(path, ahead, effect, 'on')
    const band = (level: 50 | 80 | 95) => ({ lower: on(made.bands[level].lower), upper: on(made.bands[level].upper) })
    return { ...made, mean: on(made.mean), bands: { 50: band(50), 80: band(80), 95: band(95) } }
  }
}
