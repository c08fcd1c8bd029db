import { type Ask, type Forecast, type Level } from './contract'
import { forecast } from './forecast'
import { holidayEffect, holidayNames, withHolidays } from './holiday-effect'
import { type DayNumber } from './holidays'
import { outliersOf, withDampened } from './outliers'
import { hasSeason, seasonIndex, withSeason, withoutSeason, type SeasonIndex } from './season'
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

/** The season of the whole history; null when there is none, or one that cannot be divided by. */
function seasonOf(values: Float64Array, season: number): SeasonIndex | null {
  if (!hasSeason(values, season)) return null
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  // Medians: a jump within the history must not bend the season.
  const index = seasonIndex(values, season, kind, { robust: true })
  return index.kind === 'additive' || index.figures.every((figure) => figure > 0.05) ? index : null
}

/** Where the history would be cut: at the newest break of the values without their season; 0 for not at all. */
export function cutOf(values: Float64Array, season: number): number {
  const index = seasonOf(values, season)
  return newestBreak(index ? withoutSeason(values, index) : values, Math.max(FEWEST_AFTER_BREAK, season))
}

const throughout = (made: Forecast, change: (path: readonly number[]) => number[]): Forecast => {
  const band = (level: Level) => ({ lower: change(made.bands[level].lower), upper: change(made.bands[level].upper) })
  return {
    ...made,
    mean: change(made.mean),
    bands: { 50: band(50), 80: band(80), 95: band(95) },
    members: made.members.map(({ name, path }) => ({ name, path: change(path) })),
  }
}

/** From the values after the break alone. Where these are too few to show the season, it is taken from the whole history. */
function afterBreak(ask: Omit<Ask, 'values'>, past: Float64Array, season: number): Forecast | null {
  const from = cutOf(past, season)
  const index = from > 0 && past.length - from < 3 * season ? seasonOf(past, season) : null
  const flat = index ? withoutSeason(past, index) : past
  const made = answered({
    ...ask,
    ...(index ? { season: 'none' } : {}),
    values: Array.from(flat.subarray(from)),
  })
  if (!made || !index) return made
  const seasonal = throughout(made, (path) => withSeason(path, index, past.length))
  return { ...seasonal, card: { ...made.card, season, seasonKind: index.kind } }
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
    const made = treatment.cut
      ? afterBreak({ ...ask, horizon: steps }, past, around.season)
      : answered({ ...ask, values: Array.from(past), horizon: steps })
    if (!made || !effect) return made
    const ahead = names.slice(given.length)
    return throughout(made, (path) => withHolidays(path, ahead, effect, 'on'))
  }
}

function answered(ask: Ask): Forecast | null {
  const made = forecast(ask)
  return made.kind === 'forecast' ? made : null
}
