import type { Forecast, ForecastSettings, UpdateForecastInput } from '../../../src/shared/forecasts'

/** The settings of a forecast alone, as a form or a preview takes them. */
export function pickSettings(of: ForecastSettings): ForecastSettings {
  const { subject, filters, by, grain, horizon, historyFrom, ignoreIncomplete, season, holidays } = of
  const { dampOutliers, level, floor, ceiling, events, accumulate } = of
  return {
    ...{ subject, filters, by, grain, horizon, historyFrom, ignoreIncomplete, season, holidays },
    ...{ dampOutliers, level, floor, ceiling, events, accumulate },
  }
}

/** What saving a forecast sends: all of its settings, some of them others. */
export const forecastUpdate = (
  forecast: Forecast,
  over: Partial<ForecastSettings & { name: string }> = {},
): UpdateForecastInput & { id: string } => ({
  ...pickSettings(forecast),
  ...{ id: forecast.id, name: forecast.name, version: forecast.version },
  ...over,
})

/** The name of a copy, within the length of names. */
export const copyName = (name: string): string => `${name.slice(0, 70)} (copy)`
