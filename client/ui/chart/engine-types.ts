import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type {
  AriaComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'

export type DrawnSeries = BarSeriesOption | LineSeriesOption
/** Only what the loaded parts of the library understand. */
export type ChartOption = ComposeOption<
  DrawnSeries | GridComponentOption | LegendComponentOption | TooltipComponentOption | AriaComponentOption
>
