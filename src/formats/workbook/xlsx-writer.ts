import { Zip, ZipDeflate } from 'fflate'
import { neutralizeFormula } from '../../shared/csv-line'
import { cellAddress } from './cell-address'
import {
  contentTypesXml,
  relationshipsXml,
  stylesXml,
  workbookRelationshipsXml,
  workbookXml,
  xmlText,
  type CellLook,
  type NumberFormatCode,
} from './xlsx-parts'

/** The only module that writes workbooks. Values only: no cell ever holds a formula. Dates are serial numbers. */
export type XlsxCell = string | number | boolean | null

export interface XlsxColumn {
  /** Heading in the first row, which stays in sight; a sheet without headings has none. */
  head?: string
  /** How numbers of the column are shown: an Excel format, or the number of one that follows the reader's own locale. */
  numberFormat?: NumberFormatCode
  /** In characters. */
  width?: number
}
/** A row whose cells look otherwise than their columns. */
export interface XlsxLookedRow {
  cells: readonly XlsxCell[]
  /** By cell; each of them is one of the sheet's `looks`. */
  looks: readonly (CellLook | undefined)[]
  /** It can be folded away under the row after or before it. */
  outline?: number
}
export interface XlsxSheet {
  name: string
  columns: readonly XlsxColumn[]
  rows: AsyncIterable<XlsxCell[]> | Iterable<XlsxCell[] | XlsxLookedRow>
  /** All looks that its rows name. */
  looks?: readonly CellLook[]
  /** Rows and columns that stay in sight, of a sheet without headings. */
  frozen?: { rows: number; columns: number }
  /** Printed on A4, as wide as the page. */
  page?: 'portrait' | 'landscape'
}

/** What Excel takes into one cell. */
const CELL_MAX_CHARS = 32_767
const HEADING_STYLE = 1
/** Styles of numbers come after the plain one and that of headings. */
const FIRST_NUMBER_STYLE = 2
const DEFLATE_LEVEL = 4
/** Rows become chunks: one chunk a row would cost more than the row. */
const CHUNK_CHARS = 64 * 1024
const encoder = new TextEncoder()

function cellXml(cell: XlsxCell, address: string, style: number): string {
  const styled = style === 0 ? '' : ` s="${style}"`
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c r="${address}"${styled}><v>${cell}</v></c>` : ''
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"${styled}><v>${cell ? 1 : 0}</v></c>`
  const text = xmlText(neutralizeFormula(cell).slice(0, CELL_MAX_CHARS))
  return `<c r="${address}" t="inlineStr"${styled}><is><t xml:space="preserve">${text}</t></is></c>`
}

const rowXml = (
  cells: readonly XlsxCell[],
  row: number,
  { styleOf, outline = 0 }: { styleOf: (column: number, cell: XlsxCell) => number; outline?: number },
): string =>
  `<row r="${row}"${outline > 0 ? ` outlineLevel="${outline}"` : ''}>${cells.map((cell, at) => cellXml(cell, cellAddress(at, row), styleOf(at, cell))).join('')}</row>`

/** Headings stay in sight, and so does the first column: what the figures of a row are about. */
function sheetStart({ columns, frozen, page }: XlsxSheet, isFirst: boolean): string {
  const hasHead = columns.some(({ head }) => head !== undefined)
  const kept = hasHead ? { rows: 1, columns: 1 } : frozen
  const pane = kept
    ? `<pane xSplit="${kept.columns}" ySplit="${kept.rows}" topLeftCell="${cellAddress(kept.columns, kept.rows + 1)}" activePane="bottomRight" state="frozen"/>`
    : ''
  const fit = '<sheetPr><outlinePr summaryBelow="0"/><pageSetUpPr fitToPage="1"/></sheetPr>'
  const widths = columns.map(
    ({ width = 14 }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    page === undefined ? '' : fit,
    `<sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews>`,
    page === undefined ? '' : '<sheetFormatPr defaultRowHeight="15" outlineLevelRow="1"/>',
    widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '',
    '<sheetData>',
  ].join('')
}

/** What ends a sheet: how it is printed. */
const sheetEnd = ({ page }: XlsxSheet): string =>
  page === undefined
    ? '</worksheet>'
    : `<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="${page}" fitToWidth="1" fitToHeight="0"/></worksheet>`

interface SheetStyles {
  formats: readonly NumberFormatCode[]
  looks: readonly CellLook[]
}
const isLooked = (row: readonly XlsxCell[] | XlsxLookedRow): row is XlsxLookedRow => 'cells' in row

async function* sheetXml(sheet: XlsxSheet, at: number, { formats, looks }: SheetStyles): AsyncGenerator<string> {
  const styleOf = sheet.columns.map(({ numberFormat }) =>
    numberFormat === undefined ? 0 : formats.indexOf(numberFormat) + FIRST_NUMBER_STYLE,
  )
  const lookStyle = (look: CellLook | undefined): number =>
    look ? looks.indexOf(look) + FIRST_NUMBER_STYLE + formats.length : 0
  let text = sheetStart(sheet, at === 0)
  let row = 1
  if (sheet.columns.some(({ head }) => head !== undefined))
    text += rowXml(
      sheet.columns.map(({ head = '' }) => head),
      row++,
      { styleOf: () => HEADING_STYLE },
    )
  for await (const cells of sheet.rows) {
    text += isLooked(cells)
      ? rowXml(cells.cells, row++, { ...cells, styleOf: (column) => lookStyle(cells.looks[column]) })
      : // A text in a column of numbers looks like any other.
        rowXml(cells, row++, { styleOf: (column, cell) => (typeof cell === 'number' ? (styleOf[column] ?? 0) : 0) })
    if (text.length < CHUNK_CHARS) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData>${sheetEnd(sheet)}`
}

/** The parts of a workbook in the order in which they are written. */
async function* workbookParts(
  sheets: readonly XlsxSheet[],
): AsyncGenerator<{ path: string; text: AsyncIterable<string> | string[] }> {
  const formats = sheets.flatMap(({ columns }) => columns.flatMap(({ numberFormat }) => numberFormat ?? []))
  const styles: SheetStyles = { formats: [...new Set(formats)], looks: sheets.flatMap(({ looks = [] }) => looks) }
  const names = sheets.map(({ name }) => name)
  yield { path: '[Content_Types].xml', text: [contentTypesXml(names.length)] }
  yield { path: '_rels/.rels', text: [relationshipsXml] }
  yield { path: 'xl/workbook.xml', text: [workbookXml(names)] }
  yield { path: 'xl/_rels/workbook.xml.rels', text: [workbookRelationshipsXml(names.length)] }
  yield { path: 'xl/styles.xml', text: [stylesXml(styles.formats, styles.looks)] }
  for (const [at, sheet] of sheets.entries())
    yield { path: `xl/worksheets/sheet${at + 1}.xml`, text: sheetXml(sheet, at, styles) }
}

/** The bytes of a zip as they come to be. */
async function* zipped(sheets: readonly XlsxSheet[]): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  let failed: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failed = error
    else ready.push(chunk)
  })
  function* flush(): Generator<Uint8Array> {
    if (failed) throw failed
    const chunks = ready
    ready = []
    yield* chunks
  }
  for await (const { path, text } of workbookParts(sheets)) {
    const file = new ZipDeflate(path, { level: DEFLATE_LEVEL })
    zip.add(file)
    for await (const piece of text) {
      file.push(encoder.encode(piece))
      yield* flush()
    }
    file.push(new Uint8Array(), true)
  }
  zip.end()
  yield* flush()
}

/** A workbook, written while its rows are read: memory does not grow with them. */
export function createXlsxStream(sheets: readonly XlsxSheet[]): ReadableStream<Uint8Array> {
  const chunks = zipped(sheets)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
