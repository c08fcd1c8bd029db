import { onlyRows } from '../../../test/worker/warehouse-rows'
import { describe, expect, it } from 'vitest'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import type { ScopeWire } from '../../scope'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'
import type { Relation } from '../../shared/relations'
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
    expect([await sum(), await sum()]).toEqual([321, 321])
    const before = reads()
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: customers, purge: true }))
    expect([await sum(), await sum(), reads() - before]).toEqual([321, 321, 1])
  })

  it('are not read again for another question, and are those of the version that is asked', async () => {
    const { w, orders, sum } = await scene()
    const reads = await readsOf(w)
    expect(await sum()).toBe(321)
    const once = reads()
    expect([await sum(), reads()]).toEqual([321, once])
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

describe('rows that rules of access let through', () => {
  const [GROUPING, GROUP] = ['gpg_00000000000000000000', 'grd_00000000000000000000']
  const MOMENT = Date.UTC(2026, 0, 1, 23, 30)
  const SALES = [...ORDERS, { ...column(2, 'integer', 'At'), type: 'datetime' as const, zoned: true }]
  const groupOf = (version: number, value: string) => ({
    ...{ id: GROUPING, version, name: 'Groups', draft: false, fallback: { kind: 'exclude' as const } },
    eras: [
      {
        from: null,
        groups: [
          {
            ...{ id: GROUP, parentId: null, name: 'Group', color: null, order: 0 },
            rules: [{ kind: 'equals' as const, value }],
          },
        ],
      },
    ],
  })
  it('are found once, and again whenever anything changes that decides which they are', async () => {
    const { w, customers, orders, retail } = await scene()
    const day = (n: number): number => MOMENT + n * 864e5
    const rows = [
      ['Ann', 1, day(0)],
      ['Bo', 20, day(1)],
      ['Ann', 300, day(2)],
    ]
    await w.load({ datasetId: orders, mode: 'replace', columns: SALES, rows })
    const setComputed = async (value: number) => {
      const left: Expr = { kind: 'field', field: { dataset: orders, column: 'c1' } }
      const computed: Expr = { kind: 'binary', op: 'multiply', left, right: { kind: 'number', value } }
      const columns = [{ ...column(1000, 'integer', 'Times'), computed }]
      unwrap(await w.stub().setComputed(w.scope, { datasetId: orders, columns }))
    }
    await setComputed(1)
    unwrap(await w.stub().putGrouping(w.scope, groupOf(1, 'Ann')))
    const own = (key: ColumnKey): Field => ({ dataset: orders, column: key })
    const is = (key: ColumnKey, value: string | number): Filter => ({
      ...{ field: own(key), any: [{ op: typeof value === 'number' ? 'ge' : 'eq', value }] },
    })
    const grouped: Filter = { field: own('c0'), grouping: { id: GROUPING }, any: [{ op: 'in', values: [GROUP] }] }
    let asked = 0
    /** Seen under a rule: how many, whose the amounts are, and how many rows are told of. */
    const seen = async (filter: Filter, more: { timeZone?: string; version?: number } = {}): Promise<unknown[]> => {
      asked += 1
      const plan: QueryPlan = {
        ...{ v: 2, kind: 'aggregate', dataset: orders, dimensions: [], filters: [] },
        measures: [{ kind: 'column', agg: 'sum', field: own('c1'), label: `Sum ${asked}` }],
      }
      const scope = { ...w.scope, rowFilters: [onlyRows(orders, filter)] }
      const ask = {
        ...{ plan, calendar: { ...calendar, timeZone: more.timeZone ?? 'UTC' } },
        ...(more.version === undefined ? {} : { groupings: [{ id: GROUPING, version: more.version }] }),
      }
      const answer = unwrap(await w.stub().query(scope, ask))
      return [answer.rows[0]?.[0], answer.datasets[0]?.rowCount]
    }
    const twice = async (...ask: Parameters<typeof seen>): Promise<unknown[]> => {
      const first = await seen(...ask)
      expect(await seen(...ask)).toEqual(first)
      return first
    }

    // What the rule says, and whose rule it is.
    expect(await twice(is('c0', 'Ann'))).toEqual([301, 2])
    expect(await twice(is('c0', 'Bo'))).toEqual([20, 1])
    // The calendar's zone.
    expect(await twice(is('c2', '2026-01-01'))).toEqual([1, 1])
    expect(await twice(is('c2', '2026-01-01'), { timeZone: 'Europe/Stockholm' })).toEqual([null, 0])
    expect(await twice(is('c2', '2026-01-02'), { timeZone: 'Europe/Stockholm' })).toEqual([1, 1])

    // What a computed column is made of.
    expect(await twice(is('c1000', 20))).toEqual([320, 2])
    await setComputed(-1)
    expect(await twice(is('c1000', 20))).toEqual([null, 0])

    // The currency of amounts in smallest units.
    expect(await twice(is('c1', 20))).toEqual([320, 2])
    const { key, label, role, hidden } = column(1, 'integer', 'Amount')
    const money = {
      ...{ key, label, role, hidden, minorUnits: true as const },
      format: { style: 'currency' as const, currency: 'SEK' },
    }
    unwrap(await w.stub().describeDataset(w.scope, { datasetId: orders, name: 'orders', columns: [money] }))
    expect(await twice(is('c1', 2))).toEqual([3, 1])
    const yen = { ...money, format: { style: 'currency' as const, currency: 'JPY' } }
    unwrap(await w.stub().describeDataset(w.scope, { datasetId: orders, name: 'orders', columns: [yen] }))
    expect(await twice(is('c1', 2))).toEqual([320, 2])

    // A grouping.
    expect(await twice(grouped, { version: 1 })).toEqual([301, 2])
    unwrap(await w.stub().putGrouping(w.scope, groupOf(2, 'Bo')))
    expect(await twice(grouped, { version: 2 })).toEqual([20, 1])

    // Related rows, and the relation.
    expect(await twice(retail)).toEqual([301, 2])
    const swapped = [
      ['Bo', 'Retail'],
      ['Ann', 'Public'],
    ]
    await w.load({
      ...{ datasetId: customers, datasetName: 'customers', mode: 'replace', columns: CUSTOMERS, rows: swapped },
    })
    expect(await twice(retail)).toEqual([20, 1])
    const [relation] = unwrap(await w.stub().relations(w.scope, {}))
    if (!relation) throw new Error('the relation is missing')
    unwrap(await w.stub().removeRelation(w.scope, relation))
    expect(await twice(retail)).toEqual([null, 0])
    unwrap(await w.stub().createRelation(w.scope, { id: 'rel_00000000000000000001', ...endsOf(relation) }))
    expect(await twice(retail)).toEqual([20, 1])
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: customers, purge: false }))
    expect(await twice(retail)).toEqual([null, 0])
    unwrap(await w.stub().restoreDataset(w.scope, customers))
    expect(await twice(retail)).toEqual([20, 1])

    // The rows themselves: added, replaced, gone back to.
    await w.load({ datasetId: orders, mode: 'append', columns: SALES, rows: [['Bo', 4000, day(3)]] })
    expect([await twice(retail), await twice(is('c0', 'Ann'))]).toEqual([
      [4020, 2],
      [301, 2],
    ])
    const keyColumns = ['c0' as const]
    await w.load({ datasetId: orders, mode: 'upsert', keyColumns, columns: SALES, rows: [['Ann', 7, day(4)]] })
    expect(await twice(is('c0', 'Ann'))).toEqual([7, 1])
    unwrap(await w.stub().rollback(w.scope, { datasetId: orders, dataVersion: 2, runId: 'run_c' }))
    expect(await twice(is('c0', 'Ann'))).toEqual([301, 2])
  })
})

const endsOf = ({ from, to }: Relation) => ({
  from: { datasetId: from.datasetId, key: from.key },
  to: { datasetId: to.datasetId, key: to.key },
})
