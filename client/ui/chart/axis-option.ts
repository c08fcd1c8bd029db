import { isBar, isHorizontal, isStacked, unitOf, unitsOf, type AxisChart } from './axis-model'
import { seriesColours } from './chart-colours'
import { chartSummary, type ChartModel, type Series, type Category } from './chart-model'
import type { RenderSettings, ChartSeriesOption, ChartOption } from './chart-spec'
import {
  hatchPattern,
  bareChartOption,
  baseChartOption,
  legendHeightPx,
  categoryLabelWidth,
  categoryTooltipHtml,
} from './chart-frame'
import { annotationSeries, annotationTextAt, type PlacedAnnotation } from './annotations'

export type AxisRenderSettings = RenderSettings & { chart: AxisChart; annotations?: readonly PlacedAnnotation[] }

/** From here on neighbouring points share a pixel. */
const MANY_POINTS = 500
/** Up to here every point has its mark. */
const FEW_POINTS = 40
const SYMBOL_PX = 6

interface AxisSeriesContext {
  series: Series
  colour: string
  settings: AxisRenderSettings
  model: ChartModel
  /** Which value axis of those of the other direction it stands on. */
  axis: { xAxisIndex: number } | { yAxisIndex: number }
}
type SeriesValues = (number | null)[]

/** A point without neighbours has no line: it needs a mark, however many points there are. */
const withIsolatedSymbols = (values: SeriesValues) =>
  values.map((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
      ? { value, symbolSize: SYMBOL_PX }
      : value,
  )

function lineSeriesStyle({ series, colour, settings, model }: AxisSeriesContext) {
  const comparison = series.role === 'comparison'
  const target = series.role === 'target'
  const few = settings.small !== true && model.categories.length <= FEW_POINTS
  const stacked = isStacked(model, settings.chart)
  return {
    type: 'line' as const,
    silent: false,
    connectNulls: false,
    ...(model.categories.length > MANY_POINTS ? { sampling: 'lttb' as const } : {}),
    showSymbol: true,
    symbol: 'circle',
    symbolSize: few && !stacked && !target ? SYMBOL_PX : 0,
    color: colour,
    lineStyle: {
      width: settings.small || comparison || target || stacked ? 1.5 : 2.25,
      type: comparison || target ? ('dashed' as const) : ('solid' as const),
      opacity: comparison ? 0.55 : 1,
    },
    itemStyle: { opacity: comparison ? 0.55 : 1 },
    z: comparison ? 2 : target ? 4 : 3,
  }
}

function areaStyleOf({ series, colour, settings, model }: AxisSeriesContext) {
  if (series.role !== 'current') return {}
  if (settings.chart === 'area')
    return { areaStyle: { color: colour, opacity: isStacked(model, settings.chart) ? 0.72 : 0.28 } }
  const alone = model.series.filter((one) => one.role === 'current').length === 1
  return alone && settings.chart === 'line'
    ? { areaStyle: { color: colour, opacity: settings.small ? 0.12 : 0.06 } }
    : {}
}

/** The running bucket is drawn apart, dotted, hollow and hatched: it cannot be read as a fall. */
function lineSeries(context: AxisSeriesContext): ChartSeriesOption[] {
  const { series, colour, settings, model, axis } = context
  const stacked = isStacked(model, settings.chart) && series.role === 'current'
  const look = { ...lineSeriesStyle(context), ...axis, name: series.name }
  const values = series.points.map((point) => point.value)
  const cut = series.role !== 'current' ? -1 : model.categories.findIndex((category) => category.incomplete)
  const whole: ChartSeriesOption = {
    ...look,
    ...areaStyleOf(context),
    ...(stacked ? { stack: 'all' } : {}),
    id: `main:${series.key}`,
    data: withIsolatedSymbols(values.map((value, at) => (cut >= 0 && at >= cut ? null : value))),
  }
  if (cut < 0) return [whole]
  const tail: ChartSeriesOption = {
    ...look,
    ...(settings.chart === 'area' ? { areaStyle: { color: colour, opacity: stacked ? 0.4 : 0.14 } } : {}),
    ...(stacked ? { stack: 'tail' } : {}),
    id: `tail:${series.key}`,
    lineStyle: { ...look.lineStyle, color: colour, type: 'dotted' },
    itemStyle: stacked
      ? { decal: hatchPattern(settings.colours.surface) }
      : { color: settings.colours.surface, borderColor: colour, borderWidth: 2 },
    symbolSize: stacked ? 0 : SYMBOL_PX,
    // The whole point before it is where the line starts, and keeps its own full mark.
    data: values.map((value, at) => (at === cut - 1 ? { value, symbolSize: 0 } : at >= cut ? value : null)),
  }
  return [whole, tail]
}

function barSeries({ series, colour, settings, model, axis }: AxisSeriesContext): ChartSeriesOption {
  const comparison = series.role === 'comparison'
  const horizontal = isHorizontal(model, settings.chart)
  const stacked = isStacked(model, settings.chart)
  const radius = stacked ? 0 : horizontal ? [0, 3, 3, 0] : [3, 3, 0, 0]
  return {
    ...axis,
    type: 'bar',
    id: `main:${series.key}`,
    name: series.name,
    color: colour,
    ...(stacked && !comparison ? { stack: 'all' } : {}),
    barMaxWidth: horizontal ? 22 : 44,
    barGap: '10%',
    itemStyle: { borderRadius: radius, opacity: comparison ? 0.35 : 1 },
    data: series.points.map((point, at) => {
      const category = model.categories[at]
      const cut = category?.incomplete && !comparison
      // The group of the rest is grey wherever it stands.
      const grey = category?.other && series.dimension === undefined ? { color: settings.colours.other } : {}
      const hatched = cut ? { opacity: 0.75, borderRadius: radius, decal: hatchPattern(settings.colours.surface) } : {}
      return {
        value: point.value,
        ...(cut || category?.other ? { itemStyle: { ...grey, ...hatched } } : {}),
      }
    }),
  }
}

function axisSeriesOptions(model: ChartModel, settings: AxisRenderSettings): ChartSeriesOption[] {
  const colours = seriesColours(model.series, settings.colours)
  const units = unitsOf(model.series)
  const horizontalChart = isHorizontal(model, settings.chart)
  return model.series.flatMap((series, index) => {
    const unit = Math.max(0, units.indexOf(unitOf(series.column)))
    const axis = horizontalChart ? { xAxisIndex: unit } : { yAxisIndex: unit }
    const parts = { series, colour: colours[index] ?? settings.colours.other, settings, model, axis }
    return isBar(series, settings.chart) ? [barSeries(parts)] : lineSeries(parts)
  })
}

const tickLabelOptions = (categories: readonly Category[], time: boolean): Record<string, unknown> =>
  time ? { interval: 'auto', hideOverlap: true } : categories.length > 80 ? { interval: 'auto' } : { interval: 0 }

const isLine = ({ chart }: AxisRenderSettings): boolean => chart === 'line' || chart === 'area'

function categoryAxis(model: ChartModel, settings: AxisRenderSettings) {
  const { colours } = settings
  const horizontalAxis = isHorizontal(model, settings.chart)
  const width = horizontalAxis ? categoryLabelWidth(settings) : 90
  return {
    type: 'category' as const,
    data: model.categories.map((category) => (category.incomplete ? `${category.label} *` : category.label)),
    inverse: horizontalAxis,
    boundaryGap: !isLine(settings) || model.categories.length === 1,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    axisLabel: {
      color: colours.dimmed,
      fontSize: 12,
      ...tickLabelOptions(model.categories, model.time || !horizontalAxis),
      ...(model.time ? {} : { width, overflow: 'truncate' as const }),
    },
  }
}

/** One axis of figures for each unit; two of them are called by what stands on them. */
function valueAxes(model: ChartModel, settings: AxisRenderSettings) {
  const { colours, format } = settings
  const units = unitsOf(model.series)
  const across = isHorizontal(model, settings.chart)
  return units.map((unit, at) => {
    const own = model.series.filter((series) => unitOf(series.column) === unit)
    const column = own[0]?.column ?? model.axis
    const largest = axisMaximum(own, model, settings)
    const names = [...new Set(own.filter((series) => series.role === 'current').map((series) => series.name))]
    const named = {
      name: names.join(', '),
      nameLocation: across ? ('middle' as const) : ('end' as const),
      nameGap: across ? 28 : 12,
      nameTextStyle: {
        color: colours.dimmed,
        fontSize: 12,
        align: across ? ('center' as const) : at === 0 ? ('left' as const) : ('right' as const),
      },
      nameTruncate: { maxWidth: settings.narrow ? 120 : 260 },
    }
    return {
      type: 'value' as const,
      splitNumber: 4,
      position: across
        ? at === 0
          ? ('bottom' as const)
          : ('top' as const)
        : at === 0
          ? ('left' as const)
          : ('right' as const),
      splitLine: { show: at === 0, lineStyle: { color: colours.grid } },
      ...(at > 0 ? { alignTicks: true } : {}),
      ...(units.length > 1 ? named : {}),
      axisLabel: {
        color: colours.dimmed,
        fontSize: 12,
        hideOverlap: true,
        formatter: (value: number) => format.short(value, column, largest),
      },
    }
  })
}

/** The largest size an axis reaches: of a single point, or of a stack. */
function axisMaximum(series: readonly Series[], model: ChartModel, { chart }: AxisRenderSettings): number {
  const sizes = model.categories.map((_, at) => series.map(({ points }) => Math.abs(points[at]?.value ?? 0)))
  const reach = sizes.map((size) =>
    isStacked(model, chart) ? size.reduce((sum, one) => sum + one, 0) : Math.max(0, ...size),
  )
  return Math.max(0, ...reach)
}

function sparklineOption(model: ChartModel, settings: AxisRenderSettings): ChartOption {
  const across = isHorizontal(model, settings.chart)
  const data = model.categories.map((category) => category.label)
  const names = { type: 'category' as const, show: false, inverse: across, boundaryGap: !isLine(settings), data }
  const figures = unitsOf(model.series).map(() => ({
    type: 'value' as const,
    show: false,
    scale: settings.chart === 'line',
  }))
  return {
    ...bareChartOption(chartSummary(model, settings.format)),
    xAxis: across ? figures : names,
    yAxis: across ? names : figures,
    series: axisSeriesOptions(model, settings).map((series) => ({ ...series, silent: true })),
  }
}

/** The drawing library's option for series over an axis. Pure: same input, same picture. */
export function axisChartOption(model: ChartModel, settings: AxisRenderSettings): ChartOption {
  if (settings.small) return sparklineOption(model, settings)
  const colours = seriesColours(model.series, settings.colours)
  const legend = [...new Set(model.series.map((series) => series.name))]
  const frame = baseChartOption(settings, { summary: chartSummary(model, settings.format), legend })
  const across = isHorizontal(model, settings.chart)
  const twoUnits = unitsOf(model.series).length > 1
  return {
    ...frame,
    // Names of two axes stand above them.
    ...(twoUnits
      ? { grid: { ...frame.grid, top: legendHeightPx(settings, legend) + 48, outerBoundsContain: 'all' as const } }
      : {}),
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      axisPointer: {
        type: isLine(settings) ? 'line' : 'shadow',
        lineStyle: { color: settings.colours.border },
      },
      formatter: (given) => {
        const first = Array.isArray(given) ? given[0] : given
        const at = first?.dataIndex ?? -1
        const annotationText = annotationTextAt(settings.annotations ?? [], at)
        return categoryTooltipHtml({ model, colours, format: settings.format, at, annotationText })
      },
    },
    xAxis: across ? valueAxes(model, settings) : categoryAxis(model, settings),
    yAxis: across ? categoryAxis(model, settings) : valueAxes(model, settings),
    series: [...axisSeriesOptions(model, settings), ...annotationSeries(model, settings.annotations ?? [], settings)],
  }
}
