import { useMemo } from 'react'
import type { ForecastFormatter } from '../../../src/shared/forecast-card-words'
import type { ForecastGrain, ForecastResult } from '../../../src/shared/forecast-result'
import { bucketLabel, useCellFormatter } from '../../ui/chart/figure-format'
import type { CellFormatter } from '../../ui/chart/figure-format'
import { figureColumn } from './forecast-drawing'

/** When a period is: days are named by on, longer ones by in. */
export const whenText = (start: string, grain: ForecastGrain): string =>
  `${grain === 'day' ? 'on' : 'in'} ${bucketLabel(start, grain)}`

type UnitAndGrain = Pick<ForecastResult, 'format' | 'grain'>

/** How figures, shares and periods of a forecast are written. */
export function createForecastFormatter({ format, grain }: UnitAndGrain, figures: CellFormatter): ForecastFormatter {
  const column = figureColumn(format)
  return {
    figure: (value) => figures.round(value, column),
    percent: (part) => figures.percent(part),
    count: (value) => figures.count(value),
    period: (start) => bucketLabel(start, grain),
    when: (start) => whenText(start, grain),
  }
}

/** The same in the notation of this tab's workspace. */
export function useForecastFormatter({ format, grain }: UnitAndGrain): ForecastFormatter {
  const figures = useCellFormatter()
  return useMemo(() => createForecastFormatter({ format, grain }, figures), [format, grain, figures])
}
