import type {
  ColumnType,
  DateOrder,
  DecimalMark,
  FileColumn,
  PreviewCell,
  FileInspection,
} from '../../../../src/shared/data-sources/files'
import { isCode } from '../../../../src/shared/query/table-view'
import type { Formatter } from '../../../../src/shared/figures/formatter'
import { applyColumnEdits, type FileColumnEdits } from '../columns/file-column-edits'

/**
 * A quick reading of shown cells, for columns whose type or marks the person changed: the server reads the file
 * itself when it loads, by its own and stricter rules.
 */
export interface CellFormat {
  type: ColumnType
  decimalMark: DecimalMark
  dateOrder: DateOrder
  /** Bare numbers are days as spreadsheets count them. */
  serialDates?: boolean | undefined
  /** What stands for no value among texts. */
  emptyMarker?: string | undefined
}

const WHITESPACE = /[\s\u00a0\u202f']/g
const UNIT_AFFIXES = /^(?:kr|sek|eur|usd|gbp|nok|dkk|€|\$|£)|(?:kr|sek|eur|usd|gbp|nok|dkk|€|\$|£|%|:-)$/gi
const TRUE_TEXT = /^(true|yes|ja|y|j|1|t)$/i
const FALSE_TEXT = /^(false|no|nej|n|0|f)$/i

const isNumericText = (text: string): text is `${number}` => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

/** The text of a number with a point as its decimal mark; null when it is none. */
export function normalizeNumber(raw: string, mark: DecimalMark): string | null {
  let text = raw.trim().replace(UNIT_AFFIXES, '').replaceAll(WHITESPACE, '').replace('\u2212', '-')
  if (/^\(.*\)$/.test(text)) text = `-${text.slice(1, -1)}`
  if (/^[\d.,]+-$/.test(text)) text = `-${text.slice(0, -1)}`
  const group = mark === ',' ? '.' : ','
  const at = text.indexOf(mark)
  const whole = at === -1 ? text : text.slice(0, at)
  const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+$`)
  if (whole.includes(group) && !grouped.test(whole)) return null
  const plain = `${whole.replaceAll(group, '')}${at === -1 ? '' : `.${text.slice(at + 1)}`}`
  return isNumericText(plain) ? plain : null
}

/** Decimals written in a raw number; 0 when it has none. */
export function countDecimals(raw: string, mark: DecimalMark): number {
  const plain = normalizeNumber(raw, mark)
  return plain?.split('.')[1]?.length ?? 0
}

/** `2026-01-31` from a date in this order; null when no such day exists. */
export function toIsoDate(raw: string, order: DateOrder): string | null {
  const parts = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/.exec(raw.trim())
  if (!parts) return null
  const [, a = '', b = '', c = ''] = parts
  const [y, m, d] = a.length === 4 || order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
  const year = Number(y) + (y.length <= 2 ? 2000 : 0)
  const day = new Date(Date.UTC(year, Number(m) - 1, Number(d)))
  const real = day.getUTCMonth() === Number(m) - 1 && day.getUTCDate() === Number(d)
  return real ? day.toISOString().slice(0, 10) : null
}

const SERIAL_DATE = /^[2-7]\d{4}$/
const SERIAL_OF_1970 = 25_569
const DAY_MS = 86_400_000
/** The day that a spreadsheet counts so: 45292 is 2024-01-01. */
const serialToIso = (serial: number): string => new Date((serial - SERIAL_OF_1970) * DAY_MS).toISOString().slice(0, 10)

const SHORT_DATE = /^\d{6}$/
/** `yymmdd`; two-digit years turn at 70. */
function shortToIso(text: string): string | null {
  const century = Number(text.slice(0, 2)) < 70 ? '20' : '19'
  return toIsoDate(`${century}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`, 'ymd')
}

function parseNumberCell(raw: string, { type, decimalMark }: CellFormat): PreviewCell {
  const plain = normalizeNumber(raw, decimalMark)
  if (plain === null || (type === 'integer' && plain.includes('.'))) return { bad: raw }
  return Number(plain)
}

/** A raw cell as this reading takes it; `{ bad }` when it cannot. */
export function parseCell(raw: string, cellFormat: CellFormat): PreviewCell {
  if (raw.trim() === '') return null
  switch (cellFormat.type) {
    case 'text':
      return raw.trim().toLowerCase() === cellFormat.emptyMarker?.toLowerCase() ? null : raw
    case 'integer':
    case 'number':
      return parseNumberCell(raw, cellFormat)
    case 'boolean':
      return TRUE_TEXT.test(raw.trim()) ? true : FALSE_TEXT.test(raw.trim()) ? false : { bad: raw }
    case 'date':
      if (cellFormat.serialDates === true && SERIAL_DATE.test(raw.trim())) return serialToIso(Number(raw))
      if (cellFormat.serialDates === true && SHORT_DATE.test(raw.trim())) return shortToIso(raw.trim()) ?? { bad: raw }
      return toIsoDate(raw.trim().split(/[T ](?=\d\d:)/)[0] ?? raw, cellFormat.dateOrder) ?? { bad: raw }
    case 'datetime': {
      const [date = '', time] = raw.trim().split(/[T ](?=\d{1,2}:)/)
      const day = toIsoDate(date, cellFormat.dateOrder)
      return day === null ? { bad: raw } : time === undefined ? day : `${day} ${time}`
    }
  }
}

/** Whether the person's column reads its cells otherwise than inspection did. */
const needsReparse = (found: FileColumn, column: FileColumn): boolean =>
  found.type !== column.type ||
  found.decimalMark !== column.decimalMark ||
  found.dateOrder !== column.dateOrder ||
  column.keepsMarker === true

export const isInvalidCell = (cell: PreviewCell | undefined): cell is { bad: string } =>
  typeof cell === 'object' && cell !== null

/**
 * The shown rows as they will be loaded: what the server read, and for columns the person changed a quick reading of
 * the raw text, so that the change shows at once. Columns of the answer follow `columns`.
 */
function previewCells(
  inspection: Pick<FileInspection, 'columns' | 'preview' | 'typedPreview' | 'settings'>,
  columns: readonly FileColumn[],
): PreviewCell[][] {
  const { preview, typedPreview, settings } = inspection
  const reparsed = columns.map((column, at) => {
    const found = inspection.columns[at]
    return found !== undefined && needsReparse(found, column)
  })
  return preview.map((raw, row) =>
    columns.map((column, at) => {
      if (!reparsed[at]) return typedPreview[row]?.[at] ?? null
      const { type, decimalMark = settings.decimalMark, dateOrder = settings.dateOrder, serialDates } = column
      const emptyMarker = column.keepsMarker === true ? undefined : column.emptyMarker
      return parseCell(raw[column.index] ?? '', { type, decimalMark, dateOrder, serialDates, emptyMarker })
    }),
  )
}

/** Bad cells of each column among the shown rows. */
const countInvalidCells = (cells: readonly (readonly PreviewCell[])[], columns: readonly FileColumn[]): number[] =>
  columns.map((_column, at) => cells.reduce((sum, row) => sum + (isInvalidCell(row[at]) ? 1 : 0), 0))

/** Shown rows that a load would reject: one cell that cannot be read, of a column that is loaded, is enough. */
export const invalidRowCount = ({ columns, cells }: Pick<ParsedTable, 'columns' | 'cells'>): number =>
  cells.filter((row) => columns.some(({ include }, at) => include && isInvalidCell(row[at]))).length

/** A loaded value in the workspace's own notation, so that the reading shows. */
export function formatCell(cell: PreviewCell | undefined, column: FileColumn, format: Formatter): string {
  if (cell === null || cell === undefined || cell === '') return ''
  if (isInvalidCell(cell)) return cell.bad
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  if (!isCode(column) && (typeof cell === 'number' || column.type === 'number'))
    return formatNumericCell(cell, column, format)
  if (column.type === 'date') return format.date(String(cell))
  return column.type === 'datetime' ? format.moment(String(cell)) : String(cell)
}

/** A figure with the decimals that its column keeps. */
function formatNumericCell(
  cell: string | number,
  { format: style, type, scale }: Pick<FileColumn, 'format' | 'type' | 'scale'>,
  format: Formatter,
): string {
  if (style.style === 'currency') return format.money(cell, style.currency)
  if (style.style === 'percent') return format.percent(cell)
  if (type === 'integer' || scale !== undefined) return format.fixed(cell, scale ?? 0)
  return format.decimal(cell, 6)
}

export const isRightAligned = ({ type, role }: Pick<FileColumn, 'type'> & Partial<Pick<FileColumn, 'role'>>): boolean =>
  (type === 'number' || type === 'integer') && role !== 'id'

/** A table as it would be loaded: what inspection found, with the person's edits laid over. */
export interface ParsedTable {
  columns: FileColumn[]
  cells: PreviewCell[][]
  /** Unreadable cells of each column among the shown rows. */
  bad: number[]
}

export const EMPTY_PARSED_TABLE: ParsedTable = { columns: [], cells: [], bad: [] }
const parsedTables = new WeakMap<FileInspection, { edits: FileColumnEdits; reading: ParsedTable }>()

/** Reads anew only when the inspection or the edits are others: twenty tables of hundreds of columns are not read at every key. */
export function parseTable(inspection: FileInspection, edits: FileColumnEdits): ParsedTable {
  const before = parsedTables.get(inspection)
  if (before?.edits === edits) return before.reading
  const columns = applyColumnEdits(inspection.columns, edits)
  const cells = previewCells(inspection, columns)
  const reading = { columns, cells, bad: countInvalidCells(cells, columns) }
  parsedTables.set(inspection, { edits, reading })
  return reading
}

/** Most decimals among the shown cells, at most the four that are kept exactly. */
export function maxDecimals(inspection: FileInspection, column: FileColumn): number {
  const mark = column.decimalMark ?? inspection.settings.decimalMark
  return inspection.preview.reduce(
    (most, row) => Math.min(4, Math.max(most, countDecimals(row[column.index] ?? '', mark))),
    0,
  )
}
