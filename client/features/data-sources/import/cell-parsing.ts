import type { FileColumn, PreviewCell, FileInspection } from '../../../../src/shared/data-sources/files'
import { isCode } from '../../../../src/shared/query/table-view'
import type { Formatter } from '../../../../src/shared/figures/formatter'
import { parseDateTime } from '../../../../src/shared/values/parse-date'
import { parseNumber } from '../../../../src/shared/values/parse-number'
import { buildTypedPreview } from '../../../../src/shared/values/typed-preview'
import { applyColumnEdits, type FileColumnEdits } from '../columns/file-column-edits'

/** Whether the person's column reads its cells otherwise than inspection did. */
const needsReparse = (found: FileColumn, column: FileColumn): boolean =>
  found.type !== column.type ||
  found.decimalMark !== column.decimalMark ||
  found.dateOrder !== column.dateOrder ||
  column.keepsMarker === true

export const isInvalidCell = (cell: PreviewCell | undefined): cell is { bad: string } =>
  typeof cell === 'object' && cell !== null

/**
 * The shown rows as they will be loaded: what the server read, and for columns the person changed the same reading of the
 * raw text, so that the change shows at once. Columns of the answer follow `columns`.
 */
export function previewCells(
  inspection: Pick<FileInspection, 'columns' | 'preview' | 'typedPreview' | 'settings'>,
  columns: readonly FileColumn[],
): PreviewCell[][] {
  const { preview, typedPreview, settings } = inspection
  const changed = columns.flatMap((column, at) => {
    const found = inspection.columns[at]
    return found !== undefined && needsReparse(found, column) ? [at] : []
  })
  const anew = buildTypedPreview(
    preview,
    changed.flatMap((at) => columns[at] ?? []),
    settings,
  )
  return preview.map((_raw, row) =>
    columns.map((_column, at) => {
      const place = changed.indexOf(at)
      return (place === -1 ? typedPreview[row]?.[at] : anew[row]?.[place]) ?? null
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

/** What the shown cells of a column say of how a new type keeps them exactly. */
export function precisionFor(
  { preview, settings }: Pick<FileInspection, 'preview' | 'settings'>,
  column: FileColumn,
  type: FileColumn['type'] | undefined,
): Pick<FileColumn, 'scale' | 'zoned'> {
  const cells = preview.map((row) => (row[column.index] ?? '').trim())
  if (type === 'number') {
    const mark = column.decimalMark ?? settings.decimalMark
    return { scale: cells.reduce((most, cell) => Math.min(SCALE_MAX, Math.max(most, countDecimals(cell, mark))), 0) }
  }
  if (type !== 'datetime') return {}
  const order = column.dateOrder ?? settings.dateOrder
  return { zoned: cells.some((cell) => parseDateTime(cell, order)?.zoned === true) }
}

/** The most decimals that are kept exactly. */
const SCALE_MAX = 4

/** Decimals that it takes to keep a number: those written, of a percentage two more. 0 of what is no number. */
function countDecimals(cell: string, mark: FileInspection['settings']['decimalMark']): number {
  const number = parseNumber(cell, mark)
  return number === null ? 0 : number.written + (number.percent ? 2 : 0)
}
