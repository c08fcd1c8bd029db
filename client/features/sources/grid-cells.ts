import { isInvalidCell, parseCell, needsReparse } from './cell-reading'
import type { Formatter } from '../../lib/format'
import type { FileColumn, FileInspection, PreviewCell } from '../../../src/shared/files'

/**
 * The shown rows as they will be loaded: what the server read, and for columns the person changed a quick reading of
 * the raw text, so that the change shows at once. Columns of the answer follow `columns`.
 */
export function previewCells(
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
      const { type, decimalMark = settings.decimalMark, dateOrder = settings.dateOrder } = column
      return parseCell(raw[column.index] ?? '', { type, decimalMark, dateOrder })
    }),
  )
}

/** Bad cells of each column among the shown rows. */
export const countInvalidCells = (
  cells: readonly (readonly PreviewCell[])[],
  columns: readonly FileColumn[],
): number[] => columns.map((_column, at) => cells.reduce((sum, row) => sum + (isInvalidCell(row[at]) ? 1 : 0), 0))

/** A loaded value in the workspace's own notation, so that the reading shows. */
export function formatCell(cell: PreviewCell | undefined, column: FileColumn, format: Formatter): string {
  if (cell === null || cell === undefined || cell === '') return ''
  if (isInvalidCell(cell)) return cell.bad
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  if (column.role !== 'id' && (typeof cell === 'number' || column.type === 'number'))
    return formatNumericCell(cell, column, format)
  if (column.type === 'date') return format.date(String(cell))
  return column.type === 'datetime' ? format.moment(String(cell)) : String(cell)
}

function formatNumericCell(
  cell: string | number,
  { format: style, type, scale }: FileColumn,
  format: Formatter,
): string {
  if (style.style === 'currency') return format.money(cell, style.currency)
  if (style.style === 'percent') return format.percent(cell, 2)
  if (type === 'integer' || scale !== undefined) return format.fixed(cell, scale ?? 0)
  return format.decimal(cell, 6)
}

export const isRightAligned = ({ type, role }: FileColumn): boolean =>
  (type === 'number' || type === 'integer') && role !== 'id'
