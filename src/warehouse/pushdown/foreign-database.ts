import type { Dialect } from './dialect'
import type { ForeignTable } from './foreign-table'
import type { Statement } from './sql'
import type { QuerySteps } from '../scheduling/query-scheduler'

/** A row as it travels back: each cell as text. */
export type ForeignRow = readonly (string | null)[]

/** A database that answers for its own rows. */
export interface ForeignDatabase {
  dialect: Dialect
  /** Where a dataset's rows lie; null: not in this database. */
  table(datasetId: string): ForeignTable | null
  /**
   * Reads within a transaction that can write nothing, and within its time.
   * @param rowsMax more rows than these are not read
   * @throws ProductError `source_failed`, `query_too_complex`
   */
  read(statement: Statement, rowsMax: number): Promise<ForeignRow[]>
}

/** Waits for a statement's rows while other questions have their turns. */
export function* readRows(
  database: ForeignDatabase,
  statement: Statement,
  rowsMax: number,
): QuerySteps<readonly ForeignRow[]> {
  let rows: readonly ForeignRow[] = []
  yield database.read(statement, rowsMax).then((found) => {
    rows = found
  })
  return rows
}
