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
export interface XlsxSheet {
  name: string
  columns: readonly XlsxColumn[]
  rows: AsyncIterable<XlsxCell[]> | Iterable<XlsxCell[]>
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
  const bold = style === HEADING_STYLE ? styled : ''
  return `<c r="${address}" t="inlineStr"${bold}><is><t xml:space="preserve">${text}</t></is></c>`
}

const rowXml = (cells: readonly XlsxCell[], row: number, styleOf: (column: number) => number): string =>
  `<row r="${row}">${cells.map((cell, at) => cellXml(cell, cellAddress(at, row), styleOf(at))).join('')}</row>`

/** Headings stay in sight, and so does the first column: what the figures of a row are about. */
function sheetStart({ columns }: XlsxSheet, isFirst: boolean): string {
  const hasHead = columns.some(({ head }) => head !== undefined)
  const pane = '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
  const widths = columns.map(
    ({ width = 14 }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}>${hasHead ? pane : ''}</sheetView></sheetViews>`,
    widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '',
    '<sheetData>',
  ].join('')
}

async function* sheetXml(sheet: XlsxSheet, at: number, styles: readonly NumberFormatCode[]): AsyncGenerator<string> {
  const styleOf = sheet.columns.map(({ numberFormat }) =>
    numberFormat === undefined ? 0 : styles.indexOf(numberFormat) + FIRST_NUMBER_STYLE,
  )
  let text = sheetStart(sheet, at === 0)
  let row = 1
  if (sheet.columns.some(({ head }) => head !== undefined))
    text += rowXml(
      sheet.columns.map(({ head = '' }) => head),
      row++,
      () => HEADING_STYLE,
    )
  for await (const cells of sheet.rows) {
    text += rowXml(cells, row++, (column) => styleOf[column] ?? 0)
    if (text.length < CHUNK_CHARS) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData></worksheet>`
}

/** The parts of a workbook in the order in which they are written. */
async function* workbookParts(
  sheets: readonly XlsxSheet[],
): AsyncGenerator<{ path: string; text: AsyncIterable<string> | string[] }> {
  const formats = sheets.flatMap(({ columns }) => columns.flatMap(({ numberFormat }) => numberFormat ?? []))
  const styles = [...new Set(formats)]
  const names = sheets.map(({ name }) => name)
  yield { path: '[Content_Types].xml', text: [contentTypesXml(names.length)] }
  yield { path: '_rels/.rels', text: [relationshipsXml] }
  yield { path: 'xl/workbook.xml', text: [workbookXml(names)] }
  yield { path: 'xl/_rels/workbook.xml.rels', text: [workbookRelationshipsXml(names.length)] }
  yield { path: 'xl/styles.xml', text: [stylesXml(styles)] }
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
