import type { CatalogueDataset } from './contract'
import { firstRow, type WarehouseContext } from './context'
import { liveDatasets } from './live-tables/live-places'
import { canRead, columnsWithin, coveredColumns, hiddenColumns, masksOf } from '../identity/access/visible-dataset'
import type { ScopeWire } from '../scope'
import { ProductError } from '../shared/errors'
import type { Column } from '../shared/data-sources/data-sources'
import type { ColumnKey } from '../shared/data-sources/files'

/** A dataset as the catalogue keeps it, hidden and deleted things included. */
export interface StoredDataset extends CatalogueDataset {
  /** Null until the first load has finished. */
  tableSet: number | null
  /** Of the file that is exactly its content; null when it grew from several. */
  contentHash: string | null
  deletedAt: number | null
  purged: boolean
}

type DatasetRow = {
  id: string
  source_id: string
  name: string
  columns: string
  key_columns: string
  row_count: number
  bytes: number
  data_version: number
  table_set: number | null
  content_hash: string | null
  loaded_at: number | null
  deleted_at: number | null
  purged: number
}

function parseDataset(row: DatasetRow): StoredDataset {
  const columns: Column[] = JSON.parse(row.columns)
  const keyColumns: ColumnKey[] = JSON.parse(row.key_columns)
  const { id, name, bytes } = row
  const rows = { rowCount: row.row_count, bytes, dataVersion: row.data_version, loadedAt: row.loaded_at }
  const state = { tableSet: row.table_set, contentHash: row.content_hash, deletedAt: row.deleted_at }
  return { id, sourceId: row.source_id, name, columns, keyColumns, ...rows, ...state, purged: row.purged === 1 }
}

/** Regardless of scope: for loads, which act on one dataset they already hold. */
export function findDataset(context: WarehouseContext, datasetId: string): StoredDataset | null {
  const row = firstRow<DatasetRow>(context.sql, 'SELECT * FROM datasets WHERE id = ?', datasetId)
  return row && parseDataset(row)
}

export function saveDataset(context: WarehouseContext, dataset: StoredDataset): void {
  context.sql.exec(
    `INSERT OR REPLACE INTO datasets (id, source_id, name, columns, key_columns, row_count, bytes, data_version,
      table_set, content_hash, loaded_at, deleted_at, purged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    dataset.id,
    dataset.sourceId,
    dataset.name,
    JSON.stringify(dataset.columns),
    JSON.stringify(dataset.keyColumns),
    dataset.rowCount,
    dataset.bytes,
    dataset.dataVersion,
    dataset.tableSet,
    dataset.contentHash,
    dataset.loadedAt,
    dataset.deletedAt,
    dataset.purged ? 1 : 0,
  )
}

/** A dataset that has no rows yet. */
export function emptyDataset(of: Pick<StoredDataset, 'id' | 'sourceId' | 'name' | 'columns'>): StoredDataset {
  const rows = { rowCount: 0, bytes: 0, dataVersion: 0, loadedAt: null, keyColumns: [] }
  return { ...of, ...rows, tableSet: null, contentHash: null, deletedAt: null, purged: false }
}

/** The same of an id: a dataset that no load has finished yet may be read as far as its id says. */
export const canReadId = (context: WarehouseContext, scope: ScopeWire, datasetId: string): boolean =>
  canRead(scope, findDataset(context, datasetId) ?? { id: datasetId })

/** @throws ProductError `not_found` for one outside the scope, just as for one that does not exist. */
export function assertReadable(context: WarehouseContext, scope: ScopeWire, datasetId: string): void {
  if (!canReadId(context, scope, datasetId)) throw new ProductError('not_found')
}

/** A dataset as this scope sees it: hidden columns do not exist, nor do those computed from them or from lost ones. */
export function datasetInScope(scope: ScopeWire, dataset: StoredDataset): CatalogueDataset {
  const { id, sourceId, name, rowCount, bytes, dataVersion, loadedAt } = dataset
  const covered = coveredColumns(scope, id)
  const keyColumns = dataset.keyColumns.filter((key) => !covered.has(key))
  const columns = columnsWithin(scope, dataset)
  return { id, sourceId, name, rowCount, bytes, dataVersion, columns, keyColumns, loadedAt }
}

/** @throws ProductError `not_found` also for deleted ones and those outside the scope. */
export function getReadableDataset(context: WarehouseContext, scope: ScopeWire, datasetId: string): StoredDataset {
  const dataset = findDataset(context, datasetId)
  if (!dataset || dataset.deletedAt !== null || !canRead(scope, dataset)) throw new ProductError('not_found')
  return dataset
}

/** Every dataset that is not deleted, whoever may see it: for what the warehouse does by itself. */
export const activeDatasets = (context: WarehouseContext): StoredDataset[] =>
  context.sql
    .exec<DatasetRow>('SELECT * FROM datasets WHERE deleted_at IS NULL ORDER BY id')
    .toArray()
    .map(parseDataset)

export function listDatasets(context: WarehouseContext, scope: ScopeWire): CatalogueDataset[] {
  const live = liveDatasets(context)
  return activeDatasets(context)
    .filter((dataset) => canRead(scope, dataset))
    .map((dataset) => ({ ...datasetInScope(scope, dataset), ...(live.has(dataset.id) ? { live: true as const } : {}) }))
}

/** Columns that no file fills: they stay whatever is loaded. */
export const calculatedColumns = ({ columns }: Pick<StoredDataset, 'columns'>): Column[] =>
  columns.filter(({ computed }) => computed !== undefined)

/** Takes these in place of the computed columns that a dataset had. */
export function setCalculatedColumns(
  context: WarehouseContext,
  scope: ScopeWire,
  to: { datasetId: string; columns: Column[] },
): CatalogueDataset {
  return context.transaction(() => {
    const dataset = getReadableDataset(context, scope, to.datasetId)
    const stored = dataset.columns.filter(({ computed }) => computed === undefined)
    const taken = new Set(stored.map(({ key }) => key))
    if (to.columns.some(({ key, computed }) => taken.has(key) || computed === undefined))
      throw new ProductError('invalid_input', { fields: { key: 'Each calculated column needs its own key.' } })
    // What the asker does not see, they do not take away.
    const seen = new Set(datasetInScope(scope, dataset).columns.flatMap(({ key, mask }) => (mask ? [] : [key])))
    const unseen = dataset.columns.filter(({ key, computed }) => computed !== undefined && !seen.has(key))
    const changed = { ...dataset, columns: [...stored, ...unseen, ...to.columns] }
    saveDataset(context, changed)
    return datasetInScope(scope, changed)
  })
}

/** What a person may change about a dataset without loading it again. */
export interface DatasetDescription {
  datasetId: string
  name: string
  columns: Pick<Column, 'key' | keyof ColumnPresentation>[]
}

/** @throws ProductError `invalid_input` for a column that is not there. */
export function updateDescription(
  context: WarehouseContext,
  scope: ScopeWire,
  change: DatasetDescription,
): CatalogueDataset {
  return context.transaction(() => {
    const dataset = getReadableDataset(context, scope, change.datasetId)
    const hidden = hiddenColumns(scope, dataset.id)
    const known = new Set(dataset.columns.flatMap(({ key }) => (hidden.has(key) ? [] : [key])))
    const unknown = change.columns.filter((column) => !known.has(column.key))
    if (unknown.length > 0) {
      const fields = Object.fromEntries(unknown.map((column) => [`columns.${column.key}`, 'Column not found.']))
      throw new ProductError('invalid_input', { fields })
    }
    const masked = masksOf(scope, dataset.id)
    const changes = new Map(
      change.columns.flatMap((column) => (masked.has(column.key) ? [] : [[column.key, column] as const])),
    )
    const columns = dataset.columns.map((column) => withPresentation(column, changes.get(column.key)))
    const described = { ...dataset, name: change.name, columns }
    saveDataset(context, described)
    return datasetInScope(scope, described)
  })
}

/** How a column is shown taken from one, how its values lie from the other. */
export function withPresentation(column: Column, look: ColumnPresentation | undefined): Column {
  if (!look) return column
  const { currencyColumn: _pair, minorUnits: _minor, ...lies } = column
  const { label, role, format, hidden, currencyColumn, minorUnits } = look
  const money = {
    ...(currencyColumn === undefined ? {} : { currencyColumn }),
    ...(minorUnits === undefined ? {} : { minorUnits }),
  }
  return { ...lies, label, role, format, hidden, ...money }
}
type ColumnPresentation = Pick<Column, 'label' | 'role' | 'format' | 'hidden' | 'currencyColumn' | 'minorUnits'>
