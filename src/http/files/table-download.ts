import { createXlsxStream, type XlsxCell, type XlsxColumn, type XlsxSheet } from '../../formats/workbook/xlsx-writer'
import { LOCAL_DATE, LOCAL_DATE_TIME, type NumberFormatCode } from '../../formats/workbook/xlsx-parts'
import { toSerial } from '../../formats/workbook/serial-date'
import { EXPORT_ROWS_MAX, XLSX_ROWS_MAX } from '../../shared/limits'
import { csvNotation, type CsvCell } from '../../shared/csv-line'
import { dimensionText } from '../../shared/query/dimension-text'
import { columnDecimals } from '../../shared/query/column-decimals'
import { columnKind } from '../../shared/query/table-view'
import type { Cell, ResultColumn } from '../../shared/query/result'
import type { AppContext } from '../context'
import { attachmentHeader, streamCsv } from '../download'

/** A column of a file: what its values are, and how they are shown. */
export type FileColumn = Pick<
  ResultColumn,
  'type' | 'format' | 'scale' | 'role' | 'grain' | 'kind' | 'part' | 'bins' | 'names'
>

export interface FileTable {
  columns: readonly FileColumn[]
  heads: readonly string[]
  /** The first rows, by which columns are formatted. */
  sample: readonly Cell[][]
  rows: () => AsyncGenerator<Cell[]>
  totals: Cell[] | null
}
export interface TableFile {
  /** Without its ending. */
  name: string
  format: 'csv' | 'xlsx'
  table: FileTable
  /** What the figures are: a sheet of its own. */
  context: Cell[][]
  numberLocale: string
  timeZone: string
}
export interface Download {
  fileName: string
  contentType: string
  body: ReadableStream<Uint8Array>
}

/** Rows that a file takes, below its headings and above its totals. */
export const exportRowsMax = (format: 'csv' | 'xlsx'): number =>
  format === 'xlsx' ? Math.min(EXPORT_ROWS_MAX, XLSX_ROWS_MAX - 2) : EXPORT_ROWS_MAX

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A table as a file. CSV begins with its headings, in the notation of the workspace; XLSX has real dates and formatted
 * numbers, and says on a second sheet what the figures are.
 */
export function tableDownload(given: TableFile): Download {
  const file = withNames(given)
  const fileName = `${file.name}.${file.format}`
  if (file.format === 'csv') {
    const body = streamCsv(csvRows(file), csvNotation(file.numberLocale))
    return { fileName, contentType: 'text/csv; charset=utf-8', body }
  }
  const about = { name: 'About', columns: [{ width: 24 }, { width: 60 }], rows: file.context }
  return { fileName, contentType: XLSX_TYPE, body: createXlsxStream([sheetOf(file, 'Data'), about]) }
}

type SheetFile = Pick<TableFile, 'table' | 'numberLocale' | 'timeZone'>
/** A table as a sheet of a workbook with others. */
export const tableSheet = (given: SheetFile, name: string): XlsxSheet => sheetOf(withNames(given), name)
const sheetOf = (file: SheetFile, name: string): XlsxSheet => ({
  name,
  columns: file.table.columns.map((_, at) => xlsxColumn(file, at)),
  rows: xlsxRows(file),
})

/** Values of splits as they are called. */
function withNames<T extends Pick<TableFile, 'table' | 'numberLocale'>>(file: T): T {
  const { table, numberLocale } = file
  const nameOf = (cell: Cell, column: FileColumn | undefined): string | null =>
    column ? dimensionText(cell, column, { numbers: numberLocale, dates: numberLocale }) : null
  const named = (row: Cell[]): Cell[] => row.map((cell, at) => nameOf(cell, table.columns[at]) ?? cell)
  const rows = async function* () {
    for await (const row of table.rows()) yield named(row)
  }
  return { ...file, table: { ...table, sample: table.sample.map(named), rows } }
}

const isShare = ({ kind, format }: FileColumn): boolean => kind === 'changePercent' || format.style === 'percent'
const isFigure = (column: FileColumn): boolean => columnKind({ ...column, key: '', label: '' }) === 'number'
const withTotalName = (totals: Cell[] | null): Cell[][] =>
  totals ? [totals.map((cell, at) => (at === 0 && cell === null ? 'Total' : cell))] : []

/** A part of one stands as per cent with two decimals, under a heading that says so. */
async function* csvRows({ table }: TableFile): AsyncGenerator<(CsvCell | boolean)[]> {
  const { columns, heads } = table
  const shares = columns.map((column) => isFigure(column) && isShare(column))
  const asShown = (row: Cell[]): (CsvCell | boolean)[] =>
    row.map((cell, at) => {
      if (shares[at] === true && typeof cell === 'number') return Math.round(cell * 10_000) / 100
      const column = columns[at]
      return column && isFigure(column) ? exactNumber(cell) : cell
    })
  yield heads.map((head, at) => (shares[at] === true && columns[at]?.kind !== 'changePercent' ? `${head} (%)` : head))
  for await (const row of table.rows()) yield asShown(row)
  yield* withTotalName(table.totals).map(asShown)
}

const DECIMAL = /^-?\d+(\.\d+)?$/
/** Exact decimals travel as text: they are figures all the same. */
const exactNumber = (cell: Cell): CsvCell | boolean =>
  typeof cell === 'string' && DECIMAL.test(cell) ? { decimal: cell } : cell

const zeros = (count: number): string => (count > 0 ? `.${'0'.repeat(count)}` : '')

/** Digits of a currency with its sign where the locale puts it: `#,##0.00 "kr"`. */
function currencyFormat(currency: string, locale: string, decimals: number | null): string {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = new Intl.NumberFormat(locale, options)
  const digits = `#,##0${zeros(decimals ?? format.resolvedOptions().maximumFractionDigits ?? 2)}`
  const parts = format.formatToParts(1).map(({ type, value }) => {
    if (type === 'integer') return digits
    return type === 'fraction' || type === 'decimal' ? '' : `"${value.replaceAll('"', '')}"`
  })
  return parts.join('')
}

function dateFormat({ type, grain }: FileColumn): NumberFormatCode {
  if (grain === 'month') return 'mmm yyyy'
  if (grain === 'year') return 'yyyy'
  return (type === 'datetime' && grain === undefined) || grain === 'hour' ? LOCAL_DATE_TIME : LOCAL_DATE
}

function numberFormat({ table, numberLocale }: SheetFile, at: number): NumberFormatCode | undefined {
  const column = table.columns[at]
  if (!column) return undefined
  if (columnKind({ ...column, key: '', label: '' }) === 'date') return dateFormat(column)
  if (!isFigure(column)) return undefined
  const cells = table.sample.map((row) => row[at] ?? null)
  return figureFormat(column, cells, numberLocale)
}

/** How a workbook shows the figures of a column: with the decimals that these of them need. */
export function figureFormat(column: FileColumn, cells: readonly Cell[], locale: string): NumberFormatCode {
  if (isShare(column)) return '0.0%'
  const values = cells.flatMap((cell) => {
    const value = Number(cell ?? NaN)
    return Number.isFinite(value) ? [value] : []
  })
  if (column.format.style !== 'currency') return `#,##0${zeros(columnDecimals(column, values))}`
  return currencyFormat(column.format.currency, locale, values.every(Number.isInteger) ? 0 : null)
}

const WIDTH_MIN = 10
const WIDTH_MAX = 48
/** Of the first rows, for widths. */
const WIDTH_ROWS = 100

function xlsxColumn(file: SheetFile, at: number): XlsxColumn {
  const head = file.table.heads[at] ?? ''
  const lengths = file.table.sample.slice(0, WIDTH_ROWS).map((row) => String(row[at] ?? '').length)
  const width = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, head.length, ...lengths) + 3)
  const format = numberFormat(file, at)
  return { head, width, ...(format === undefined ? {} : { numberFormat: format }) }
}

async function* xlsxRows({ table, timeZone }: SheetFile): AsyncGenerator<XlsxCell[]> {
  const kinds = table.columns.map((column) => columnKind({ ...column, key: '', label: '' }))
  const cellOf = (cell: Cell, at: number): XlsxCell => {
    if (typeof cell !== 'string') return cell
    if (kinds[at] === 'date') return toSerial(cell, timeZone) ?? cell
    return kinds[at] === 'number' && Number.isFinite(Number(cell)) && cell !== '' ? Number(cell) : cell
  }
  for await (const row of table.rows()) yield row.map(cellOf)
  yield* withTotalName(table.totals).map((row) => row.map(cellOf))
}

/** Answers with a file. */
export function sendDownload(c: AppContext, { contentType, fileName, body }: Download): Response {
  c.header('Content-Type', contentType)
  c.header('Content-Disposition', attachmentHeader(fileName))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(body, 200)
}
