import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysOfBalances } from './balance-days'
import { isSameFigure, toReadableRows } from '../../../../test/worker/compare-figures'
import { seedOf } from '../../../../test/seed'
import { answerMoney, d } from '../../../../test/worker/money'
import { naiveAnswer } from '../../../../test/worker/naive/evaluator'
import { CODE_KEY, naiveMoneyPlan, naiveMoneyTable, type MoneyColumns } from '../../../../test/worker/naive/money'
import type { NaiveTable } from '../../../../test/worker/naive/values'
import { CALENDAR, column, DATASET, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import type { LiveDataset } from '../../physical-layout'
import type { Column } from '../../../shared/data-sources/data-sources'
import { queryPlanSchema } from '../../../shared/query/plan'
import { CURRENCY_MODES } from '../../../shared/query/currency-modes'
import type { Measure, QueryPlan, QueryPlanInput } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { StorageValue } from '../../../lib/storage-value'

const LONG = env['LONG'] === '1'
const DATASETS = LONG ? 2_000 : 6
const PLANS_PER_DATASET = 10
const HANG_MS = LONG ? 3_600_000 : 120_000

const DAYS = { type: 'date', label: 'Day' } as const
const USD = { style: 'currency', currency: 'USD' } as const
/** Amounts in smallest units that rows name, those of one currency, and plain ones. */
const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'integer', label: 'Amount', role: 'measure', currencyColumn: 'c2', minorUnits: true }),
  column(2, { type: 'text', label: 'Currency', role: 'currency' }),
  column(3, { ...DAYS, role: 'time' }),
  column(4, { type: 'integer', label: 'Fee', role: 'measure', format: USD, minorUnits: true }),
  column(5, { type: 'number', scale: 2, label: 'Price', role: 'measure', currencyColumn: 'c2' }),
  column(6, { type: 'datetime', zoned: true, label: 'Paid at' }),
]
const at = (key: Column['key']) => ({ dataset: DATASET, column: key })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 })
const CODES = ['SEK', 'EUR', 'usd', ' USD ', 'JPY', 'KWD', 'ZZZ', '']
const day = fc.integer({ min: d('2026-01-20'), max: d('2026-03-25') })

const rowsUpTo = (most: number, minLength = 0): fc.Arbitrary<StorageValue[][]> =>
  fc.array(
    fc.tuple(
      maybe(fc.constantFrom('SE', 'DE')),
      maybe(fc.integer({ min: -most, max: most })),
      maybe(fc.constantFrom(...CODES)),
      maybe(day),
      maybe(fc.integer({ min: -1000, max: 1000 })),
      maybe(fc.integer({ min: -100_000, max: 100_000 })),
      maybe(day.map((each) => each * 86_400_000 + 82_000_000)),
    ),
    { minLength, maxLength: 25 },
  )
/** So large that 53 bits do not hold them all in one scale. */
const WIDE = 100_000_000_000_000

const condition = fc.oneof(
  fc.constantFrom('SE', 'DE').map((value) => ({ field: at('c0'), any: [{ op: 'eq' as const, value }] })),
  fc.constantFrom(0, 12.5, -3.25).map((value) => ({ field: at('c1'), any: [{ op: 'gt' as const, value }] })),
)
const filters = fc.oneof(fc.constant([]), fc.array(condition, { minLength: 1, maxLength: 2 }))
type MeasureInput = NonNullable<QueryPlanInput['measures']>[number]
const measures = (aggregates: readonly ('sum' | 'avg' | 'min' | 'max' | 'median' | 'count' | 'countDistinct')[]) =>
  fc.array(
    fc
      .record({
        agg: fc.constantFrom(...aggregates),
        key: fc.constantFrom<Column['key'][]>('c1', 'c1', 'c4', 'c5'),
        filter: filters,
        mode: fc.option(fc.constantFrom(...CURRENCY_MODES), { freq: 3, nil: undefined }),
      })
      .map(({ agg, key, filter, mode }): MeasureInput => ({
        ...{ kind: 'column', agg, field: at(key), filter },
        ...(mode === undefined ? {} : { mode }),
      })),
    { minLength: 1, maxLength: 3 },
  )
const splits = fc.constantFrom<QueryPlanInput['dimensions'][]>(
  [],
  [{ field: at('c0') }],
  [{ field: at('c2') }],
  [{ field: at('c3'), grain: 'month' }],
  [{ field: at('c1') }],
)
const range = { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } as const
const periods = fc.constantFrom<QueryPlanInput['period'][]>(
  undefined,
  { field: at('c3'), range },
  { field: at('c3'), range, compare: 'previous' },
  { field: at('c6'), range },
)
const currencies = fc.option(
  fc.record({ code: fc.constantFrom('SEK', 'EUR', 'USD'), mode: fc.constantFrom(...CURRENCY_MODES) }),
  { freq: 4, nil: undefined },
)
const plansOf = (chosen: fc.Arbitrary<MeasureInput[]>, conditions: typeof filters): fc.Arbitrary<QueryPlan> =>
  fc
    .record({ measures: chosen, dimensions: splits, period: periods, currency: currencies, filters: conditions })
    .map((given) => queryPlanSchema.parse({ v: 2, kind: 'aggregate', ...given }))

const MONEY: MoneyColumns = { amounts: ['c1', 'c4', 'c5'], currency: 'c2', time: 'c3' }
type ColumnMeasure = Extract<Measure, { kind: 'column' }>
const isCalculated = (each: Measure): each is ColumnMeasure & { field: Field } =>
  each.kind === 'column' && each.field !== undefined && each.agg !== 'count' && each.agg !== 'countDistinct'

/** Whether a measure adds up amounts of several currencies that nobody asked to bring to one. */
function isMixed(tables: NaiveTable[], plan: QueryPlan): boolean {
  const named = plan.measures.filter(isCalculated).filter(({ field: { column: key } }) => key === 'c1' || key === 'c5')
  if (plan.currency || plan.dimensions.some(({ field }) => field.column === 'c2') || named.length === 0) return false
  return named.some(({ field, mode }) => {
    // Rows that count are those of any measure over the same amounts.
    const alike = named.filter((each) => each.field.column === field.column && each.mode === mode)
    const counts = alike.map(({ filter }): Measure => ({
      ...{ kind: 'column', agg: 'count', field },
      ...(filter ? { filter } : {}),
    }))
    const { rows } = naiveAnswer(
      { tables, edges: [], calendar: CALENDAR },
      { ...plan, measures: counts, dimensions: [{ field: at(CODE_KEY) }] },
    )
    const isThere = (cell: unknown): boolean =>
      typeof cell === 'object' && cell !== null && 'n' in cell && cell.n !== 0n
    const width = plan.period?.compare === 'previous' ? 4 : 1
    return rows.filter((row) => counts.some((_, n) => row.slice(1 + n * width, 3 + n * width).some(isThere))).length > 1
  })
}

/** Whether it was answered. @throws Error where the naive evaluator says otherwise */
function check(sql: SqlStorage, dataset: LiveDataset, { rows, plan }: { rows: StorageValue[][]; plan: QueryPlan }) {
  const told = answerMoney(sql, dataset, plan)
  const table = naiveMoneyTable({ id: DATASET, columns: COLUMNS, rows }, MONEY, plan)
  const mixed = isMixed([table], plan)
  if (!told.ok) {
    if (told.error.code === 'mixed_currency' && mixed) return null
    return told.error.code === 'query_too_complex' ? null : fail({ told, mixed, plan, rows })
  }
  const naive = naiveAnswer({ tables: [table], edges: [], calendar: CALENDAR }, naiveMoneyPlan(plan, MONEY))
  const { value } = told
  const isRight =
    !mixed &&
    value.rowCount === naive.rows.length &&
    naive.rows.every((cells, i) => cells.every((cell, n) => isSameFigure(value.rows[i]?.[n], cell)))
  return isRight ? value : fail({ got: value.rows, wanted: toReadableRows(naive.rows), mixed, plan, rows })
}
function fail(what: unknown): never {
  throw new Error(`differs:\n${JSON.stringify(what)}`)
}

async function holds(
  name: string,
  of: { rows: fc.Arbitrary<StorageValue[][]>; plans: fc.Arbitrary<QueryPlan> },
): Promise<{ answered: number; converted: number }> {
  const seen = { answered: 0, converted: 0 }
  await inSqlite(name, (sql) => {
    const asks = fc.array(of.plans, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
    const property = fc.property(of.rows, asks, (rows, plans) => {
      const dataset = tableOf(COLUMNS, rows)
      for (const plan of plans) {
        const found = check(sql, dataset, { rows, plan })
        if (found) seen.answered += 1
        if (found?.conversion) seen.converted += 1
      }
    })
    fc.assert(property, { numRuns: DATASETS, endOnFailure: true, seed: seedOf(LONG) })
  })
  return seen
}

it(
  `answers ${DATASETS * PLANS_PER_DATASET} random questions about money as a naive evaluator does`,
  async () => {
    const all = measures(['sum', 'avg', 'min', 'max', 'median', 'count', 'countDistinct'])
    const { answered, converted } = await holds('random-money', {
      rows: rowsUpTo(1_000_000),
      plans: plansOf(all, filters),
    })
    expect(converted).toBeGreaterThan(DATASETS)
    // Others are refused: amounts of several currencies.
    expect(answered).toBeGreaterThan((DATASETS * PLANS_PER_DATASET) / 2)
  },
  HANG_MS,
)

it(
  `adds up amounts past 53 bits as a naive evaluator does, in ${DATASETS * PLANS_PER_DATASET} random questions`,
  async () => {
    const plans = plansOf(measures(['sum', 'avg', 'count']), fc.constant([]))
    const { converted } = await holds('random-wide-money', { rows: rowsUpTo(WIDE, 2), plans })
    expect(converted).toBeGreaterThan(DATASETS / 2)
  },
  HANG_MS,
)

it.each([
  ['2024', '2023-12-31', '2024-12-31'],
  ['2024-07/2025-06', '2024-06-30', '2025-06-30'],
  ['2024-02–2025-01', '2024-01-31', '2025-01-31'],
  // A year that has not ended closes today; a year nobody can read is of today.
  ['2026', '2025-12-31', CALENDAR.today],
  ['2027', CALENDAR.today, CALENDAR.today],
  ['2024-13/2025-06', CALENDAR.today, '2025-06-30'],
  ['2024-07', CALENDAR.today, CALENDAR.today],
  ['åäöå', CALENDAR.today, CALENDAR.today],
  [null, CALENDAR.today, CALENDAR.today],
])('balances of the year %s are of %s when they open it, and of %s when they close it', (year, opening, closing) => {
  expect(daysOfBalances(year, d(CALENDAR.today))).toEqual({ opening: d(opening), closing: d(closing) })
})
