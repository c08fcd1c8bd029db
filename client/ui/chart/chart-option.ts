import type { ChartKind } from '../../../src/shared/insights'
import type { ChartColours } from './chart-colours'
import { coloursOf } from './chart-colours'
import type { Category, ChartModel, Series } from './chart-model'
import type { ChartOption, DrawnSeries } from './engine-types'
import type { FigureFormat } from './figure-format'
import { tooltipHtml } from './tooltip'

export interface DrawSettings {
  chart: ChartKind
  format: FigureFormat
  colours: ChartColours
  /** The chart in words, for readers of the screen. */
  summary: string
  reducedMotion: boolean
  /** A small chart without axes, legend and tooltip, as on cards. */
  small?: boolean
}

/** From here on neighbouring points share a pixel. */
const MANY_POINTS = 500
const HATCH = { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 3], rotation: -Math.PI / 4 }

/** Bars over names lie, so that names can be read; over time they stand. */
export const lies = (model: ChartModel, chart: ChartKind): boolean => !model.time && chart !== 'line'

function lineSeries(parts: {
  series: Series
  colour: string
  settings: DrawSettings
  model: ChartModel
}): DrawnSeries[] {
  const { series, colour, settings, model } = parts
  const { categories } = model
  const comparison = series.role === 'comparison'
  const values = series.points.map((point) => point.value)
  const cut = comparison ? -1 : categories.findIndex((category) => category.incomplete)
  const common = {
    type: 'line' as const,
    silent: false,
    connectNulls: false,
    ...(categories.length > MANY_POINTS ? { sampling: 'lttb' as const } : {}),
    showSymbol: settings.small !== true && categories.length <= 40,
    symbol: 'circle',
    symbolSize: 6,
    color: colour,
    lineStyle: {
      width: settings.small || comparison ? 1.5 : 2.25,
      type: comparison ? ('dashed' as const) : ('solid' as const),
      opacity: comparison ? 0.55 : 1,
    },
    itemStyle: { opacity: comparison ? 0.55 : 1 },
    z: comparison ? 2 : 3,
  }
  const shade = { areaStyle: { color: colour, opacity: settings.small ? 0.12 : 0.06 } }
  const alone = !comparison && model.series.filter((one) => one.role === 'current').length === 1
  const whole: DrawnSeries = {
    ...common,
    name: series.name,
    ...(alone ? shade : {}),
    data: values.map((value, at) => (cut >= 0 && at >= cut ? null : value)),
  }
  if (cut < 0) return [{ ...whole, data: values }]
  // The running bucket is drawn apart, dashed and hollow: it cannot be read as a fall.
  const tail: DrawnSeries = {
    ...common,
    name: series.name,
    lineStyle: { ...common.lineStyle, color: colour, type: 'dotted' },
    itemStyle: { color: settings.colours.surface, borderColor: colour, borderWidth: 2 },
    showSymbol: true,
    data: values.map((value, at) => (at >= cut - 1 ? value : null)),
  }
  return [whole, tail]
}

function barSeries(parts: { series: Series; colour: string; settings: DrawSettings; model: ChartModel }): DrawnSeries {
  const { series, colour, settings, model } = parts
  const comparison = series.role === 'comparison'
  const stacked = settings.chart === 'stackedBar'
  const radius = stacked ? 0 : lies(model, settings.chart) ? [0, 3, 3, 0] : [3, 3, 0, 0]
  return {
    type: 'bar',
    name: series.name,
    color: colour,
    ...(stacked && !comparison ? { stack: 'all' } : {}),
    barMaxWidth: lies(model, settings.chart) ? 22 : 44,
    barGap: '10%',
    itemStyle: { borderRadius: radius, opacity: comparison ? 0.35 : 1 },
    data: series.points.map((point, at) => ({
      value: point.value,
      ...(model.categories[at]?.incomplete && !comparison
        ? { itemStyle: { opacity: 0.75, borderRadius: radius, decal: { ...HATCH, color: settings.colours.surface } } }
        : {}),
    })),
  }
}

const drawn = (model: ChartModel, settings: DrawSettings): DrawnSeries[] => {
  const colours = coloursOf(model.series, settings.colours)
  return model.series.flatMap((series, index) => {
    const parts = { series, colour: colours[index] ?? settings.colours.other, settings, model }
    return settings.chart === 'line' ? lineSeries(parts) : [barSeries(parts)]
  })
}

const tickEvery = (categories: readonly Category[], time: boolean): Record<string, unknown> =>
  time ? { interval: 'auto', hideOverlap: true } : categories.length > 30 ? { interval: 'auto' } : { interval: 0 }

function axes(model: ChartModel, settings: DrawSettings): Pick<ChartOption, 'xAxis' | 'yAxis'> {
  const { colours, format } = settings
  const across = lies(model, settings.chart)
  const column = model.series[0]?.column ?? model.axis
  const label = { color: colours.dimmed, fontSize: 12 }
  const names = {
    type: 'category' as const,
    data: model.categories.map((category) => (category.incomplete ? `${category.label} *` : category.label)),
    inverse: across,
    boundaryGap: settings.chart !== 'line',
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    axisLabel: {
      ...label,
      ...tickEvery(model.categories, model.time),
      ...(across ? { width: 150, overflow: 'truncate' as const } : {}),
    },
  }
  const largest = largestOf(model, settings.chart)
  const figures = {
    type: 'value' as const,
    splitNumber: 4,
    splitLine: { lineStyle: { color: colours.grid } },
    axisLabel: { ...label, hideOverlap: true, formatter: (value: number) => format.short(value, column, largest) },
  }
  return across ? { xAxis: figures, yAxis: names } : { xAxis: names, yAxis: figures }
}

/** The largest size an axis reaches: of a single point, or of a stack. */
function largestOf({ categories, series }: ChartModel, chart: DrawSettings['chart']): number {
  const sizes = categories.map((_, at) => series.map(({ points }) => Math.abs(points[at]?.value ?? 0)))
  const reach = sizes.map((size) =>
    chart === 'stackedBar' ? size.reduce((sum, one) => sum + one, 0) : Math.max(0, ...size),
  )
  return Math.max(0, ...reach)
}

function bare(model: ChartModel, settings: DrawSettings): ChartOption {
  const across = lies(model, settings.chart)
  const names = { type: 'category' as const, show: false, inverse: across, boundaryGap: settings.chart !== 'line' }
  const figures = { type: 'value' as const, show: false, scale: settings.chart === 'line' }
  return {
    animation: false,
    aria: { enabled: true, label: { description: settings.summary } },
    grid: { top: 4, right: 2, bottom: 2, left: 2, outerBoundsMode: 'none' },
    xAxis: across ? figures : { ...names, data: model.categories.map((category) => category.label) },
    yAxis: across ? { ...names, data: model.categories.map((category) => category.label) } : figures,
    series: drawn(model, settings).map((series) => ({ ...series, silent: true })),
  }
}

/** The drawing library's option for an answer's model. Pure: same input, same picture. */
export function chartOption(model: ChartModel, settings: DrawSettings): ChartOption {
  if (settings.small) return bare(model, settings)
  const colours = coloursOf(model.series, settings.colours)
  const legend = model.series.length > 1
  return {
    animation: !settings.reducedMotion,
    animationDuration: 300,
    aria: { enabled: true, label: { description: settings.summary } },
    textStyle: { fontFamily: settings.colours.font, color: settings.colours.text },
    grid: {
      top: legend ? 44 : 16,
      right: 20,
      bottom: 8,
      left: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      show: legend,
      top: 0,
      left: 0,
      type: 'scroll',
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 8,
      textStyle: { color: settings.colours.text, fontSize: 12 },
      pageIconColor: settings.colours.text,
      pageIconInactiveColor: settings.colours.border,
      pageTextStyle: { color: settings.colours.dimmed },
      data: [...new Set(model.series.map((series) => series.name))],
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      axisPointer: {
        type: settings.chart === 'line' ? 'line' : 'shadow',
        lineStyle: { color: settings.colours.border },
      },
      backgroundColor: settings.colours.surface,
      borderColor: settings.colours.border,
      textStyle: { color: settings.colours.text, fontSize: 13 },
      transitionDuration: settings.reducedMotion ? 0 : 0.2,
      formatter: (given) => {
        const first = Array.isArray(given) ? given[0] : given
        return tooltipHtml({ model, colours, format: settings.format, at: first?.dataIndex ?? -1 })
      },
    },
    ...axes(model, settings),
    series: drawn(model, settings),
  }
}
