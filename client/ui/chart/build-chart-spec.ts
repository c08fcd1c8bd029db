import type { ChartKind } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query/result'
import { axisChartSpec, type ChartSpecOptions } from './axis-chart'
import { isAxisChart } from './axis-model'
import { chartModel } from '../../../src/shared/charts/chart-model'
import type { ChartSpec } from './chart-spec'
import { heatMapSpec, heatMapModel } from './heat-map'
import { scatterSpec, scatterModel } from './scatter-plot'
import { waterfallSpec, waterfallModel } from './waterfall-chart'

/** The picture of an answer; null when the answer has not the shape that the chart needs, or is no picture. */
export function buildChartSpec(
  result: QueryResult,
  chart: ChartKind,
  { format, annotations = [], target }: ChartSpecOptions,
): ChartSpec | null {
  if (chart === 'scatter') {
    const model = scatterModel(result, format)
    return model && scatterSpec(model, format)
  }
  if (chart === 'heatMap') {
    const model = heatMapModel(result, format)
    return model && heatMapSpec(model, format)
  }
  if (chart !== 'waterfall' && !isAxisChart(chart)) return null
  const model = chartModel(result, { format })
  if (!model) return null
  if (chart === 'waterfall') {
    const steps = waterfallModel(model, result)
    return steps && waterfallSpec(steps, format)
  }
  return axisChartSpec(model, chart, { format, annotations, target })
}
