import { leafMeasuresOf, isSameField, namedRowsOf } from '../../../src/shared/query/plan-fields'
import type { Dimension, Filter, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { Cell, QueryResult } from '../../../src/shared/query/result'
import { equalsFilter, findGrouping, measureFilters, resolveMetrics } from '../query-builder/catalogue'
import type { SemanticCatalogue } from '../query-builder/catalogue'
import { isOther } from '../../../src/shared/charts/chart-model'
import { bucketEnd, dayOf } from '../../../src/shared/figures/time-buckets'

interface DayRange {
  from: string
  to: string
}
export interface DrillRequest {
  plan: QueryPlan
  result: QueryResult
  /** Null: the records behind the whole answer. */
  row: number | null
  /** Which of its splits are meant; absent: all. */
  dimensions?: readonly number[] | undefined
  /** What metrics of the question stand for, and which groupings leave values out. */
  catalogue?: SemanticCatalogue | undefined
}

/** What splits through groupings leave out of the answer. */
const groupingExclusions = ({ dimensions }: QueryPlan, catalogue: SemanticCatalogue | undefined): Filter[] =>
  dimensions.flatMap(({ field, grouping }): Filter[] =>
    grouping && findGrouping(catalogue, grouping.id)?.fallback.kind === 'exclude'
      ? [{ field, grouping, any: [{ op: 'notIn', values: [null] }] }]
      : [],
  )

/** None of the named groups: what *Other* stands for. Empty is a group of its own when it has been named. */
function otherGroupFilters(result: QueryResult, field: Field, dimension: number): Filter[] {
  const named = result.rows.flatMap((row, at) => (isOther(result, at, dimension) ? [] : [row[dimension] ?? null]))
  const values = [...new Set(named.filter((value) => value !== null))]
  const filled: Filter[] = named.includes(null) ? [{ field, any: [{ op: 'notEmpty' }] }] : []
  return [{ field, any: [{ op: 'notIn', values }] }, ...filled]
}

/** A value that stands for itself though a group is called the same. */
const OWN_VALUE_SUFFIX = ' (value)'

/** The rows of a group: by its id, or by the value where it stands for itself; of *Other* all that are not named. */
function groupFilters(
  { result, row }: Pick<DrillRequest, 'result' | 'row'>,
  dimension: Dimension,
  at: number,
): Filter[] {
  const { field, grouping } = dimension
  const groups = result.columns[at]?.groups ?? []
  const idsOf = (value: Cell): (string | null)[] => groups.filter(({ name }) => name === value).map(({ id }) => id)
  const own = (value: Cell): Cell =>
    typeof value === 'string' && value.endsWith(OWN_VALUE_SUFFIX) ? value.slice(0, -OWN_VALUE_SUFFIX.length) : value
  if (row === null || !grouping) return []
  const value = result.rows[row]?.[at] ?? null
  if (!isOther(result, row, at)) {
    const ids = idsOf(value)
    return ids.length > 0 ? [{ field, grouping, any: [{ op: 'in', values: ids }] }] : [equalsFilter(field, own(value))]
  }
  const named = result.rows.flatMap((each, i) => (isOther(result, i, at) ? [] : [each[at] ?? null]))
  const values = named.filter((one) => one !== null && idsOf(one).length === 0).map(own)
  const rest: Filter[] = values.length > 0 ? [{ field, any: [{ op: 'notIn', values }] }] : []
  return [{ field, grouping, any: [{ op: 'notIn', values: named.flatMap(idsOf) }] }, ...rest]
}

/** An hour of the wall clock: `2026-03-01T14:00` to its last moment. */
const hourFilter = (field: Field, hour: string): Filter => ({
  field,
  any: [{ op: 'between', from: hour, to: `${hour.slice(0, 13)}:59:59.999` }],
})

/** The rows of a bin: from its lower edge to below its upper one. A split by bins has no *Other*. */
function binFilters({ result, row }: Pick<DrillRequest, 'result' | 'row'>, field: Field, at: number): Filter[] {
  const edge = row === null ? null : (result.rows[row]?.[at] ?? null)
  const width = result.columns[at]?.bins?.width
  if (typeof edge !== 'number' || width === undefined) return [{ field, any: [{ op: 'empty' }] }]
  const next = Number((edge + width).toPrecision(15))
  return [
    { field, any: [{ op: 'ge', value: edge }] },
    { field, any: [{ op: 'lt', value: next }] },
  ]
}

/** The rows of a part of a date; of *Other* all that are not named. */
function partFilter({ result, row }: Pick<DrillRequest, 'result' | 'row'>, split: Dimension, at: number): Filter {
  const { field, part } = split
  const valueAt = (each: number): Cell => result.rows[each]?.[at] ?? null
  const value = row === null ? null : valueAt(row)
  if (row === null || !isOther(result, row, at))
    return { field, part, any: [value === null ? { op: 'empty' } : { op: 'eq', value }] }
  const named = result.rows.flatMap((_, each) => (isOther(result, each, at) ? [] : [valueAt(each)]))
  return { field, part, any: [{ op: 'notIn', values: [...new Set(named)] }] }
}

function bucketDays({ grain }: Dimension, value: Cell): DayRange | null {
  const start = typeof value === 'string' ? dayOf(value) : null
  return grain && start !== null ? { from: start, to: bucketEnd(start, grain) } : null
}

/** What one split says of the records: filters, and the days of its bucket when it is of the period's own date. */
export function dimensionConstraints(
  parts: Omit<DrillRequest, 'offset'>,
  at: number,
): { filters: Filter[]; days: DayRange | null } {
  const { plan, result, row } = parts
  const dimension = plan.dimensions[at]
  if (!dimension || row === null) return { filters: [], days: null }
  const { field, grain, part, bins } = dimension
  if (dimension.grouping) return { filters: groupFilters(parts, dimension, at), days: null }
  const value = result.rows[row]?.[at] ?? null
  if (bins) return { filters: binFilters(parts, field, at), days: null }
  if (part) return { filters: [partFilter(parts, dimension, at)], days: null }
  if (isOther(result, row, at)) return { filters: otherGroupFilters(result, field, at), days: null }
  const days = bucketDays(dimension, value)
  if (!days) return { filters: [equalsFilter(field, value)], days: null }
  if (grain === 'hour') return { filters: [hourFilter(field, String(value))], days: null }
  const ofPeriod = plan.period !== undefined && isSameField(plan.period.field, field)
  return ofPeriod ? { filters: [], days } : { filters: [{ field, any: [{ op: 'between', ...days }] }], days: null }
}

const intersectDays = (all: readonly DayRange[]): DayRange | null =>
  all.reduce<DayRange | null>(
    (common, days) =>
      common && {
        from: common.from > days.from ? common.from : days.from,
        to: common.to < days.to ? common.to : days.to,
      },
    all[0] ?? null,
  )

function drillPeriod(
  { plan, result }: Pick<DrillRequest, 'plan' | 'result'>,
  buckets: readonly DayRange[],
): Pick<QueryPlan, 'period'> {
  const { period } = plan
  if (!period) return {}
  const whole = result.period ? [{ from: result.period.from, to: result.period.to }] : []
  const days = intersectDays([...whole, ...buckets])
  const range = days ? { kind: 'absolute' as const, ...days } : period.range
  return { period: { field: period.field, range, compare: 'none', completeOnly: false } }
}

/** Whose rows the first figure is about: those of its column's own dataset, else those of the question. */
function drillDataset({ measures, dataset }: QueryPlan): Pick<QueryPlan, 'dataset'> {
  const [leaf] = measures.slice(0, 1).flatMap(leafMeasuresOf)
  const found = (leaf && namedRowsOf(leaf)) ?? dataset
  return found === undefined ? {} : { dataset: found }
}

/** Records of converted figures tell what each comes to; not where every figure is converted in a way of its own. */
function drillCurrency({ plan, result: { conversion } }: DrillRequest): Pick<QueryPlan, 'currency'> {
  const ofFigures = conversion && !conversion.lines.some(({ mode }) => mode !== undefined)
  const currency = ofFigures ? { code: conversion.code, mode: conversion.mode } : plan.currency
  return currency ? { currency } : {}
}

/** The splits of a plan that a mark is about. */
export const splitsMeant = ({ plan, dimensions }: Pick<DrillRequest, 'plan' | 'dimensions'>): number[] =>
  plan.dimensions.flatMap((_, at) => (!dimensions || dimensions.includes(at) ? [at] : []))

/** What these splits of a row say: filters, and the days of its buckets within the period. */
export function narrowToRow(
  parts: Omit<DrillRequest, 'offset'>,
  dimensions: readonly number[],
): { filters: Filter[] } & Pick<QueryPlan, 'period'> {
  const narrowed = dimensions.map((at) => dimensionConstraints(parts, at))
  return {
    filters: narrowed.flatMap((one) => one.filters),
    ...drillPeriod(
      parts,
      narrowed.flatMap((one) => (one.days ? [one.days] : [])),
    ),
  }
}

/** The records behind one row of an answer: the same filters and period, and the row's own values. */
export function drillPlan(parts: DrillRequest): QueryPlan {
  const { plan, catalogue } = parts
  const narrowed = narrowToRow(parts, splitsMeant(parts))
  return {
    v: 2,
    kind: 'rows',
    ...drillDataset({ ...plan, measures: plan.measures.map((measure) => resolveMetrics(measure, catalogue)) }),
    measures: [],
    dimensions: [],
    filters: [
      ...plan.filters,
      ...measureFilters(plan.measures[0], catalogue),
      ...groupingExclusions(plan, catalogue),
      ...narrowed.filters,
    ],
    ...drillCurrency(parts),
    ...(narrowed.period ? { period: narrowed.period } : {}),
  }
}
