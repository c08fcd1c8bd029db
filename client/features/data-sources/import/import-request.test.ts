import { expect, it } from 'vitest'
import { tableColumnCount, tableRowCount } from './import-request'
import { fileColumn, inspection, uploadTable } from '../data-sources.fixture'
import type { ImportTable } from './use-import-tables'

const counted = (kind: 'xlsx' | 'sie', inspected: ImportTable['found']['inspection']) =>
  tableRowCount({
    table: uploadTable({ kind, rowCount: 30 }),
    found: { inspection: inspected, cleaning: [] },
  })

it('tells the rows of a sheet as about so many until its headings are known, and then to the row', () => {
  expect(counted('xlsx', null)).toEqual({ count: 30, exact: false })
  expect(counted('xlsx', inspection({ rows: { count: 29, exact: true } }))).toEqual({ count: 29, exact: true })
  expect(counted('sie', null)).toEqual({ count: 30, exact: true })
})

it('counts the columns that will be loaded, once it was looked at', () => {
  const columns = ['Day', 'USD', 'Column 3'].map((label, at) => fileColumn(at, { label, include: at < 2 }))
  const table = uploadTable({ kind: 'csv', columnCount: 3 })
  expect(tableColumnCount({ table, found: { inspection: null, cleaning: [] } })).toBe(3)
  expect(tableColumnCount({ table, found: { inspection: inspection({ columns }), cleaning: [] } })).toBe(2)
})
