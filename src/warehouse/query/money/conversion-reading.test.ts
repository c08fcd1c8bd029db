import { describe, expect, it } from 'vitest'
import { d, DAYS, OWN } from '../../../../test/worker/money'
import { runQuery } from '../../../../test/worker/run-query'
import {
  CALENDAR,
  column,
  columnsIn,
  DATASET,
  EVERYTHING,
  inSqlite,
  tableOf,
} from '../../../../test/worker/warehouse-rows'
import { buildRateSet } from '../../../semantic/currency/exchange-rates'
import { missingRatesSchema } from '../../../shared/currencies'
import { unwrap } from '../../../shared/errors'
import { queryPlanSchema, type QueryPlanInput } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { ColumnSources } from '../../columns/column-table'
import { MEMORY, type MemoryBounds } from '../../columns/memory'
import type { GroupingView } from '../query-context'
import { storeRateSet } from '../../rate-store'
import { clearResultCache } from '../result-cache'
import type { ScopeWire } from '../../../scope'
import type { LiveDataset } from '../../physical-layout'

const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure', currencyColumn: 'c2' }),
  column(2, { type: 'text', label: 'Currency', role: 'currency' }),
  column(3, { type: 'date', label: 'Day', role: 'time' }),
]
const at = (key: `c${number}`) => ({ dataset: DATASET, column: key })
const CODES = ['SEK', 'EUR', 'USD', 'ZZZ']
const ROWS = Array.from({ length: 80 }, (_, n) => [
  ...[`Country ${n % 7}`, n * 100 + 50, CODES[n % 4] ?? null, d('2026-01-25') + (n % 60)],
])
const sum = { kind: 'column', agg: 'sum', field: at('c1') } as const
const february = { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } as const

const GROUP = { id: 'grp_00000000000000000000', name: 'Near', parentId: null, color: null, order: 0, rules: [] }
/** Two countries are near, and the others are left out. */
const NEAR: GroupingView = {
  ...{ id: 'gpg_00000000000000000000', version: 1, name: 'Nearness', fallback: { kind: 'exclude' }, current: 0 },
  ...{ groups: [GROUP], numbers: new Map([[GROUP.id, 0]]), eras: [{ from: null, groups: [GROUP] }] },
  map: () => ({ n: 1, kind: 'values' }),
}

const amounts = (): LiveDataset => tableOf(COLUMNS, ROWS, { perChunk: 10 })
interface AskedOf {
  memory: MemoryBounds
  dataset: LiveDataset
  scope: ScopeWire
}

/** Too little for amounts beside the figures. */
const LITTLE: MemoryBounds = { ...MEMORY, cells: 4 * 4 * 59 }

/** A converted answer, and how often chunks of amounts were read for it. */
function asked(
  sql: SqlStorage,
  given: Partial<QueryPlanInput>,
  { memory = MEMORY, dataset = amounts(), scope = EVERYTHING }: Partial<AskedOf> = {},
): { answer: QueryResult; reads: number } {
  const kept = columnsIn(sql)
  const stored = kept.table(dataset)
  let reads = 0
  const read: typeof stored.read = (key, chunk) => {
    reads += Number(key === 'c1')
    return stored.read(key, chunk)
  }
  const near = ['Country 1', 'Country 2'].map((country): [string, number] => [country, 0])
  const columns: ColumnSources = { ...kept, memory, table: () => ({ ...stored, read }), groupLevels: () => near }
  const currency = { code: 'SEK', mode: 'transaction' as const }
  const plain = { v: 2 as const, kind: 'aggregate' as const, measures: [sum], dimensions: [], filters: [] }
  const plan = queryPlanSchema.parse({ ...plain, currency, ...given })
  const request = {
    ...{ sql, plan, columns, scope, calendar: CALENDAR, now: 0, rates: '1' },
    catalogue: { find: () => dataset, edges: [] },
    groupings: () => NEAR,
  }
  clearResultCache(sql)
  const first = runQuery(request)
  if (!first.ok && first.error.code === 'no_rate') {
    const wanted = missingRatesSchema.parse(first.error.details?.['wanted'])
    const room = {
      sql,
      transaction: <T>(work: () => T) => work(),
      clock: { now: () => 0 },
      pause: async () => undefined,
    }
    storeRateSet(room, buildRateSet({ days: DAYS, own: OWN }, wanted))
    reads = 0
    return { answer: unwrap(runQuery(request)), reads }
  }
  return { answer: unwrap(first), reads }
}

it.each<[string, Partial<QueryPlanInput>]>([
  ['without a split', {}],
  ['by a text', { dimensions: [{ field: at('c0') }] }],
  ['of a part of the rows', { filters: [{ field: at('c0'), any: [{ op: 'ne', value: 'Country 1' }] }] }],
])('reads the rows once to convert them and to tell by which rates: %s', async (_name, given) => {
  const { reads } = await inSqlite('conversion-once', (sql) => asked(sql, given))
  expect(reads).toBe(ROWS.length / 10)
})

it.each<[string, Partial<QueryPlanInput>]>([
  ['in a top N', { dimensions: [{ field: at('c0'), topN: 2 }] }],
  ['beside a period before', { period: { field: at('c3'), range: february, compare: 'previous' } }],
  [
    'of rows that a measure counts',
    { measures: [{ ...sum, filter: [{ field: at('c2'), any: [{ op: 'in', values: ['EUR', 'ZZZ'] }] }] }] },
  ],
  ['by a long split', { dimensions: [{ field: at('c0') }, { field: at('c3'), grain: 'day' }], totals: true }],
])('tells the same however often figures need the rows: %s', async (_name, given) => {
  // More groups than that are worked out in shares; pairs of a currency and a day are fewer.
  const little = { ...MEMORY, groups: 70, sorted: 2 }
  const [whole, parts] = await inSqlite('conversion-parts', (sql) => [
    asked(sql, given),
    asked(sql, given, { memory: little }),
  ])
  expect(whole?.answer.conversion?.lines.length).toBeGreaterThan(0)
  expect(parts?.answer).toMatchObject({ rows: whole?.answer.rows, conversion: whole?.answer.conversion })
})

it('tells the same with totals and without them, where a grouping leaves rows out of figures over time', async () => {
  const plan: Partial<QueryPlanInput> = {
    measures: [{ kind: 'cumulative', of: sum, restart: 'never' }],
    dimensions: [
      { field: at('c3'), grain: 'month' },
      { field: at('c0'), grouping: { id: NEAR.id } },
    ],
  }
  const [without, within] = await inSqlite('conversion-totals', (sql) => [
    asked(sql, plan),
    asked(sql, { ...plan, totals: true }),
  ])
  expect(within?.answer.totals).not.toBeNull()
  expect(without?.answer.conversion?.lines.length).toBeGreaterThan(0)
  expect(within?.answer.conversion).toEqual(without?.answer.conversion)
})

it('adds up amounts beside the figures in a quarter of the cells, and else by themselves', async () => {
  const ask = (cells: number, given: Partial<QueryPlanInput>) =>
    inSqlite('conversion-cells', (sql) => asked(sql, given, { memory: { ...MEMORY, cells } }))
  // Sixty pairs of a currency and a day, of four cells each.
  const [little, enough] = [await ask(4 * 4 * 59, {}), await ask(4 * 4 * 60, {})]
  expect(enough.reads).toBe(ROWS.length / 10)
  expect(little.reads).toBe(2 * enough.reads)
  expect(little.answer.conversion).toEqual(enough.answer.conversion)
  // A half for those of the period alone, and one for the thirty-five of both periods.
  const compared = { period: { field: at('c3'), range: february, compare: 'previous' as const } }
  const [less, more] = [await ask(2 * 4 * 4 * 34, compared), await ask(2 * 4 * 4 * 35, compared)]
  expect(less.reads).toBeGreaterThan(more.reads)
  expect(less.answer.conversion).toEqual(more.answer.conversion)
})

describe('What was told of a conversion', () => {
  const split = { dimensions: [{ field: at('c0') }] }
  it('is told again to a question that counts the same rows, which are then read once and only for its figures', async () => {
    const dataset = amounts()
    const [first, other] = await inSqlite('conversion-kept', (sql) => [
      asked(sql, {}, { dataset, memory: LITTLE }),
      asked(sql, split, { dataset, memory: LITTLE }),
    ])
    expect(first?.reads).toBe((2 * ROWS.length) / 10)
    expect(other?.reads).toBe(ROWS.length / 10)
    expect(other?.answer.conversion).toEqual(first?.answer.conversion)
  })

  const is = (column: `c${number}`, value: string) => [{ field: at(column), any: [{ op: 'eq' as const, value }] }]
  const rule = { dataset: DATASET, anyOf: [is('c0', 'Country 3')], noneOf: [] }
  it.each<[string, Partial<QueryPlanInput>, Partial<AskedOf>]>([
    ['of a condition', { filters: is('c0', 'Country 3') }, {}],
    ['of another period', { period: { field: at('c3'), range: february } }, {}],
    ['that a measure counts', { measures: [{ ...sum, filter: is('c0', 'Country 3') }] }, {}],
    ['in another currency', { currency: { code: 'EUR', mode: 'transaction' } }, {}],
    ['that a rule of access lets through', {}, { scope: { ...EVERYTHING, rowFilters: [rule] } }],
    ['of a later version', {}, { dataset: tableOf(COLUMNS, ROWS.slice(0, 40)) }],
  ])('is not told of other rows: %s', async (_name, given, of) => {
    const dataset = amounts()
    const fresh = await inSqlite('conversion-fresh', (sql) => asked(sql, given, { dataset: amounts(), ...of }))
    const [whole, other] = await inSqlite('conversion-kept', (sql) => [
      asked(sql, split, { dataset }),
      asked(sql, { ...split, ...given }, { dataset, ...of }),
    ])
    expect(other?.answer.conversion).toEqual(fresh.answer.conversion)
    expect(other?.answer.conversion).not.toEqual(whole?.answer.conversion)
  })
})
