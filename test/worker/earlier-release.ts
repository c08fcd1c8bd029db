import type { WarehouseContext } from '../../src/warehouse/context'
import type { ColumnBounds } from '../../src/warehouse/contract'
import type { TableSet, TableSetKind } from '../../src/warehouse/tables'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../src/shared/data-sources/files'
import type { StorageValue } from '../../src/lib/storage-value'

/** Rows as releases before manifests kept them: in tables of some columns each, joined by the number of the row. */
export interface EarlierSet {
  n: number
  datasetId: string
  kind: TableSetKind
  columns: Column[]
  rows: readonly StorageValue[][]
  /** Numbers of the rows, ascending; absent: from 1 on. Those that were taken out are missing. */
  numbers?: readonly number[]
  /** Columns of a table. */
  perTable?: number
  tip?: number
  bounds?: Partial<Record<ColumnKey, ColumnBounds>>
}

const PER_STATEMENT = 20
export function putEarlierSet({ sql }: Pick<WarehouseContext, 'sql'>, of: EarlierSet): TableSet {
  const { n, datasetId, kind, columns, rows, perTable = 90, tip = 1, bounds = {} } = of
  const layout: ColumnKey[][] = []
  for (let at = 0; at < columns.length; at += perTable) {
    const keys = columns.slice(at, at + perTable).map(({ key }) => key)
    const names = ['r', ...keys].map((name) => `"${name}"`).join(', ')
    const table = `"t${n}${at === 0 ? '' : `_${layout.length}`}"`
    sql.exec(`CREATE TABLE ${table} (r INTEGER PRIMARY KEY, ${keys.map((key) => `"${key}"`).join(', ')})`)
    // From JSON: whole numbers lie as such, as loads brought them.
    const cells = keys.map((_, i) => `json_extract(value, '$[${i + 1}]')`).join(', ')
    for (let from = 0; from < rows.length; from += PER_STATEMENT) {
      const some = rows
        .slice(from, from + PER_STATEMENT)
        .map((row, i) => [of.numbers?.[from + i] ?? from + i + 1, ...row.slice(at, at + keys.length)])
      sql.exec(
        `INSERT INTO ${table} (${names}) SELECT json_extract(value, '$[0]'), ${cells} FROM json_each(?)`,
        JSON.stringify(some),
      )
    }
    layout.push(keys)
  }
  sql.exec(
    'INSERT INTO table_sets (n, dataset_id, kind, layout, columns, bounds, tip) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[n, datasetId, kind, JSON.stringify(layout), JSON.stringify(columns), JSON.stringify(bounds), tip],
  )
  return { n, datasetId, kind, layout, columns, bounds, tip, manifest: null }
}
