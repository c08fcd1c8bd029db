import { isBar, isHorizontal, isStacked, unitOf, unitsOf } from './axis-model'
import type { AxisChart } from './axis-model'
import { seriesColours } from './chart-colours'
import type { ChartModel, Series } from './chart-model'
import type { RenderSettings } from './drawing'
import type { ChartSeriesOption } from './engine-types'
import { hatchPattern } from './frame-option'
import type { PlacedAnnotation } from './marks'

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
const withIsolatedSymbols = (seriesValues: SeriesValues) =>
  seriesValues.map((value, at) =>
    value !== null && (seriesValues[at - 1] ?? null) === null && (seriesValues[at + 1] ?? null) === null
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
function lineSeries(axisSeriesContext: AxisSeriesContext): ChartSeriesOption[] {
  const { series, colour, settings, model, axis } = axisSeriesContext
  const stacked = isStacked(model, settings.chart) && series.role === 'current'
  const look = { ...lineSeriesStyle(axisSeriesContext), ...axis, name: series.name }
  const values = series.points.map((point) => point.value)
  const cut = series.role !== 'current' ? -1 : model.categories.findIndex((category) => category.incomplete)
  const whole: ChartSeriesOption = {
    ...look,
    ...areaStyleOf(axisSeriesContext),
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

/** Every series of a model as the library draws it. */
export function axisSeriesOptions(model: ChartModel, settings: AxisRenderSettings): ChartSeriesOption[] {
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
