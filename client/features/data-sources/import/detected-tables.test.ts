import { describe, expect, it } from 'vitest'
import { uploadTable } from '../data-sources.fixture'
import { suggestTableNames, suggestSourceName } from './detected-tables'
import type { FileKind } from '../../../../src/shared/data-sources/files'

const found = (fileName: string, name: string, kind: FileKind = 'xlsx') => ({
  fileName,
  table: uploadTable({ name, kind }),
})

describe('names of tables', () => {
  it('keeps the name of a sheet and takes the ending off a file', () => {
    expect(suggestTableNames([found('book.xlsx', 'Orders'), found('stock_list.csv', 'stock_list.csv', 'csv')])).toEqual(
      ['Orders', 'Stock list'],
    )
  })

  it('puts the file before sheets that are called alike', () => {
    expect(suggestTableNames([found('north.xlsx', 'Orders'), found('south.xlsx', 'orders')])).toEqual([
      'North Orders',
      'South orders',
    ])
  })

  it('calls the only sheet of a file like the file when nobody gave it a name', () => {
    expect(
      suggestTableNames([found('stock_list.xlsx', 'Blad1'), found('a.xlsx', 'Blad1'), found('a.xlsx', 'Blad2')]),
    ).toEqual(['Stock list', 'Blad1', 'Blad2'])
  })

  it('leaves the names that are there to those who have them', () => {
    expect(suggestTableNames([found('book.xlsx', 'Orders')], ['orders', 'Customers'])).toEqual(['Orders 2'])
  })

  it('numbers what is still alike, and never exceeds the length of a name', () => {
    const long = 'x'.repeat(120)
    const names = suggestTableNames([found('a.xlsx', long), found('a.xlsx', long), found('a.xlsx', long)])
    expect(new Set(names).size).toBe(3)
    expect(names.every((name) => name.length <= 80)).toBe(true)
  })
})

describe('name of a source', () => {
  it('is that of its file, or tells the files of the drop', () => {
    expect(suggestSourceName(['orders_2026.xlsx'])).toBe('Orders 2026')
    expect(suggestSourceName(['orders.csv', 'customers.xlsx'])).toBe('Orders, Customers')
    expect(suggestSourceName(['a.csv', 'b.csv', 'c.csv', 'd.csv'])).toBe('A and 3 more')
  })

  it('says one name once', () => {
    expect(suggestSourceName(['orders.csv', 'orders.xlsx'])).toBe('Orders')
  })
})
