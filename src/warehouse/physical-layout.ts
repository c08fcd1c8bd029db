import type { CatalogueDataset, ColumnBounds } from './contract'
import type { Manifest } from './segments/manifest'
import type { RelationEdge, UnusedRelation } from './query/plan/relation-graph'
import type { ColumnKey } from '../shared/data-sources/files'

/** A dataset together with where its rows lie now. Bound to the moment it was read: never kept over an await. */
export interface LiveDataset extends CatalogueDataset {
  /** Number of the table set. */
  tableSet: number
  /** Keys of the columns that are kept. */
  layout: ColumnKey[][]
  /** For `integer`, `number`, `date` and `datetime` columns. */
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
  /** Its chunks. Null: its rows lie in tables, as an earlier release kept them. */
  manifest: Manifest | null
  /** Its rows stay at their source, which was looked at then (epoch ms). Absent: they lie here. */
  seenAt?: number
  /** Amounts whose currency columns the asker may not see, with these. Absent: none. */
  coveredCurrencies?: Partial<Record<ColumnKey, ColumnKey>>
}

/** Name of the table of one column group. */
export const tableName = (tableSet: number, group: number): string =>
  group === 0 ? `t${tableSet}` : `t${tableSet}_${group}`

/** Whether a column's values are kept, and exist for the asker. */
export const isStored = ({ columns, layout }: Pick<LiveDataset, 'columns' | 'layout'>, key: ColumnKey): boolean =>
  columns.some((column) => column.key === key) && layout.some((keys) => keys.includes(key))

/** What the query room may ask about datasets. Deleted, foreign and hidden things do not exist in it. */
export interface QueryCatalogue {
  /** Null when it does not exist for this scope or holds no rows yet. */
  find(datasetId: string): LiveDataset | null
  /** Confirmed relations between datasets that exist for this scope, along columns that do. */
  edges: readonly RelationEdge[]
  /** Others between them, for refusals to name. Absent: none. */
  unused?: readonly UnusedRelation[]
}
