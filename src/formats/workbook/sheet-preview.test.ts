import { describe, expect, it } from 'vitest'
import { canonicalCsvRecord } from '../csv/canonical-csv'
import { inspectTable } from '../inference/inspect-table'
import { onlyTable, xlsxOf, type MadeWorkbook } from '../../../test/worker/workbooks'
import type { FileInspection } from '../../shared/data-sources/files'

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number, style = 0): string => `<c s="${style}"><v>${value}</v></c>`
const row = (cells: string, line?: number): string => `<row${line === undefined ? '' : ` r="${line}"`}>${cells}</row>`

/** What the person sees before loading a workbook's only sheet. */
async function preview(rows: string, more: Partial<MadeWorkbook> = {}): Promise<FileInspection> {
  return previewOf(await xlsxOf({ sheets: [{ name: 'Data', rows }], ...more }))
}
async function previewOf(bytes: Uint8Array): Promise<FileInspection> {
  const table = await onlyTable(bytes)
  const head = new TextEncoder().encode(
    table.rows.map((cells, i) => canonicalCsvRecord(cells, table.lines[i] ?? 0)).join(''),
  )
  const columnCount = Math.max(...table.rows.map(({ length }) => length))
  return inspectTable(
    { fileName: table.name, size: head.length, head },
    { kind: 'xlsx', rowCount: table.rows.length, columnCount, warnings: table.warnings, hints: table.hints },
  )
}
const columns = ({ columns: all }: FileInspection): unknown[] =>
  all.map(({ label, type, format }) => [label, type, format.style])

describe('the preview of a sheet', () => {
  it('finds the names below title lines, wherever the table stands', async () => {
    const found = await preview(
      row(text('Sales report'), 2) +
        row(text('Made 2026-01-31'), 3) +
        row(text('Customer') + text('Day') + text('Amount'), 6) +
        row(text('Ek') + number(46_053, 1) + number(12.5), 7) +
        row(text('Al') + number(46_054, 1) + number(1234.567), 8),
      { formats: ['yyyy-mm-dd'] },
    )
    expect(columns(found)).toEqual([
      ['Customer', 'text', 'plain'],
      ['Day', 'date', 'plain'],
      ['Amount', 'number', 'plain'],
    ])
    expect(found.rows.count).toBe(2)
    expect(found.typedPreview).toEqual([
      ['Ek', '2026-01-31', 12.5],
      ['Al', '2026-02-01', 1234.567],
    ])
    expect(found.warnings).toEqual([])
  })

  it('reads a point as a decimal point always: a workbook has no thousands signs', async () => {
    const found = await preview(row(text('n')) + row(number(1.234)) + row(number(5.678)))
    expect(found.typedPreview).toEqual([[1.234], [5.678]])
    expect(found.warnings).toEqual([])
  })

  it('keeps percent and currency formats as formats of plain numbers, and codes as text', async () => {
    const found = await preview(
      row(text('share') + text('paid') + text('code')) +
        row(number(0.25, 1) + number(10, 2) + text('0012')) +
        row(number(0.5, 1) + number(20.5, 2) + text('0100')),
      { formats: ['0%', '#,##0.00 [$kr-41D]'] },
    )
    expect(columns(found)).toEqual([
      ['share', 'number', 'percent'],
      ['paid', 'number', 'currency'],
      ['code', 'text', 'plain'],
    ])
    expect(found.typedPreview[0]).toEqual([0.25, 10, '0012'])
  })

  it('takes years in a row of names for names', async () => {
    const found = await preview(
      row(text('Net sales by year')) +
        row(text('Store') + number(2024) + number(2025)) +
        row(text('Lund') + number(100) + number(120)) +
        row(text('Åhus') + number(90) + number(80.5)),
    )
    expect(columns(found).map((column) => column)).toEqual([
      ['Store', 'text', 'plain'],
      ['2024', 'integer', 'plain'],
      ['2025', 'number', 'plain'],
    ])
  })
})
