import type { FileColumn, FileInspection, PreviewCell } from '../data-sources/files'
import { isoFromDay } from '../dates'
import type { ParsedCell } from './cell-parsers'
import { createCellReader } from './cell-reader'
import { formatIsoDateTime } from './parse-date'

type PreviewDefaults = Pick<FileInspection['settings'], 'decimalMark' | 'dateOrder'>

/** What a stored value is to a reader. */
function previewOf(value: Exclude<ParsedCell, undefined>, { type, scale, zoned }: FileColumn): PreviewCell {
  if (Array.isArray(value)) return value[0]
  if (typeof value !== 'number') return value
  switch (type) {
    case 'boolean':
      return value === 1
    case 'date':
      return isoFromDay(value)
    case 'datetime':
      return formatIsoDateTime(value, zoned === true)
    case 'number':
      return scale === undefined ? value : value / 10 ** scale
    case 'integer':
    case 'text':
      return value
  }
}

/** Reads cells of one column as the load will, and shows them as values. */
function columnFormatter(column: FileColumn, defaults: PreviewDefaults): (cells: readonly string[]) => PreviewCell {
  const { decimalMark = defaults.decimalMark, dateOrder = defaults.dateOrder, keepsMarker, emptyMarker } = column
  const marker = keepsMarker === true ? undefined : emptyMarker
  const { read } = createCellReader({ ...column, decimalMark, dateOrder, emptyMarker: marker })
  return (cells) => {
    const cell = cells[column.index] ?? ''
    const value = cell === '' ? null : read(cell)
    return value === undefined ? { bad: cell } : previewOf(value, column)
  }
}

/** First rows as they will be loaded, a cell of each column; a cell that cannot be read is `{ bad: text }`. */
export function buildTypedPreview(
  rows: readonly (readonly string[])[],
  columns: readonly FileColumn[],
  defaults: PreviewDefaults,
): PreviewCell[][] {
  const shows = columns.map((column) => columnFormatter(column, defaults))
  return rows.map((cells) => shows.map((show) => show(cells)))
}
