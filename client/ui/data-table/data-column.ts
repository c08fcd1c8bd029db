import type { ReactNode } from 'react'
import type { ColumnKind, TableView } from '../../../src/shared/query/table-view'

/** A column of a table as the table needs to know it. */
export interface DataColumn {
  key: string
  label: string
  kind: ColumnKind
  /** Its filter is typed in per cent while the values are parts of one. */
  percent?: boolean
  /** Its filter compares whole values: the server looks for parts of texts only. */
  exact?: boolean
  sortable: boolean
  filterable: boolean
}

/** Writes what is shown, all of it, into a file. */
export type TableExport = (format: 'csv' | 'xlsx') => Promise<void>

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
  /** A cell as it is shown. */
  cellText: (row: number, column: number) => string
  /** A cell as it is copied: figures without units and grouping, so that spreadsheets take them as figures. */
  copiedText: (row: number, column: number) => string
  /** Below the rows, by column. */
  totals?: readonly string[] | null
  /** Called when the last loaded rows come into sight and there are more. */
  onNeedRows?: () => void
  /** The last cell of every row. */
  action?: { label: string; cell: (row: number) => ReactNode }
  exportAs?: TableExport | undefined
}
