import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type {
  AriaComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
  VisualMapComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'

export type ChartSeriesOption = BarSeriesOption | LineSeriesOption | ScatterSeriesOption | HeatmapSeriesOption
/** Only what the loaded parts of the library understand. */
export type ChartOption = ComposeOption<
  | ChartSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
  | AriaComponentOption
  | VisualMapComponentOption
>
