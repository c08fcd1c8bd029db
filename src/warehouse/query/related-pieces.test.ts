import { expect, it } from 'vitest'
import { madeTable } from '../../../test/worker/column-tables'
import {
  CALENDAR,
  column,
  columnsIn,
  EVERYTHING,
  inSqlite,
  onlyRows,
  tableOf,
} from '../../../test/worker/warehouse-rows'
import type { ScopeWire } from '../../scope'
import { CHUNK_ROWS } from '../columns/chunk'
import { queryPlanSchema, type QueryPlanInput } from '../../shared/query/plan'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { QueryRequest } from './request'
import { queryInSteps } from './run-query'

const [CUSTOMERS, ORDERS] = ['ds_00000000000000000041', 'ds_00000000000000000042'] as const
const COLUMNS = [column(0, { type: 'integer' }), column(1, { type: 'date', role: 'time' })]
const CHUNKS = 12
const ROWS = CHUNKS * CHUNK_ROWS
const customerOf = (row: number): number => row % 40
const EDGES = [
  {
    id: 'rel_00000000000000000041',
    from: { dataset: ORDERS, key: 'c0' as const },
    to: { dataset: CUSTOMERS, key: 'c0' as const },
  },
]

/** The answer, and how many chunks of orders were read in one go, at most. */
async function inPieces(
  given: Partial<QueryPlanInput>,
  rowFilters: ScopeWire['rowFilters'] = [],
): Promise<{ figure: unknown; most: number; reads: number }> {
  return inSqlite('related-pieces', (sql) => {
    const ids = Array.from({ length: 60 }, (_, n) => [n, 20_000 + n])
    const customers = { ...tableOf(COLUMNS, ids), id: CUSTOMERS, name: 'Customers' }
    const bounds = { c0: { min: 0, max: 39 }, c1: { min: 20_000, max: 20_999 } }
    const orders = { ...tableOf(COLUMNS, []), id: ORDERS, name: 'Orders', rowCount: ROWS, bounds }
    const kept = columnsIn(sql)
    const table = madeTable(ROWS, { c0: { valueAt: customerOf }, c1: { valueAt: (row) => 20_000 + (row % 1000) } })
    let [own, reads, most] = [0, 0, 0]
    const read: typeof table.read = (key, chunk) => {
      own += 1
      reads += 1
      return table.read(key, chunk)
    }
    const columns: QueryRequest['columns'] = {
      ...kept,
      table: (dataset) => (dataset.id === ORDERS ? { ...table, read } : kept.table(dataset)),
    }
    const catalogue = { edges: EDGES, find: (id: string) => [customers, orders].find((each) => each.id === id) ?? null }
    const plan = queryPlanSchema.parse({ v: 2, kind: 'aggregate', dimensions: [], filters: [], ...given })
    const scope = { ...EVERYTHING, rowFilters }
    function* request(): QuerySteps<QueryRequest> {
      yield undefined
      return { sql, catalogue, columns, scope, plan, calendar: CALENDAR, now: 0 }
    }
    for (const steps = queryInSteps({ ask: request, written: () => 0 }); ; own = 0) {
      const { done, value } = steps.next()
      most = Math.max(most, own)
      if (done === true) return { figure: value.rows[0]?.[0], most, reads }
    }
  })
}
const count = (dataset: string) => ({ kind: 'column', agg: 'count', dataset }) as const

it('reads all rows of a related dataset in pieces, once', async () => {
  const inFirstHalf = { field: { dataset: ORDERS, column: 'c0' as const }, any: [{ op: 'lt' as const, value: 20 }] }
  const exists = { kind: 'exists', dataset: ORDERS, filters: [inFirstHalf] } as const
  const filtered = { ...count(CUSTOMERS), filter: [exists] }
  const { figure, most, reads } = await inPieces({ measures: [filtered], filters: [exists], dataset: CUSTOMERS })
  expect(figure).toBe(20)
  // Both ends of the keys first, then the keys.
  expect(reads).toBeLessThanOrEqual(2 * CHUNKS)
  expect(most).toBeLessThan(CHUNKS)
})

it('counts the rows that rules of access let through in pieces', async () => {
  const rule = { field: { dataset: ORDERS, column: 'c0' as const }, any: [{ op: 'lt' as const, value: 20 }] }
  const { figure, most } = await inPieces({ measures: [count(ORDERS)] }, [onlyRows(ORDERS, rule)])
  expect(figure).toBe(Math.ceil(ROWS / 40) * 20)
  // Of each chunk the column of the rule, and the one whose ends are told.
  expect(most).toBeLessThan(1.5 * CHUNKS)
})
