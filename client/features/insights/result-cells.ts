import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { NOTHING } from '../../lib/format'
import { numeric } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { readable } from '../../lib/filters/fields'

/** Whether a column holds figures, which stand to the right. */
export const isFigure = (column: ResultColumn): boolean =>
  column.kind !== 'dimension' && column.role !== 'id' && (column.type === 'number' || column.type === 'integer')

/** The columns of a table: amounts show minor units in all of its cells, or in none. */
export const evenColumns = ({ columns, rows, totals }: QueryResult): (ResultColumn & { minor?: boolean })[] =>
  columns.map((column, at) => {
    if (column.format.style !== 'currency') return column
    const cells = [...rows, ...(totals ? [totals] : [])].map((row) => numeric(row[at] ?? null))
    return { ...column, minor: cells.some((cell) => cell !== null && !Number.isInteger(cell)) }
  })

export function cellText(cell: Cell, column: ResultColumn, format: FigureFormat): string {
  if (column.kind === 'changePercent') {
    const share = numeric(cell)
    return share === null ? NOTHING : format.percent(share, true)
  }
  if (column.kind === 'change') return cell === null ? NOTHING : format.signed(cell, column)
  return column.kind === 'dimension' || column.role === 'id' ? format.label(cell, column) : format.full(cell, column)
}

/** A header as a person reads it; the figures of before are called by their period. */
export function headerText(column: ResultColumn, { period }: QueryResult): string {
  if (column.kind === 'column') return column.label
  if (column.kind === 'previous' && period?.compare)
    return column.label.replace(/, before$/, `, ${period.compare.label}`)
  return readable(column.label)
}
