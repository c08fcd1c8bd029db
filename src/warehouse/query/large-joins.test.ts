import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { madeTable, type MadeColumn } from '../../../test/worker/column-tables'
import { CALENDAR, column, columnsIn, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import { runQuery } from '../../../test/worker/run-query'
import type { ColumnTable } from '../columns/column-table'
import { MEMORY, type MemoryBounds } from '../columns/memory'
import type { LiveDataset } from '../physical-layout'
import type { RelationEdge } from './plan/relation-graph'
import type { RpcResult } from '../../shared/errors'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import { queryPlanSchema, type QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'

/** Lines → orders → customers: more orders than a question held as numbers of eight bytes. */
const ORDERS = env['LONG'] === '1' ? 5_000_000 : 700_000
const LINES = env['LONG'] === '1' ? 10_000_000 : 800_000
const CUSTOMERS = 1000
const HANG_MS = 600_000

const idOf = (n: number): string => `ds_${String(n).padStart(20, '0')}`
const [LINE, ORDER, CUSTOMER] = [idOf(31), idOf(32), idOf(33)] as const
const edge = (n: number, from: [string, ColumnKey], to: [string, ColumnKey]): RelationEdge => ({
  id: `rel_${String(n).padStart(20, '0')}`,
  from: { dataset: from[0], key: from[1] },
  to: { dataset: to[0], key: to[1] },
})
const EDGES = [edge(31, [LINE, 'c0'], [ORDER, 'c0']), edge(32, [ORDER, 'c1'], [CUSTOMER, 'c0'])]
const at = (dataset: string, key: ColumnKey) => ({ dataset, column: key })

const FIRST_DAY = 20_454
const COUNTRIES = ['Sweden', 'Norway', 'Finland', 'Denmark']
/** What an order is by its place: far apart in number, of one of a thousand customers, on one of 59 days. */
const orderNumber = (order: number): number => 1_000_000 + order * 797
const customerOf = (order: number): number => order % CUSTOMERS
const dayOf = (order: number): number => FIRST_DAY + (order % 59)
/** Each line's order, every eleventh of which is none there is. */
const orderOf = (line: number): number => (line * 7919) % ORDERS
const isLost = (line: number): boolean => line % 11 === 0
const quantityOf = (line: number): number => (line % 7) + 1

interface LargeTable {
  dataset: LiveDataset
  table: ColumnTable
}
function endsOf(table: ColumnTable, key: ColumnKey): { min: number; max: number } {
  const ends = table.chunks.map((_, chunk) => table.ends(key, chunk))
  return { min: Math.min(...ends.map(({ least }) => least ?? 0)), max: Math.max(...ends.map(({ most }) => most ?? 0)) }
}
function made(id: string, rows: number, given: [Partial<Column> & Pick<Column, 'type'>, MadeColumn][]): LargeTable {
  const columns = given.map(([each], n) => column(n, each))
  const table = madeTable(rows, Object.fromEntries(given.map(([, own], n) => [`c${n}`, own])))
  const bounds = Object.fromEntries(columns.map(({ key }) => [key, endsOf(table, key)]))
  return { table, dataset: { ...tableOf(columns, []), id, name: id, rowCount: rows, bounds } }
}
const madeTables = (): LargeTable[] => [
  made(LINE, LINES, [
    [{ type: 'integer' }, { valueAt: (line) => orderNumber(orderOf(line)) + Number(isLost(line)) }],
    [{ type: 'integer', role: 'measure' }, { valueAt: quantityOf }],
  ]),
  made(ORDER, ORDERS, [
    [{ type: 'integer' }, { valueAt: orderNumber }],
    [{ type: 'integer' }, { valueAt: customerOf }],
    [{ type: 'date', role: 'time' }, { valueAt: dayOf }],
    [{ type: 'integer', role: 'measure' }, { valueAt: (order) => order * 1000 }],
  ]),
  made(CUSTOMER, CUSTOMERS, [
    [{ type: 'integer' }, { valueAt: (customer) => customer }],
    [{ type: 'text' }, { valueAt: (customer) => (customer % 4) + 1, words: COUNTRIES }],
  ]),
]

const ask = (
  tables: LargeTable[],
  given: Partial<QueryPlanInput>,
  memory: MemoryBounds,
): Promise<RpcResult<QueryResult>> =>
  inSqlite('large-joins', (sql) => {
    const find = (id: string) => tables.find(({ dataset }) => dataset.id === id)
    const table = (id: string): ColumnTable => {
      const found = find(id)
      if (!found) throw new Error('there is no such dataset')
      return found.table
    }
    const plan = queryPlanSchema.parse({ v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...given })
    const catalogue = { find: (id: string) => find(id)?.dataset ?? null, edges: EDGES }
    const columns = { ...columnsIn(sql), table: ({ id }: LiveDataset) => table(id), memory }
    return runQuery({ sql, columns, catalogue, scope: EVERYTHING, plan, calendar: CALENDAR, now: 0 })
  })

const sold = { kind: 'column', agg: 'sum', field: at(LINE, 'c1') } as const
/** Quantities of the lines whose order passes, by what their order has. */
function soldBy(keyOf: (order: number) => string, passes: (order: number) => boolean): [string, number][] {
  const sums = new Map<string, number>()
  for (let line = 0; line < LINES; line += 1) {
    const order = orderOf(line)
    if (isLost(line) || !passes(order)) continue
    sums.set(keyOf(order), (sums.get(keyOf(order)) ?? 0) + quantityOf(line))
  }
  return [...sums].toSorted(([a], [b]) => a.localeCompare(b))
}

it(
  `answers by month, amount and customer of ${ORDERS} orders`,
  async () => {
    const given: Partial<QueryPlanInput> = {
      measures: [sold],
      dimensions: [{ field: at(ORDER, 'c2'), grain: 'month' }, { field: at(CUSTOMER, 'c1') }],
      filters: [{ field: at(ORDER, 'c3'), any: [{ op: 'ge', value: 500_000 }] }],
    }
    const tables = madeTables()
    // Before it is answered: answers are kept.
    const little = await ask(tables, given, { ...MEMORY, vectorBytes: 8 * 2 ** 20 })
    expect(little).toMatchObject({
      ok: false,
      error: { code: 'query_too_complex', details: { what: 'columns', max: 8 * 2 ** 20 } },
    })
    const answer = await ask(tables, given, MEMORY)
    if (!answer.ok) throw new Error(JSON.stringify(answer.error))
    const month = (order: number): string => (order % 59 < 31 ? '2026-01-01' : '2026-02-01')
    const country = (order: number): string => COUNTRIES[customerOf(order) % 4] ?? ''
    const wanted = soldBy(
      (order) => `${month(order)} ${country(order)}`,
      (order) => order >= 500,
    )
    const got = answer.value.rows.map(([day, name, sum]): [string, unknown] => [`${String(day)} ${String(name)}`, sum])
    expect(got.toSorted(([a], [b]) => a.localeCompare(b))).toEqual(wanted)
  },
  HANG_MS,
)
