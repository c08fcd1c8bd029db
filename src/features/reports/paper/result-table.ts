import type { PaperRow, PaperTable } from '../../../formats/pdf/paper-table'
import { columnLabel } from '../../../shared/query/column-label'
import { columnDecimals } from '../../../shared/query/column-decimals'
import { columnKind } from '../../../shared/query/table-view'
import { toNumber, type CellFormatter, type FormattedColumn } from '../../../shared/figures/cell-formatter'
import type { Cell, QueryResult, ResultColumn } from '../../../shared/query/result'

/** Rows of an answer that a paper shows; a file holds the rest. */
export const PAPER_ROWS_MAX = 200

/** A column whose figures line up: all with the decimals that one of them needs. */
function alignedColumn(column: ResultColumn, result: QueryResult, at: number): FormattedColumn {
  const values = [...result.rows, ...(result.totals ? [result.totals] : [])].flatMap(
    (row) => toNumber(row[at] ?? null) ?? [],
  )
  return {
    ...column,
    decimals: columnDecimals(column, values),
    minor: values.some((value) => !Number.isInteger(value)),
  }
}

/** An answer as a table of a paper, and how many of its rows are not in it. */
export function resultTable(result: QueryResult, format: CellFormatter): { table: PaperTable; left: number } {
  const kinds = result.columns.map((column) => columnKind(column))
  const aligned = result.columns.map((column, at) => alignedColumn(column, result, at))
  const cellText = (cell: Cell, at: number): string => {
    const column = aligned[at]
    if (!column) return ''
    if (column.kind === 'changePercent') return cell === null ? '–' : format.share(toNumber(cell) ?? 0, true)
    return column.kind === 'dimension' ? format.label(cell, column) : format.full(cell, column)
  }
  const shown = result.rows.slice(0, PAPER_ROWS_MAX)
  const rows: PaperRow[] = shown.map((row) => ({ style: 'line', cells: row.map(cellText) }))
  // The sum of one row is that row.
  const sums = result.rowCount > 1 ? result.totals : null
  const totals = sums?.map((cell, at) =>
    at === 0 && cell === null ? 'Total' : cell === null ? '' : cellText(cell, at),
  )
  return {
    table: {
      columns: result.columns.map((column, at) => ({
        heads: [columnLabel(column, result)],
        align: kinds[at] === 'number' ? 'right' : 'left',
      })),
      rows: totals ? [...rows, { style: 'total', cells: totals }] : rows,
    },
    left: Math.max(0, result.rowCount - shown.length),
  }
}
