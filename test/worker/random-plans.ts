import fc from 'fast-check'
import { column, DATASET } from './warehouse-rows'
import { AGGREGATES, COMPARES, GRAINS } from '../../src/shared/query'
import type { Condition, Dimension, Expr, Field, Filter, Measure, QueryPlan } from '../../src/shared/query'
import type { Column } from '../../src/shared/sources'
import type { Calendar, StorageValue } from '../../src/warehouse/contract'

/** Random small datasets and plans over them: whatever the schema lets through and the check accepts. */
export const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'integer', label: 'Quantity' }),
  column(2, { type: 'number', scale: 2, label: 'Amount' }),
  column(3, { type: 'number', label: 'Weight' }),
  column(4, { type: 'boolean', label: 'Paid' }),
  column(5, { type: 'date', label: 'Day' }),
  column(6, { type: 'datetime', zoned: false, label: 'Noted at' }),
  column(7, { type: 'datetime', zoned: true, label: 'Bought at' }),
]
const TEXTS = ['Sweden', 'sweden', 'Norge', '', "O'Hara", 'Åland', '日本', 'a%b_']
const ZONES = [
  'UTC',
  'Europe/Stockholm',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
]
const DAY_MS = 86_400_000
const field = (index: number): Field => ({ dataset: DATASET, column: `c${index}` })
const orNull = (values: fc.Arbitrary<StorageValue>): fc.Arbitrary<StorageValue> =>
  fc.option(values, { freq: 6, nil: null })

/** Mostly days of 2024–2026, some around changes of clocks, few anywhere in history. */
const instants = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 19_720 * DAY_MS, max: 20_600 * DAY_MS }) },
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) }) },
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(2025, 9, 25), max: Date.UTC(2025, 9, 27) }) },
  { weight: 1, arbitrary: fc.integer({ min: -3_000_000_000_000, max: 8_000_000_000_000 }) },
)
const days = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 19_720, max: 20_600 }) },
  { weight: 1, arbitrary: fc.integer({ min: -719_162, max: 2_932_896 }) },
)
const row = fc.tuple(
  orNull(fc.constantFrom(...TEXTS)),
  orNull(fc.integer({ min: -50, max: 50 })),
  orNull(fc.integer({ min: -100_000, max: 100_000 })),
  orNull(fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)),
  orNull(fc.constantFrom(0, 1)),
  orNull(days),
  orNull(instants),
  orNull(instants),
)
const iso = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const usualDay = fc.integer({ min: 19_720, max: 20_600 })

export const calendars: fc.Arbitrary<Calendar> = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  weekStart: fc.constantFrom('monday', 'sunday', 'saturday'),
  fiscalYearStart: fc.integer({ min: 1, max: 12 }),
  today: usualDay.map(iso),
})

const valueOf = (index: number): fc.Arbitrary<string | number | boolean> => {
  switch (index) {
    case 0:
      return fc.constantFrom(...TEXTS)
    case 1:
      return fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(0.5))
    case 2:
      return fc.oneof(
        fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100),
        fc.constant(1.005),
      )
    case 3:
      return fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)
    case 4:
      return fc.boolean()
    case 5:
      return usualDay.map(iso)
    default:
      return fc.oneof(
        usualDay.map(iso),
        fc
          .tuple(usualDay, fc.integer({ min: 0, max: 1439 }))
          .map(([day, minute]) => new Date(day * DAY_MS + minute * 60_000).toISOString().slice(0, 16)),
      )
  }
}
function conditions(index: number): fc.Arbitrary<Condition> {
  const value = valueOf(index)
  const any: fc.Arbitrary<Condition>[] = [
    fc.record({ op: fc.constantFrom(...COMPARES), value }),
    fc.record({
      op: fc.constantFrom('in', 'notIn'),
      values: fc.array(fc.option(value, { freq: 5, nil: null }), { maxLength: 4 }),
    }),
    fc.record({ op: fc.constant('between'), from: value, to: value }),
    fc.record({ op: fc.constantFrom('empty', 'notEmpty') }),
    fc.record({ op: fc.constantFrom('eq', 'ne'), value: fc.constant(null) }),
  ]
  if (index === 0)
    any.push(
      fc.record({
        op: fc.constantFrom('contains', 'startsWith'),
        value: fc.constantFrom('S', 'e', '%', 'Å', 'b_', '本'),
      }),
    )
  return fc.oneof(...any)
}
const filters: fc.Arbitrary<Filter> = fc
  .integer({ min: 0, max: 7 })
  .chain((index) =>
    fc.array(conditions(index), { minLength: 1, maxLength: 3 }).map((any) => ({ field: field(index), any })),
  )
const someFilters = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Filter[]>([]) },
  { weight: 1, arbitrary: fc.array(filters, { minLength: 1, maxLength: 2 }) },
)

const expressions: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(1, 2, 3).map((index): Expr => ({ kind: 'field', field: field(index) })),
    fc.constantFrom(0, 1, -2, 2.5, 0.125).map((value): Expr => ({ kind: 'number', value })),
    fc
      .tuple(fc.constantFrom(5, 6, 7), fc.constantFrom(5, 6, 7))
      .map(([from, to]): Expr => ({ kind: 'dateDiff', unit: 'day', from: field(from), to: field(to) })),
    fc.record({
      kind: fc.constant('binary'),
      op: fc.constantFrom('add', 'subtract', 'multiply', 'divide'),
      left: tie('expr'),
      right: tie('expr'),
    }),
    fc.record({ kind: fc.constant('coalesce'), items: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }) }),
  ),
})).expr

const NUMERIC_ONLY = new Set(['sum', 'avg', 'median'])
const columnMeasures: fc.Arbitrary<Measure> = fc
  .tuple(fc.constantFrom(...AGGREGATES), fc.integer({ min: 0, max: 7 }), someFilters, fc.boolean())
  .map(([agg, index, filter, bare]): Measure =>
    agg === 'count' && bare
      ? { kind: 'column', agg, filter }
      : { kind: 'column', agg, field: field(NUMERIC_ONLY.has(agg) ? 1 + (index % 3) : index), filter },
  )
const expressionMeasures: fc.Arbitrary<Measure> = fc.record<Extract<Measure, { kind: 'expression' }>>({
  kind: fc.constant('expression'),
  agg: fc.constantFrom('sum', 'avg', 'median', 'min', 'max', 'count'),
  row: expressions,
  filter: someFilters,
})
const plainMeasures = fc.oneof({ weight: 3, arbitrary: columnMeasures }, { weight: 1, arbitrary: expressionMeasures })
const numberMeasures: fc.Arbitrary<Measure> = fc
  .tuple(
    fc.constantFrom('sum', 'count', 'countDistinct', 'avg', 'median', 'max'),
    fc.integer({ min: 1, max: 3 }),
    someFilters,
  )
  .map(([agg, index, filter]): Measure => ({ kind: 'column', agg, field: field(index), filter }))
const ratios: fc.Arbitrary<Measure> = fc.record({
  kind: fc.constant('ratio'),
  over: numberMeasures,
  under: numberMeasures,
})

const dimensions: fc.Arbitrary<Dimension> = fc
  .tuple(
    fc.integer({ min: 0, max: 7 }),
    fc.constantFrom(...GRAINS),
    fc.boolean(),
    fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 }),
  )
  .map(([index, grain, bucketed, topN]) => ({
    field: field(index),
    ...(index >= 5 && (bucketed || index > 5) ? { grain: index === 5 && grain === 'hour' ? 'day' : grain } : {}),
    ...(topN === null ? {} : { topN }),
  }))
const units = fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear')
const periods: fc.Arbitrary<NonNullable<QueryPlan['period']>> = fc.record({
  field: fc.constantFrom(field(5), field(6), field(7)),
  range: fc.oneof(
    fc
      .tuple(usualDay, fc.integer({ min: 0, max: 500 }))
      .map(([day, length]) => ({ kind: 'absolute' as const, from: iso(day), to: iso(day + length) })),
    fc.record({
      kind: fc.constant('relative'),
      span: fc.constantFrom('last', 'this', 'all'),
      unit: units,
      n: fc.integer({ min: 1, max: 14 }),
      includeCurrent: fc.boolean(),
    }),
    fc.tuple(fc.integer({ min: 2024, max: 2026 }), fc.integer({ min: 1, max: 12 })).map(([year, month]) => ({
      kind: 'absolute' as const,
      from: iso(Date.UTC(year, month - 1, 1) / DAY_MS),
      to: iso(Date.UTC(year, month, 0) / DAY_MS),
    })),
  ),
  compare: fc.constantFrom('none', 'previous', 'year'),
  completeOnly: fc.boolean(),
})

export const aggregatePlans: fc.Arbitrary<QueryPlan> = fc
  .record({
    // The first measure ranks and sorts: its ties must be ties in floating point, too.
    first: columnMeasures,
    more: fc.array(fc.oneof({ weight: 3, arbitrary: plainMeasures }, { weight: 1, arbitrary: ratios }), {
      maxLength: 2,
    }),
    dimensions: fc.array(dimensions, { maxLength: 3 }),
    period: fc.option(periods, { nil: undefined }),
    filters: someFilters,
    having: fc.option(fc.record({ op: fc.constantFrom(...COMPARES), value: fc.integer({ min: -20, max: 20 }) }), {
      freq: 4,
    }),
    sort: fc.option(fc.tuple(fc.boolean(), fc.constantFrom('asc', 'desc')), { freq: 2 }),
    page: fc.option(fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: fc.integer({ min: 0, max: 6 }) }), {
      freq: 3,
    }),
  })
  .map(({ first, more, having, sort, page, period, ...rest }): QueryPlan => {
    const counts =
      first.kind === 'column' && (NUMERIC_ONLY.has(first.agg) || first.agg === 'count' || first.agg === 'countDistinct')
    return {
      v: 1,
      kind: 'aggregate',
      dataset: DATASET,
      measures: [first, ...more],
      ...rest,
      ...(period ? { period } : {}),
      totals: true,
      ...(having && counts ? { having: [{ measure: 0, ...having }] } : {}),
      ...(sort && (sort[0] || rest.dimensions.length > 0)
        ? { sort: [{ by: sort[0] ? { measure: 0 } : { dimension: 0 }, dir: sort[1] === 'asc' ? 'asc' : 'desc' }] }
        : {}),
      ...page,
    }
  })

export const datasets = fc.array(row, { maxLength: 30 }).map((rows): StorageValue[][] => rows)
