import type { Cell, Dimension, Field, Filter, Measure, QueryPlan, QueryResult } from '../../../src/shared/query'
import { isOther } from '../../ui/chart/other-group'
import { bucketEnd, dayOf } from '../../ui/chart/time-buckets'

export const DRILL_ROWS = 50

/** Filters that belong to the first figure itself: the records behind it are only those. */
function filtersOf(measure: Measure | undefined): Filter[] {
  if (!measure) return []
  return measure.kind === 'ratio' ? filtersOf(measure.over) : (measure.filter ?? [])
}

const equal = (field: Field, value: Cell): Filter => ({
  field,
  any: [value === null || value === '' ? { op: 'empty' } : { op: 'eq', value }],
})

interface Bucket {
  from: string
  to: string
}
const sameField = (a: Field, b: Field): boolean => a.dataset === b.dataset && a.column === b.column

const narrower = (a: Bucket, b: Bucket): Bucket => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
})

function bucketOf(dimension: Dimension, value: Cell): Bucket | null {
  const start = typeof value === 'string' ? dayOf(value) : null
  return dimension.grain && start !== null ? { from: start, to: bucketEnd(start, dimension.grain) } : null
}

/** A bucket over another date than the period's: first day up to, not including, the day after the last. */
const within = (field: Field, { from, to }: Bucket): Filter => ({ field, any: [{ op: 'between', from, to }] })

/** Not one of the named groups: what *Other* stands for. */
function notNamed(result: QueryResult, field: Field, dimension: number): Filter {
  const values = result.rows.flatMap((row, at) => {
    const value = row[dimension] ?? null
    return isOther(result, at, dimension) || value === null ? [] : [value]
  })
  return { field, any: [{ op: 'notIn', values: [...new Set(values)].slice(0, 1000) }] }
}

/** The records behind one row of an answer: the same filters and period, and the row's own values. */
export function drillPlan(parts: {
  plan: QueryPlan
  result: QueryResult
  /** Null: the records behind the whole answer. */
  row: number | null
  /** Empty: every column that can be seen. */
  columns: Field[]
  offset: number
}): QueryPlan {
  const { plan, result, row, columns, offset } = parts
  const cells = row === null ? null : (result.rows[row] ?? null)
  const filters: Filter[] = [...plan.filters, ...filtersOf(plan.measures[0])]
  const { period } = plan
  const whole = period && result.period ? { from: result.period.from, to: result.period.to } : null
  let days: Bucket | null = whole
  let dayField: Field | null = period?.field ?? null
  plan.dimensions.forEach((dimension, at) => {
    if (!cells || row === null) return
    const value = cells[at] ?? null
    const bucket = bucketOf(dimension, value)
    if (!bucket)
      return void filters.push(
        isOther(result, row, at) ? notNamed(result, dimension.field, at) : equal(dimension.field, value),
      )
    if (dayField === null || sameField(dayField, dimension.field)) {
      dayField = dimension.field
      days = days ? narrower(days, bucket) : bucket
    } else filters.push(within(dimension.field, bucket))
  })
  const { dataset } = plan
  return {
    v: 1,
    kind: 'rows',
    ...(dataset === undefined ? {} : { dataset }),
    measures: [],
    dimensions: [],
    filters: filters.slice(0, 20),
    ...(columns.length > 0 ? { columns } : {}),
    limit: DRILL_ROWS,
    offset,
    ...(days && dayField
      ? periodFor(dayField, days)
      : period
        ? { period: { ...period, compare: 'none' as const } }
        : {}),
  }
}

const periodFor = (field: Field, days: Bucket): Pick<QueryPlan, 'period'> => ({
  period: { field, range: { kind: 'absolute', ...days }, compare: 'none', completeOnly: false },
})
