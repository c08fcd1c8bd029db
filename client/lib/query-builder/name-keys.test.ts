import { describe, expect, it } from 'vitest'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { BuilderDataset, FieldKey, LinkedDataset } from './catalogue'
import { defaultKey, keyOptions } from './name-keys'

const column = (at: number, label: string, over: Partial<Column> = {}): Column => ({
  ...{ key: `c${at}`, label, type: 'text', role: 'dimension', format: { style: 'plain' } },
  ...{ hidden: false, fileIndex: at },
  ...over,
})
const CUSTOMERS: LinkedDataset = {
  ...{ use: 'splits', id: 'ds_customers', name: 'Customers', heading: 'Customers (by Customer)', via: [] },
  pointsAt: 'c0',
  columns: [
    column(0, 'No', { role: 'id' }),
    column(1, 'Name'),
    column(2, 'Country'),
    column(3, 'Tax no', { hidden: true }),
  ],
}
const ORDERS: BuilderDataset = {
  id: 'ds_orders',
  name: 'Orders',
  columns: [
    column(0, 'Order no', { type: 'integer', role: 'id' }),
    column(1, 'Customer no', { type: 'integer', role: 'id' }),
    column(2, 'Customer name'),
    column(3, 'Product name'),
    column(4, 'Day', { type: 'date', role: 'time' }),
    column(5, 'Amount', { type: 'number', role: 'measure' }),
  ],
  linked: [CUSTOMERS],
}
const keysOf = (dataset: BuilderDataset, name: FieldKey): string[] => keyOptions(dataset, name).map(({ key }) => key)

describe('the key of names', () => {
  it('is the one that a relation points at, offered first and never hidden', () => {
    expect(defaultKey(ORDERS, 'ds_customers/c1')).toBe('ds_customers/c0')
    expect(keysOf(ORDERS, 'ds_customers/c1')).toEqual(['ds_customers/c0'])
  })
  it('is offered for other texts and taken for names only', () => {
    expect(keysOf(ORDERS, 'ds_customers/c2')).toEqual(['ds_customers/c0'])
    expect(defaultKey(ORDERS, 'ds_customers/c2')).toBeNull()
  })
  it('is that of the same thing where rows have several', () => {
    expect(keysOf(ORDERS, 'c2')).toEqual(['c0', 'c1'])
    expect(defaultKey(ORDERS, 'c2')).toBe('c1')
    expect(defaultKey(ORDERS, 'c3')).toBeNull()
  })
  it('is the key that rows are loaded by, where rows are what is named', () => {
    const products = { ...ORDERS, name: 'Products', keyColumns: ['c0' as const] }
    expect(defaultKey(products, 'c3')).toBe('c0')
    expect(defaultKey({ ...products, keyColumns: ['c0', 'c4'] }, 'c3')).toBeNull()
    expect(defaultKey({ ...products, name: 'Orders' }, 'c3')).toBeNull()
  })
  it('is not the key of another table’s rows', () => {
    const seller = { ...CUSTOMERS, columns: [...CUSTOMERS.columns, column(4, 'Salesperson name')] }
    expect(defaultKey({ ...ORDERS, linked: [seller] }, 'ds_customers/c4')).toBeNull()
  })
  it('is none of dates, amounts and columns that are gone', () => {
    for (const name of ['c4', 'c5', 'c9', null] as const) expect(keyOptions(ORDERS, name)).toEqual([])
  })
})
