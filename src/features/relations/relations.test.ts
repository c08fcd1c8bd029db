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
})
