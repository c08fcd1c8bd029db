import type { ReactNode } from 'react'
import type { ColumnMask } from '../../../src/shared/data-access/rules'
import type { ColumnKind, TableView } from '../../../src/shared/query/table-view'

/** A column of a table as the table needs to know it. */
export interface DataColumn {
  key: string
  label: string
  /** What its heading means. */
  hint?: string
  kind: ColumnKind
  /** Drawn in place of the label, which stays its name; sorting has a button of its own then. */
  head?: ReactNode
  /** Only this much of each value is shown. */
  mask?: ColumnMask
  /** Its filter is typed in per cent while the values are parts of one. */
  percent?: boolean
  /** Its filter compares whole values: the server looks for parts of texts only. */
  exact?: boolean
  sortable: boolean
  filterable: boolean
}

export type TableFileFormat = 'csv' | 'xlsx'
/** Writes what is shown, all of it, into a file. */
export type TableExport = (format: TableFileFormat) => Promise<void>

export interface DataTableProps {
  caption: string
  columns: readonly DataColumn[]
  view: TableView
  onView: (view: TableView) => void
  /** Rows that are here, in the order in which they are shown. */
  loaded: number
  /** Rows there are, under the filters. */
  rowCount: number
  /** Rows there are without filters, where that is known. */
  allRows?: number
  /** There are more rows, nobody knows how many. */
  isPartial?: boolean
  /** One of the rows is what is left of all others: it is not counted. */
  hasOther?: boolean
  /** A cell as it is shown. */
  cellText: (row: number, column: number) => string
  /** A cell as it is copied: figures without units and grouping, so that spreadsheets take them as figures. */
  copiedText: (row: number, column: number) => string
  /** What is drawn in place of a cell's text, where it is more than one. */
  drawCell?: (row: number, column: number) => ReactNode
  /** Which thing a row is about, so that it keeps its state in another order. Without it rows are known by their place. */
  rowKey?: (row: number) => string
  /** The first cell names its row. */
  hasRowNames?: boolean
  /** Below the rows, by column. */
  totals?: readonly string[] | null
  /** Called when the last loaded rows come into sight and there are more. */
  onNeedRows?: () => void
  /** The last cell of every row. */
  action?: { label: string; cell: (row: number) => ReactNode }
  /** A click on a row, or Enter in one of its cells. */
  onPickRow?: ((row: number) => void) | undefined
  /** The same with the other button of the mouse. */
  onMenuRow?: ((row: number) => void) | undefined
  isPicked?: (row: number) => boolean
  exportAs?: TableExport | undefined
  /** Both where absent. */
  exportFormats?: readonly TableFileFormat[]
}
