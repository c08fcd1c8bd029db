import { describe, expect, it } from 'vitest'
import type { SheetRow, SheetValue } from './sheet-columns'
import { findSheetRegions } from './sheet-regions'
import { cellAddress } from './cell-address'

/** A cell from its text: dates and figures as a workbook has them. */
function cellOf(text: string): SheetValue | null {
  if (text === '') return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { text, kind: 'date' }
  return { text, kind: /^-?\d+(\.\d+)?$/.test(text) ? 'number' : 'text' }
}
/** A sheet drawn as text: one line a row, cells between bars; empty lines are empty rows. */
const sheetOf = (drawn: string): SheetRow[] =>
  drawn
    .replace(/^\n/, '')
    .split('\n')
    .map((text, at) => ({ line: at + 1, cells: text.split('|').map((cell) => cellOf(cell.trim())) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null))

const regions = (drawn: string): string[] =>
  findSheetRegions(sheetOf(drawn)).map(
    ({ title, top, bottom, left, right }) => `${title ?? '-'} ${cellAddress(left, top)}:${cellAddress(right, bottom)}`,
  )

const ORDERS = `
Order | Date       | Amount
A1    | 2026-01-02 | 10
A2    | 2026-01-03 | 20.5
A3    | 2026-01-04 | 7`

describe('tables on one sheet', () => {
  it('are told apart below each other, with and without a line above them', () => {
    expect(
      regions(
        `${ORDERS}\n\nStaff\nName | Town | Salary | Since\nEk | Lund | 100 | 2020-01-01\nAl | Åhus | 200 | 2021-01-01`,
      ),
    ).toEqual(['- A1:C4', 'Staff A7:D9'])
    expect(regions(`Sales\n${ORDERS}\n\n\nRegion | Target\nNorth | 100\nSouth | 90`)).toEqual([
      'Sales A3:C6',
      '- A9:B11',
    ])
  })

  it('are told apart beside each other', () => {
    const drawn = `
Sales |       |        |   | Codes
Order | Date       | Amount |  | Code | Name | Rate
A1    | 2026-01-02 | 10     |  | SE   | Sweden | 25
A2    | 2026-01-03 | 20     |  | NO   | Norway | 25
A3    | 2026-01-03 | 20
A4    | 2026-01-03 | 20
A5    | 2026-01-03 | 20`
    expect(regions(drawn)).toEqual(['Sales A2:C7', 'Codes E2:G4'])
  })

  it('are told apart beside each other where both begin with the same name', () => {
    expect(
      regions('Month | Sales | | Month | Costs\nJan | 1 | | Jan | 5\nFeb | 2 | | Feb | 6\nMar | 1 | | Mar | 2'),
    ).toEqual(['- A1:B4', '- D1:E4'])
  })

  it('are told apart where one stands lower down on the right, and where they lie in a square', () => {
    expect(
      regions(
        `${ORDERS}\nA4 | 2026-01-05 | 8 | | Region | Target\nA5 | 2026-01-06 | 9 | | North | 100\nA6 | 2026-01-07 | 9 | | South | 100`,
      ),
    ).toEqual(['- A1:C7', '- E5:F7'])
    const left = ['Month | Sales | ', 'Jan | 1 | ', 'Feb | 2 | ', 'Mar | 3 | ']
    const right = ['Month | Costs', 'Jan | 4', 'Feb | 5', 'Mar | 6']
    const half = left.map((row, at) => `${row}| ${right[at] ?? ''}`).join('\n')
    expect(
      regions(
        `${half}\n\n${half.replaceAll('Sales', 'Stock').replaceAll('Costs', 'Hours').replaceAll('Month', 'Week')}`,
      ),
    ).toEqual(['- A1:B4', '- D1:E4', '- A6:B9', '- D6:E9'])
  })

  it('of texts alone are told by their shape', () => {
    expect(
      regions(
        `${ORDERS}\n\nCode | Land | Capital | Tongue\nSE | Sweden | Stockholm | Swedish\nNO | Norway | Oslo | Norwegian\nFI | Finland | Helsinki | Finnish`,
      ),
    ).toEqual(['- A1:C4', '- A6:D9'])
    expect(
      regions(
        'Order | Amount | | Code | Name\n1 | 10 | | SE | Sweden\n2 | 20 | | NO | Norway\n3 | 30 | | FI | Finland\n4 | 5\n5 | 6\n6 | 6\n7 | 7',
      ),
    ).toEqual(['- A1:B8', '- D1:E4'])
  })
  it('have names over two lines', () => {
    const drawn = `${ORDERS}\n\nStore | 2024 | | 2025\n | Q1 | Q2 | Q1\nLund | 1 | 2 | 3\nÅhus | 1 | 2 | 3`
    expect(regions(drawn)).toEqual(['- A1:C4', '- A6:D9'])
  })

  it('keep what goes on below an empty row, sums and notes included', () => {
    expect(
      regions(
        `${ORDERS}\n\nA4 | 2026-02-01 | 5\n\nTotal | | 42.5\nSource: books\n\nStaff\nName | Town | Salary | Since\nEk | Lund | 100 | 2020-01-01`,
      ),
    ).toEqual(['- A1:C9', 'Staff A12:D13'])
  })
})

describe('one table', () => {
  it.each([
    ['with empty rows', `${ORDERS}\n\nA4 | 2026-02-01 | 5\n\n\nA5 | 2026-02-02 | 6`],
    [
      'with an empty column',
      'Order | Amount | | Customer | Sum\n1 | 10 | | Ek | 1\n2 | 20 | | Al | 2\n3 | 30 | | Bo | 3',
    ],
    [
      'with an empty row and an empty column',
      'Order | Amount | | Customer | Sum\n1 | 10 | | Ek | 1\n2 | 20 | | Al | 2\n\n3 | 30 | | Bo | 3',
    ],
    [
      'with an empty column and a sum on one side of it',
      'Order | Amount | | Customer | Sum\n1 | 10 | | Ek | 1\n2 | 20 | | Al | 2\nTotal | 30',
    ],
    [
      'with columns full of holes beside an empty one',
      'Order | Amount | | Rebate | Share\n1 | 10 | | 1 | 2\n2 | 20\n3 | 20 | | 4 | 4\n4 | 20\n5 | 20\n6 | 20\n7 | 20\n8 | 20\n9 | 1',
    ],
    [
      'below title lines and a form',
      'Report\n\nMade by | Anna\nDepartment | Sales\nPeriod | 2024\n\nOrder | Date | Amount\nA1 | 2026-01-02 | 10',
    ],
    ['below a form of dates', `Report | Sales\nFrom | 2024-01-01\nTo | 2024-12-31\n${ORDERS}`],
    ['glued of exports with the same names', `${ORDERS}\n\n${ORDERS}\n\nLater\n${ORDERS}`],
    [
      'of sections that repeat most of its names',
      'North | Budget | Actual\nLund | 1 | 2\nÅhus | 3 | 4\n\nSouth | Budget | Actual\nYstad | 5 | 6',
    ],
    ['of sections with a word above each', `${ORDERS}\n\nMore\nA4 | 2026-02-01 | 5`],
    [
      'of texts alone with an empty row',
      'Name | Town | Job\nEk | Lund | Cook\nAl | Åhus | Smith\n\nBo | Ystad | Tailor\nUlf | Eslöv | Baker\nDan | Malmö | Clerk',
    ],
    [
      'of groups of columns under two lines of names',
      ' | Budget | | | Actual\nStore | Q1 | Q2 | | Q1 | Q2\nLund | 1 | 2 | | 3 | 4\nÅhus | 1 | 2 | | 3 | 4',
    ],
    [
      'whose rows are named beyond an empty column',
      'Loans\nBank A | 5 | | Rate | Years | Sum\nBank B | 6 | | 1 | 2 | 3\nBank C | 7\n\nBonds\nBank D | 5 | | Price | Days | Yield\nBank E | 6 | | 1 | 2 | 3\nBank C | 7',
    ],
    ['with a box of totals beside it', `${ORDERS} | | Sum | 37.5`],
    ['of a single cell', 'x'],
  ])('stays one: %s', (_, drawn) => {
    expect(regions(drawn)).toEqual([])
  })

  it('stays one in a sheet of more pieces than anybody draws', () => {
    const rows = Array.from({ length: 5_000 }, (_, at): SheetRow => ({
      line: at * 2 + 1,
      cells: sheetOf('a|1')[0]?.cells ?? [],
    }))
    expect(findSheetRegions(rows)).toEqual([])
  })
})
