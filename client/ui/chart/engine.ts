import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { init, use as register, type EChartsType } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'

// Loaded lazily, as one chunk of its own: only what is drawn is taken from the library.
const charts = [BarChart, LineChart, ScatterChart, HeatmapChart]
const parts = [GridComponent, LegendComponent, TooltipComponent, VisualMapContinuousComponent, AriaComponent]
register([...charts, ...parts, LabelLayout, CanvasRenderer])

export type Engine = EChartsType

/** `size` in pixels where the element has none of its own. */
export const createEngine = (
  element: HTMLElement,
  size: { width?: number; height?: number; devicePixelRatio?: number } = {},
): Engine => init(element, null, { renderer: 'canvas', ...size })
