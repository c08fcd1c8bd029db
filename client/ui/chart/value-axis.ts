import { isHorizontal, isStacked, unitOf, unitsOf } from './axis-model'
import { alignScale, axisScale, reachOf, type AxisReach, type AxisScale } from '../../../src/shared/charts/axis-scale'
import type { ChartModel, Series } from '../../../src/shared/charts/chart-model'
import type { AxisRenderSettings } from './annotations'
import type { ResultColumn } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'

/** How far the marks over one axis reach: those of a stack together, what is above zero and below it apart. */
function reachOfSeries(series: readonly Series[], model: ChartModel, { chart }: AxisRenderSettings): AxisReach | null {
  const stacked = isStacked(model, chart) ? series.filter(({ role }) => role === 'current') : []
  const apart = series.filter((one) => !stacked.includes(one))
  const single = apart.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const sums = model.categories.flatMap((_, at) => {
    const values = stacked.flatMap(({ points }) => points[at]?.value ?? [])
    if (values.length === 0) return []
    const total = (sign: 1 | -1): number =>
      values.filter((value) => value * sign > 0).reduce((sum, value) => sum + value, 0)
    return [total(1), total(-1)]
  })
  return reachOf([...single, ...sums])
}

const isWhole = (column: ResultColumn): boolean => column.type === 'integer' && column.format.style !== 'percent'

export interface ValueAxis {
  column: ResultColumn
  own: Series[]
  scale: AxisScale
}

/** The value axes of a chart, one for each unit; the second has as many marks as the first. */
export function valueAxesOf(model: ChartModel, settings: AxisRenderSettings): ValueAxis[] {
  const hidden = settings.hidden ?? new Set<string>()
  const axes = unitsOf(model.series).map((unit): ValueAxis => {
    const own = model.series.filter((series) => unitOf(series.column) === unit)
    const column = own[0]?.column ?? model.axis
    const drawn = own.filter(({ name }) => !hidden.has(name))
    return { column, own, scale: axisScale(reachOfSeries(drawn, model, settings), { whole: isWhole(column) }) }
  })
  const [first] = axes
  return axes.map((axis, at) => (at > 0 && first ? { ...axis, scale: alignScale(axis.scale, first.scale) } : axis))
}

/** The part of an axis option that says where its marks lie and how they are written. */
export const scaleOption = (
  { min, max, step }: AxisScale,
  { column, format, colour }: { column: ResultColumn; format: CellFormatter; colour: string },
) => ({
  type: 'value' as const,
  min,
  max,
  interval: step,
  axisLabel: {
    color: colour,
    fontSize: 12,
    hideOverlap: true,
    formatter: (value: number) => format.tick(value, column, { like: Math.max(Math.abs(min), Math.abs(max)), step }),
  },
})

/** One axis of figures for each unit; two of them are called by what they measure. */
export function valueAxes(model: ChartModel, settings: AxisRenderSettings) {
  const { colours, format } = settings
  const across = isHorizontal(model, settings.chart)
  const axes = valueAxesOf(model, settings)
  return axes.map(({ column, own, scale }, at) => {
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
      ...scaleOption(scale, { column, format, colour: colours.dimmed }),
      position: positionOf(at, across),
      splitLine: { show: at === 0, lineStyle: { color: colours.grid } },
      ...(axes.length > 1 ? named : {}),
    }
  })
}

const positionOf = (at: number, across: boolean): 'top' | 'bottom' | 'left' | 'right' =>
  across ? (at === 0 ? 'bottom' : 'top') : at === 0 ? 'left' : 'right'
