import type { ChartKind } from '../../../src/shared/insights'
import type { ResultColumn } from '../../../src/shared/query/result'
import { seriesWeight, type ChartModel, type Point, type Series } from '../../../src/shared/charts/chart-model'
import type { Grain } from '../../../src/shared/query/date-range'

const AXIS_CHARTS = ['line', 'area', 'bar', 'groupedBar', 'stackedBar', 'combined'] as const
export type AxisChart = (typeof AXIS_CHARTS)[number]
export const isAxisChart = (chart: ChartKind): chart is AxisChart => AXIS_CHARTS.some((one) => one === chart)

export const isBar = (series: Series, chart: AxisChart): boolean => series.role !== 'target' && isBarIn(series, chart)
const isBarIn = (series: Series, chart: AxisChart): boolean =>
  chart === 'combined' ? (series.column.measure ?? measureIndex(series)) === 0 : chart !== 'line' && chart !== 'area'
const measureIndex = ({ column }: Series): number => Number(/^m(\d)/.exec(column.key)?.[1] ?? 0)

/** Bars over names lie, so that names can be read; over time, its parts and bins they stand. */
export const isHorizontal = (model: ChartModel, chart: AxisChart): boolean =>
  !model.time && !(model.axis.part ?? model.axis.bins) && chart !== 'line' && chart !== 'area' && chart !== 'combined'

export const isStacked = (model: ChartModel, chart: AxisChart): boolean =>
  chart === 'stackedBar' ||
  (chart === 'area' &&
    model.series.filter(({ role }) => role !== 'target').length > 1 &&
    unitsOf(model.series).length === 1 &&
    hasNoNegatives(model))
export const hasNoNegatives = ({ series }: ChartModel): boolean =>
  series.every((one) => one.points.every(({ value }) => value === null || value >= 0))

/**
 * Figures of one unit share an axis: a currency, per cent, whole counts, amounts of so many decimals, and what has none
 * to speak of, as ratios do.
 */
export function unitOf({ format, type, scale }: Pick<ResultColumn, 'format' | 'type' | 'scale'>): string {
  if (format.style === 'currency') return format.currency
  if (format.style === 'percent') return 'percent'
  return type === 'number' && scale === undefined ? 'ratio' : type
}
export const unitsOf = (series: readonly Series[]): string[] => [...new Set(series.map((one) => unitOf(one.column)))]

const UNITS_MAX = 2
const SERIES_MAX = 12
const HORIZONTAL_CATEGORIES_MAX = 60
const HORIZONTAL_BARS_MAX = 120

/** What there is room for: at most two units, twelve series, sixty names; the rest is said in words. */
export function limitToFit(model: ChartModel, chart: AxisChart): ChartModel {
  return limitCategories(limitSeries(limitUnits(leaveOutLargeRest(leaveOutEmpty(model, chart), chart)), chart), chart)
}

/** Names without any figure have no bar: a metric of some accounts says nothing of all others. */
function leaveOutEmpty(model: ChartModel, chart: AxisChart): ChartModel {
  if (!isHorizontal(model, chart)) return model
  const kept = model.categories.flatMap((_, at) =>
    model.series.some(({ points }) => (points[at]?.value ?? null) !== null) ? [at] : [],
  )
  const empty = model.categories.length - kept.length
  if (empty === 0 || kept.length === 0) return model
  const names = empty === 1 ? '1 name without a value is' : `${empty} names without a value are`
  return { ...withCategories(model, kept), notes: [...model.notes, `${names} in the table only.`] }
}

/** Below a quarter of the axis, bars are stubs that nobody compares. */
const REST_TIMES_MAX = 4

/** All the others of a top list may be many times the largest of it: the bars are of the list, and the rest is said in words. */
function leaveOutLargeRest(model: ChartModel, chart: AxisChart): ChartModel {
  const rest = model.categories.findIndex(({ other }) => other)
  if (!isHorizontal(model, chart) || rest < 0 || model.categories.length < 3) return model
  const sizes = barSizes(model, chart)
  const times = Math.max(
    ...sizes.map((sizesOfOne) => (sizesOfOne[rest] ?? 0) / Math.max(...sizesOfOne.filter((_, at) => at !== rest))),
  )
  if (!(times > REST_TIMES_MAX && Number.isFinite(times))) return model
  const kept = model.categories.flatMap((_, at) => (at === rest ? [] : [at]))
  const note = `Other is in the table only: ${Math.round(times)} times the longest bar.`
  return { ...withCategories(model, kept), notes: [...model.notes, note] }
}

/** How long the bars of each category are, for every series or for all of a stack together. */
function barSizes(model: ChartModel, chart: AxisChart): number[][] {
  const sizes = model.series.map(({ points }) => points.map(({ value }) => Math.abs(value ?? 0)))
  if (!isStacked(model, chart)) return sizes
  return [model.categories.map((_, at) => sizes.reduce((sum, own) => sum + (own[at] ?? 0), 0))]
}

/** Some of the categories, by their places. */
const withCategories = (model: ChartModel, kept: readonly number[]): ChartModel => {
  const pick = <T>(items: readonly T[]): T[] => kept.flatMap((at) => items[at] ?? [])
  return {
    ...model,
    categories: pick(model.categories),
    series: model.series.map((one) => ({ ...one, points: pick(one.points) })),
  }
}

function limitUnits(model: ChartModel): ChartModel {
  const units = unitsOf(model.series)
  if (units.length <= UNITS_MAX) return model
  const kept = new Set(units.slice(0, UNITS_MAX))
  const out = model.series.filter((one) => !kept.has(unitOf(one.column)) && one.role === 'current')
  const names = out.map((one) => one.name).join(', ')
  return {
    ...model,
    series: model.series.filter((one) => kept.has(unitOf(one.column))),
    notes: [...model.notes, `Charts show two units. See the table for ${names}.`],
  }
}

function limitSeries(model: ChartModel, chart: AxisChart): ChartModel {
  const { series } = model
  if (series.length <= SERIES_MAX || series[0]?.dimension === undefined) return model
  const named = series.filter((one) => !one.other)
  const drawn = named.slice(0, SERIES_MAX - 1)
  const rest = series.filter((one) => !drawn.includes(one))
  if (isStacked(model, chart)) {
    const note = `Showing the ${drawn.length} largest of ${series.length} groups; the others are grouped.`
    return { ...model, series: [...drawn, combineSeries(rest)], notes: [...model.notes, note] }
  }
  const note = `Showing the ${drawn.length} largest of ${series.length} groups; all are in the table.`
  return { ...model, series: drawn, notes: [...model.notes, note] }
}

/** The sum of several series of one measure, grey. It has no single row behind it. */
function combineSeries(rest: readonly Series[]): Series {
  const [first] = rest
  if (!first) throw new TypeError('No series to combine.')
  const points = first.points.map((_, at): Point => {
    const values = rest.flatMap((one) => one.points[at]?.value ?? [])
    return { value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0), row: null }
  })
  return { ...first, key: 'together', name: `${rest.length} others`, dimension: null, other: true, points }
}

function limitCategories(model: ChartModel, chart: AxisChart): ChartModel {
  if (!isHorizontal(model, chart)) return model
  const side = isStacked(model, chart) ? 1 : Math.max(1, model.series.length)
  const max = Math.min(HORIZONTAL_CATEGORIES_MAX, Math.floor(HORIZONTAL_BARS_MAX / side))
  const count = model.categories.length
  if (count <= max) return model
  const kept = model.categories.flatMap((category, at) => (category.other || at < max - 1 ? [at] : []))
  const limited = withCategories(model, kept)
  return {
    ...limited,
    series: limited.series.toSorted(bySeriesWeight(model)),
    notes: [...model.notes, `Showing ${kept.length} of ${count} names; all are in the table.`],
  }
}
/** Series keep the order that the whole answer gave them. */
const bySeriesWeight = (model: ChartModel) => {
  const place = new Map(model.series.map((one, at) => [one.key, at]))
  return (a: Series, b: Series): number =>
    (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0) || seriesWeight(b) - seriesWeight(a)
}

/** What the figures should come to. Kept the same while nothing changes. */
export interface ChartTarget {
  name: string
  /** One for each unit of the time axis, by their first days; null where there is none. */
  line: (starts: readonly string[], grain: Grain) => (number | null)[]
}

/**
 * The model with the line of its targets. It is that of the whole: where parts are drawn it belongs only over those that
 * are laid on one another.
 */
export function withTargetSeries(model: ChartModel, chart: AxisChart, target: ChartTarget | undefined): ChartModel {
  const [first] = model.series
  const { grain } = model.axis
  if (!target || !first || !model.time || grain === undefined) return model
  if (first.dimension !== undefined && !isStacked(model, chart)) return model
  const starts = model.categories.map(({ value }) => (typeof value === 'string' ? value : ''))
  const values = target.line(starts, grain)
  if (values.every((value) => value === null)) return model
  const line: Series = {
    key: 'target',
    name: target.name,
    role: 'target',
    other: false,
    column: first.column,
    points: starts.map((_, at) => ({ value: values[at] ?? null, row: null })),
  }
  return { ...model, series: [...model.series, line] }
}
