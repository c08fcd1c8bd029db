import { isBar, isHorizontal, isStacked, unitOf, unitsOf } from './axis-model'
import { seriesColours } from './chart-colours'
import { chartSummary, type ChartModel, type Series } from '../../../src/shared/charts/chart-model'
import type { ChartSeriesOption, ChartOption } from './chart-spec'
import { hatchPattern, bareChartOption, baseChartOption, categoryLabelWidth, categoryTooltipHtml } from './chart-frame'
import { layOutCategoryLabels, missingLabelsAxisName } from './category-labels'
import { shortLabels } from './short-names'
import { valueAxes, valueAxesOf } from './value-axis'
import { annotationSeries, annotationTextAt, type AxisRenderSettings } from './annotations'

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

/** Buckets that are not whole are drawn apart, dotted, hollow and hatched: they cannot be read as a fall or a rise. */
function lineSeries(context: AxisSeriesContext): ChartSeriesOption[] {
  const { series, colour, settings, model, axis } = context
  const stacked = isStacked(model, settings.chart) && series.role === 'current'
  const look = { ...lineSeriesStyle(context), ...axis, name: series.name }
  // Nothing of a part of a whole adds nothing to it; a gap would tear the bands above it.
  const values = series.points.map(({ value }) => value ?? (stacked ? 0 : null))
  const isCurrent = series.role === 'current'
  const cut = isCurrent ? model.categories.findIndex((one) => one.incomplete && !one.beginsInside) : -1
  /** Not whole: from the running bucket or the end of the data on, and where the data begin. */
  const isApart = (at: number): boolean =>
    isCurrent && ((cut >= 0 && at >= cut) || model.categories[at]?.beginsInside === true)
  const whole: ChartSeriesOption = {
    ...look,
    ...areaStyleOf(context),
    ...(stacked ? { stack: 'all' } : {}),
    id: `main:${series.key}`,
    data: withIsolatedSymbols(values.map((value, at) => (isApart(at) ? null : value))),
  }
  if (!values.some((_, at) => isApart(at))) return [whole]
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
    // The whole point beside it is where the line starts or ends, and keeps its own full mark.
    data: values.map((value, at) => {
      // Alone, a band has no area.
      if (isApart(at)) return values.length === 1 ? { value, symbolSize: SYMBOL_PX } : value
      return isApart(at - 1) || isApart(at + 1) ? { value, symbolSize: 0 } : null
    }),
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
    // Figures of different units are not added up.
    ...(stacked && !comparison ? { stack: `all:${unitOf(series.column)}` } : {}),
    barMaxWidth: horizontal ? 22 : 44,
    barGap: '10%',
    itemStyle: {
      borderRadius: radius,
      opacity: comparison ? 0.35 : 1,
      // Parts of a stack are parted by the ground, whatever their colours.
      ...(stacked ? { borderColor: settings.colours.surface, borderWidth: settings.small ? 0.5 : 1 } : {}),
    },
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

const isLine = ({ chart }: AxisRenderSettings): boolean => chart === 'line' || chart === 'area'

function categoryAxis(model: ChartModel, settings: AxisRenderSettings) {
  const { colours } = settings
  const horizontalAxis = isHorizontal(model, settings.chart)
  const data = model.categories.map((category) => (category.incomplete ? `${category.label} *` : category.label))
  return {
    type: 'category' as const,
    data,
    inverse: horizontalAxis,
    boundaryGap: !isLine(settings) || model.categories.length === 1,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    ...categoryLabels(data, { settings, lying: horizontalAxis, time: model.time }),
  }
}

/** Units of time may be left out between others: they follow each other. Names may not. */
function categoryLabels(
  data: readonly string[],
  { settings, lying, time }: { settings: AxisRenderSettings; lying: boolean; time: boolean },
) {
  const text = { color: settings.colours.dimmed, fontSize: 12 }
  if (time && !lying) return { axisLabel: { ...text, interval: 'auto' as const, hideOverlap: true } }
  if (lying)
    return {
      axisLabel: {
        ...text,
        interval: 0,
        ...shortLabels(data, categoryLabelWidth(settings)),
      },
    }
  const layout = layOutCategoryLabels(data, settings)
  return {
    axisLabel: { ...text, ...layout.axisLabel },
    ...missingLabelsAxisName(layout, settings.colours.dimmed),
  }
}

/** Half of the mark at the end of a line, with its border. */
const LINE_END_PX = 6

function sparklineOption(model: ChartModel, settings: AxisRenderSettings): ChartOption {
  const across = isHorizontal(model, settings.chart)
  const data = model.categories.map((category) => category.label)
  const names = { type: 'category' as const, show: false, inverse: across, boundaryGap: !isLine(settings), data }
  const axes = valueAxesOf(model, settings)
  const figures = axes.map(({ scale: { min, max } }) => ({
    type: 'value' as const,
    show: false,
    // Bars of two units stand on one zero; a line is drawn from near its least.
    ...(settings.chart === 'line' ? { scale: true } : axes.length > 1 ? { min, max } : {}),
  }))
  const bare = bareChartOption(chartSummary(model, settings.format))
  return {
    ...bare,
    // The mark of a running period at the end of a line is whole.
    ...(isLine(settings) ? { grid: { ...bare.grid, right: LINE_END_PX } } : {}),
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
  return {
    ...frame,
    grid: { ...frame.grid, outerBoundsContain: 'all' as const },
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
