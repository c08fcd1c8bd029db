import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { PLAIN_VIEW, rowsInView } from '../../../src/shared/query/table-view'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { dimensionText } from '../../../src/shared/query/dimension-text'
import type { Cell, QueryResult } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import type { TextTable } from '../chart/export-page'
import { useResultMasks } from './mask-mark'
import { DataTable } from './data-table'
import { PagedTable } from './paged-table'
import { isFigureColumn, tableColumns } from '../../../src/shared/figures/table-columns'
import { copiedCell, dataColumns, tableCell, totalCell } from './result-cells'
import { useTableExport } from './use-table-export'

export interface ResultTableProps {
  /** The question answered; null where nothing more can be asked of it. */
  plan: QueryPlan | null
  result: QueryResult
  format: CellFormatter
  caption: string
  /** Measures that are shown as per cent. */
  percent?: readonly number[] | undefined
  /** What stands in the last cell of a row; `row` is its place in the answer. */
  action?: { label: string; cell: (row: number) => ReactNode }
  /** A row was clicked; `row` is its place in the answer. */
  onPick?: ((row: number) => void) | undefined
  onMenu?: ((row: number) => void) | undefined
  /** Rows of the answer that stand out. */
  picked?: ReadonlySet<number> | undefined
}

/** The table of an answer: sorted and filtered here where all of its rows are here, by the server otherwise. */
export function ResultTable(props: ResultTableProps) {
  const { plan, result, caption, format, percent } = props
  // Of groups no more are asked for than the question wants: the first customer is not followed by all others.
  const wanted = plan?.kind === 'aggregate' ? (plan.limit ?? Infinity) : Infinity
  const isWhole = result.rows.length >= Math.min(result.rowCount, wanted)
  if (isWhole || plan === null) return <WholeTable {...props} key={columnsKey(result)} />
  return <PagedTable plan={plan} first={result} format={format} caption={caption} percent={percent} />
}

/** The same columns with other rows are the same table: its order, its filters and its place stay, and little is drawn. */
const columnsKey = ({ columns }: QueryResult): string =>
  columns.map(({ key, label, kind, field }) => `${kind} ${key} ${field?.dataset} ${field?.column} ${label}`).join('\n')

/** The same object as before while nothing of it is another. */
function useUnchanged<T>(value: T): T {
  const [kept, setKept] = useState(value)
  const same = replaceEqualDeep(kept, value)
  if (same !== kept) setKept(same)
  return same
}

function WholeTable(props: ResultTableProps) {
  const { plan, result, format, caption, percent, action, onPick, onMenu, picked } = props
  const [view, setView] = useState(PLAIN_VIEW)
  const columns = useMemo(() => tableColumns(result), [result])
  const masks = useResultMasks(columns, plan)
  const textOf = useCallback(
    (cell: Cell, at: number): string | null => dimensionText(cell, columns[at] ?? {}, format.textLocale),
    [columns, format],
  )
  const shown = useMemo(() => rowsInView(result, view, textOf), [result, view, textOf])
  const exportAs = useTableExport({ plan, name: caption, percent }, view)
  const { rows, totals } = result
  const heads = useUnchanged(dataColumns(result, null, masks))
  const text = useCallback(
    (row: number, at: number): string => {
      const column = columns[at]
      return column ? tableCell(rows[shown[row] ?? -1]?.[at] ?? null, column, format) : ''
    },
    [columns, rows, shown, format],
  )
  // The sum of all rows below some of them would be taken for theirs.
  const hasTotals = totals !== null && rows.length > 1 && view.filters.length === 0
  return (
    <DataTable
      {...{ caption, view, exportAs, onView: setView, cellText: text }}
      columns={heads}
      loaded={shown.length}
      rowCount={shown.length}
      allRows={rows.length}
      hasOther={result.otherRow !== null && view.filters.length === 0}
      copiedText={(row, at) => {
        const column = columns[at]
        return column ? copiedCell(rows[shown[row] ?? -1]?.[at] ?? null, column, format) : ''
      }}
      totals={
        hasTotals
          ? columns.map((column, at) => totalCell(tableCell(totals[at] ?? null, column, format), at, column))
          : null
      }
      {...(picked ? { isPicked: (row: number) => picked.has(shown[row] ?? -1) } : {})}
      onPickRow={onPick && ((row) => onPick(shown[row] ?? -1))}
      onMenuRow={onMenu && ((row) => onMenu(shown[row] ?? -1))}
      {...(action ? { action: { label: action.label, cell: (row: number) => action.cell(shown[row] ?? -1) } } : {})}
    />
  )
}

/** The same as texts: for pictures. */
export function resultTextTable(result: QueryResult, format: CellFormatter): TextTable {
  const { rows, totals } = result
  const columns = tableColumns(result)
  const texts = (row: QueryResult['rows'][number]): string[] =>
    columns.map((column, at) => tableCell(row[at] ?? null, column, format))
  const last =
    totals && rows.length > 1
      ? columns.map((column, at) => totalCell(tableCell(totals[at] ?? null, column, format), at, column))
      : null
  return {
    head: dataColumns(result, null).map(({ label }) => label),
    rows: [
      ...rows.map((row) => ({ cells: texts(row), strong: false })),
      ...(last ? [{ cells: last, strong: true }] : []),
    ],
    figures: columns.map(isFigureColumn),
  }
}
