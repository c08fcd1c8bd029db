import { describe, expect, it } from 'vitest'
import { canonicalCsvRecord } from '../csv/canonical-csv'
import { inspectTable, type TableMetadata } from './inspect-table'
import { ProductError } from '../../shared/errors'
import type { ColumnHint } from '../../shared/data-sources/files'

type Cells = (string | null)[]
function inspected(rows: Cells[], facts: Partial<TableMetadata> = {}, given = {}) {
  const head = new TextEncoder().encode(rows.map((cells, at) => canonicalCsvRecord(cells, at + 1)).join(''))
  const columnCount = Math.max(0, ...rows.map(({ length }) => length))
  const table = { kind: 'xlsx' as const, rowCount: rows.length, columnCount, warnings: [], hints: [], ...facts }
  return inspectTable({ fileName: 'Sheet 1', size: head.length, head }, table, given)
}
const shown = ({ columns }: ReturnType<typeof inspected>) => columns.map(({ label, type, role }) => [label, type, role])

describe('a table taken out of a file', () => {
  it('finds the names of a sheet below its titles, and says where its rows begin', () => {
    const found = inspected([
      ['Sales of all shops\nby day'],
      [null, null],
      ['Day', 'Shop', 'Amount'],
      ['2026-01-01', 'North', '12.5'],
      ['2026-01-02', 'South'],
    ])
    expect(shown(found)).toEqual([
      ['Day', 'date', 'time'],
      ['Shop', 'text', 'dimension'],
      ['Amount', 'number', 'measure'],
    ])
    expect(found).toMatchObject({ kind: 'xlsx', rows: { count: 2, exact: true }, warnings: [] })
    expect(found.settings).toMatchObject({ numbered: true, header: true, skipLines: 3 })
    expect(found.preview).toEqual([
      ['2026-01-01', 'North', '12.5'],
      ['2026-01-02', 'South'],
    ])
  })

  it('lets the person say that the first row is no row of names, or that titles come first', () => {
    const rows = [
      ['x', 'y'],
      ['North', 'a'],
      ['South', 'b'],
    ]
    expect(inspected(rows)).toMatchObject({ settings: { header: true }, rows: { count: 2 } })
    const all = inspected(rows, {}, { header: false })
    expect([all.rows.count, shown(all).map(([label]) => label)]).toEqual([3, ['Column 1', 'Column 2']])
    const later = inspected(rows, {}, { skipLines: 1 })
    expect([later.rows.count, shown(later).map(([label]) => label)]).toEqual([1, ['North', 'a']])
  })

  it('takes what its reader knew over what its texts look like', () => {
    const hints: ColumnHint[] = [
      { index: 0, label: 'code', type: 'text' },
      { index: 1, label: 'at', type: 'datetime', zoned: true },
      { index: 2, label: 'sum', type: 'number', scale: 3, format: { style: 'currency', currency: 'SEK' } },
      { index: 3, label: 'n', type: 'integer', role: 'id' },
    ]
    const found = inspected([['1', '2026-01-01T10:00:00Z', '5', '7']], { kind: 'parquet', hints })
    expect(found.columns).toMatchObject([
      { label: 'code', type: 'text', role: 'dimension' },
      { label: 'at', type: 'datetime', zoned: true, role: 'time' },
      { label: 'sum', type: 'number', scale: 3, role: 'measure', format: { currency: 'SEK' } },
      { label: 'n', type: 'integer', role: 'id' },
    ])
    expect(found).toMatchObject({ settings: { header: false, skipLines: 0 }, rows: { count: 1 }, warnings: [] })
    expect(found.typedPreview).toEqual([['1', '2026-01-01T10:00:00Z', 5, 7]])
  })

  it('reads texts of the file in the order they are written, when its reader left their type open', () => {
    const hints: ColumnHint[] = [{ index: 0, label: 'day' }]
    const found = inspected([['24/12/2025'], ['03/04/2026']], { kind: 'json', hints })
    expect(found.columns).toMatchObject([{ type: 'date', dateOrder: 'dmy' }])
    expect(found.typedPreview).toEqual([['2025-12-24'], ['2026-04-03']])
  })

  it('does not call rows ragged that end early, and is as wide as its widest row anywhere', () => {
    const hints: ColumnHint[] = [
      { index: 0, label: 'a' },
      { index: 1, label: 'b' },
    ]
    const found = inspected([['1'], ['2'], ['3', '', '4']], { kind: 'json', hints, columnCount: 3 })
    expect(found.columns.map(({ label }) => label)).toEqual(['a', 'b', 'Column 3'])
    expect(found.warnings.map(({ code }) => code)).toEqual(['empty_headers'])
    const empty = inspected([['1'], ['2']], { kind: 'json', hints, columnCount: 3 })
    expect(empty.columns[2]).toMatchObject({ label: 'Column 3', include: false })
    expect(empty.warnings).toEqual([])
  })

  it('shows the columns of a table that has names and no rows, and refuses one that has neither', () => {
    const empty = inspected([], { hints: [{ index: 0, label: 'a' }], columnCount: 1 })
    expect(empty).toMatchObject({ columns: [{ label: 'a' }], rows: { count: 0 }, warnings: [{ code: 'empty_rows' }] })
    expect(() => inspected([])).toThrow(ProductError)
  })

  it('keeps the warnings of its reader first', () => {
    const warnings = [{ code: 'merged_cells' as const, message: 'Merged.' }]
    expect(inspected([['a'], ['b']], { warnings }).warnings[0]).toEqual(warnings[0])
  })
})
