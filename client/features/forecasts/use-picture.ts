import type { ForecastResult } from '../../../src/shared/forecast-result'
import { summariseForecast } from '../../../src/shared/forecast-words'
import type { Forecast } from '../../../src/shared/forecasts'
import { useFormat } from '../../lib/format'
import { useCellFormatter } from '../../ui/chart/figure-format'
import type { ChartViewOptions } from './chart-card'
import { forecastPng } from './export-picture'
import { forecastDrawing } from './forecast-drawing'
import { buildChartModel } from './forecast-picture'
import type { ForecastChartOptions } from './forecast-picture'
import type { ChartOverlays } from './forecast-slots'
import { chartLabel } from './look-words'
import { createForecastFormatter } from './use-forecast-words'

export interface ChartImageInput {
  forecast: Forecast
  result: ForecastResult
  look: ChartViewOptions
  drawn: ChartOverlays
  line: ForecastChartOptions['line']
  /** When the rows were loaded, and when the run was made. */
  dataAsOf: string | null
  madeAt: string | null
}

const SUMMARY_KINDS_PRINTED = new Set(['expected', 'sure', 'backtest', 'balance', 'breach', 'scenario'])

/** Makes a picture of what is on screen, with what is to be known of it. */
export function useChartImage(): (asked: ChartImageInput) => Promise<Blob> {
  const figures = useCellFormatter()
  const format = useFormat()
  return ({ forecast, result, look, drawn, line, dataAsOf, madeAt }) => {
    const { events, subjectName } = forecast
    const { scenarios, summaryScenarios, thresholds } = drawn
    const picture = buildChartModel(result, { ...look, ...{ scenarios, thresholds, events, line } })
    const summary = summariseForecast(
      {
        name: subjectName ?? forecast.name,
        result,
        level: look.level,
        thresholds,
        events,
        scenarios: summaryScenarios,
      },
      createForecastFormatter(result, figures),
    )
    return forecastPng(
      forecastDrawing(picture, result.format, figures),
      {
        title: forecast.name,
        subtitle: chartLabel(forecast, result, look),
        notes: summary.flatMap(({ kind, text }) => (SUMMARY_KINDS_PRINTED.has(kind) ? [text] : [])),
        foot: [
          ...(dataAsOf === null ? [] : [`Data as of ${format.dateTime(dataAsOf)}`]),
          ...(madeAt === null ? [] : [`Computed ${format.dateTime(madeAt)}`]),
        ].join(' · '),
      },
      figures,
    )
  }
}
