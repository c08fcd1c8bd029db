import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { MISSING_VALUE } from '../../lib/format'
import { toNumber } from '../../ui/chart/figure-format'
import type { CellFormatter } from '../../ui/chart/figure-format'
import { humanizeLabel } from '../../lib/filters/fields'

/** Whether a column holds figures, which stand to the right. */
export const isNumericResultColumn = (column: ResultColumn): boolean =>
  column.kind !== 'dimension' && column.role !== 'id' && (column.type === 'number' || column.type === 'integer')

/** The columns of a table: amounts show minor units in all of its cells, or in none. */
export const withEvenMinorUnits = ({ columns, rows, totals }: QueryResult): (ResultColumn & { minor?: boolean })[] =>
  columns.map((column, at) => {
    if (column.format.style !== 'currency') return column
    const cells = [...rows, ...(totals ? [totals] : [])].map((row) => toNumber(row[at] ?? null))
    return { ...column, minor: cells.some((cell) => cell !== null && !Number.isInteger(cell)) }
  })

export function formatResultCell(cell: Cell, column: ResultColumn, format: CellFormatter): string {
  if (column.kind === 'changePercent') {
    const share = toNumber(cell)
    return share === null ? MISSING_VALUE : format.percent(share, true)
  }
  if (column.kind === 'change') return cell === null ? MISSING_VALUE : format.signed(cell, column)
  return column.kind === 'dimension' || column.role === 'id' ? format.label(cell, column) : format.full(cell, column)
}

/** A header as a person reads it; the figures of before are called by their period. */
export function columnHeader(column: ResultColumn, { period }: QueryResult): string {
  if (column.kind === 'column') return column.label
  if (column.kind === 'previous' && period?.compare)
    return column.label.replace(/, before$/, `, ${period.compare.label}`)
  return humanizeLabel(column.label)
}
