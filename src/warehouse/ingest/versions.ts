import { toIso } from '../../lib/iso'
import type { StoredDataset } from '../catalogue'
import type { CompletedLoad, StoredVersion } from '../contract'
import { firstRow, type WarehouseContext } from '../context'
import { findTableSet, type TableSet } from '../tables'
import { ORIGINAL_FILES_RETAINED } from '../../shared/limits'
import type { Column, LoadMode } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** How many versions a dataset's history shows. */
const VERSIONS_LISTED_MAX = 50

/**
 * One state of a dataset's rows. Rows that it added to its parent are `firstRow…lastRow`; what it overwrote lies in
 * `aside`. A rollback took out what lies in `aside` and put back what `restored` holds, under the old row numbers.
 * A version that filled its tables itself has no parent in them and cannot be undone, only swapped out.
 */
export interface DataVersionRecord {
  datasetId: string
  dataVersion: number
  runId: string
  mode: LoadMode
  fileName: string
  objectKey: string
  /** Of the file that is exactly this state; null when it grew from several. */
  contentHash: string | null
  columns: Column[]
  keyColumns: ColumnKey[]
  rowCount: number
  bytes: number
  createdAt: number
  /** Null when its rows can no longer be reached. */
  tableSet: number | null
  parent: number | null
  firstRow: number | null
  lastRow: number | null
  aside: number | null
  restored: number | null
  done: CompletedLoad
}

type VersionRow = {
  dataset_id: string
  data_version: number
  run_id: string
  mode: LoadMode
  file_name: string
  object_key: string
  content_hash: string | null
  columns: string
  key_columns: string
  row_count: number
  bytes: number
  created_at: number
  table_set: number | null
  parent: number | null
  first_row: number | null
  last_row: number | null
  aside: number | null
  restored: number | null
  done: string
}

function parseVersion(row: VersionRow): DataVersionRecord {
  const columns: Column[] = JSON.parse(row.columns)
  const keyColumns: ColumnKey[] = JSON.parse(row.key_columns)
  const done: CompletedLoad = JSON.parse(row.done)
  const { mode, bytes, parent, aside, restored } = row
  const file = { fileName: row.file_name, objectKey: row.object_key, contentHash: row.content_hash }
  const ids = { datasetId: row.dataset_id, dataVersion: row.data_version, runId: row.run_id }
  const rows = { rowCount: row.row_count, bytes, createdAt: row.created_at, tableSet: row.table_set }
  const undo = { parent, firstRow: row.first_row, lastRow: row.last_row, aside, restored }
  return { ...ids, mode, ...file, columns, keyColumns, ...rows, ...undo, done }
}

export function insertVersion(context: WarehouseContext, record: DataVersionRecord): void {
  context.sql.exec(
    `INSERT INTO versions (dataset_id, data_version, run_id, mode, file_name, object_key, content_hash, columns,
      key_columns, row_count, bytes, created_at, table_set, parent, first_row, last_row, aside, restored, done)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record.datasetId,
    record.dataVersion,
    record.runId,
    record.mode,
    record.fileName,
    record.objectKey,
    record.contentHash,
    JSON.stringify(record.columns),
    JSON.stringify(record.keyColumns),
    record.rowCount,
    record.bytes,
    record.createdAt,
    record.tableSet,
    record.parent,
    record.firstRow,
    record.lastRow,
    record.aside,
    record.restored,
    JSON.stringify(record.done),
  )
}

export function findVersion(
  context: WarehouseContext,
  datasetId: string,
  dataVersion: number | null,
): DataVersionRecord | null {
  const query = 'SELECT * FROM versions WHERE dataset_id = ? AND data_version = ?'
  const row = firstRow<VersionRow>(context.sql, query, datasetId, dataVersion)
  return row && parseVersion(row)
}

export function findVersionOfRun(context: WarehouseContext, runId: string): DataVersionRecord | null {
  const row = firstRow<VersionRow>(context.sql, 'SELECT * FROM versions WHERE run_id = ?', runId)
  return row && parseVersion(row)
}

/** The versions to undo, newest first, to bring a set's rows to a version; null when that is not possible. */
export function undoPath(
  context: WarehouseContext,
  set: TableSet,
  target: DataVersionRecord,
): DataVersionRecord[] | null {
  const path: DataVersionRecord[] = []
  let at = findVersion(context, target.datasetId, set.tip)
  while (at && at.dataVersion !== target.dataVersion) {
    if (at.firstRow === null || at.parent === null) return null
    path.push(at)
    at = findVersion(context, target.datasetId, at.parent)
  }
  return at && path
}

function canRollBackInstantly(context: WarehouseContext, record: DataVersionRecord): boolean {
  const set = findTableSet(context, record.tableSet)
  return set !== null && (set.kind === 'live' || set.kind === 'previous') && undoPath(context, set, record) !== null
}

/** History of a dataset, newest first, and how each state can come back. */
export function listVersions(context: WarehouseContext, dataset: StoredDataset): StoredVersion[] {
  const query = 'SELECT * FROM versions WHERE dataset_id = ? ORDER BY data_version DESC LIMIT ?'
  const versions = context.sql.exec<VersionRow>(query, dataset.id, VERSIONS_LISTED_MAX).toArray().map(parseVersion)
  const originals = new Set(
    [...new Set(versions.map((version) => version.objectKey))].slice(0, ORIGINAL_FILES_RETAINED),
  )
  return versions.map((version) => {
    const { dataVersion, runId, mode, fileName, rowCount, objectKey } = version
    const reload = version.contentHash !== null && originals.has(objectKey)
    const rollback = canRollBackInstantly(context, version) ? 'instant' : reload ? 'reload' : 'none'
    const current = dataVersion === dataset.dataVersion
    const createdAt = toIso(version.createdAt)
    const { dataVersion: _version, rowCount: _rows, bytes: _bytes, columns: _columns, ...counts } = version.done
    return { dataVersion, runId, mode, fileName, rowCount, createdAt, current, rollback, objectKey, counts }
  })
}
