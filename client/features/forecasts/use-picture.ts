import type { ForecastResult } from '../../../src/shared/forecast-result'
import { summaryOf } from '../../../src/shared/forecast-words'
import type { Forecast } from '../../../src/shared/forecasts'
import { useFormat } from '../../lib/format'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { Look } from './chart-card'
import { forecastPng } from './export-picture'
import { forecastDrawing } from './forecast-drawing'
import { pictureOf } from './forecast-picture'
import type { PictureOptions } from './forecast-picture'
import type { Drawn } from './forecast-slots'
import { lookWords } from './look-words'
import { forecastWords } from './use-forecast-words'

export interface PictureAsk {
  forecast: Forecast
  result: ForecastResult
  look: Look
  drawn: Drawn
  line: PictureOptions['line']
  /** When the rows were loaded, and when the run was made. */
  dataAsOf: string | null
  madeAt: string | null
}

const TOLD = new Set(['expected', 'sure', 'backtest', 'balance', 'breach', 'scenario'])

/** Makes a picture of what is on screen, with what is to be known of it. */
export function usePicture(): (asked: PictureAsk) => Promise<Blob> {
  const figures = useFigureFormat()
  const format = useFormat()
  return ({ forecast, result, look, drawn, line, dataAsOf, madeAt }) => {
    const { events, subjectName } = forecast
    const { scenarios, told, thresholds } = drawn
    const picture = pictureOf(result, { ...look, ...{ scenarios, thresholds, events, line } })
    const said = summaryOf(
      { name: subjectName ?? forecast.name, result, level: look.level, thresholds, events, scenarios: told },
      forecastWords(result, figures),
    )
    return forecastPng(
      forecastDrawing(picture, result.format, figures),
      {
        title: forecast.name,
        subtitle: lookWords(forecast, result, look),
        notes: said.flatMap(({ kind, text }) => (TOLD.has(kind) ? [text] : [])),
        foot: [
          ...(dataAsOf === null ? [] : [`Data as of ${format.dateTime(dataAsOf)}`]),
          ...(madeAt === null ? [] : [`Computed ${format.dateTime(madeAt)}`]),
        ].join(' · '),
      },
      figures,
    )
  }
}
