import { describe, expect, it } from 'vitest'
import { openWorkbook, odsOf, xlsxOf, type OpenedWorkbook } from '../../../test/worker/workbooks'
import type { MadeBinaryWorkbook, MadeCell } from '../../../test/worker/binary-workbooks/cells'
import { xlsOf } from '../../../test/worker/binary-workbooks/xls'
import { xlsbOf } from '../../../test/worker/binary-workbooks/xlsb'
import { cellAddress } from './cell-address'

type Cell = string | number | null
/** A table of orders, and below it, with a title, one of rates. */
const STACKED: Cell[][] = [
  ['Order', 'Amount', 'Town'],
  ['A1', 10, 'Lund'],
  ['A2', 20.5, 'Åhus'],
  [],
  ['Rates'],
  ['Code', 'Rate'],
  ['SE', 0.25],
  ['NO', 0.2],
]
/** Rows of a sheet; `first`: the line of the first. */
const sheetXml = (rows: readonly Cell[][], first = 1): string =>
  rows
    .map((cells, at) => {
      const line = first + at
      const filled = cells.flatMap((value, column) => {
        if (value === null) return []
        const where = cellAddress(column, line)
        return typeof value === 'number'
          ? `<c r="${where}"${value < 1 ? ' s="1"' : ''}><v>${value}</v></c>`
          : `<c r="${where}" t="inlineStr"><is><t>${value}</t></is></c>`
      })
      return filled.length > 0 ? `<row r="${line}">${filled.join('')}</row>` : ''
    })
    .join('')
const xlsxSheets = (sheets: { name: string; rows: string; state?: 'hidden' }[]): Promise<OpenedWorkbook> =>
  xlsxOf({ sheets, formats: ['0%'] }).then(openWorkbook)

const binaryCells = (rows: readonly Cell[][]): MadeCell[] =>
  rows.flatMap((cells, row) =>
    cells.flatMap((value, column): MadeCell[] => {
      if (value === null) return []
      const at = [row, column] as const
      return [typeof value === 'number' ? { at, number: value, style: value < 1 ? 1 : 0 } : { at, text: value }]
    }),
  )
const binary: MadeBinaryWorkbook = { sheets: [{ name: 'Data', cells: binaryCells(STACKED) }], formats: ['0%'] }

const odsCell = (value: Cell | undefined): string => {
  if (value === null || value === undefined) return '<table:table-cell/>'
  return typeof value === 'number'
    ? `<table:table-cell office:value-type="${value < 1 ? 'percentage' : 'float'}" office:value="${value}"/>`
    : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
}
const ods = (rows: readonly Cell[][]): string =>
  `<table:table table:name="Data">${rows.map((cells) => `<table:table-row>${cells.map(odsCell).join('')}</table:table-row>`).join('')}</table:table>`

const offered = ({ tables }: OpenedWorkbook): unknown[] =>
  tables.map(({ name, range, optional, lines }) => [name, range, optional === true, lines])

describe('a sheet of several tables', () => {
  it.each([
    ['XLSX', () => xlsxOf({ sheets: [{ name: 'Data', rows: sheetXml(STACKED) }], formats: ['0%'] })],
    ['XLSB', () => xlsbOf(binary)],
    ['XLS', () => xlsOf(binary)],
    ['ODS', () => odsOf(ods(STACKED))],
  ])('offers each by its cells, and the whole unchosen: %s', async (_, make) => {
    const book = await openWorkbook(await make())
    expect(offered(book)).toEqual([
      ['Data table 1', 'A1:C3', false, [1, 2, 3]],
      ['Rates', 'A6:B8', false, [6, 7, 8]],
      ['Data', undefined, true, [1, 2, 3, 5, 6, 7, 8]],
    ])
    const [orders, rates, whole] = book.tables
    expect(orders?.rows).toEqual([
      ['Order', 'Amount', 'Town'],
      ['A1', '10', 'Lund'],
      ['A2', '20.5', 'Åhus'],
    ])
    expect(rates?.rows).toEqual([
      ['Code', 'Rate'],
      ['SE', '0.25'],
      ['NO', '0.2'],
    ])
    expect([orders?.hints, rates?.hints]).toEqual([[], [{ index: 1, format: { style: 'percent' } }]])
    expect(whole?.rows[3]).toEqual(['Rates', null, null])
    expect(whole?.warnings.map(({ code }) => code)).toEqual(['several_tables'])
  })

  it('says of each table what there is to say of its own cells', async () => {
    const error = '<row r="9"><c r="A9" t="inlineStr"><is><t>DK</t></is></c><c r="B9" t="e"><v>#N/A</v></c></row>'
    const { tables } = await xlsxSheets([{ name: 'Data', rows: sheetXml(STACKED) + error }])
    expect(tables.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
      [],
      ['error_cells'],
      ['several_tables', 'error_cells'],
    ])
    expect(tables[1]?.warnings[0]?.message).toContain('first B9')
  })

  it('finds one that begins far down', async () => {
    const rows: Cell[][] = Array.from({ length: 9_000 }, (_, at) => [`A${at}`, at, 'Lund'])
    const below = sheetXml(
      [
        ['Code', 'Rate', 'Since', 'Note'],
        ['SE', 5, 7, 'x'],
        ['NO', 6, 8, 'y'],
      ],
      20_000,
    )
    const book = await xlsxSheets([{ name: 'Data', rows: sheetXml([['Order', 'Amount', 'Town'], ...rows]) + below }])
    expect(book.tables.map(({ range, rows: own }) => [range, own.length])).toEqual([
      ['A1:C9001', 9_001],
      ['A20000:D20002', 3],
      [undefined, 9_004],
    ])
  })

  it('that is too large to be held comes as one, and says so', async () => {
    // Far right: what is held of a row is as wide as its last cell.
    const far = Array.from({ length: 450 }, (_, at) => `<row r="${20 + at}"><c r="SF${20 + at}"><v>1</v></c></row>`)
    const book = await xlsxSheets([{ name: 'Data', rows: sheetXml(STACKED) + far.join('') }])
    expect(book.tables.map(({ range, optional, rows }) => [range, optional, rows.length])).toEqual([
      [undefined, undefined, 457],
    ])
    expect(book.tables[0]?.warnings[0]?.message).toMatch(
      /^The first [\d,]+ rows hold 2 tables\. The sheet is too large/,
    )
  })

  it('takes no place from other sheets', async () => {
    const sheets = Array.from({ length: 17 }, (_, at) => ({ name: `S${at}`, rows: sheetXml(STACKED) }))
    const { tables } = await xlsxSheets(sheets)
    expect(tables).toHaveLength(19)
    expect(tables.filter(({ range }) => range !== undefined)).toHaveLength(2)
    expect(tables.at(-1)?.warnings[0]?.message).toContain('A file gives at most 20 tables')
    expect(tables.at(-1)?.optional).toBeUndefined()
  })

  it('that is hidden offers none by itself', async () => {
    const { tables } = await xlsxSheets([{ name: 'Data', rows: sheetXml(STACKED), state: 'hidden' }])
    expect(tables.map(({ optional }) => optional)).toEqual([true, true, true])
    expect(tables[0]?.warnings.map(({ code }) => code)).toEqual(['hidden_sheet'])
  })
})
