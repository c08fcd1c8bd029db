import { toIso } from '../../lib/iso'
import type { StoredDataset } from '../catalogue'
import type { CompletedLoad, StoredVersion } from '../contract'
import { firstRow, type WarehouseContext } from '../context'
import { CHUNK_ROWS } from '../columns/chunk'
import { countLiveRows, type Manifest } from '../segments/manifest'
import { deleteUnnamed } from '../segments/segment-store'
import { findTableSet, type TableSet } from '../tables'
import { ORIGINAL_FILES_RETAINED } from '../../shared/limits'
import type { Column, LoadMode } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** How many versions a dataset's history shows. */
const VERSIONS_LISTED_MAX = 50

/** One state of a dataset's rows. */
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
  /** Its chunks in that set. */
  manifest: Manifest | null
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
  manifest: string | null
  done: string
}

function parseVersion(row: VersionRow): DataVersionRecord {
  const columns: Column[] = JSON.parse(row.columns)
  const keyColumns: ColumnKey[] = JSON.parse(row.key_columns)
  const done: CompletedLoad = JSON.parse(row.done)
  const manifest: Manifest | null = row.manifest === null ? null : JSON.parse(row.manifest)
  const { mode, bytes } = row
  const file = { fileName: row.file_name, objectKey: row.object_key, contentHash: row.content_hash }
  const ids = { datasetId: row.dataset_id, dataVersion: row.data_version, runId: row.run_id }
  const rows = { rowCount: row.row_count, bytes, createdAt: row.created_at, tableSet: row.table_set }
  return { ...ids, mode, ...file, columns, keyColumns, ...rows, manifest, done }
}

export function insertVersion(context: WarehouseContext, record: DataVersionRecord): void {
  context.sql.exec(
    `INSERT INTO versions (dataset_id, data_version, run_id, mode, file_name, object_key, content_hash, columns,
      key_columns, row_count, bytes, created_at, table_set, manifest, done)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    record.manifest && JSON.stringify(record.manifest),
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

/** Whether the rows of a version are still here. */
export function isStored(context: WarehouseContext, { tableSet, manifest }: DataVersionRecord): boolean {
  const set = findTableSet(context, tableSet)
  return manifest !== null && (set?.kind === 'live' || set?.kind === 'previous')
}

/** Versions of one set whose rows are kept. */
const VERSIONS_STORED_MAX = 20

/**
 * Lets go of rows that only old versions have. The newest are kept, as long as what they have beside the rows of now is no
 * more than these, or than a chunk. Call inside the transaction that made the newest.
 */
export function releaseVersions(context: WarehouseContext, datasetId: string, { n, manifest }: TableSet): void {
  const query = `SELECT * FROM versions WHERE dataset_id = ? AND table_set = ? AND manifest IS NOT NULL
    ORDER BY data_version DESC`
  const versions = context.sql.exec<VersionRow>(query, datasetId, n).toArray().map(parseVersion)
  const chunks = new Set(manifest?.map((chunk) => chunk.n))
  const vectors = new Set(manifest?.flatMap(({ deleted }) => deleted?.vector ?? []))
  let free = Math.max(countLiveRows(manifest ?? []), CHUNK_ROWS)
  let stored = 0
  for (const version of versions) {
    const own = version.manifest ?? []
    free -= own.reduce((rows, chunk) => rows + (chunks.has(chunk.n) ? 0 : chunk.rows), 0)
    stored += 1
    if (free < 0 || stored > VERSIONS_STORED_MAX) break
    for (const chunk of own) {
      chunks.add(chunk.n)
      if (chunk.deleted) vectors.add(chunk.deleted.vector)
    }
  }
  for (const { dataVersion } of versions.slice(free < 0 || stored > VERSIONS_STORED_MAX ? stored - 1 : stored))
    context.sql.exec(
      'UPDATE versions SET table_set = NULL, manifest = NULL WHERE dataset_id = ? AND data_version = ?',
      datasetId,
      dataVersion,
    )
  deleteUnnamed(context, n, { chunks, vectors })
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
    const rollback = isStored(context, version) ? 'instant' : reload ? 'reload' : 'none'
    const current = dataVersion === dataset.dataVersion
    const createdAt = toIso(version.createdAt)
    const { dataVersion: _version, rowCount: _rows, bytes: _bytes, columns: _columns, ...counts } = version.done
    return { dataVersion, runId, mode, fileName, rowCount, createdAt, current, rollback, objectKey, counts }
  })
}
