import { isLeaf, leavesOf, partsOf, sameField } from '../../../src/shared/plan-fields'
import type { Dimension, Field, Filter, Measure, QueryPlan } from '../../../src/shared/query'
import type { Cell, QueryResult } from '../../../src/shared/query-result'
import { isOther } from '../../ui/chart/other-group'
import { bucketEnd, dayOf } from '../../ui/chart/time-buckets'

const DRILL_ROWS = 50

/** First and last day. */
interface Days {
  from: string
  to: string
}
interface DrillParts {
  plan: QueryPlan
  result: QueryResult
  /** Null: the records behind the whole answer. */
  row: number | null
  offset: number
}

/** Filters that belong to the first figure itself: the records behind it are only those. */
function filtersOf(measure: Measure | undefined): Filter[] {
  if (!measure) return []
  return isLeaf(measure) ? (measure.filter ?? []) : filtersOf(partsOf(measure)[0])
}

const equal = (field: Field, value: Cell): Filter => ({
  field,
  any: [value === null ? { op: 'empty' } : { op: 'eq', value }],
})

/** None of the named groups: what *Other* stands for. Empty is a group of its own when it has been named. */
function notNamed(result: QueryResult, field: Field, dimension: number): Filter[] {
  const named = result.rows.flatMap((row, at) => (isOther(result, at, dimension) ? [] : [row[dimension] ?? null]))
  const values = [...new Set(named.filter((value) => value !== null))]
  const filled: Filter[] = named.includes(null) ? [{ field, any: [{ op: 'notEmpty' }] }] : []
  return [{ field, any: [{ op: 'notIn', values }] }, ...filled]
}

/** An hour of the wall clock: `2026-03-01T14:00` to its last moment. */
const withinHour = (field: Field, hour: string): Filter => ({
  field,
  any: [{ op: 'between', from: hour, to: `${hour.slice(0, 13)}:59:59.999` }],
})

function daysOf({ grain }: Dimension, value: Cell): Days | null {
  const start = typeof value === 'string' ? dayOf(value) : null
  return grain && start !== null ? { from: start, to: bucketEnd(start, grain) } : null
}

/** What one split says of the records: filters, and the days of its bucket when it is of the period's own date. */
function narrow(parts: DrillParts, at: number): { filters: Filter[]; days: Days | null } {
  const { plan, result, row } = parts
  const dimension = plan.dimensions[at]
  if (!dimension || row === null) return { filters: [], days: null }
  const { field, grain } = dimension
  const value = result.rows[row]?.[at] ?? null
  if (isOther(result, row, at)) return { filters: notNamed(result, field, at), days: null }
  const days = daysOf(dimension, value)
  if (!days) return { filters: [equal(field, value)], days: null }
  if (grain === 'hour') return { filters: [withinHour(field, String(value))], days: null }
  const ofPeriod = plan.period !== undefined && sameField(plan.period.field, field)
  return ofPeriod ? { filters: [], days } : { filters: [{ field, any: [{ op: 'between', ...days }] }], days: null }
}

/** The days that all of these share. */
const shared = (all: readonly Days[]): Days | null =>
  all.reduce<Days | null>(
    (held, days) =>
      held && {
        from: held.from > days.from ? held.from : days.from,
        to: held.to < days.to ? held.to : days.to,
      },
    all[0] ?? null,
  )

function periodOf({ plan, result }: DrillParts, buckets: readonly Days[]): Pick<QueryPlan, 'period'> {
  const { period } = plan
  if (!period) return {}
  const whole = result.period ? [{ from: result.period.from, to: result.period.to }] : []
  const days = shared([...whole, ...buckets])
  const range = days ? { kind: 'absolute' as const, ...days } : period.range
  return { period: { field: period.field, range, compare: 'none', completeOnly: false } }
}

/** Whose rows the first figure is about: those of its column's own dataset, else those of the question. */
function measuredRows({ measures, dataset }: QueryPlan): Pick<QueryPlan, 'dataset'> {
  const [leaf] = measures.slice(0, 1).flatMap(leavesOf)
  const own =
    leaf?.kind === 'column' ? (leaf.dataset ?? (leaf.field?.via ? undefined : leaf.field?.dataset)) : undefined
  const found = own ?? dataset
  return found === undefined ? {} : { dataset: found }
}

/** Records of converted figures tell what each comes to; not where every figure is converted in a way of its own. */
function currencyOf({ plan, result: { conversion } }: DrillParts): Pick<QueryPlan, 'currency'> {
  const ofFigures = conversion && !conversion.lines.some(({ mode }) => mode !== undefined)
  const currency = ofFigures ? { code: conversion.code, mode: conversion.mode } : plan.currency
  return currency ? { currency } : {}
}

/** The records behind one row of an answer: the same filters and period, and the row's own values. */
export function drillPlan(parts: DrillParts): QueryPlan {
  const { plan, offset } = parts
  const narrowed = plan.dimensions.map((_, at) => narrow(parts, at))
  return {
    v: 2,
    kind: 'rows',
    ...measuredRows(plan),
    measures: [],
    dimensions: [],
    filters: [...plan.filters, ...filtersOf(plan.measures[0]), ...narrowed.flatMap((one) => one.filters)],
    limit: DRILL_ROWS,
    offset,
    ...currencyOf(parts),
    ...periodOf(
      parts,
      narrowed.flatMap((one) => (one.days ? [one.days] : [])),
    ),
  }
}
