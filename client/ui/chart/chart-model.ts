import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query'
import { numeric } from './figure-format'
import type { FigureFormat } from './figure-format'
import { isOther } from './other-group'
import { bucketEnd, dayOf, fillBuckets } from './time-buckets'

/** What a chart draws, free of any drawing library: an axis of categories and series of points over it. */
export interface ChartModel {
  axis: ResultColumn
  time: boolean
  categories: Category[]
  series: Series[]
}
export interface Category {
  value: Cell
  label: string
  /** The bucket is still running, or cut by the end of the period. */
  incomplete: boolean
}
export interface Series {
  key: string
  name: string
  role: 'current' | 'comparison'
  /** Value of the second dimension, for its stable colour; absent when series are measures. */
  dimension?: Cell
  other: boolean
  column: ResultColumn
  points: Point[]
}
export interface Point {
  value: number | null
  /** Row of the answer behind this point, for drilling. */
  row: number | null
}

interface Placed {
  column: ResultColumn
  at: number
}

const placed = (result: QueryResult, kind: ResultColumn['kind']): Placed[] =>
  result.columns.flatMap((column, at) => (column.kind === kind ? [{ column, at }] : []))

const keyOf = (value: Cell | undefined): string => `${typeof value}:${String(value ?? '')}`

function distinct(values: Cell[]): Cell[] {
  const seen = new Map<string, Cell>()
  for (const value of values) if (!seen.has(keyOf(value))) seen.set(keyOf(value), value)
  return [...seen.values()]
}

function axisValues(result: QueryResult, axis: Placed): Cell[] {
  const found = distinct(result.rows.map((row) => row[axis.at] ?? null))
  const { grain } = axis.column
  if (!grain) return found
  const days = found.filter((value): value is string => typeof value === 'string' && value !== '')
  const inOrder = days.every((value) => dayOf(value) === value) ? fillBuckets(days, grain) : [...days].sort()
  return [...inOrder, ...found.filter((value) => value === null || value === '')]
}

function categoriesOf(result: QueryResult, axis: Placed, format: FigureFormat): Category[] {
  const { grain } = axis.column
  const { period } = result
  return axisValues(result, axis).map((value) => {
    const start = typeof value === 'string' ? dayOf(value) : null
    const cut = grain !== undefined && period !== null && period.incomplete && start !== null
    return {
      value,
      label: format.label(value, axis.column),
      incomplete: cut && start <= period.to && bucketEnd(start, grain) >= period.to,
    }
  })
}

function seriesOf(parts: {
  result: QueryResult
  axis: Placed
  categories: Category[]
  value: Placed
  matches: (row: Cell[]) => boolean
}): Point[] {
  const points = new Map<string, Point>()
  parts.result.rows.forEach((row, at) => {
    if (!parts.matches(row)) return
    points.set(keyOf(row[parts.axis.at]), { value: numeric(row[parts.value.at]), row: at })
  })
  return parts.categories.map((category) => points.get(keyOf(category.value)) ?? { value: null, row: null })
}

/** Two dimensions: one series per value of the second; the group of the rest comes last. */
function bySplit(base: { result: QueryResult; axis: Placed; categories: Category[] }, split: Placed, options: Options) {
  const measure = placed(base.result, 'measure')[0]
  if (!measure) return []
  const otherAt = base.result.rows.findIndex((_, row) => isOther(base.result, row, split.at))
  const other = otherAt < 0 ? undefined : keyOf(base.result.rows[otherAt]?.[split.at])
  const values = distinct(base.result.rows.map((row) => row[split.at] ?? null))
  const series = values.map((value): Series => ({
    key: `${measure.column.key}/${keyOf(value)}`,
    name: options.format.label(value, split.column),
    role: 'current',
    dimension: value,
    other: keyOf(value) === other,
    column: measure.column,
    points: seriesOf({ ...base, value: measure, matches: (row) => keyOf(row[split.at]) === keyOf(value) }),
  }))
  return series.sort((a, b) => Number(a.other) - Number(b.other) || weight(b) - weight(a))
}

/** How much a series holds in all: the largest stands first, and lowest in a stack. */
const weight = (series: Series): number => series.points.reduce((total, point) => total + Math.abs(point.value ?? 0), 0)

function byMeasure(base: { result: QueryResult; axis: Placed; categories: Category[] }): Series[] {
  const { result } = base
  const comparison = result.period?.compare?.label
  const make = (value: Placed, role: Series['role'], name: string): Series => ({
    key: value.column.key,
    name,
    role,
    other: false,
    column: value.column,
    points: seriesOf({ ...base, value, matches: () => true }),
  })
  return placed(result, 'measure').flatMap((measure, index) => {
    const before = placed(result, 'previous').find((previous) => previous.column.measure === index)
    const current = make(measure, 'current', measure.column.label)
    const name = comparison ? `${measure.column.label}, ${comparison}` : before?.column.label
    return before ? [current, make(before, 'comparison', name ?? 'Before')] : [current]
  })
}

interface Options {
  format: FigureFormat
}

/** The model of an answer, or null when it has no dimension or no measure to draw over one. */
export function chartModel(result: QueryResult, options: Options): ChartModel | null {
  const dimensions = placed(result, 'dimension')
  const axis = dimensions.find((dimension) => dimension.column.grain) ?? dimensions[0]
  if (!axis || dimensions.length > 2 || placed(result, 'measure').length === 0) return null
  const categories = categoriesOf(result, axis, options.format)
  const split = dimensions.find((dimension) => dimension !== axis)
  const base = { result, axis, categories }
  const series = split ? bySplit(base, split, options) : byMeasure(base)
  return { axis: axis.column, time: axis.column.grain !== undefined, categories, series }
}
