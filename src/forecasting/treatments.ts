import { mapPath } from '../shared/forecasts/result'
import type { ModelInput, ModelForecast } from './contract'
import { forecast } from './forecast'
import { estimateHolidayEffects, holidayNames, applyHolidayEffects, type EpochDay } from './holidays'
import { detectOutliers, dampenOutliers } from './data-quality'

/** What is done to a series before it is forecast, and undone to the forecast. */
export interface Treatment {
  holidays: boolean
  /** Values far off are drawn in. */
  dampen: boolean
}

export interface TreatmentContext {
  /** Steps in a season. */
  season: number
  country: string | null
  /** Day of the first value; null where values are no days. */
  firstDay: EpochDay | null
}

const mapPaths = (made: ModelForecast, change: (path: readonly number[]) => number[]): ModelForecast => ({
  ...made,
  ...mapPath(made, change),
  members: made.members.map(({ name, path }) => ({ name, path: change(path) })),
})

/** Forecasts under a treatment that is learnt, each time anew, from nothing but the past it is given. */
export function treatedForecaster(
  input: Omit<ModelInput, 'values' | 'horizon'>,
  treatment: Treatment,
  context: TreatmentContext,
) {
  return (given: readonly number[], steps: number): ModelForecast | null => {
    const dampened = treatment.dampen
      ? dampenOutliers(Float64Array.from(given), detectOutliers(Float64Array.from(given), context.season))
      : Float64Array.from(given)
    const { firstDay, country } = context
    const names =
      treatment.holidays && country !== null && firstDay !== null
        ? holidayNames(country, firstDay, given.length + steps)
        : null
    const effect = names && estimateHolidayEffects(dampened, names)
    const past = effect ? Float64Array.from(applyHolidayEffects(dampened, names, effect, 'off')) : dampened
    const made = forecastOrNull({ ...input, values: Array.from(past), horizon: steps })
    if (!made || !effect) return made
    const ahead = names.slice(given.length)
    return mapPaths(made, (path) => applyHolidayEffects(path, ahead, effect, 'on'))
  }
}

function forecastOrNull(modelInput: ModelInput): ModelForecast | null {
  const made = forecast(modelInput)
  return made.kind === 'forecast' ? made : null
}
