import { isBar, lies, stacks, unitOf, unitsOf } from './axis-model'
import type { AxisChart } from './axis-model'
import { coloursOf } from './chart-colours'
import type { ChartModel, Series } from './chart-model'
import type { DrawSettings } from './drawing'
import type { DrawnSeries } from './engine-types'
import { hatch } from './frame-option'
import type { PlacedMark } from './marks'

export type AxisSettings = DrawSettings & { chart: AxisChart; marks?: readonly PlacedMark[] }

/** From here on neighbouring points share a pixel. */
const MANY_POINTS = 500
/** Up to here every point has its mark. */
const FEW_POINTS = 40
const MARK_PX = 6

interface Parts {
  series: Series
  colour: string
  settings: AxisSettings
  model: ChartModel
  /** Which value axis of those of the other direction it stands on. */
  axis: { xAxisIndex: number } | { yAxisIndex: number }
}
type Values = (number | null)[]

/** A point without neighbours has no line: it needs a mark, however many points there are. */
const marked = (values: Values) =>
  values.map((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
      ? { value, symbolSize: MARK_PX }
      : value,
  )

function lineLook({ series, colour, settings, model }: Parts) {
  const comparison = series.role === 'comparison'
  const target = series.role === 'target'
  const few = settings.small !== true && model.categories.length <= FEW_POINTS
  const stacked = stacks(model, settings.chart)
  return {
    type: 'line' as const,
    silent: false,
    connectNulls: false,
    ...(model.categories.length > MANY_POINTS ? { sampling: 'lttb' as const } : {}),
    showSymbol: true,
    symbol: 'circle',
    symbolSize: few && !stacked && !target ? MARK_PX : 0,
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

function shadeOf({ series, colour, settings, model }: Parts) {
  if (series.role !== 'current') return {}
  if (settings.chart === 'area')
    return { areaStyle: { color: colour, opacity: stacks(model, settings.chart) ? 0.72 : 0.28 } }
  const alone = model.series.filter((one) => one.role === 'current').length === 1
  return alone && settings.chart === 'line'
    ? { areaStyle: { color: colour, opacity: settings.small ? 0.12 : 0.06 } }
    : {}
}

/** The running bucket is drawn apart, dotted, hollow and hatched: it cannot be read as a fall. */
function lineSeries(parts: Parts): DrawnSeries[] {
  const { series, colour, settings, model, axis } = parts
  const stacked = stacks(model, settings.chart) && series.role === 'current'
  const look = { ...lineLook(parts), ...axis, name: series.name }
  const values = series.points.map((point) => point.value)
  const cut = series.role !== 'current' ? -1 : model.categories.findIndex((category) => category.incomplete)
  const whole: DrawnSeries = {
    ...look,
    ...shadeOf(parts),
    ...(stacked ? { stack: 'all' } : {}),
    id: `main:${series.key}`,
    data: marked(values.map((value, at) => (cut >= 0 && at >= cut ? null : value))),
  }
  if (cut < 0) return [whole]
  const tail: DrawnSeries = {
    ...look,
    ...(settings.chart === 'area' ? { areaStyle: { color: colour, opacity: stacked ? 0.4 : 0.14 } } : {}),
    ...(stacked ? { stack: 'tail' } : {}),
    id: `tail:${series.key}`,
    lineStyle: { ...look.lineStyle, color: colour, type: 'dotted' },
    itemStyle: stacked
      ? { decal: hatch(settings.colours.surface) }
      : { color: settings.colours.surface, borderColor: colour, borderWidth: 2 },
    symbolSize: stacked ? 0 : MARK_PX,
    // The whole point before it is where the line starts, and keeps its own full mark.
    data: values.map((value, at) => (at === cut - 1 ? { value, symbolSize: 0 } : at >= cut ? value : null)),
  }
  return [whole, tail]
}

function barSeries({ series, colour, settings, model, axis }: Parts): DrawnSeries {
  const comparison = series.role === 'comparison'
  const lying = lies(model, settings.chart)
  const stacked = stacks(model, settings.chart)
  const radius = stacked ? 0 : lying ? [0, 3, 3, 0] : [3, 3, 0, 0]
  return {
    ...axis,
    type: 'bar',
    id: `main:${series.key}`,
    name: series.name,
    color: colour,
    ...(stacked && !comparison ? { stack: 'all' } : {}),
    barMaxWidth: lying ? 22 : 44,
    barGap: '10%',
    itemStyle: { borderRadius: radius, opacity: comparison ? 0.35 : 1 },
    data: series.points.map((point, at) => {
      const category = model.categories[at]
      const cut = category?.incomplete && !comparison
      // The group of the rest is grey wherever it stands.
      const grey = category?.other && series.dimension === undefined ? { color: settings.colours.other } : {}
      const hatched = cut ? { opacity: 0.75, borderRadius: radius, decal: hatch(settings.colours.surface) } : {}
      return {
        value: point.value,
        ...(cut || category?.other ? { itemStyle: { ...grey, ...hatched } } : {}),
      }
    }),
  }
}

/** Every series of a model as the library draws it. */
export function drawnSeries(model: ChartModel, settings: AxisSettings): DrawnSeries[] {
  const colours = coloursOf(model.series, settings.colours)
  const units = unitsOf(model.series)
  const lying = lies(model, settings.chart)
  return model.series.flatMap((series, index) => {
    const unit = Math.max(0, units.indexOf(unitOf(series.column)))
    const axis = lying ? { xAxisIndex: unit } : { yAxisIndex: unit }
    const parts = { series, colour: colours[index] ?? settings.colours.other, settings, model, axis }
    return isBar(series, settings.chart) ? [barSeries(parts)] : lineSeries(parts)
  })
}
