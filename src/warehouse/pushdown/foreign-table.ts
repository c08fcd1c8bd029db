import type { ColumnKey } from '../../shared/data-sources/files'

/** The databases that answer for their own rows. */
export type DialectName = 'postgres' | 'mysql' | 'clickhouse'

/** Where the rows of a dataset lie in a foreign database. Names are as its catalogue has them, not quoted. */
export interface ForeignTable {
  schema: string | null
  table: string
  /** Each column's name there. */
  columns: Readonly<Partial<Record<ColumnKey, string>>>
  /** What tells one row from another and orders rows that are otherwise equal; empty: nothing does. */
  rowKey: readonly ColumnKeyOrName[]
  /** Columns of which no two rows have the same values, each as a list of keys. */
  unique: readonly (readonly ColumnKey[])[]
  /** Texts are taken as an import takes them: composed, and blank ones are no value. Absent: as they are stored. */
  textsAsImported?: true
  /** Columns of bytes, which are imported as digits. */
  bytes?: readonly ColumnKey[]
  /** Columns of whole numbers that are kept as exact decimals there, and may hold what is no number. */
  numerics?: readonly ColumnKey[]
}
/** A column's name there: keys of rows may be of columns that the dataset does not have. */
type ColumnKeyOrName = string
