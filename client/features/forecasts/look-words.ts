import { GRAIN_WORDS } from '../../../src/shared/alert-words'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import type { Forecast } from '../../../src/shared/forecasts'
import type { Look } from './chart-card'

/** “12 months ahead”. */
export const horizonWords = ({ grain, horizon }: Pick<Forecast, 'grain' | 'horizon'>): string =>
  `${horizon} ${GRAIN_WORDS[grain]}${horizon === 1 ? '' : 's'} ahead`

/** What a chart shows: of what, which part of it, and how far ahead. */
export function lookWords(
  forecast: Pick<Forecast, 'subjectName' | 'name' | 'grain'>,
  { future, parts, grain }: Pick<ForecastResult, 'future' | 'parts' | 'grain'>,
  { part, asBalance }: Pick<Look, 'part' | 'asBalance'>,
): string {
  const member = part === undefined ? undefined : (parts[part]?.label ?? 'No value')
  return [
    forecast.subjectName ?? forecast.name,
    ...(member === undefined ? [] : [member]),
    ...(asBalance ? ['as a balance'] : []),
    horizonWords({ grain, horizon: future.length }),
  ].join(', ')
}
