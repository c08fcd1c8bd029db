import { MISSING_VALUE } from '../../../src/shared/figures/figures'
import {
  hasNoNegatives,
  isHorizontal,
  limitToFit,
  isStacked,
  withTargetSeries,
  type AxisChart,
  type ChartTarget,
} from './axis-model'
import { axisChartOption } from './axis-option'
import {
  chartSummary,
  describeIncomplete,
  type ChartModel,
  type ChosenMark,
  type Point,
  type Series,
} from '../../../src/shared/charts/chart-model'
import { legendExtraPx } from './chart-frame'
import { markOfRow, type ChartSpec, type GroundClick, type KeyboardMark } from './chart-spec'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { placeAnnotations, annotationTextAt, type ChartAnnotation } from './annotations'

const DESCRIBED_SERIES_MAX = 8

export function describeCategory(model: ChartModel, at: number, format: CellFormatter): string {
  const figures = model.series.slice(0, DESCRIBED_SERIES_MAX).map((series) => {
    const value = series.points[at]?.value ?? null
    return `${series.name} ${value === null ? MISSING_VALUE : format.full(value, series.column)}`
  })
  const category = model.categories[at]
  const left = model.series.length - figures.length
  const said = left > 0 ? [...figures, `and ${left} more`] : figures
  return `${category?.label ?? ''}: ${said.join(', ')}${category?.incomplete ? `, ${describeIncomplete(category)}` : ''}`
}

/** The point that a click over a category means when it hit no mark: only clear when one row is behind all of them. */
export function pointAtCategory(model: ChartModel, at: number): Point | null {
  const current = model.series.filter((series) => series.role === 'current')
  const points = current.flatMap((series) => series.points[at] ?? [])
  const rows = new Set(points.map((point) => point.row))
  const [point] = points
  return point && rows.size === 1 && point.row !== null ? point : null
}

/** Farther than this from every line a click means none of them. */
const REACH_PX = 40

/** The point of the nearest line, where several are drawn over a category and one of them is near. */
export function nearestLinePoint(
  model: ChartModel,
  at: number,
  pixelsTo: (series: Series, value: number) => number,
): Point | null {
  const near = model.series
    .filter(({ role }) => role !== 'target')
    .flatMap((series) => {
      const point = series.points[at]
      if (!point || point.row === null || point.value === null) return []
      return [{ point, distance: pixelsTo(series, point.value) }]
    })
    .toSorted((a, b) => a.distance - b.distance)[0]
  return near && near.distance <= REACH_PX ? near.point : null
}

/** The marks of a category that one can choose between: none where one row is behind all of them. */
function marksAt(model: ChartModel, at: number, format: CellFormatter): KeyboardMark[] {
  const current = model.series.filter(({ role }) => role === 'current')
  if (new Set(current.flatMap(({ points }) => points[at]?.row ?? [])).size < 2) return []
  return current.map((series) => {
    const { value = null, row = null } = series.points[at] ?? {}
    const figure = value === null ? MISSING_VALUE : format.full(value, series.column)
    const description = `${series.name}, ${model.categories[at]?.label ?? ''}: ${figure}`
    return { seriesId: seriesId(series), description, row }
  })
}
const seriesId = ({ key }: Series): string => `main:${key}`

/** The band of a stack that a height over a category lies in. */
export function stackedPointAt(model: ChartModel, at: number, height: number): Point | null {
  let reached = 0
  for (const series of model.series.filter(({ role }) => role !== 'target')) {
    const point = series.points[at]
    reached += point?.value ?? 0
    if (point && height >= 0 && height <= reached) return point.row === null ? null : point
  }
  return null
}

/** The axis, and of one category its bars and the gap after them; at the least what its name needs. */
const USUAL = { header: 60, bar: 16, gap: 10, least: 0 }
const TIGHT = { header: 42, bar: 9, gap: 6, least: 18 }

/** Lying bars grow downwards with their number; everything else, and what fits closer together, keeps the height it is given. */
function axisChartHeight(model: ChartModel, chart: AxisChart, base: number): number {
  if (!isHorizontal(model, chart)) return base
  const bars = isStacked(model, chart) ? 1 : Math.max(1, model.series.length)
  const needed = ({ header, bar, gap, least }: typeof USUAL): number =>
    header + model.categories.length * Math.max(least, bars * bar + gap)
  return needed(TIGHT) <= base ? base : Math.max(base, needed(USUAL))
}

export interface ChartSpecOptions {
  format: CellFormatter
  annotations?: readonly ChartAnnotation[]
  target?: ChartTarget | undefined
}

export function axisChartSpec(
  whole: ChartModel,
  chart: AxisChart,
  { format, annotations = [], target }: ChartSpecOptions,
): ChartSpec {
  const model = withTargetSeries(limitToFit(whole, chart), chart, target)
  const placed = placeAnnotations(model, annotations)
  const unstacked = chart === 'area' && whole.series.length > 1 && !hasNoNegatives(model)
  const note = 'Not stacked: some values are negative.'
  const horizontal = isHorizontal(model, chart)
  const names = [...new Set(model.series.map(({ name }) => name))]
  return {
    summary: chartSummary(model, format),
    notes: unstacked ? [...model.notes, note] : model.notes,
    isLying: horizontal,
    keyboardStops: model.categories.map((_, at) => ({
      description: `${describeCategory(model, at, format)}${annotationTextAt(placed, at)}`,
      ...categoryRows(model, at),
      dataPoint: { seriesIndex: 0, dataIndex: at },
      marks: marksAt(model, at, format),
    })),
    height: (base, legend) => axisChartHeight(model, chart, base) + (legend ? legendExtraPx(names, legend.narrow) : 0),
    option: (settings) => axisChartOption(model, { ...settings, chart, annotations: placed }),
    rowOf: ({ seriesId: id, dataIndex }) => {
      const series = model.series.find((one) => id?.slice('main:'.length) === one.key)
      return dataIndex === undefined ? null : (series?.points[dataIndex]?.row ?? null)
    },
    markAtPosition: (click) => markOfClick(model, chart, click),
  }
}

/** Where several rows stand over a category, its ground means all of them, as the ground of a single bar means that bar. */
function markOfCategory(model: ChartModel, at: number): ChosenMark | null {
  const { row, dimensions } = categoryRows(model, at)
  return row === null ? null : { row, dimensions }
}

/** A row of a category, and its splits that stand for the category where it has further rows. */
function categoryRows(model: ChartModel, at: number): { row: number | null; dimensions?: readonly number[] } {
  const rows = new Set(model.series.flatMap(({ points }) => points[at]?.row ?? []))
  const [row = null] = rows
  return rows.size > 1 ? { row, dimensions: [model.axisSplit] } : { row }
}

/** Beside lines that are all far away nothing is meant; else a row, or a category. */
function markOfClick(whole: ChartModel, chart: AxisChart, click: GroundClick): ChosenMark | null {
  const model = { ...whole, series: whole.series.filter(({ name }) => !click.hidden.has(name)) }
  const at = Math.round(isHorizontal(whole, chart) ? click.y : click.x)
  const stacked = isStacked(whole, chart)
  const band = chart === 'area' && stacked ? stackedPointAt(model, at, click.y) : null
  const clear = band ?? pointAtCategory(model, at)
  if (clear) return markOfRow(clear.row)
  if (stacked || (chart !== 'line' && chart !== 'area')) return markOfCategory(model, at)
  return markOfRow(nearestLinePoint(model, at, (series, value) => click.pixelsTo(seriesId(series), at, value))?.row)
}
