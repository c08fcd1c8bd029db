import type { Field } from '../query/field'
import type { Column } from './data-sources'
import { additiveMeasureColumns, primaryDateColumn } from './key-columns'

/** A dataset that rows of another point at, along one relation or several. */
export interface RelatedTable {
  id: string
  columns: readonly Column[]
  /** Absent where it is not known. */
  rowCount?: number | undefined
  /** The relations to follow, where the shortest way is not the only one. */
  via: readonly string[]
}
export interface NamedRelatedTable extends RelatedTable {
  name: string
}
/** By its name, a date of a person or a record. */
export const isRecordDate = ({ label }: Pick<Column, 'label'>): boolean => RECORD_DATE_NAMES.test(label)

interface DatedTable {
  id: string
  columns: readonly Column[]
}

/** Dates that say something of a person or a record, not of what happened: "Hire date", "Created at". */
const RECORD_DATE_NAMES =
  /birth|born|hire|created|updated|modified|registered|joined|valid|expir|född|anställ|skapad|ändrad|uppdaterad|registrerad|giltig/i

/**
 * The date that rows are told by: a column of their own, else that of the nearest dataset that they point at, the one
 * with most rows where several are as near (order lines: the order, not the product). Only rows with amounts are told by
 * another's date: customers have no time because whoever looks after them was hired some day.
 * @param related nearest first
 */
export function dateFieldOf(
  home: DatedTable,
  related: readonly (readonly RelatedTable[])[],
): { field: Field; column: Column } | null {
  const own = primaryDateColumn(home.columns)
  if (own) return { field: { dataset: home.id, column: own.key }, column: own }
  if (additiveMeasureColumns(home.columns).length === 0) return null
  for (const level of related) {
    const [nearest] = level
      .flatMap((table) => {
        const column = primaryDateColumn(table.columns.filter((one) => !isRecordDate(one)))
        return column ? [{ table, column }] : []
      })
      .toSorted((a, b) => (b.table.rowCount ?? 0) - (a.table.rowCount ?? 0))
    if (!nearest) continue
    const { table, column } = nearest
    const field = { dataset: table.id, column: column.key }
    return { field: table.via.length === 0 ? field : { ...field, via: [...table.via] }, column }
  }
  return null
}
