import type { WarehouseContext } from '../room'
import { groupTable, quotedName } from '../tables'
import type { TableSet } from '../tables'
import type { Column, ColumnKey } from '../../shared/sources'

interface InsertBatch {
  /** JSON array of rows. */
  rows: string
  /** Columns in the order of a row's cells. */
  columns: Column[]
  /** Number of the last row that is already there. */
  after: number
  /** Columns whose cells may come wrapped, as unscaled numbers. */
  wrapped: ReadonlySet<ColumnKey>
}

/**
 * Puts a batch into every column group, one statement each: SQLite reads the JSON itself, once, into its binary form
 * (`jsonb_each`), in which cells are found without parsing the row again for each.
 * Answers the rows written per group.
 */
export function insertBatch(context: WarehouseContext, set: TableSet, batch: InsertBatch): number[] {
  const position = new Map(batch.columns.map((column, index) => [column.key, { column, index }]))
  return set.layout.map((keys, group) => {
    const cells = keys.flatMap((key) => {
      const found = position.get(key)
      return found ? [{ key, sql: cellSql(found.column, { index: found.index, wrapped: batch.wrapped.has(key) }) }] : []
    })
    const names = ['r', ...cells.map((cell) => cell.key)].map(quotedName).join(', ')
    const values = ['? + key', ...cells.map((cell) => cell.sql)].join(', ')
    const statement = `INSERT INTO ${groupTable(set, group)} (${names}) SELECT ${values} FROM jsonb_each(?)`
    return context.sql.exec(statement, batch.after + 1, batch.rows).rowsWritten
  })
}

/** Numbers without a scale are always REAL, whole ones too; wrapped cells stay unscaled REALs until the load ends. */
function cellSql(column: Column, cell: { index: number; wrapped: boolean }): string {
  const at = `'$[${cell.index}]`
  const plain = `value ->> ${at}'`
  if (column.type !== 'number') return plain
  if (column.scale === undefined) return `CAST(${plain} AS REAL)`
  if (!cell.wrapped) return plain
  return `CASE json_type(value, ${at}') WHEN 'array' THEN CAST(value ->> ${at}[0]' AS REAL) ELSE ${plain} END`
}
