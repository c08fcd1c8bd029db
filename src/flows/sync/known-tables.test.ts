import { expect, it } from 'vitest'
import { fileSource, type FileSource } from '../../../test/worker/syncs/file-source'

/** Datasets of a source, by name, with their rows. */
async function datasetsOf(at: FileSource): Promise<Record<string, number>> {
  const sql = 'SELECT name, row_count AS rows FROM datasets WHERE source_id = ? ORDER BY name'
  const { results } = await at.deps().db.d1.prepare(sql).bind(at.sourceId).all<{ name: string; rows: number }>()
  return Object.fromEntries(results.map(({ name, rows }) => [name, rows]))
}
async function syncOf(at: FileSource, slot: string, value: unknown): Promise<void> {
  at.server.put('/orders.csv', JSON.stringify(value))
  await at.run(await at.started(slot))
  expect((await at.connection()).failure).toBeNull()
}
const noticesOf = async (at: FileSource) =>
  (await at.connection()).notices.map(({ kind, columns }) => ({ kind, columns }))

const ORDERS = [{ id: 1 }, { id: 2 }, { id: 3 }]
const ITEMS = [{ sku: 'a' }, { sku: 'b' }]

it('tells once of a table that the source has no more, and keeps its rows', async () => {
  const at = await fileSource()
  await syncOf(at, 'a', { orders: ORDERS, items: ITEMS })
  expect(await datasetsOf(at)).toEqual({ 'orders.items': 2, 'orders.orders': 3 })
  await syncOf(at, 'b', { orders: ORDERS.slice(1) })
  await syncOf(at, 'c', { orders: ORDERS })
  expect(await datasetsOf(at)).toEqual({ 'orders.items': 2, 'orders.orders': 3 })
  expect(await noticesOf(at)).toEqual([{ kind: 'tables', columns: ['orders.items'] }])
})

it('tells it again of a table that came back and went once more', async () => {
  const at = await fileSource()
  await syncOf(at, 'a', { orders: ORDERS, items: ITEMS })
  await syncOf(at, 'b', { orders: ORDERS.slice(1) })
  const first = (await at.connection()).notices
  await syncOf(at, 'c', { orders: ORDERS, items: ITEMS })
  expect(await noticesOf(at)).toEqual([])
  await syncOf(at, 'd', { orders: ORDERS.slice(1) })
  expect(await noticesOf(at)).toEqual([{ kind: 'tables', columns: ['orders.items'] }])
  expect((await at.connection()).notices[0]?.stream).toBe(first[0]?.stream)
})

it('tells of lists that became one table', async () => {
  const at = await fileSource()
  await syncOf(at, 'a', { names: ['Anna', 'Bo', 'Cia', 'Dan'], figures: [1, 2, 3] })
  const before = await datasetsOf(at)
  await syncOf(at, 'b', { names: ['Anna', 'Bo', 'Cia'], figures: [1, 2, 3] })
  const [notice] = await noticesOf(at)
  expect(notice).toEqual({ kind: 'tables', columns: Object.keys(before) })
})

it('keeps the dataset of the only table, whatever stands beside it later', async () => {
  const at = await fileSource()
  await syncOf(at, 'a', { items: ITEMS })
  expect(await datasetsOf(at)).toEqual({ 'orders.csv': 2 })
  await syncOf(at, 'b', { orders: ORDERS, items: [...ITEMS, { sku: 'c' }] })
  expect(await datasetsOf(at)).toEqual({ 'orders.csv': 3, 'orders.orders': 3 })
  expect(await noticesOf(at)).toEqual([])
})
