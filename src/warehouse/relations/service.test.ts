import { describe, expect, it } from 'vitest'
import { column, warehouse, type TestLoad } from '../../../test/worker/warehouse-driver'
import { proposeRelations } from './propose'
import { createRelation, updateRelation } from './service'
import { unwrap } from '../../shared/errors'
import { idsFrom } from '../../shared/ids'
import type { Relation } from '../../shared/relations'

const IDS = idsFrom((length) => new Uint8Array(length))
const CUSTOMERS = [column(0, 'integer', 'id'), column(1, 'text', 'name')]
const ORDERS = [column(0, 'integer', 'id'), column(1, 'integer', 'customer_id')]

async function shop() {
  const w = warehouse()
  const load = (datasetName: string, what: TestLoad) => w.load({ ...what, datasetName })
  const people = {
    columns: CUSTOMERS,
    rows: [
      [1, 'Ann'],
      [2, 'Bo'],
    ],
  }
  const customers = (await load('customers', people)).datasetId
  const orders = (
    await load('orders', {
      columns: ORDERS,
      rows: [
        [1, 1],
        [2, 1],
        [3, 2],
      ],
    })
  ).datasetId
  const list = async (): Promise<Relation[]> => unwrap(await w.stub().relations(w.scope, {}))
  const again = (rows: (string | number)[][]) =>
    load('customers', { datasetId: customers, mode: 'replace', columns: CUSTOMERS, rows })
  const only = async (): Promise<Relation> => {
    const [relation] = await list()
    if (!relation) throw new Error('There is no relation.')
    return relation
  }
  return { w, load, customers, orders, list, only, again }
}
async function confirmedShop() {
  const made = await shop()
  const { id, version } = await made.only()
  unwrap(await made.w.stub().updateRelation(made.w.scope, { id, version, state: 'confirmed' }))
  return made
}

describe('relations of a workspace', () => {
  it('are proposed whichever side is loaded last, and once', async () => {
    const { list, customers, orders, again } = await shop()
    const wanted = [{ from: { datasetId: orders, key: 'c1' }, to: { datasetId: customers, key: 'c0' } }]
    expect(await list()).toMatchObject(wanted)
    const [before] = await list()
    await again([
      [1, 'Ann'],
      [2, 'Bo'],
      [3, 'Cy'],
    ])
    const after = await list()
    expect(after).toMatchObject([{ id: before?.id, state: 'proposed', proof: { toRows: 3 } }])
  })

  it('are withdrawn when the rows no longer bear them out, unless a person has decided', async () => {
    const { list, again } = await shop()
    await again([
      [7, 'Gus'],
      [8, 'Hal'],
    ])
    expect(await list()).toEqual([])
  })

  it('stay when a person confirms or makes them while proposals are being looked for', async () => {
    for (const by of ['confirming', 'making'] as const) {
      const { w, list, only, customers } = await shop()
      const { id, version, from, to } = await only()
      await w.inside(async ({ context }) => {
        let decided = false
        const decide = async (): Promise<void> => {
          if (decided) return
          decided = true
          const made = { id: 'rel_00000000000000000000', from, to }
          if (by === 'making') createRelation(context, w.scope, made)
          else updateRelation(context, w.scope, { id, version, state: 'confirmed' })
        }
        await proposeRelations({ ...context, pause: decide }, IDS, customers)
      })
      expect(await list(), by).toMatchObject([{ id, state: 'confirmed' }])
    }
  })

  it('break with a load that puts two rows under one key, and heal with the next or by going back', async () => {
    const { w, list, again, customers } = await confirmedShop()
    const state = async () => (await list()).map(({ state: now, proof }) => [now, proof.duplicateKeys])
    expect(await state()).toEqual([['confirmed', 0]])
    await again([
      [1, 'Ann'],
      [1, 'Ann again'],
      [2, 'Bo'],
    ])
    expect(await state()).toEqual([['broken', 1]])
    await again([
      [1, 'Ann'],
      [2, 'Bo'],
      [3, 'Cy'],
    ])
    expect(await state()).toEqual([['confirmed', 0]])
    await again([
      [1, 'Ann'],
      [1, 'Ann again'],
    ])
    unwrap(await w.stub().rollback(w.scope, { datasetId: customers, dataVersion: 3, runId: 'run_back' }))
    expect(await state()).toEqual([['confirmed', 0]])
  })

  it('are one-to-one while no two rows of the many side have one key, whichever side is loaded', async () => {
    const { load, orders, list, again } = await confirmedShop()
    const oneToOne = async () => (await list()).map(({ state, proof }) => [state, proof.oneToOne])
    expect(await oneToOne()).toEqual([['confirmed', false]])
    const bring = (rows: number[][]) => load('orders', { datasetId: orders, mode: 'replace', columns: ORDERS, rows })
    await bring([
      [1, 1],
      [2, 2],
    ])
    expect(await oneToOne()).toEqual([['confirmed', true]])
    await again([
      [1, 'Ann'],
      [2, 'Bo'],
    ])
    expect(await oneToOne()).toEqual([['confirmed', true]])
    await bring([
      [1, 2],
      [2, 2],
    ])
    expect(await oneToOne()).toEqual([['confirmed', false]])
  })

  it('break while their column is gone', async () => {
    const { load, orders, list } = await confirmedShop()
    const narrow = { datasetId: orders, mode: 'replace' as const, columns: ORDERS.slice(0, 1), rows: [[1]] }
    await load('orders', narrow)
    expect(await list()).toEqual([])
    await load('orders', { ...narrow, columns: ORDERS, rows: [[1, 1]] })
    expect(await list()).toMatchObject([{ state: 'confirmed' }])
  })

  it('go with a deleted dataset and come back with it', async () => {
    const { w, list, customers } = await confirmedShop()
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: customers, purge: false }))
    expect(await list()).toEqual([])
    unwrap(await w.stub().restoreDataset(w.scope, customers))
    expect(await list()).toMatchObject([{ state: 'confirmed' }])
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: customers, purge: true }))
    expect(await w.inside(({ context }) => context.sql.exec('SELECT * FROM relations').toArray())).toEqual([])
  })

  it('stay dismissed', async () => {
    const { w, list, only, again } = await shop()
    const { id, version } = await only()
    unwrap(await w.stub().updateRelation(w.scope, { id, version, state: 'dismissed' }))
    await again([
      [1, 'Ann'],
      [2, 'Bo'],
      [3, 'Cy'],
    ])
    expect(await list()).toMatchObject([{ id, state: 'dismissed' }])
  })

  it('do not exist for a scope that may not see one of their sides', async () => {
    const { w, customers, orders } = await confirmedShop()
    const seen = async (scope: typeof w.scope) => unwrap(await w.stub().relations(scope, {}))
    expect(await seen({ ...w.scope, datasets: [orders] })).toEqual([])
    expect(await seen({ ...w.scope, hidden: [{ dataset: customers, column: 'c0' }] })).toEqual([])
    expect(await seen(w.scope)).toHaveLength(1)
  })

  it('take computed columns out of sight with the column they are made of', async () => {
    const { w, orders } = await shop()
    const field = { dataset: orders, column: 'c1' as const }
    const computed = { kind: 'field' as const, field }
    const columns = [{ ...column(1999, 'integer', 'again'), computed }]
    unwrap(await w.stub().setComputed(w.scope, { datasetId: orders, columns }))
    const labels = async (hidden: (typeof field)[]) => {
      const dataset = unwrap(await w.stub().dataset({ ...w.scope, hidden }, orders))
      return dataset.columns.map(({ label }) => label)
    }
    expect(await labels([])).toEqual(['id', 'customer_id', 'again'])
    expect(await labels([field])).toEqual(['id'])
  })

  it('are not guessed from small numbers alone', async () => {
    const w = warehouse()
    const rows = [
      [1, 1],
      [2, 2],
      [3, 3],
    ]
    await w.load({
      columns: [column(0, 'integer', 'id'), column(1, 'integer', 'quantity')],
      rows,
      datasetName: 'stock',
    })
    await w.load({ columns: [column(0, 'integer', 'id'), column(1, 'integer', 'rank')], rows, datasetName: 'songs' })
    expect(unwrap(await w.stub().relations(w.scope, {}))).toEqual([])
  })

  it('are not guessed from two systems that both number their customers from one', async () => {
    const w = warehouse()
    const numbered = (count: number) => Array.from({ length: count }, (_, at) => [at + 1, `Name ${at}`])
    const shopOf = async (sourceId: string, datasetName: string, label: string) => {
      const columns = [column(0, 'integer', label), column(1, 'text', 'name')]
      await w.load({ columns, rows: numbered(3), datasetName, sourceId })
    }
    await shopOf('src_00000000000000000001', 'Customer', 'CustomerId')
    await shopOf('src_00000000000000000002', 'Raw customers', 'id')
    expect(unwrap(await w.stub().relations(w.scope, {}))).toEqual([])
    // Within one source the same columns are one numbering.
    await shopOf('src_00000000000000000001', 'customers', 'id')
    expect(unwrap(await w.stub().relations(w.scope, {}))).toHaveLength(1)
  })
})
