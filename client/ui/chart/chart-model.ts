import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query-result'
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
  /** What the picture leaves out, in sentences. */
  notes: string[]
}
export interface Category {
  value: Cell
  label: string
  /** The bucket is still running, or cut by the end of the period. */
  incomplete: boolean
  /** The group of the rest of a top-N. */
  other: boolean
}
export interface Series {
  key: string
  name: string
  role: 'current' | 'comparison' | 'target'
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

export interface Placed {
  column: ResultColumn
  at: number
}

export const placed = (result: QueryResult, kind: ResultColumn['kind']): Placed[] =>
  result.columns.flatMap((column, at) => (column.kind === kind ? [{ column, at }] : []))

/** A value of a dimension as a group of its own: a real "Other" is not the group of the rest. */
interface Group {
  key: string
  value: Cell
  other: boolean
}
const groupOf = (value: Cell, other: boolean): Group => ({
  key: other ? 'other' : `${typeof value}:${String(value ?? '')}`,
  value,
  other,
})

/** The groups of a dimension, in the order of the answer. */
export function groupsOf(result: QueryResult, at: number): Group[] {
  const seen = new Map<string, Group>()
  result.rows.forEach((_, row) => {
    const group = groupAt(result, row, at)
    if (!seen.has(group.key)) seen.set(group.key, group)
  })
  return [...seen.values()]
}
export const groupAt = (result: QueryResult, row: number, at: number): Group =>
  groupOf(result.rows[row]?.[at] ?? null, isOther(result, row, at))

function axisGroups(result: QueryResult, axis: Placed): Group[] {
  const found = groupsOf(result, axis.at)
  const { grain } = axis.column
  if (!grain) return found
  const days = found.map(({ value }) => value).filter((value) => typeof value === 'string' && value !== '')
  const starts = days.filter((value) => typeof value === 'string')
  const inOrder = starts.every((value) => dayOf(value) === value) ? fillBuckets(starts, grain) : [...starts].sort()
  return [
    ...inOrder.map((value) => groupOf(value, false)),
    ...found.filter(({ value }) => value === null || value === ''),
  ]
}

export function categoriesOf(result: QueryResult, axis: Placed, format: FigureFormat): (Category & { key: string })[] {
  const { grain } = axis.column
  const { period } = result
  return axisGroups(result, axis).map(({ key, value, other }) => {
    const start = typeof value === 'string' ? dayOf(value) : null
    const cut = grain !== undefined && period !== null && period.incomplete && start !== null
    return {
      key,
      value,
      other,
      label: format.label(value, axis.column),
      incomplete: cut && start <= period.to && bucketEnd(start, grain) >= period.to,
    }
  })
}

interface Base {
  result: QueryResult
  axis: Placed
  categories: (Category & { key: string })[]
}

function pointsOf(base: Base, value: Placed, matches: (row: number) => boolean): Point[] {
  const { result, axis, categories } = base
  const points = new Map<string, Point>()
  result.rows.forEach((cells, row) => {
    if (matches(row)) points.set(groupAt(result, row, axis.at).key, { value: numeric(cells[value.at]), row })
  })
  return categories.map((category) => points.get(category.key) ?? { value: null, row: null })
}

/** Two dimensions: one series per value of the second; the group of the rest comes last. */
function bySplit(base: Base, split: Placed, { format }: Options): Series[] {
  const { result } = base
  const measure = placed(result, 'measure')[0]
  if (!measure) return []
  const series = groupsOf(result, split.at).map(({ key, value, other }): Series => ({
    key: `${measure.column.key}/${key}`,
    name: format.label(value, split.column),
    role: 'current',
    dimension: value,
    other,
    column: measure.column,
    points: pointsOf(base, measure, (row) => groupAt(result, row, split.at).key === key),
  }))
  return series.sort((a, b) => Number(a.other) - Number(b.other) || weight(b) - weight(a))
}

/** How much a series holds in all: the largest stands first, and lowest in a stack. */
export const weight = (series: Series): number =>
  series.points.reduce((total, point) => total + Math.abs(point.value ?? 0), 0)

function byMeasure(base: Base): Series[] {
  const { result } = base
  const comparison = result.period?.compare?.label
  const make = (value: Placed, role: Series['role'], name: string): Series => ({
    key: value.column.key,
    name,
    role,
    other: false,
    column: value.column,
    points: pointsOf(base, value, () => true),
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
  const time = axis.column.grain !== undefined
  return { axis: axis.column, time, categories, series, notes: notesOf(result, dimensions.length) }
}

/** With two splits there is room for one measure. */
function notesOf(result: QueryResult, dimensions: number): string[] {
  const measures = placed(result, 'measure')
  const [first, ...rest] = measures
  if (!first || dimensions < 2 || rest.length === 0) return []
  return [`Drawn is ${first.column.label}; the table shows every measure.`]
}
