import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { signedIn, type Caller } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { Relation } from '../../shared/relations'

const app = createApp()
const CUSTOMERS = [column(0, { type: 'text', label: 'id', role: 'id' }), column(1, { type: 'text', label: 'country' })]
const ORDERS = [
  column(0, { type: 'integer', label: 'id', role: 'id' }),
  column(1, { type: 'integer', label: 'customer_id', role: 'id' }),
  column(2, { type: 'number', scale: 2, label: 'amount', role: 'measure' }),
]

let me: Caller & { workspaceId: string }
let [customers, orders] = ['', '']
beforeEach(async () => {
  me = await signedIn({ app })
  const people = [
    ['1', 'Sweden'],
    ['2', 'Norway'],
    ['3', null],
  ]
  customers = await loadedDataset(me.workspaceId, people, CUSTOMERS, 'customers')
  const sales = [
    [10, 1, 5000],
    [11, 1, 2500],
    [12, 2, 100],
    [13, 3, 1],
  ]
  orders = await loadedDataset(me.workspaceId, sales, ORDERS, 'orders')
})

const list = async (): Promise<Relation[]> => (await me.fetch('/api/relations')).json<Relation[]>()
const confirmed = async (): Promise<Relation> => {
  const [proposal] = await list()
  const json = { state: 'confirmed', version: proposal?.version }
  return (await me.fetch(`/api/relations/${proposal?.id}`, { method: 'PUT', json })).json<Relation>()
}
const byCountry = () => ({
  v: 1,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: orders, column: 'c2' } }],
  dimensions: [{ field: { dataset: customers, column: 'c1' } }],
  filters: [],
})
const ask = (plan: unknown) => me.fetch('/api/query', { method: 'POST', json: { plan } })

describe('relations', () => {
  it('are proposed after a load from names and values, though one side is text', async () => {
    const found = await list()
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      from: { datasetId: orders, key: 'c1', label: 'customer_id', datasetName: 'orders' },
      to: { datasetId: customers, key: 'c0' },
      state: 'proposed',
      proof: { fromRows: 4, matchedRows: 4, toRows: 3, duplicateKeys: 0 },
    })
  })

  it('are told in the audit log by the tables and columns they link, as they were called then', async () => {
    const { id, version } = await confirmed()
    expect((await me.fetch(`/api/relations/${id}?version=${version}`, { method: 'DELETE' })).status).toBe(200)
    await env.DB.prepare(`UPDATE datasets SET name = 'renamed' WHERE id = ?`).bind(orders).run()
    const { items } = await (await me.fetch('/api/audit')).json<{ items: { words: string }[] }>()
    expect(items.map(({ words }) => words).filter((words) => words.includes('relationship'))).toEqual([
      'removed relationship “orders.customer_id to customers.id”',
      'confirmed relationship “orders.customer_id to customers.id”',
    ])
  })

  it('join questions once they are confirmed, and not before', async () => {
    const before = await ask(byCountry())
    expect([before.status, (await before.json<{ code: string }>()).code]).toEqual([422, 'invalid_input'])
    expect(await confirmed()).toMatchObject({ state: 'confirmed', version: 2 })
    const answer = await (await ask(byCountry())).json<{ rows: unknown[][]; words: string; datasets: unknown[] }>()
    expect(answer.rows).toEqual([
      ['Sweden', 75],
      ['Norway', 1],
      [null, 0.01],
    ])
    expect(answer.words).toBe('Sum of amount by country of customers')
    expect(answer.datasets).toHaveLength(2)
  })

  it('are not dismissed or removed under an insight without a word', async () => {
    const { id } = await confirmed()
    const insight = { name: 'By country', plan: byCountry(), viz: { chart: 'bar' } }
    expect((await me.fetch('/api/insights', { method: 'POST', json: insight })).status).toBe(201)
    const { results } = await env.DB.prepare('SELECT dataset_id, column_key FROM insight_fields').all()
    expect(results).toEqual(
      expect.arrayContaining([
        { dataset_id: orders, column_key: 'c1' },
        { dataset_id: customers, column_key: 'c0' },
      ]),
    )
    const refused = await me.fetch(`/api/relations/${id}?version=2`, { method: 'DELETE' })
    expect([refused.status, await refused.json()]).toMatchObject([409, { dependents: [{ name: 'By country' }] }])
    const dismissed = { method: 'PUT', json: { state: 'dismissed', version: 2 } }
    expect((await me.fetch(`/api/relations/${id}`, dismissed)).status).toBe(409)
    expect((await me.fetch(`/api/relations/${id}?version=2&force=1`, { method: 'DELETE' })).status).toBe(200)
    expect(await list()).toEqual([])
  })

  it('are refused by hand where a key stands twice, and where another was faster', async () => {
    const twice = { from: { datasetId: customers, key: 'c0' }, to: { datasetId: orders, key: 'c1' } }
    const answer = await me.fetch('/api/relations', { method: 'POST', json: twice })
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { fields: { 'to.key': expect.stringContaining('in several rows') } },
    ])
    const { id } = await confirmed()
    const late = await me.fetch(`/api/relations/${id}`, { method: 'PUT', json: { state: 'dismissed', version: 1 } })
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'version_conflict', current: { version: 2 } }])
  })

  it('match by several columns: figures, conditions, words and the fields that insights depend on', async () => {
    const ENTRIES = [
      column(0, { type: 'text', label: 'company' }),
      column(1, { type: 'integer', label: 'account', role: 'id' }),
      column(2, { type: 'number', scale: 2, label: 'sum', role: 'measure' }),
    ]
    const ACCOUNTS = [
      column(0, { type: 'text', label: 'account', role: 'id' }),
      column(1, { type: 'text', label: 'company' }),
      column(2, { type: 'text', label: 'name' }),
    ]
    const booked = [
      ['A', 3000, 100],
      ['A', 3000, 200],
      ['B', 3000, 400],
      ['B', 4000, 800],
      [null, 3000, 1600],
      ['C', 3000, 3200],
    ]
    const chart = [
      ['3000', 'A', 'Sales'],
      ['3000', 'B', 'Services'],
      ['4000', 'A', 'Goods'],
    ]
    const entries = await loadedDataset(me.workspaceId, booked, ENTRIES, 'entries')
    const accounts = await loadedDataset(me.workspaceId, chart, ACCOUNTS, 'accounts')
    const json = {
      from: { datasetId: entries, key: 'c0' },
      to: { datasetId: accounts, key: 'c1' },
      further: [{ from: 'c1', to: 'c0' }],
    }
    const made = await me.fetch('/api/relations', { method: 'POST', json })
    const relation = await made.json<Relation>()
    expect([made.status, relation]).toMatchObject([
      201,
      { further: [{ from: { label: 'account' } }], proof: { fromRows: 5, matchedRows: 3, toRows: 3, oneToOne: false } },
    ])
    const sum = { kind: 'column', agg: 'sum', field: { dataset: entries, column: 'c2' } }
    const name = { dataset: accounts, column: 'c2', via: [relation.id] }
    const plan = { v: 1, kind: 'aggregate', measures: [sum], dimensions: [{ field: name }], filters: [] }
    const answer = await (await ask(plan)).json<{ rows: unknown[][]; words: string }>()
    expect(answer.rows).toEqual([
      [null, 56],
      ['Services', 4],
      ['Sales', 3],
    ])
    expect(answer.words).toBe('Sum of sum by name of accounts (via company + account)')
    const counted = async (kind: 'exists' | 'notExists') => {
      const filter = { kind, dataset: entries, relation: relation.id, filters: [] }
      const count = { kind: 'column', agg: 'count', dataset: accounts }
      const asked = { v: 1, kind: 'aggregate', dataset: accounts, measures: [count], dimensions: [], filters: [filter] }
      return (await (await ask(asked)).json<{ rows: unknown[][] }>()).rows
    }
    expect([await counted('exists'), await counted('notExists')]).toEqual([[[2]], [[1]]])
    const insight = { name: 'By account', plan, viz: { chart: 'bar' } }
    expect((await me.fetch('/api/insights', { method: 'POST', json: insight })).status).toBe(201)
    const { results } = await env.DB.prepare('SELECT dataset_id, column_key FROM insight_fields').all()
    const joined = [entries, accounts].flatMap((id) => ['c0', 'c1'].map((key) => ({ dataset_id: id, column_key: key })))
    expect(results).toEqual(expect.arrayContaining(joined))
    const gone = await me.fetch(`/api/relations/${relation.id}?version=${relation.version}&force=1`, {
      method: 'DELETE',
    })
    expect(gone.status).toBe(200)
    const { items } = await (await me.fetch('/api/audit')).json<{ items: { words: string }[] }>()
    expect(items[0]?.words).toContain('entries.company + account to accounts.company + account')
  })
})
