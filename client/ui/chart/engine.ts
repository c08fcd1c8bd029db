import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import type { EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// Loaded lazily, as one chunk of its own: only what is drawn is taken from the library.
register([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, AriaComponent, CanvasRenderer])

export type Engine = EChartsType

export const createEngine = (element: HTMLElement): Engine => init(element, null, { renderer: 'canvas' })
