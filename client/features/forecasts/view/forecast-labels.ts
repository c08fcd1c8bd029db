import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import type { ChartViewOptions } from './forecast-chart'

/** “12 months ahead”. */
export const horizonLabel = ({ grain, horizon }: Pick<Forecast, 'grain' | 'horizon'>): string =>
  `${horizon} ${ALERT_GRAIN_LABELS[grain]}${horizon === 1 ? '' : 's'} ahead`

/** What a chart shows: of what, which part of it, and how far ahead. */
export function chartLabel(
  forecast: Pick<Forecast, 'subjectName' | 'name' | 'grain'>,
  { future, parts, grain }: Pick<ForecastResult, 'future' | 'parts' | 'grain'>,
  { part, asBalance }: Pick<ChartViewOptions, 'part' | 'asBalance'>,
): string {
  const member = part === undefined ? undefined : (parts[part]?.label ?? 'No value')
  return [
    forecast.subjectName ?? forecast.name,
    ...(member === undefined ? [] : [member]),
    ...(asBalance ? ['balance'] : []),
    horizonLabel({ grain, horizon: future.length }),
  ].join(', ')
}
