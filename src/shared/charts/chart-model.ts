import { describeDataRange, type PartialBucket } from '../query/partial-bucket'
import type { QueryResult, ResultColumn, Cell } from '../query/result'
import { comparedBucket } from './compared-bucket'
import { naturalPlace, valueAtPlace } from '../query/dimension-text'
import { toNumber, type CellFormatter } from '../figures/cell-formatter'
import { bucketEnd, dayOf, fillBuckets } from '../figures/time-buckets'

/** Does this row belong to the group of the rest of a top-N, in this dimension (0-based)? */
export function isOther(result: QueryResult, row: number, dimension: number): boolean {
  if (result.otherCells) return result.otherCells.some((cell) => cell.row === row && cell.dimension === dimension)
  return result.otherRow === row && dimension === 0
}

/** Index of the measure that a column belongs to; null for splits. */
const measureOf = (column: ResultColumn, columns: readonly ResultColumn[]): number | null => {
  if (column.kind === 'measure') return columns.filter((one) => one.kind === 'measure').indexOf(column)
  return column.measure ?? null
}

/** The answer with some of its measures shown as per cent. Shares of the change are per cent already. */
export function withPercent(result: QueryResult, percent: readonly number[] | undefined): QueryResult {
  if (!percent || percent.length === 0) return result
  const columns = result.columns.map((column): ResultColumn => {
    const at = measureOf(column, result.columns)
    if (at === null || !percent.includes(at) || column.kind === 'changePercent') return column
    const { scale: _scale, ...rest } = column
    return { ...rest, type: 'number', format: { style: 'percent' } }
  })
  return { ...result, columns }
}

/** What a chart draws, free of any drawing library: an axis of categories and series of points over it. */
export interface ChartModel {
  axis: ResultColumn
  /** Which of the splits its axis is. */
  axisSplit: number
  time: boolean
  categories: Category[]
  series: Series[]
  /** What the picture leaves out, in sentences. */
  notes: string[]
}
export interface Category {
  value: Cell
  label: string
  /** Today lies in the bucket, or the data begin or end in the middle of it: it cannot be compared with whole ones. */
  incomplete: boolean
  /** Where the data begin or end in it: "data to 9 Apr 2018". Absent where it is whole or only runs. */
  dataRange?: string
  /** The data begin in the middle of it; what follows is whole. */
  beginsInside?: boolean
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
  /** Of a comparison over time: what its own buckets are called, which are drawn at those of the axis. */
  pointLabels?: (string | null)[]
}
export interface Point {
  value: number | null
  /** Row of the answer behind this point, for drilling. */
  row: number | null
}

/** What was chosen in a picture: a row of its answer, or only some of its splits where several rows share them. */
export interface ChosenMark {
  row: number
  dimensions?: readonly number[] | undefined
}

export interface ResultColumnAt {
  column: ResultColumn
  at: number
}

export const columnsOfKind = (result: QueryResult, kind: ResultColumn['kind']): ResultColumnAt[] =>
  result.columns.flatMap((column, at) => (column.kind === kind ? [{ column, at }] : []))

/** A value of a dimension as a group of its own: a real "Other" is not the group of the rest. */
interface DimensionGroup {
  key: string
  value: Cell
  other: boolean
}
const toDimensionGroup = (value: Cell, other: boolean): DimensionGroup => ({
  key: other ? 'other' : `${typeof value}:${String(value ?? '')}`,
  value,
  other,
})

/** The groups of a dimension, in the order of the answer. */
export function dimensionGroups(result: QueryResult, at: number): DimensionGroup[] {
  const seen = new Map<string, DimensionGroup>()
  result.rows.forEach((_, row) => {
    const group = dimensionGroupAt(result, row, at)
    if (!seen.has(group.key)) seen.set(group.key, group)
  })
  // The answer is in the order of its first split; parts of dates of a second one follow each other as they do.
  const column = at === 0 ? undefined : result.columns[at]
  const groups = [...seen.values()]
  if (!column?.part && !column?.bins) return groups
  const placeOf = ({ value, other }: DimensionGroup): number =>
    other ? Infinity : (naturalPlace(value, column) ?? Number.MAX_SAFE_INTEGER)
  return groups.sort((a, b) => placeOf(a) - placeOf(b))
}
export const dimensionGroupAt = (result: QueryResult, row: number, at: number): DimensionGroup =>
  toDimensionGroup(result.rows[row]?.[at] ?? null, isOther(result, row, at))

function axisDimensionGroups(result: QueryResult, axis: ResultColumnAt): DimensionGroup[] {
  const found = dimensionGroups(result, axis.at)
  const { grain, part, bins } = axis.column
  if (part ?? bins) return withMissingParts(found, axis.column)
  if (!grain) return found
  const days = found.map(({ value }) => value).filter((value) => typeof value === 'string' && value !== '')
  const starts = days.filter((value) => typeof value === 'string')
  const inOrder = starts.every((value) => dayOf(value) === value) ? fillBuckets(starts, grain) : [...starts].sort()
  return [
    ...inOrder.map((value) => toDimensionGroup(value, false)),
    ...found.filter(({ value }) => value === null || value === ''),
  ]
}

const CATEGORIES_FILLED_MAX = 200
/** Hours, weekdays, months or bins without rows between those that have some, where they stand in their natural order. */
function withMissingParts(groups: DimensionGroup[], column: ResultColumn): DimensionGroup[] {
  const places = groups.flatMap(({ value }) => naturalPlace(value, column) ?? [])
  const [first = 0] = places
  if (places.some((place, i) => i > 0 && place <= (places[i - 1] ?? 0))) return groups
  const length = (places.at(-1) ?? first) - first + 1
  if (length > CATEGORIES_FILLED_MAX) return groups
  const all = Array.from({ length }, (_, i) => valueAtPlace(first + i, column))
  const rest = groups.filter(({ value }) => naturalPlace(value, column) === null)
  return places.length === 0 ? groups : [...all.map((value) => toDimensionGroup(value, false)), ...rest]
}

export function categoriesOf(
  result: QueryResult,
  axis: ResultColumnAt,
  format: CellFormatter,
): (Category & { key: string })[] {
  return axisDimensionGroups(result, axis).map(({ key, value, other }) => {
    const { runs, partial } = bucketState(value, axis.column, result.period)
    return {
      ...{ key, value, other, label: format.label(value, axis.column) },
      incomplete: runs || partial !== undefined,
      ...(partial
        ? { dataRange: describeDataRange(partial, format.day), beginsInside: !runs && partial.to === undefined }
        : {}),
    }
  })
}

type TimeColumn = Pick<ResultColumn, 'grain' | 'partial'>
/** Whether today lies in a bucket of time, and where the data begin or end in it. */
function bucketState(
  value: Cell,
  { grain, partial }: TimeColumn,
  period: QueryResult['period'],
): { runs: boolean; partial: PartialBucket | undefined } {
  const start = typeof value === 'string' ? dayOf(value) : null
  const running = period?.incomplete ? (period.runningFrom ?? period.to) : null
  const runs =
    grain !== undefined && start !== null && running !== null && start <= running && bucketEnd(start, grain) >= running
  return { runs, partial: partial?.find((bucket) => bucket.start === value) }
}

/** Whether a value of a split is a bucket of time that is not whole: what the star stands for. */
export function isIncompleteBucket(value: Cell, column: TimeColumn, period: QueryResult['period']): boolean {
  const { runs, partial } = bucketState(value, column, period)
  return runs || partial !== undefined
}

/** What is said of a bucket that is not whole: "incomplete", and how far its data reach. */
export const describeIncomplete = ({ dataRange }: Pick<Category, 'dataRange'>): string =>
  dataRange === undefined ? 'incomplete' : `incomplete: ${dataRange}`

/** One sentence for each bucket that is not whole. */
export const incompleteNotes = (
  categories: readonly Pick<Category, 'label' | 'incomplete' | 'dataRange'>[],
): string[] =>
  categories.filter(({ incomplete }) => incomplete).map((one) => `${one.label} is ${describeIncomplete(one)}.`)

interface SeriesSource {
  result: QueryResult
  axis: ResultColumnAt
  categories: (Category & { key: string })[]
}

function seriesPoints(source: SeriesSource, value: ResultColumnAt, matches: (row: number) => boolean): Point[] {
  const { result, axis, categories } = source
  const points = new Map<string, Point>()
  result.rows.forEach((cells, row) => {
    if (matches(row)) points.set(dimensionGroupAt(result, row, axis.at).key, { value: toNumber(cells[value.at]), row })
  })
  return categories.map((category) => points.get(category.key) ?? { value: null, row: null })
}

/** Two dimensions: one series per value of the second; the group of the rest comes last. */
function seriesByDimension(source: SeriesSource, split: ResultColumnAt, { format }: ChartModelOptions): Series[] {
  const { result } = source
  const measure = columnsOfKind(result, 'measure')[0]
  if (!measure) return []
  const series = dimensionGroups(result, split.at).map(({ key, value, other }): Series => ({
    key: `${measure.column.key}/${key}`,
    name: format.label(value, split.column),
    role: 'current',
    dimension: value,
    other,
    column: measure.column,
    points: seriesPoints(source, measure, (row) => dimensionGroupAt(result, row, split.at).key === key),
  }))
  return series.sort(
    (a, b) =>
      Number(a.other) - Number(b.other) ||
      ((split.column.part ?? split.column.bins) ? 0 : seriesWeight(b) - seriesWeight(a)),
  )
}

/** How much a series holds in all: the largest stands first, and lowest in a stack. */
export const seriesWeight = (series: Series): number =>
  series.points.reduce((total, point) => total + Math.abs(point.value ?? 0), 0)

const NO_DATA = '(no data)'

/** What the buckets of the comparison are called, in the order of the axis; null where nobody knows. */
function comparedLabels({ result, axis, categories }: SeriesSource, format: CellFormatter): (string | null)[] {
  const { grain } = axis.column
  return categories.map(({ value }) => {
    const before = grain && typeof value === 'string' ? comparedBucket(value, grain, result.period) : null
    return before === null ? null : format.label(before, axis.column)
  })
}

function seriesByMeasure(source: SeriesSource, { format }: ChartModelOptions): Series[] {
  const { result } = source
  const comparison = result.period?.compare?.label
  const make = (value: ResultColumnAt, role: Series['role'], name: string): Series => ({
    key: value.column.key,
    name,
    role,
    other: false,
    column: value.column,
    points: seriesPoints(source, value, () => true),
  })
  return columnsOfKind(result, 'measure').flatMap((measure, index) => {
    const before = columnsOfKind(result, 'previous').find((previous) => previous.column.measure === index)
    const current = make(measure, 'current', measure.column.label)
    if (!before) return [current]
    const name = comparison ? `${measure.column.label}, ${comparison}` : before.column.label
    // In a legend it would be looked for in vain.
    const isEmpty = result.rows.every((row) => toNumber(row[before.at]) === null)
    const drawn = make(before, 'comparison', isEmpty ? `${name} ${NO_DATA}` : name)
    return [current, { ...drawn, pointLabels: comparedLabels(source, format) }]
  })
}

interface ChartModelOptions {
  format: CellFormatter
}

/** The model of an answer, or null when it has no dimension or no measure to draw over one. */
export function chartModel(result: QueryResult, options: ChartModelOptions): ChartModel | null {
  const dimensions = columnsOfKind(result, 'dimension')
  const axis = dimensions.find((dimension) => dimension.column.grain) ?? dimensions[0]
  if (!axis || dimensions.length > 2 || columnsOfKind(result, 'measure').length === 0) return null
  const categories = categoriesOf(result, axis, options.format)
  const split = dimensions.find((dimension) => dimension !== axis)
  const base = { result, axis, categories }
  const series = split ? seriesByDimension(base, split, options) : seriesByMeasure(base, options)
  const time = axis.column.grain !== undefined
  return {
    axis: axis.column,
    axisSplit: axis.at,
    time,
    categories,
    series,
    notes: modelNotes(result, dimensions.length),
  }
}

/** With two splits there is room for one measure. */
function modelNotes(result: QueryResult, dimensions: number): string[] {
  const measures = columnsOfKind(result, 'measure')
  const [first, ...rest] = measures
  if (!first || dimensions < 2 || rest.length === 0) return []
  return [`Shows ${first.column.label}. Other measures are in the table.`]
}

interface LabelledPoint {
  /** Null: not known. */
  label: string | null
  other: boolean
  point: Point & { value: number }
}

const labelledPoints = (model: ChartModel, series: Series): LabelledPoint[] =>
  series.points.flatMap((point, at) => {
    const category = model.categories[at]
    if (point.value === null || !category) return []
    // The points of a comparison are drawn at the buckets of this period, and have names of their own.
    const label = series.pointLabels === undefined ? category.label : (series.pointLabels[at] ?? null)
    return [{ label, other: category.other, point: { ...point, value: point.value } }]
  })

function summarizeSeries(model: ChartModel, series: Series, format: CellFormatter): string {
  const all = labelledPoints(model, series)
  const [first] = all
  const last = all.at(-1)
  if (!first || !last) return series.name.endsWith(NO_DATA) ? `${series.name}.` : `${series.name}: no data.`
  // The rest of a top N is no value beside the others.
  const named = all.filter(({ other }) => !other)
  const ranked = named.length > 0 ? named : all
  const high = ranked.reduce((best, one) => (one.point.value > best.point.value ? one : best))
  const low = ranked.reduce((best, one) => (one.point.value < best.point.value ? one : best))
  const figure = (one: LabelledPoint): string =>
    format.full(one.point.value, series.column) + (one.label === null ? '' : ` (${one.label})`)
  if (all.length === 1) return `${series.name}: ${figure(first)}.`
  if (high.point.value === low.point.value)
    return `${series.name}: ${format.full(high.point.value, series.column)} at each of ${ranked.length} points.`
  const ends = model.time ? ` From ${figure(first)} to ${figure(last)}.` : ''
  return `${series.name}: highest ${figure(high)}, lowest ${figure(low)}.${ends}`
}

const SUMMARY_SERIES_MAX = 6

/** The chart as text, for those who do not see it: extremes of each series, and what is not complete. */
export function chartSummary(model: ChartModel, format: CellFormatter): string {
  const seriesTexts = model.series.slice(0, SUMMARY_SERIES_MAX).map((series) => summarizeSeries(model, series, format))
  const more =
    model.series.length > SUMMARY_SERIES_MAX ? [`And ${model.series.length - SUMMARY_SERIES_MAX} more series.`] : []
  const notes = incompleteNotes(model.categories)
  const { length } = model.categories
  const points = `${length} ${length === 1 ? 'point' : 'points'} over ${model.axis.label}.`
  return [points, ...seriesTexts, ...more, ...notes].join(' ')
}
