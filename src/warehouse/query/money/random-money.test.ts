import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { balanceDaySql, daysOfBalances } from './balance-days'
import { answerMoney, d } from '../../../../test/worker/money'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import { compileContextOf } from '../sources/compile-context'
import { sourceOf } from '../sources/source'
import { sql as piece, sqlExecutor } from '../sources/sql'
import { relationGraph } from '../plan/relation-graph'
import type { Column } from '../../../shared/data-sources/data-sources'
import { CURRENCY_MODES, queryPlanSchema } from '../../../shared/query/plan'
import type { QueryPlan, QueryPlanInput } from '../../../shared/query/plan'
import type { StorageValue } from '../../../lib/storage-value'

const LONG = env['LONG'] === '1'
const DATASETS = LONG ? 2_000 : 12
const PLANS_PER_DATASET = 10
const YEARS = LONG ? 20_000 : 400
const HANG_MS = LONG ? 1_200_000 : 120_000

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
/** So large that 53 bits do not hold them all in one scale. Of a single one the rows' own way rounds what it hands over. */
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

/** An amount times its rate may be past 53 bits, and is then only added up. */
const isOrderedPast53Bits = ({ currency, measures: all }: QueryPlan): boolean =>
  currency !== undefined && all.some((each) => each.kind === 'column' && ['min', 'max', 'median'].includes(each.agg))

async function holds(
  name: string,
  of: {
    rows: fc.Arbitrary<StorageValue[][]>
    plans: fc.Arbitrary<QueryPlan>
    mayAskRows: (plan: QueryPlan) => boolean
  },
): Promise<void> {
  let converted = 0
  await inSqlite(name, (sql) => {
    const asks = fc.array(of.plans, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
    const property = fc.property(of.rows, asks, (rows, plans) => {
      const dataset = tableOf(sql, COLUMNS, rows)
      for (const plan of plans) {
        const told = answerMoney(sql, { dataset, rows }, plan, of.mayAskRows(plan))
        if (told.ok && told.value.conversion) converted += 1
      }
      sql.exec(`DROP TABLE t${dataset.tableSet}`)
    })
    fc.assert(property, { numRuns: DATASETS, endOnFailure: true })
  })
  expect(converted).toBeGreaterThan(DATASETS)
}

it(
  `tells ${DATASETS * PLANS_PER_DATASET} random questions about money from columns as from rows`,
  () =>
    holds('random-money', {
      rows: rowsUpTo(1_000_000),
      plans: plansOf(measures(['sum', 'avg', 'min', 'max', 'median', 'count', 'countDistinct']), filters),
      mayAskRows: isOrderedPast53Bits,
    }),
  HANG_MS,
)

it(
  `adds up ${DATASETS * PLANS_PER_DATASET} random questions about amounts past 53 bits as rows do`,
  () =>
    holds('random-wide-money', {
      ...{ rows: rowsUpTo(WIDE, 2), plans: plansOf(measures(['sum', 'avg', 'count']), fc.constant([])) },
      mayAskRows: () => true,
    }),
  HANG_MS,
)

it(`knows of which day a balance is as SQLite does, for ${YEARS} names of years`, async () => {
  const digits = fc.stringMatching(/^\d{4}$/)
  const month = fc
    .tuple(digits, fc.integer({ min: 0, max: 14 }))
    .map(([year, n]) => `${year}-${String(n).padStart(2, '0')}`)
  const span = fc.tuple(month, fc.constantFrom('/', '–', ' '), month).map((parts) => parts.join(''))
  const names = fc.oneof(
    ...[digits, span, fc.integer({ min: 2020, max: 2030 }).map(String), fc.constant(null)],
    fc.string({ minLength: 4, maxLength: 4, unit: fc.constantFrom('a', '2', '-', '/') }),
    fc.constantFrom('2024-07/2025-06', '2025-01/2026-12', '2024-07', 'åäöå', '9999-01/9999-12'),
  )
  const text = (index: number, label: string) => column(index, { type: 'text', label })
  const columns = [
    ...[text(0, 'fiscal_year'), text(1, 'kind'), text(2, 'account')],
    column(3, { type: 'number', scale: 2, label: 'amount', role: 'measure', format: USD }),
  ]
  await inSqlite('balance-days', (sql) => {
    const years = fc.sample(names, { numRuns: YEARS, seed: 41 }).filter((year) => year === null || !/^0000/.test(year))
    const rows = years.flatMap((year): StorageValue[][] => ['IB', 'UB', null].map((kind) => [year, kind, '1930', 1]))
    const dataset = tableOf(sql, columns, rows)
    const catalogue = { find: () => dataset, edges: [] }
    const execute = sqlExecutor(sql)
    const world = compileContextOf(
      { scope: EVERYTHING, calendar: CALENDAR, catalogue },
      { graph: relationGraph(catalogue), period: null, execute },
    )
    const source = sourceOf(world, DATASET)
    const days = balanceDaySql(source) ?? piece`NULL`
    const told = execute(piece`SELECT ${days} FROM ${world.from(source)} ORDER BY rid`).map(([each]) => each)
    const today = d(CALENDAR.today)
    const known = years.flatMap((year) => {
      const { opening, closing } = daysOfBalances(year, today)
      return [opening, closing, closing]
    })
    expect(known).toEqual(told)
    expect(new Set(known).size).toBeGreaterThan(20)
  })
})
