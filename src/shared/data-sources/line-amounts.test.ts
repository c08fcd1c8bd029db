import { describe, expect, it } from 'vitest'
import { lineAmountOf } from './line-amounts'
import type { Column } from './data-sources'
import type { RelatedTable } from './date-fields'

let next = 0
const column = (label: string, over: Partial<Column> = {}): Column => ({
  ...{ key: `c${next}`, label, type: 'number', role: 'measure', format: { style: 'plain' }, scale: 2 },
  ...{ hidden: false, fileIndex: next++ },
  ...over,
})
const date = (label: string): Column => column(label, { type: 'date', role: 'time' })
const pieces = column('quantity', { type: 'integer', scale: 0 })
const price = column('price')
const table = (id: string, columns: readonly Column[], via: readonly string[] = []): RelatedTable => ({
  id,
  columns,
  via,
})
const orders = table('orders', [date('date')])
const products = table('products', [column('name', { type: 'text', role: 'dimension' }), price])
const amount = (columns: readonly Column[], ...related: RelatedTable[][]) =>
  lineAmountOf({ id: 'lines', columns, joins: new Set(), related })

describe('the amount of lines that name none', () => {
  it('is how many, times the price of the nearest thing that they point at', () => {
    const found = amount([pieces], [orders, products])
    expect(found).toMatchObject({ label: 'quantity × price', quantity: { dataset: 'lines', column: pieces.key } })
    expect(found?.price).toEqual({ dataset: 'products', column: price.key })
    expect(found?.row).toMatchObject({
      op: 'multiply',
      left: { field: found?.quantity },
      right: { field: found?.price },
    })
    expect(amount([pieces], [orders, table('variants', [])], [products])?.price.dataset).toBe('products')
  })

  it('is by their own price where they have one', () => {
    const own = column('unit_price')
    expect(amount([pieces, own], [orders, products])?.price).toEqual({ dataset: 'lines', column: own.key })
  })

  it('is not guessed where lines or their document say what they come to', () => {
    expect(amount([pieces, column('amount')], [orders, products])).toBeNull()
    expect(amount([pieces], [table('orders', [date('date'), column('total')]), products])).toBeNull()
    expect(amount([pieces], [table('orders', [date('date'), column('freight')]), products])).not.toBeNull()
  })

  it('is not what something was bought for, nor one of several prices', () => {
    expect(amount([pieces], [orders, table('products', [column('inköpspris'), column('cost price')])])).toBeNull()
    expect(amount([pieces], [orders, products, table('services', [column('price')])])).toBeNull()
    expect(amount([pieces], [orders, table('products', products.columns, ['rel_1'])])).toBeNull()
  })

  it('is of rows that happened some day: a stock and a price of the document are none', () => {
    expect(amount([pieces], [products])).toBeNull()
    expect(amount([pieces], [table('orders', [date('date'), column('price')])])).toBeNull()
  })
})
