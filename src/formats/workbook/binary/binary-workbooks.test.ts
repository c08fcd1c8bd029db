import { describe, expect, it } from 'vitest'
import { openWorkbook, refusalOf } from '../../../../test/worker/workbooks'
import type { CollectedTable } from '../../../../test/suites/open-file'
import type { MadeBinaryWorkbook } from '../../../../test/worker/binary-workbooks/cells'
import { xlsOf } from '../../../../test/worker/binary-workbooks/xls'
import { xlsbOf } from '../../../../test/worker/binary-workbooks/xlsb'

const KINDS: [string, (book: MadeBinaryWorkbook) => Promise<Uint8Array> | Uint8Array][] = [
  ['XLS', xlsOf],
  ['XLSB', xlsbOf],
]
const codes = ({ warnings }: CollectedTable): string[] => warnings.map(({ code }) => code)

describe.each(KINDS)('%s', (_name, bookOf) => {
  const tableOf = async (
    cells: MadeBinaryWorkbook['sheets'][number]['cells'],
    more: Partial<MadeBinaryWorkbook> = {},
  ) => {
    const { tables } = await openWorkbook(await bookOf({ sheets: [{ name: 'Data', cells }], ...more }))
    const [table] = tables
    if (!table || tables.length !== 1) throw new Error(`${tables.length} tables`)
    return table
  }

  it('gives cells of every kind as text, in rows with their own numbers', async () => {
    const { rows, lines } = await tableOf(
      [
        { at: [1, 0], shared: 1 },
        { at: [1, 1], text: 'Åkeri 東京' },
        { at: [1, 2], text: 'rich', rich: true },
        { at: [4, 0], number: 1.1 },
        { at: [4, 1], boolean: true },
        { at: [4, 2], number: -12.34, rk: true },
        { at: [5, 0], numbers: [1, -2, 30_000_000] },
        { at: [6, 0], formula: 7.5 },
        { at: [6, 1], formula: 'sum: Ö' },
        { at: [6, 2], formula: false },
      ],
      { strings: ['unused', 'shared å'] },
    )
    expect(lines).toEqual([2, 5, 6, 7])
    expect(rows).toEqual([
      ['shared å', 'Åkeri 東京', 'rich'],
      ['1.1', 'true', '-12.34'],
      ['1', '-2', '30000000'],
      ['7.5', 'sum: Ö', 'false'],
    ])
  })

  it('reads dates, times, durations and percent by their number format, from 1904 where the workbook does', async () => {
    const formats = ['yyyy-mm-dd', 'hh:mm', '[h]:mm', '0%']
    const cells = [44_197, 0.25, 1.0625, 0.5].map((number, n) => ({
      at: [0, n] as [number, number],
      number,
      style: n + 1,
    }))
    const found = await tableOf(cells, { formats })
    expect(found.rows).toEqual([['2021-01-01', '06:00:00', '25.5', '0.5']])
    expect(codes(found)).toEqual(['durations'])
    expect(found.hints).toEqual([{ index: 3, format: { style: 'percent' } }])
    expect((await tableOf(cells, { formats, date1904: true })).rows[0]?.[0]).toBe('2025-01-02')
  })

  it('leaves errors empty, and says how many and where', async () => {
    const found = await tableOf([
      { at: [0, 0], error: 0x07 },
      { at: [0, 1], formula: { error: 0x2a } },
      { at: [0, 2], shared: 99 },
      { at: [0, 3], number: 1 },
    ])
    expect(found.rows).toEqual([['1']])
    expect(found.warnings[0]?.message).toBe(
      '3 cells hold errors (#DIV/0!, #N/A, text missing), first A1. They are left empty.',
    )
  })

  it('joins headings in two rows where groups are merged across names', async () => {
    const text = (row: number, column: number, value: string) => ({
      at: [row, column] as [number, number],
      text: value,
    })
    const cells = [
      ...[text(0, 0, 'Store'), text(0, 1, '2024'), text(1, 1, 'Q1'), text(1, 2, 'Q2')],
      ...[text(2, 0, 'Lund'), { at: [2, 1] as [number, number], numbers: [1, 2] }],
    ]
    const merges = [
      { rows: [0, 1] as [number, number], columns: [0, 0] as [number, number] },
      { rows: [0, 0] as [number, number], columns: [1, 2] as [number, number] },
    ]
    const { tables } = await openWorkbook(await bookOf({ sheets: [{ name: 'Data', cells, merges }] }))
    expect(tables[0]?.rows).toEqual([
      ['Store', '2024 Q1', '2024 Q2'],
      ['Lund', '1', '2'],
    ])
  })

  it('gives every sheet with values as a table: hidden ones last and not chosen, charts and empty ones named', async () => {
    const cells = [{ at: [0, 0] as [number, number], number: 1 }]
    const { tables, warnings } = await openWorkbook(
      await bookOf({
        sheets: [
          { name: 'Secret', cells, state: 'veryHidden' },
          { name: 'Empty', cells: [] },
          { name: 'Försäljning', cells },
          { name: 'Chart', cells: [], kind: 'chart' },
        ],
      }),
    )
    expect(tables.map(({ name, optional }) => [name, optional ?? false])).toEqual([
      ['Försäljning', false],
      ['Secret', true],
    ])
    expect(warnings.map(({ message }) => message)).toEqual([
      '“Empty” has no values and was skipped.',
      '“Chart” holds no cells (a chart, dialog or macro) and was skipped.',
    ])
  })

  it('is refused as broken where a record ends before its value', async () => {
    const bytes = await bookOf({ sheets: [{ name: 'Data', cells: [{ at: [0, 0], text: 'a' }] }], strings: ['a'] })
    expect((await refusalOf(bytes.subarray(0, bytes.length / 2))).reason).toBe('broken')
  })
})

it('XLSB marks a formula that was worked out to no text as empty', async () => {
  const bytes = await xlsbOf({
    sheets: [
      {
        name: 'Data',
        cells: [
          { at: [0, 0], formula: null },
          { at: [0, 1], formula: 'x' },
        ],
      },
    ],
  })
  expect((await openWorkbook(bytes)).tables[0]?.rows).toEqual([['x']])
})
