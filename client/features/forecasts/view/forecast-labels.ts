import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import type { ChartViewOptions } from './forecast-chart'

/** “12 months ahead”. */
export const horizonLabel = ({ grain, horizon }: Pick<Forecast, 'grain' | 'horizon'>): string =>
  `${horizon} ${ALERT_GRAIN_LABELS[grain]}${horizon === 1 ? '' : 's'} ahead`

/**
 * How far ahead the newest figures reach: “11 of 12 months ahead: not enough history” where the past carries no more.
 * Nothing computed yet: what was asked for. Figures of earlier settings are shorter for another reason, so they name none.
 */
export function computedHorizonLabel(
  { grain, horizon, state }: Pick<Forecast, 'grain' | 'horizon' | 'state'>,
  computed: number | undefined,
): string {
  if (computed === undefined) return horizonLabel({ grain, horizon })
  if (computed >= horizon || state !== 'ready') return horizonLabel({ grain, horizon: computed })
  return `${computed} of ${horizonLabel({ grain, horizon })}: not enough history`
}

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
