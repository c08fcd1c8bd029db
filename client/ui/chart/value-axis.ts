import { isHorizontal, isStacked, unitOf, unitsOf } from './axis-model'
import {
  axisScale,
  isMarked,
  marksOf,
  reachOf,
  sharedScales,
  stepsThatFit,
  type AxisReach,
  type AxisScale,
  type SharedAxis,
  type ScaleMaker,
} from '../../../src/shared/charts/axis-scale'
import type { ChartModel, Series } from '../../../src/shared/charts/chart-model'
import type { AxisRenderSettings } from './annotations'
import type { RenderSettings } from './chart-spec'
import { WIDTH_PX, categoryLabelWidth } from './chart-frame'
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

const TICK_CHAR_PX = 6.6
const TICK_GAP_PX = 14
/** Ends of a picture beside its axes. */
const EDGES_PX = 28

const tickText =
  ({ min, max, step }: AxisScale, column: ResultColumn, format: CellFormatter) =>
  (value: number): string =>
    format.tick(value, column, { like: Math.max(Math.abs(min), Math.abs(max)), step })

/** So much of a picture's width is left for an axis beside names. */
export const widthBesideNames = (settings: RenderSettings): number =>
  (settings.width ?? WIDTH_PX) - categoryLabelWidth(settings) - EDGES_PX

const hasRoom = (scale: AxisScale, of: { column: ResultColumn; format: CellFormatter; width: number }): boolean => {
  const texts = marksOf(scale).map(tickText(scale, of.column, of.format))
  const longest = Math.max(...texts.map((text) => text.length))
  return (longest * TICK_CHAR_PX + TICK_GAP_PX) * (texts.length - 1) <= of.width
}

/** A scale across the page whose marks all have room: a mark left out between others would read as an uneven axis. */
export const scaleAcross = (
  make: ScaleMaker,
  of: { column: ResultColumn; format: CellFormatter; width: number },
): AxisScale => {
  const steps = stepsThatFit((count) => hasRoom(make(count), of))
  return make(steps)
}

export interface ValueAxis {
  column: ResultColumn
  own: Series[]
  scale: AxisScale
  /** Of the figures that are drawn over it. */
  reach: AxisReach | null
}

const ownScale = ({ reach, whole }: SharedAxis, steps: number | undefined): AxisScale =>
  axisScale(reach, { whole, steps })

/** The value axes of a chart, one for each unit; two share their lines and their zero, and across the page all marks have room. */
export function valueAxesOf(model: ChartModel, settings: AxisRenderSettings): ValueAxis[] {
  const { format, hidden = new Set<string>() } = settings
  const units = unitsOf(model.series).map((unit) => {
    const own = model.series.filter((series) => unitOf(series.column) === unit)
    const drawn = own.filter(({ name }) => !hidden.has(name))
    return { column: own[0]?.column ?? model.axis, own, reach: reachOfSeries(drawn, model, settings) }
  })
  const axesOf = (steps?: number): ValueAxis[] => {
    const shared = units.map(({ column, reach }) => ({ reach, whole: isWhole(column) }))
    const scales = shared.length > 1 ? sharedScales(shared, steps) : shared.map((axis) => ownScale(axis, steps))
    return units.flatMap(({ column, own, reach }, at) => {
      const scale = scales[at]
      return scale ? [{ column, own, scale, reach }] : []
    })
  }
  if (!isHorizontal(model, settings.chart)) return axesOf()
  const width = widthBesideNames(settings)
  return axesOf(
    stepsThatFit((steps) => axesOf(steps).every(({ column, scale }) => hasRoom(scale, { column, format, width }))),
  )
}

/** The part of an axis option that says where its marks lie and how they are written. */
export const scaleOption = (
  scale: AxisScale,
  { column, format, colour }: { column: ResultColumn; format: CellFormatter; colour: string },
) => ({
  type: 'value' as const,
  min: scale.min,
  max: scale.max,
  interval: scale.step,
  axisLabel: { color: colour, fontSize: 12, hideOverlap: true, formatter: tickText(scale, column, format) },
})

/** One axis of figures for each unit; two of them are called by what they measure. */
export function valueAxes(model: ChartModel, settings: AxisRenderSettings) {
  const { colours, format } = settings
  const across = isHorizontal(model, settings.chart)
  const axes = valueAxesOf(model, settings)
  return axes.map(({ column, own, scale, reach }, at) => {
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
    const { axisLabel, ...option } = scaleOption(scale, { column, format, colour: colours.dimmed })
    const markText = (mark: number): string => (isMarked(mark, reach) ? axisLabel.formatter(mark) : '')
    return {
      ...{ ...option, axisLabel: { ...axisLabel, formatter: markText } },
      position: positionOf(at, across),
      splitLine: { show: at === 0, lineStyle: { color: colours.grid } },
      ...(axes.length > 1 ? named : {}),
    }
  })
}

const positionOf = (at: number, across: boolean): 'top' | 'bottom' | 'left' | 'right' =>
  across ? (at === 0 ? 'bottom' : 'top') : at === 0 ? 'left' : 'right'
