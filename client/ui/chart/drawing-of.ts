import type { ChartKind } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query-result'
import { axisDrawing } from './axis-drawing'
import type { AxisOptions } from './axis-drawing'
import { isAxisChart } from './axis-model'
import { chartModel } from './chart-model'
import type { Drawing } from './drawing'
import { heatDrawing } from './heat-drawing'
import { heatModel } from './heat-model'
import { scatterDrawing } from './scatter-drawing'
import { scatterModel } from './scatter-model'
import { waterfallDrawing } from './waterfall-drawing'
import { waterfallModel } from './waterfall-model'

/** The picture of an answer; null when the answer has not the shape that the chart needs, or is no picture. */
export function drawingOf(
  result: QueryResult,
  chart: ChartKind,
  { format, marks = [], target }: AxisOptions,
): Drawing | null {
  if (chart === 'scatter') {
    const model = scatterModel(result, format)
    return model && scatterDrawing(model, format)
  }
  if (chart === 'heatMap') {
    const model = heatModel(result, format)
    return model && heatDrawing(model, format)
  }
  const model = chartModel(result, { format })
  if (!model) return null
  if (chart === 'waterfall') {
    const steps = waterfallModel(model, result)
    return steps && waterfallDrawing(steps, format)
  }
  return isAxisChart(chart) ? axisDrawing(model, chart, { format, marks, target }) : null
}
