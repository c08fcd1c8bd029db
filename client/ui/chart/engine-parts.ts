import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { AxisBreak, LabelLayout } from 'echarts/features'

/** What is drawn with, whatever it is drawn on: only what is used is taken from the library. */
export const ENGINE_PARTS = [
  ...[BarChart, LineChart, ScatterChart, HeatmapChart],
  ...[GridComponent, LegendComponent, TooltipComponent, VisualMapContinuousComponent, AriaComponent],
  ...[AxisBreak, LabelLayout],
]
