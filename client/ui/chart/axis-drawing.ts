import { NOTHING } from '../../lib/format'
import { lies, roomFor, stacks } from './axis-model'
import type { AxisChart } from './axis-model'
import { chartOption } from './chart-option'
import { chartSummary } from './chart-summary'
import type { ChartModel, Point } from './chart-model'
import type { Drawing } from './drawing'
import type { FigureFormat } from './figure-format'
import { placeMarks, wordsAt } from './marks'
import type { ChartMark } from './marks'
import { withTarget } from './target-series'
import type { ChartTarget } from './target-series'

const SAID_SERIES = 8

/** One category in words: its name and every figure. */
export function sayPoint(model: ChartModel, at: number, format: FigureFormat): string {
  const figures = model.series.slice(0, SAID_SERIES).map((series) => {
    const value = series.points[at]?.value ?? null
    return `${series.name} ${value === null ? NOTHING : format.full(value, series.column)}`
  })
  const category = model.categories[at]
  return `${category?.label ?? ''}: ${figures.join(', ')}${category?.incomplete ? ', not complete yet' : ''}`
}

/** The point that a click over a category means when it hit no mark: only clear when one row is behind all of them. */
export function pointOver(model: ChartModel, at: number): Point | null {
  const current = model.series.filter((series) => series.role === 'current')
  const points = current.flatMap((series) => series.points[at] ?? [])
  const rows = new Set(points.map((point) => point.row))
  const [point] = points
  return point && rows.size === 1 && point.row !== null ? point : null
}

/** The band of a stack that a height over a category lies in. */
export function bandAt(model: ChartModel, at: number, height: number): Point | null {
  let reached = 0
  for (const series of model.series.filter(({ role }) => role !== 'target')) {
    const point = series.points[at]
    reached += point?.value ?? 0
    if (point && height >= 0 && height <= reached) return point.row === null ? null : point
  }
  return null
}

const HEAD_PX = 60
const BAR_PX = 16
const GAP_PX = 10

/** Lying bars grow downwards with their number; everything else keeps the height it is given. */
function heightOf(model: ChartModel, chart: AxisChart, base: number): number {
  if (!lies(model, chart)) return base
  const bars = stacks(model, chart) ? 1 : Math.max(1, model.series.length)
  return Math.max(base, HEAD_PX + model.categories.length * (bars * BAR_PX + GAP_PX))
}

export interface AxisOptions {
  format: FigureFormat
  marks?: readonly ChartMark[]
  target?: ChartTarget | undefined
}

/** Series over one axis: lines, areas, bars beside or on one another, bars with a line. */
export function axisDrawing(whole: ChartModel, chart: AxisChart, { format, marks = [], target }: AxisOptions): Drawing {
  const model = withTarget(roomFor(whole, chart), chart, target)
  const placed = placeMarks(model, marks)
  const unstacked = chart === 'area' && whole.series.length > 1 && !stacks(model, chart)
  const note = 'Some figures are negative, so the areas are not laid on one another.'
  const across = lies(model, chart)
  return {
    summary: chartSummary(model, format),
    notes: unstacked ? [...model.notes, note] : model.notes,
    stops: model.categories.map((_, at) => ({
      words: `${sayPoint(model, at, format)}${wordsAt(placed, at)}`,
      row: model.series.map((series) => series.points[at]?.row ?? null).find((row) => row !== null) ?? null,
      mark: { seriesIndex: 0, dataIndex: at },
    })),
    height: (base) => heightOf(model, chart, base),
    option: (settings) => chartOption(model, { ...settings, chart, marks: placed }),
    rowOf: ({ seriesId, dataIndex }) => {
      const series = model.series.find((one) => seriesId?.slice('main:'.length) === one.key)
      return dataIndex === undefined ? null : (series?.points[dataIndex]?.row ?? null)
    },
    rowNear: (x, y) => {
      const at = Math.round(across ? y : x)
      const band = chart === 'area' && stacks(model, chart) ? bandAt(model, at, y) : null
      return (band ?? pointOver(model, at))?.row ?? null
    },
  }
}
