import { expect, it } from 'vitest'
import { columnTableOf } from '../../../test/worker/column-tables'
import { CALENDAR, column, columnsIn, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import type { ScopeWire } from '../../identity/scope'
import { queryPlanSchema, type QueryPlanInput } from '../../shared/query/plan'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { QueryRequest } from './request'
import { queryInSteps } from './run-query'

const [CUSTOMERS, ORDERS] = ['ds_00000000000000000041', 'ds_00000000000000000042'] as const
const COLUMNS = [column(0, { type: 'integer' }), column(1, { type: 'date', role: 'time' })]
const CHUNKS = 200
const PER_CHUNK = 3
const ROWS = Array.from({ length: CHUNKS * PER_CHUNK }, (_, n) => [n % 40, 20_000 + n])
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
    const customers = { ...tableOf(COLUMNS, ROWS.slice(0, 60)), id: CUSTOMERS, name: 'Customers' }
    const orders = { ...tableOf(COLUMNS, ROWS), id: ORDERS, name: 'Orders' }
    const kept = columnsIn(sql)
    const table = columnTableOf(COLUMNS, ROWS, PER_CHUNK)
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
    for (const steps = queryInSteps(request); ; own = 0) {
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
  expect(figure).toBe(40)
  // Both ends of the keys first, then the keys.
  expect(reads).toBeLessThanOrEqual(2 * CHUNKS)
  expect(most).toBeLessThan(CHUNKS / 10)
})

it('counts the rows that rules of access let through in pieces', async () => {
  const rule = { field: { dataset: ORDERS, column: 'c0' as const }, any: [{ op: 'lt' as const, value: 20 }] }
  const { figure, most } = await inPieces({ measures: [count(ORDERS)] }, [{ dataset: ORDERS, filters: [rule] }])
  expect(figure).toBe(ROWS.length / 2)
  expect(most).toBeLessThan(CHUNKS / 2)
})
