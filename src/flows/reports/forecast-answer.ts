import type { ReportPage } from './page'
import { getForecast } from '../../features/forecasts/service'
import { ProductError } from '../../shared/errors'
import { createCellFormatter } from '../../shared/figures/cell-formatter'
import { createFormatter } from '../../shared/figures/formatter'
import { createForecastFormatter } from '../../shared/forecasts/forecast-formatter'
import type { Forecast } from '../../shared/forecasts/forecasts'
import type { ForecastResult } from '../../shared/forecasts/result'
import { summariseForecast, type SummaryLine } from '../../shared/forecasts/summary'
import type { BlockOf } from '../../shared/reports/blocks'
import type { ForecastTile, TileContent } from '../../shared/reports/tiles'

/**
 * What the newest run found that was made by rights like the reader's.
 * @throws ProductError `not_found` also when there is none
 */
export async function answerForecast(page: ReportPage, block: BlockOf<'forecast'>): Promise<TileContent> {
  const forecast = await getForecast(page.context, block.forecast)
  const result = forecast.ready?.result
  if (!forecast.ready || !result)
    throw new ProductError('not_found', { what: 'run' }, 'This forecast has no result that you may see yet.')
  const { id, grade, dataAsOf } = forecast.ready
  const run: ForecastTile = { ...pathsOf(result), id, grade, dataAsOf, summary: summaryOf(page, forecast, result) }
  const name = block.title === '' ? forecast.name : block.title
  return { kind: 'forecast', name, grain: result.grain, run }
}

function pathsOf({
  periods,
  raw,
  future,
  total,
  format,
}: ForecastResult): Omit<ForecastTile, 'id' | 'grade' | 'dataAsOf' | 'summary'> {
  const { mean, bands } = total.path
  const at = (path: readonly number[], step: number): number => path[step] ?? 0
  return {
    past: periods.map((period, index) => ({ period, value: raw[index] ?? null })),
    future: future.map((period, step) => ({
      period,
      mean: at(mean, step),
      lower80: at(bands[80].lower, step),
      upper80: at(bands[80].upper, step),
      lower95: at(bands[95].lower, step),
      upper95: at(bands[95].upper, step),
    })),
    format,
    scale: null,
  }
}

/** What is expected, and when a level that matters is passed. */
const TOLD: readonly SummaryLine['kind'][] = ['expected', 'balance', 'breach']

function summaryOf({ context }: ReportPage, forecast: Forecast, result: ForecastResult): string {
  const { name, subjectName, level, thresholds } = forecast
  const words = createForecastFormatter(result, createCellFormatter(createFormatter(context.membership.settings)))
  const lines = summariseForecast({ name: subjectName ?? name, result, level, thresholds }, words)
  return lines.flatMap(({ kind, text }) => (TOLD.includes(kind) ? [text] : [])).join(' ')
}
