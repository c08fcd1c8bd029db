import { lies, stacks, unitOf, unitsOf } from './axis-model'
import { drawnSeries } from './axis-series'
import type { AxisSettings } from './axis-series'
import { coloursOf } from './chart-colours'
import type { Category, ChartModel, Series } from './chart-model'
import { chartSummary } from './chart-summary'
import type { ChartOption } from './engine-types'
import { bareOption, frameOption, legendPx, nameWidth } from './frame-option'
import { markSeries, wordsAt } from './marks'
import { tooltipHtml } from './tooltip'

const tickEvery = (categories: readonly Category[], time: boolean): Record<string, unknown> =>
  time ? { interval: 'auto', hideOverlap: true } : categories.length > 80 ? { interval: 'auto' } : { interval: 0 }

const isLine = ({ chart }: AxisSettings): boolean => chart === 'line' || chart === 'area'

function nameAxis(model: ChartModel, settings: AxisSettings) {
  const { colours } = settings
  const across = lies(model, settings.chart)
  const width = across ? nameWidth(settings) : 90
  return {
    type: 'category' as const,
    data: model.categories.map((category) => (category.incomplete ? `${category.label} *` : category.label)),
    inverse: across,
    boundaryGap: !isLine(settings) || model.categories.length === 1,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    axisLabel: {
      color: colours.dimmed,
      fontSize: 12,
      ...tickEvery(model.categories, model.time || !across),
      ...(model.time ? {} : { width, overflow: 'truncate' as const }),
    },
  }
}

/** One axis of figures for each unit; two of them are called by what stands on them. */
function figureAxes(model: ChartModel, settings: AxisSettings) {
  const { colours, format } = settings
  const units = unitsOf(model.series)
  const across = lies(model, settings.chart)
  return units.map((unit, at) => {
    const own = model.series.filter((series) => unitOf(series.column) === unit)
    const column = own[0]?.column ?? model.axis
    const largest = largestOf(own, model, settings)
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
function largestOf(series: readonly Series[], model: ChartModel, { chart }: AxisSettings): number {
  const sizes = model.categories.map((_, at) => series.map(({ points }) => Math.abs(points[at]?.value ?? 0)))
  const reach = sizes.map((size) =>
    stacks(model, chart) ? size.reduce((sum, one) => sum + one, 0) : Math.max(0, ...size),
  )
  return Math.max(0, ...reach)
}

function bare(model: ChartModel, settings: AxisSettings): ChartOption {
  const across = lies(model, settings.chart)
  const data = model.categories.map((category) => category.label)
  const names = { type: 'category' as const, show: false, inverse: across, boundaryGap: !isLine(settings), data }
  const figures = unitsOf(model.series).map(() => ({
    type: 'value' as const,
    show: false,
    scale: settings.chart === 'line',
  }))
  return {
    ...bareOption(chartSummary(model, settings.format)),
    xAxis: across ? figures : names,
    yAxis: across ? names : figures,
    series: drawnSeries(model, settings).map((series) => ({ ...series, silent: true })),
  }
}

/** The drawing library's option for series over an axis. Pure: same input, same picture. */
export function chartOption(model: ChartModel, settings: AxisSettings): ChartOption {
  if (settings.small) return bare(model, settings)
  const colours = coloursOf(model.series, settings.colours)
  const legend = [...new Set(model.series.map((series) => series.name))]
  const frame = frameOption(settings, { summary: chartSummary(model, settings.format), legend })
  const across = lies(model, settings.chart)
  const twoUnits = unitsOf(model.series).length > 1
  return {
    ...frame,
    // Names of two axes stand above them.
    ...(twoUnits
      ? { grid: { ...frame.grid, top: legendPx(settings, legend) + 48, outerBoundsContain: 'all' as const } }
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
        const said = wordsAt(settings.marks ?? [], at)
        return tooltipHtml({ model, colours, format: settings.format, at, said })
      },
    },
    xAxis: across ? figureAxes(model, settings) : nameAxis(model, settings),
    yAxis: across ? nameAxis(model, settings) : figureAxes(model, settings),
    series: [...drawnSeries(model, settings), ...markSeries(model, settings.marks ?? [], settings)],
  }
}
