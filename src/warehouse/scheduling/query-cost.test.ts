import { describe, expect, it } from 'vitest'
import { assertAffordable, estimateCost, type CostContext } from './query-cost'
import { CALENDAR, column, DATASET } from '../../../test/worker/warehouse-rows'
import type { LiveDataset } from '../physical-layout'
import type { Dimension, FieldFilter, Measure, QueryPlan } from '../../shared/query/plan'
import type { Expr } from '../../shared/query/expression'

const COLUMNS = [
  column(0, { type: 'text' }),
  column(1, { type: 'date', role: 'time' }),
  ...[2, 3, 4, 5, 6].map((index) => column(index, { type: 'number', scale: 2, role: 'measure' })),
]
const FIRST_DAY = 19_000
const orders = (rowCount: number): LiveDataset => ({
  ...{ id: DATASET, sourceId: 'src_00000000000000000000', name: 'Orders', bytes: 0, keyColumns: [] },
  ...{ rowCount, dataVersion: 1, columns: COLUMNS, loadedAt: 0, tableSet: 1, layout: [], manifest: null },
  bounds: { c1: { min: FIRST_DAY, max: FIRST_DAY + 1094 } },
})
const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const measure = (agg: 'sum' | 'median' | 'countDistinct', index = 2): Measure => ({
  ...{ kind: 'column', agg, field: field(index) },
})
const medians = [2, 3, 4, 5, 6].map((index) => measure('median', index))
const numberOf = (value: number) => ({ kind: 'number' as const, value })
const byCustomer = { field: field(0) }
/** Texts that are searched for, twenty in a filter. */
const conditions = (count: number): FieldFilter[] =>
  Array.from({ length: Math.ceil(count / 20) }, () => ({
    field: field(0),
    any: Array.from({ length: Math.min(20, count) }, (_, at) => ({ op: 'contains', value: `nobody ${at}` })),
  }))
const OTHER = 'ds_00000000000000000001'
const byDay = { field: field(1), grain: 'day' as const }

function asked(rows: number, plan: Partial<QueryPlan>): CostContext {
  const dataset = orders(rows)
  return {
    plan: {
      v: 2,
      kind: 'aggregate',
      dataset: DATASET,
      measures: [measure('sum')],
      dimensions: [],
      filters: [],
      ...plan,
    },
    calendar: CALENDAR,
    analysis: { facts: [DATASET], datasets: [DATASET], home: DATASET },
    find: () => dataset,
  }
}
const cost = (...given: Parameters<typeof asked>) => estimateCost(asked(...given))
const heavy = { measures: medians, dimensions: [byCustomer, byDay] }
const refusalOf = (...given: Parameters<typeof asked>): unknown => {
  try {
    return assertAffordable(cost(...given))
  } catch (error) {
    return error
  }
}

describe('the estimated work of a question', () => {
  it('tells short from long', () => {
    expect(cost(200_000, {}).isShort).toBe(true)
    expect(cost(20_000, { dimensions: [byCustomer] }).isShort).toBe(true)
    expect(cost(200_000, heavy).isShort).toBe(false)
    expect(cost(5_000_000, {}).isShort).toBe(false)
  })

  it('grows with rows, medians, breakdowns, totals and the days that are read', () => {
    const one = cost(200_000, { measures: [measure('median')] }).totalMs
    expect(cost(400_000, { measures: [measure('median')] }).totalMs).toBeCloseTo(2 * one)
    expect(cost(200_000, { measures: [measure('countDistinct')] }).totalMs).toBeLessThan(one)
    expect(cost(200_000, { measures: medians }).totalMs).toBeGreaterThan(2 * one)
    const split = cost(1_000_000, heavy).totalMs
    expect(split).toBeGreaterThan(one)
    expect(cost(1_000_000, { ...heavy, totals: true }).totalMs).toBeGreaterThan(split)
    const range = { kind: 'absolute' as const, from: '2022-01-08', to: '2022-12-31' }
    expect(
      cost(1_000_000, { ...heavy, period: { field: field(1), range, compare: 'none', completeOnly: false } }).totalMs,
    ).toBeLessThan(split / 2)
  })

  it('tells what is read anew for each share of the groups from what is read once', () => {
    const once = cost(1_000_000, heavy)
    expect(once.readingMs).toBe(once.totalMs)
    expect(cost(1_000_000, { ...heavy, totals: true }).readingMs).toBe(once.readingMs)
    const binned = cost(1_000_000, { dimensions: [{ field: field(2), bins: { count: 10 } }], totals: true })
    expect(binned.readingMs).toBeLessThan(binned.totalMs)
    expect(cost(1_000_000, { dimensions: [{ ...byCustomer, topN: 5 }] }).readingMs).toBeGreaterThan(
      cost(1_000_000, { dimensions: [byCustomer] }).readingMs / 2,
    )
  })

  it('grows with conditions, of figures and of other rows too, and with what is calculated', () => {
    const search = (n: number): FieldFilter => ({
      ...{ field: field(0), any: Array.from({ length: n }, (_, at) => ({ op: 'contains' as const, value: `${at}` })) },
    })
    const typed = { field: field(2), any: search(20).any.map((_, value) => ({ op: 'eq' as const, value })) }
    const listed = (n: number) => ({
      ...{ field: field(0), any: [{ op: 'in' as const, values: Array.from({ length: n }, (_, at) => `${at}`) }] },
    })
    const ms = (plan: Partial<QueryPlan>): number => cost(200_000, plan).totalMs
    const none = ms({})
    expect(ms({ filters: [search(20)] }) - none).toBeCloseTo(800)
    expect(ms({ filters: [typed] }) - none).toBeLessThan(200)
    expect(ms({ filters: [listed(1_000)] })).toBeGreaterThan(ms({ filters: [listed(2)] }))
    expect(ms({ filters: [listed(1_000)] }) - none).toBeLessThan(50)
    expect(
      ms({ measures: [{ kind: 'column' as const, agg: 'sum' as const, field: field(2), filter: [search(20)] }] }) -
        none,
    ).toBeCloseTo(800)
    const exists = (rows: number) =>
      estimateCost({
        ...asked(1_000, { filters: [{ kind: 'exists', dataset: OTHER, filters: [search(20)] }] }),
        find: (id) => orders(id === OTHER ? rows : 1_000),
      }).totalMs
    expect(exists(400_000) - exists(200_000)).toBeCloseTo(200 * (0.6 + 20 * 0.2))
    const row = (terms: number): Expr => ({
      kind: 'coalesce',
      items: Array.from({ length: terms }, () => ({ kind: 'field', field: field(2) })),
    })
    const calculated = (terms: number) => ms({ measures: [{ kind: 'expression', agg: 'sum', row: row(terms) }] })
    expect(calculated(10) - calculated(2)).toBeCloseTo(160)
  })

  it('grows with figures over groups, with terms that figures are worked out from, and with names of keys', () => {
    const ms = (plan: Partial<QueryPlan>): number => cost(1_000_000, plan).totalMs
    const sum = measure('sum')
    const perCustomer = (keys: Dimension[]): Measure => ({ kind: 'grouped', agg: 'avg', of: sum, by: keys })
    const plain = ms({ measures: [sum] })
    const one = ms({ measures: [perCustomer([byCustomer])] })
    expect(one).toBeGreaterThan(5 * plain)
    expect(ms({ measures: [perCustomer([byCustomer, byDay])] })).toBeGreaterThan(one)
    const terms = (items: number): Measure => ({
      ...{ kind: 'function', fn: 'greatest', items: Array.from({ length: items }, (_, value) => numberOf(value)) },
    })
    const worked = (items: number): Measure => ({ kind: 'calc', op: 'add', left: sum, right: terms(items) })
    const byText = { dimensions: [byCustomer] }
    expect(ms({ ...byText, measures: [worked(10)] }) - ms({ ...byText, measures: [worked(1)] })).toBeGreaterThan(1_000)
    expect(ms({ dimensions: [{ ...byCustomer, label: field(0) }] })).toBeGreaterThan(ms(byText))
  })

  it('is within a factor of three of what was measured', () => {
    // Milliseconds of a processor over 20 million rows.
    const measured: [number, Partial<QueryPlan>][] = [
      [640, {}],
      [1_300, { dimensions: [byDay] }],
      [7_400, { dimensions: [byCustomer, { ...byDay, grain: 'month' }] }],
    ]
    for (const [ms, plan] of measured) {
      const { totalMs } = cost(20_000_000, plan)
      expect(totalMs / ms).toBeGreaterThan(1)
      expect(totalMs / ms).toBeLessThan(3)
    }
  })
})

describe('a plan that is too much', () => {
  it('is long with many conditions, and refused with too many', () => {
    expect(cost(200_000, { filters: conditions(400) }).isShort).toBe(false)
    expect(refusalOf(200_000, { filters: conditions(400) })).toBeUndefined()
    expect(cost(200_000, { filters: conditions(1) }).isShort).toBe(true)
    const tooLong = { code: 'query_too_complex', details: { what: 'time', max: 45 } }
    expect(refusalOf(600_000, { filters: conditions(400) })).toMatchObject({ code: 'query_too_complex' })
    expect(refusalOf(200_000, { filters: conditions(1_200) })).toMatchObject(tooLong)
    const everywhere = Array.from({ length: 20 }, () => ({
      kind: 'column' as const,
      agg: 'sum' as const,
      field: field(2),
      filter: conditions(200),
    }))
    expect(refusalOf(200_000, { measures: everywhere })).toMatchObject({ code: 'query_too_complex' })
  })

  it('is refused when it would take longer than an answer may', () => {
    expect(refusalOf(200_000, heavy)).toBeUndefined()
    expect(refusalOf(5_000_000, { measures: [measure('median')] })).toBeUndefined()
    expect(refusalOf(20_000_000, { dimensions: [byCustomer, byDay] })).toBeUndefined()
    expect(refusalOf(20_000_000, heavy)).toMatchObject({ code: 'query_too_complex', details: { what: 'time' } })
  })
})
