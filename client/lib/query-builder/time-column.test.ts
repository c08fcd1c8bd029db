import { describe, expect, it } from 'vitest'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import { linkDataset } from './linked-datasets'
import { dataRangePlan, timeChoiceOf } from './time-column'

const column = (key: Column['key'], label: string, over: Partial<Column> = {}): Column => ({
  ...{ key, label, type: 'number', role: 'measure', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...over,
})
const date = (key: Column['key'], label: string) => column(key, label, { type: 'date', role: 'time' })
const LINES = {
  id: 'ds_lines',
  name: 'Lines',
  columns: [column('c0', 'order', { role: 'id' }), column('c1', 'Amount')],
}
const ORDERS = { id: 'ds_orders', name: 'Orders', rowCount: 900, columns: [date('c2', 'Order date')] }
const PRODUCTS = { id: 'ds_products', name: 'Products', rowCount: 70, columns: [date('c3', 'Discontinued')] }
const relation = (from: { id: string; name: string }, to: { id: string; name: string }, id = `rel_${to.id}`) => ({
  ...{ id, state: 'confirmed' as const, version: 1 },
  from: { datasetId: from.id, datasetName: from.name, key: 'c0' as const, label: 'order' },
  to: { datasetId: to.id, datasetName: to.name, key: 'c0' as const, label: 'id' },
  proof: { fromRows: 1, matchedRows: 1, toRows: 1, duplicateKeys: 0, checkedAt: '' },
})
const linked = (home: typeof LINES, to: (typeof ORDERS)[], relations = to.map((one) => relation(home, one))) =>
  linkDataset(home, [home, ...to], relations)

describe('what rows are dated by', () => {
  it('is a date of their own', () => {
    const home = { ...LINES, columns: [...LINES.columns, date('c9', 'Shipped')] }
    expect(timeChoiceOf(linked(home, [ORDERS]))?.key).toBe('c9')
  })

  it('is the date of what they point at, of the larger where several are as near', () => {
    const time = timeChoiceOf(linked(LINES, [PRODUCTS, ORDERS]))
    expect(time).toMatchObject({ key: 'ds_orders/c2', field: { dataset: 'ds_orders', column: 'c2' } })
    expect(dataRangePlan('ds_lines', time?.field ?? { dataset: '', column: 'c0' }).measures[0]).toMatchObject({
      ...{ agg: 'min', dataset: 'ds_lines', field: { dataset: 'ds_orders', column: 'c2' } },
    })
  })

  it('names the relation where two lead there', () => {
    const both = ['rel_a', 'rel_b'].map((id) => relation(LINES, ORDERS, id))
    expect(timeChoiceOf(linked(LINES, [ORDERS], both))?.field.via).toEqual(['rel_a'])
  })

  it('is not when a person was hired, and nothing of rows without amounts', () => {
    const staff = { ...ORDERS, columns: [date('c2', 'Hire date'), date('c3', 'BirthDate')] }
    expect(timeChoiceOf(linked(LINES, [staff]))).toBeNull()
    const customers = { ...LINES, columns: [column('c0', 'rep', { role: 'id' })] }
    expect(timeChoiceOf(linked(customers, [ORDERS]))).toBeNull()
  })
})
