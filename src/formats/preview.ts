import type { CsvSettings, FileColumn, PreviewCell } from '../shared/files'
import { formatIsoDate, formatIsoDateTime } from './date-text'
import { createRowParser } from './row-typer'

type PreviewDefaults = Pick<CsvSettings, 'decimalMark' | 'dateOrder'>
type CellFormatter = (cells: string[]) => PreviewCell

/** Reads cells of one column as the load will, and shows them as values. */
function columnFormatter(column: FileColumn, previewDefaults: PreviewDefaults): CellFormatter {
  const { index, label, type, scale, zoned, decimalMark, dateOrder } = column
  const shape = { key: 'c0', label, type } as const
  const typer = createRowParser(
    [
      {
        column: { ...shape, ...(scale === undefined ? {} : { scale }), ...(zoned === undefined ? {} : { zoned }) },
        file: { index, decimalMark, dateOrder },
      },
    ],
    previewDefaults,
  )
  return (cells) => {
    const typed = typer.parse(cells, 1)
    if (!typed.ok) return { bad: cells[index] ?? '' }
    const [value = null] = typed.values
    if (Array.isArray(value)) return value[0]
    if (typeof value !== 'number') return value
    switch (type) {
      case 'boolean':
        return value === 1
      case 'date':
        return formatIsoDate(value)
      case 'datetime':
        return formatIsoDateTime(value, zoned === true)
      case 'number':
        return scale === undefined ? value : value / 10 ** scale
      case 'integer':
      case 'text':
        return value
    }
  }
}

/** First rows as they will be loaded; a cell that cannot be read is `{ bad: text }`. */
export function buildTypedPreview(
  rows: string[][],
  columns: FileColumn[],
  previewDefaults: PreviewDefaults,
): PreviewCell[][] {
  const shows = columns.map((column) => columnFormatter(column, previewDefaults))
  return rows.map((cells) => shows.map((show) => show(cells)))
}
