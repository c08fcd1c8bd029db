import type { CatalogueDataset } from './contract'
import { first } from './room'
import type { Room } from './room'
import type { ScopeWire } from '../access/scope'
import { ProductError } from '../shared/errors'
import { fieldsOfExpr } from '../shared/plan-fields'
import type { Column, ColumnKey } from '../shared/sources'

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
export function findStored(room: Room, datasetId: string): StoredDataset | null {
  const row = first<DatasetRow>(room.sql, 'SELECT * FROM datasets WHERE id = ?', datasetId)
  return row && parseDataset(row)
}

export function saveDataset(room: Room, dataset: StoredDataset): void {
  room.sql.exec(
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

export const mayRead = (scope: ScopeWire, datasetId: string): boolean =>
  scope.datasets === 'all' || scope.datasets.includes(datasetId)

/** @throws ProductError `not_found` for one outside the scope, just as for one that does not exist. */
export function refuseUnreadable(scope: ScopeWire, datasetId: string): void {
  if (!mayRead(scope, datasetId)) throw new ProductError('not_found')
}

export const hiddenColumns = (scope: ScopeWire, datasetId: string): ReadonlySet<string> =>
  new Set(scope.hidden.filter((field) => field.dataset === datasetId).map((field) => field.column))

/** A dataset as this scope sees it: hidden columns do not exist, nor do those computed from them or from lost ones. */
export function shown(scope: ScopeWire, dataset: StoredDataset): CatalogueDataset {
  const hidden = hiddenColumns(scope, dataset.id)
  const { id, sourceId, name, rowCount, bytes, dataVersion, loadedAt } = dataset
  const columns = withoutBroken(dataset.columns.filter((column) => !hidden.has(column.key)))
  const keyColumns = dataset.keyColumns.filter((key) => !hidden.has(key))
  return { id, sourceId, name, rowCount, bytes, dataVersion, columns, keyColumns, loadedAt }
}

/** @throws ProductError `not_found` also for deleted ones and those outside the scope. */
export function readDataset(room: Room, scope: ScopeWire, datasetId: string): StoredDataset {
  refuseUnreadable(scope, datasetId)
  const dataset = findStored(room, datasetId)
  if (!dataset || dataset.deletedAt !== null) throw new ProductError('not_found')
  return dataset
}

/** Computed columns go with what they are made of, and so do those made of them. */
function withoutBroken(columns: Column[]): Column[] {
  const keys = new Set<string>(columns.map(({ key }) => key))
  const whole = columns.filter(
    ({ computed }) => !computed || fieldsOfExpr(computed).every(({ column }) => keys.has(column)),
  )
  return whole.length === columns.length ? columns : withoutBroken(whole)
}

/** Every dataset that is not deleted, whoever may see it: for what the warehouse does by itself. */
export const liveDatasets = (room: Room): StoredDataset[] =>
  room.sql.exec<DatasetRow>('SELECT * FROM datasets WHERE deleted_at IS NULL ORDER BY id').toArray().map(parseDataset)

export function listDatasets(room: Room, scope: ScopeWire): CatalogueDataset[] {
  return liveDatasets(room)
    .filter((dataset) => mayRead(scope, dataset.id))
    .map((dataset) => shown(scope, dataset))
}

/** Columns that no file fills: they stay whatever is loaded. */
export const computedColumns = ({ columns }: Pick<StoredDataset, 'columns'>): Column[] =>
  columns.filter(({ computed }) => computed !== undefined)

/** Takes these in place of the computed columns that a dataset had. */
export function setComputed(
  room: Room,
  scope: ScopeWire,
  to: { datasetId: string; columns: Column[] },
): CatalogueDataset {
  return room.atomically(() => {
    const dataset = readDataset(room, scope, to.datasetId)
    const stored = dataset.columns.filter(({ computed }) => computed === undefined)
    const taken = new Set(stored.map(({ key }) => key))
    if (to.columns.some(({ key, computed }) => taken.has(key) || computed === undefined))
      throw new ProductError('invalid_input', { fields: { key: 'Each computed column needs a key of its own.' } })
    const changed = { ...dataset, columns: [...stored, ...to.columns] }
    saveDataset(room, changed)
    return shown(scope, changed)
  })
}

/** What a person may change about a dataset without loading it again. */
export interface Description {
  datasetId: string
  name: string
  columns: Pick<Column, 'key' | keyof Look>[]
}

/** @throws ProductError `invalid_input` for a column that is not there. */
export function describe(room: Room, scope: ScopeWire, change: Description): CatalogueDataset {
  return room.atomically(() => {
    const dataset = readDataset(room, scope, change.datasetId)
    const hidden = hiddenColumns(scope, dataset.id)
    const known = new Set(dataset.columns.flatMap(({ key }) => (hidden.has(key) ? [] : [key])))
    const unknown = change.columns.filter((column) => !known.has(column.key))
    if (unknown.length > 0) {
      const fields = Object.fromEntries(unknown.map((column) => [`columns.${column.key}`, 'There is no such column.']))
      throw new ProductError('invalid_input', { fields })
    }
    const changes = new Map(change.columns.map((column) => [column.key, column]))
    const columns = dataset.columns.map((column) => present(column, changes.get(column.key)))
    const described = { ...dataset, name: change.name, columns }
    saveDataset(room, described)
    return shown(scope, described)
  })
}

/** How a column is shown taken from one, how its values lie from the other. */
export function present(column: Column, look: Look | undefined): Column {
  if (!look) return column
  const { currencyColumn: _pair, minorUnits: _minor, ...lies } = column
  const { label, role, format, hidden, currencyColumn, minorUnits } = look
  const money = {
    ...(currencyColumn === undefined ? {} : { currencyColumn }),
    ...(minorUnits === undefined ? {} : { minorUnits }),
  }
  return { ...lies, label, role, format, hidden, ...money }
}
type Look = Pick<Column, 'label' | 'role' | 'format' | 'hidden' | 'currencyColumn' | 'minorUnits'>
