import { isHorizontal, isStacked, unitOf, unitsOf } from './axis-model'
import { axisSeriesOptions } from './axis-series'
import type { AxisRenderSettings } from './axis-series'
import { seriesColours } from './chart-colours'
import type { Category, ChartModel, Series } from './chart-model'
import { chartSummary } from './chart-summary'
import type { ChartOption } from './engine-types'
import { bareChartOption, baseChartOption, legendHeightPx, categoryLabelWidth } from './frame-option'
import { annotationSeries, annotationTextAt } from './marks'
import { categoryTooltipHtml } from './tooltip'

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
