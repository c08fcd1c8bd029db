import type { ColumnKind } from '../../../src/shared/query/table-view'

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
