import { onlyRows } from '../../../test/worker/warehouse-rows'
import { describe, expect, it } from 'vitest'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import type { ScopeWire } from '../../identity/scope'
import { unwrap } from '../../shared/errors'
import type { Filter, QueryPlan } from '../../shared/query/plan'

const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' } as const
const ORDERS = [column(0, 'text', 'Customer'), column(1, 'integer', 'Amount')]
const CUSTOMERS = [column(0, 'text', 'Name'), column(1, 'text', 'Segment')]

/** Orders of customers in segments, and what amounts come to, asked each time in words of its own. */
async function scene() {
  const w = warehouse()
  const customers = await w.load({
    ...{ datasetName: 'customers', columns: CUSTOMERS },
    rows: [
      ['Ann', 'Retail'],
      ['Bo', 'Public'],
    ],
  })
  const orders = await w.load({
    ...{ datasetName: 'orders', columns: ORDERS },
    rows: [
      ['Ann', 1],
      ['Bo', 20],
      ['Ann', 300],
    ],
  })
  const end = (datasetId: string) => ({ datasetId, key: 'c0' as const })
  const made = { from: end(orders.datasetId), to: end(customers.datasetId) }
  const [proposed] = unwrap(await w.stub().relations(w.scope, {}))
  if (proposed)
    unwrap(await w.stub().updateRelation(w.scope, { id: proposed.id, version: proposed.version, state: 'confirmed' }))
  else unwrap(await w.stub().createRelation(w.scope, { id: 'rel_00000000000000000000', ...made }))
  const retail: Filter = {
    ...{ field: { dataset: customers.datasetId, column: 'c1' }, any: [{ op: 'eq', value: 'Retail' }] },
  }
  let asked = 0
  const sum = async (filters: Filter[] = [], more: Partial<ScopeWire> = {}): Promise<unknown> => {
    asked += 1
    const field = { dataset: orders.datasetId, column: 'c1' as const }
    const plan: QueryPlan = {
      ...{ v: 2, kind: 'aggregate', dimensions: [], filters },
      measures: [{ kind: 'column', agg: 'sum', field, label: `Sum ${asked}` }],
    }
    return unwrap(await w.stub().query({ ...w.scope, ...more }, { plan, calendar })).rows[0]?.[0]
  }
  return { w, customers: customers.datasetId, orders: orders.datasetId, retail, sum }
}

/** Counts the chunks that are read from now on. */
async function readsOf(w: ReturnType<typeof warehouse>): Promise<() => number> {
  let reads = 0
  await w.inside(({ context }) => {
    const { sql } = context
    const exec = (text: string, ...values: SqlStorageValue[]) => {
      reads += Number(/\bdata\b.*FROM column_chunks/s.test(text))
      return sql.exec(text, ...values)
    }
    Object.assign(context, {
      sql: new Proxy(sql, { get: (of, name) => (name === 'exec' ? exec : Reflect.get(of, name, of)) }),
    })
  })
  return () => reads
}

describe('columns that were read before', () => {
  it('are let go with a dataset that is purged', async () => {
    const { w, customers, sum } = await scene()
    const reads = await readsOf(w)
    expect([await sum(), await sum(), reads()]).toEqual([321, 321, 1])
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: customers, purge: true }))
    expect([await sum(), await sum(), reads()]).toEqual([321, 321, 2])
  })

  it('are not read again for another question, and are those of the version that is asked', async () => {
    const { w, orders, sum } = await scene()
    const reads = await readsOf(w)
    expect([await sum(), await sum(), reads()]).toEqual([321, 321, 1])
    await w.load({ datasetId: orders, mode: 'append', columns: ORDERS, rows: [['Bo', 4000]] })
    expect([await sum(), await sum()]).toEqual([4321, 4321])
    const keyColumns = ['c0' as const]
    await w.load({ datasetId: orders, mode: 'upsert', keyColumns, columns: ORDERS, rows: [['Ann', 7]] })
    expect(await sum()).toBe(4027)
    unwrap(await w.stub().rollback(w.scope, { datasetId: orders, dataVersion: 1, runId: 'run_a' }))
    expect(await sum()).toBe(321)
    unwrap(await w.stub().rollback(w.scope, { datasetId: orders, dataVersion: 2, runId: 'run_b' }))
    expect(await sum()).toBe(4321)
  })

  it('keep no row of related data that has changed, and none that the asker may not see', async () => {
    const { w, customers, retail, sum } = await scene()
    expect([await sum([retail]), await sum([retail])]).toEqual([301, 301])
    const onlyBo: Filter = { field: { dataset: customers, column: 'c0' }, any: [{ op: 'eq', value: 'Bo' }] }
    const restricted = { rowFilters: [onlyRows(customers, onlyBo)] }
    expect(await sum([retail], restricted)).toBeNull()
    expect(await sum([retail])).toBe(301)
    // The same names in another order.
    const rows = [
      ['Bo', 'Retail'],
      ['Ann', 'Public'],
    ]
    await w.load({ datasetId: customers, datasetName: 'customers', mode: 'replace', columns: CUSTOMERS, rows })
    expect([await sum([retail]), await sum([retail], restricted)]).toEqual([20, 20])
  })
})
