import { writeXlsxStream } from 'hucre/xlsx'
import { neutralizeFormula } from '../../shared/csv-line'

/** The only module that writes workbooks. Values only: no cell ever holds a formula. */
export type XlsxCell = string | number | boolean | Date | null

/** What Excel takes into one cell. */
const CELL_MAX_CHARS = 32_767
// XML 1.0 knows no other control characters than tab and line ends.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** `_x000D_` in a workbook stands for a sign; as words its underscore is written as one. */
const ESCAPE_LIKE = /_(?=x[0-9a-f]{4}_)/gi

const toSafeCell = (cell: XlsxCell): XlsxCell =>
  typeof cell === 'string'
    ? neutralizeFormula(cell)
        .toWellFormed()
        .replace(NOT_XML, '')
        .slice(0, CELL_MAX_CHARS)
        .replace(ESCAPE_LIKE, '_x005F_')
    : cell

async function* sanitizeRows(rows: AsyncIterable<XlsxCell[]>): AsyncGenerator<XlsxCell[]> {
  for await (const row of rows) yield row.map(toSafeCell)
}

/** One sheet, written while it is read: memory does not grow with the rows. */
export const createXlsxStream = (sheet: string, rows: AsyncIterable<XlsxCell[]>): ReadableStream<Uint8Array> =>
  writeXlsxStream(sanitizeRows(rows), { name: sheet })
