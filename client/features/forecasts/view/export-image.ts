import type { ChartSpec } from '../../../ui/chart/chart-spec'
import { useCellFormatter } from '../../../lib/cell-formatter'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { lightColours } from '../../../ui/chart/chart-colours'
import { renderExportPage, chartExportBody, type ExportPageText } from '../../../ui/chart/export-page'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import { summariseForecast } from '../../../../src/shared/forecasts/summary'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import { useFormat } from '../../../lib/format'
import type { ChartViewOptions } from './forecast-chart'
import { forecastDrawing } from './forecast-drawing'
import { buildChartModel, type ForecastChartOptions, type ChartOverlays } from './forecast-chart-model'
import { chartLabel } from './forecast-labels'
import { createForecastFormatter } from '../../../../src/shared/forecasts/forecast-formatter'

/** A download names its workspace in the address: a link carries no headers. */
export function exportUrl(id: string, options: { format: 'csv' | 'xlsx'; workspace: string }): string {
  const search = new URLSearchParams({ format: options.format, w: options.workspace })
  return `/files/forecasts/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const safeFileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'forecast'

/** A picture of a forecast on paper: in light colours, with what is to be known of it. */
async function forecastPng(chartSpec: ChartSpec, text: ExportPageText, figures: CellFormatter): Promise<Blob> {
  const font = getComputedStyle(document.body).fontFamily || 'sans-serif'
  const colours = lightColours(font)
  await document.fonts.ready
  const canvas = renderExportPage(text, await chartExportBody(chartSpec, figures, colours), colours)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new TypeError('Couldn’t create the image.'))), 'image/png')
  })
}

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
    const picture = buildChartModel(result, {
      ...look,
      ...{ scenarios, thresholds, events, line },
      bucket: figures.bucket,
    })
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
