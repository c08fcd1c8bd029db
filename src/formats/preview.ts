import type { CsvSettings, FileColumn, PreviewCell } from '../shared/files'
import { isoDate, isoDateTime } from './date-text'
import { createRowTyper } from './row-typer'

type Defaults = Pick<CsvSettings, 'decimalMark' | 'dateOrder'>
type Show = (cells: string[]) => PreviewCell

/** Reads cells of one column as the load will, and shows them as values. */
function showColumn(column: FileColumn, defaults: Defaults): Show {
  const { index, label, type, scale, zoned, decimalMark, dateOrder } = column
  const shape = { key: 'c0', label, type } as const
  const typer = createRowTyper(
    [
      {
        column: { ...shape, ...(scale === undefined ? {} : { scale }), ...(zoned === undefined ? {} : { zoned }) },
        file: { index, decimalMark, dateOrder },
      },
    ],
    defaults,
  )
  return (cells) => {
    const typed = typer.type(cells, 1)
    if (!typed.ok) return { bad: cells[index] ?? '' }
    const [value = null] = typed.values
    if (Array.isArray(value)) return value[0]
    if (typeof value !== 'number') return value
    switch (type) {
      case 'boolean':
        return value === 1
      case 'date':
        return isoDate(value)
      case 'datetime':
        return isoDateTime(value, zoned === true)
      case 'number':
        return scale === undefined ? value : value / 10 ** scale
      case 'integer':
      case 'text':
        return value
    }
  }
}

/** First rows as they will be loaded; a cell that cannot be read is `{ bad: text }`. */
export function typedPreview(rows: string[][], columns: FileColumn[], defaults: Defaults): PreviewCell[][] {
  const shows = columns.map((column) => showColumn(column, defaults))
  return rows.map((cells) => shows.map((show) => show(cells)))
}
