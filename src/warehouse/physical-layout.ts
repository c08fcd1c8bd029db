import type { CatalogueDataset, ColumnBounds } from './contract'
import type { Manifest } from './segments/manifest'
import type { RelationEdge, UnusedRelation } from './query/plan/relation-graph'
import type { ColumnKey } from '../shared/data-sources/files'

/** A dataset together with where its rows lie now. Bound to the moment it was read: never kept over an await. */
export interface LiveDataset extends CatalogueDataset {
  /** Number of the table set: its tables are `t<n>`, `t<n>_1`, `t<n>_2` … */
  tableSet: number
  /** Column keys by column group, in the order of the tables. */
  layout: ColumnKey[][]
  /** For `integer`, `number`, `date` and `datetime` columns. */
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
  /** Its chunks. Null: its rows lie in tables, as an earlier release kept them. */
  manifest: Manifest | null
}

/** Where one column lies. Both names are generated (`t12_1`, `c7`): safe to write into SQL, quoted. */
interface PhysicalColumn {
  table: string
  column: string
}

export interface PhysicalDataset {
  /** All tables of the dataset. Every row is in each of them under the same `rowid`; the first one drives. */
  tables: [string, ...string[]]
  /** Only the columns that exist for the asker; others are not in the map. */
  columns: ReadonlyMap<ColumnKey, PhysicalColumn>
}

/** Name of the table of one column group. */
export const tableName = (tableSet: number, group: number): string =>
  group === 0 ? `t${tableSet}` : `t${tableSet}_${group}`

/** Where the columns of a dataset lie. Wider ones than a table can hold are split; join the tables on `rowid`. */
export function physicalTables(dataset: LiveDataset): PhysicalDataset {
  const visible = new Set(dataset.columns.map((column) => column.key))
  const columns = new Map<ColumnKey, PhysicalColumn>()
  for (const [group, keys] of dataset.layout.entries()) {
    const table = tableName(dataset.tableSet, group)
    for (const key of keys) if (visible.has(key)) columns.set(key, { table, column: key })
  }
  const [, ...others] = dataset.layout.map((_, group) => tableName(dataset.tableSet, group))
  return { tables: [tableName(dataset.tableSet, 0), ...others], columns }
}

/** What the query room may ask about datasets. Deleted, foreign and hidden things do not exist in it. */
export interface QueryCatalogue {
  /** Null when it does not exist for this scope or holds no rows yet. */
  find(datasetId: string): LiveDataset | null
  /** Confirmed relations between datasets that exist for this scope, along columns that do. */
  edges: readonly RelationEdge[]
  /** Others between them, for refusals to name. Absent: none. */
  unused?: readonly UnusedRelation[]
}
