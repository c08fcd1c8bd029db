import { useMemo } from 'react'
import type { ForecastWords } from '../../../src/shared/forecast-card-words'
import type { ForecastGrain, ForecastResult } from '../../../src/shared/forecast-result'
import { bucketLabel, useFigureFormat } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { figureColumn } from './forecast-drawing'

/** When a period is: days are named by on, longer ones by in. */
export const whenWords = (start: string, grain: ForecastGrain): string =>
  `${grain === 'day' ? 'on' : 'in'} ${bucketLabel(start, grain)}`

type Unit = Pick<ForecastResult, 'format' | 'grain'>

/** How figures, shares and periods of a forecast are written. */
export function forecastWords({ format, grain }: Unit, figures: FigureFormat): ForecastWords {
  const column = figureColumn(format)
  return {
    figure: (value) => figures.round(value, column),
    percent: (part) => figures.percent(part),
    count: (value) => figures.count(value),
    period: (start) => bucketLabel(start, grain),
    when: (start) => whenWords(start, grain),
  }
}

/** The same in the notation of this tab's workspace. */
export function useForecastWords({ format, grain }: Unit): ForecastWords {
  const figures = useFigureFormat()
  return useMemo(() => forecastWords({ format, grain }, figures), [format, grain, figures])
}
