import { useMemo } from 'react'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import { Chart } from '../../ui/chart/chart'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { forecastDrawing } from './forecast-drawing'
import { buildChartModel } from './forecast-picture'
import type { ForecastChartOptions } from './forecast-picture'

export interface ForecastChartProps extends ForecastChartOptions {
  result: ForecastResult
  /** What the chart shows, for readers of the screen. */
  label: string
  height?: number
}

/**
 * What was, what is likely to come, and how sure that is. Lists (`thresholds`, `scenarios`, `events`) and `line` are to be
 * kept the same while nothing changes: a new one draws the chart anew.
 */
export function ForecastChart({ result, label, height = 380, ...options }: ForecastChartProps) {
  const figures = useCellFormatter()
  const { level, part, asBalance, fold, thresholds, scenarios, events, line, whole } = options
  const drawing = useMemo(() => {
    const given = { level, part, fold, line, ...(asBalance ? { asBalance } : {}), ...(whole ? { whole } : {}) }
    const lists = {
      ...(thresholds ? { thresholds } : {}),
      ...(scenarios ? { scenarios } : {}),
      ...(events ? { events } : {}),
    }
    return forecastDrawing(buildChartModel(result, { ...given, ...lists }), result.format, figures)
  }, [result, figures, level, part, asBalance, fold, thresholds, scenarios, events, line, whole])
  return <Chart drawing={drawing} format={figures} label={label} height={height} />
}
