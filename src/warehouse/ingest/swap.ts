import { replacesRows } from './begin'
import type { LoadRecord } from './load'
import type { PreparedRows } from './prepare-rows'
import { findVersion, insertVersion, releaseVersions, type DataVersionRecord } from './versions'
import { calculatedColumns, withPresentation, saveDataset, type StoredDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import type { WarehouseContext } from '../context'
import { moveChunks } from '../segments/segment-store'
import {
  discardTableSet,
  findTableSet,
  getTableSet,
  saveTableSet,
  setTableSetKind,
  tableSetsOf,
  type TableSet,
} from '../tables'
import { PREVIOUS_ROWS_RETENTION_MS } from '../../shared/limits'
import type { Column } from '../../shared/data-sources/data-sources'

interface Publication {
  load: LoadRecord
  dataset: StoredDataset
  staging: TableSet
  prepared: PreparedRows
}

/** Swaps a set out: it stays for instant rollback until its time or the next swap, earlier ones go now. */
export function retireTableSet(context: WarehouseContext, datasetId: string, set: TableSet): void {
  for (const old of tableSetsOf(context, datasetId, ['previous'])) discardTableSet(context, old.n)
  setTableSetKind(context, set.n, { kind: 'previous', dropAfter: context.clock.now() + PREVIOUS_ROWS_RETENTION_MS })
}

/** Makes the staged rows the dataset's rows. Call inside a transaction. */
export function swapInStaged(context: WarehouseContext, publication: Publication): CompletedLoad {
  const { load, dataset, staging, prepared } = publication
  const before = findTableSet(context, dataset.tableSet)
  if (before) retireTableSet(context, dataset.id, before)
  setTableSetKind(context, staging.n, { kind: 'live' })
  publishRows(context, publication, staging)
  return recordVersion(context, publication, {
    tableSet: staging.n,
    contentHash: load.spec.mode === 'upsert' ? null : load.spec.contentHash,
    bytes: proportionalBytes(load, prepared.rowCount),
    base: null,
  })
}

/** Adds the staged rows to the live ones, some of which they may take the place of. Call inside a transaction. */
export function addStagedRows(context: WarehouseContext, publication: Publication): CompletedLoad {
  const { load, dataset, staging, prepared } = publication
  const live = getTableSet(context, dataset.tableSet)
  moveChunks(context, staging.n, live.n)
  publishRows(context, publication, live)
  const freed = dataset.rowCount === 0 ? 0 : Math.round((dataset.bytes * prepared.replaced) / dataset.rowCount)
  return recordVersion(context, publication, {
    tableSet: live.n,
    contentHash: null,
    bytes: dataset.bytes - freed + proportionalBytes(load, prepared.added),
    base: findVersion(context, dataset.id, dataset.dataVersion),
  })
}

function publishRows(context: WarehouseContext, { dataset, prepared }: Publication, set: TableSet): void {
  const { columns, manifest, bounds } = prepared
  const layout = [columns.map(({ key }) => key)]
  saveTableSet(context, { ...set, layout, columns, manifest, bounds, tip: dataset.dataVersion + 1 })
}

const proportionalBytes = (loadRecord: LoadRecord, rows: number): number =>
  loadRecord.staged === 0 ? 0 : Math.round((loadRecord.bytes * rows) / loadRecord.staged)

/** Looks edited while the load ran stay; else the load's own look holds. */
function mergePresentation(physical: Column[], loadRecord: LoadRecord, dataset: StoredDataset): Column[] {
  const asked = new Map(loadRecord.spec.columns.map((column) => [column.key, column]))
  const base = new Map(loadRecord.base.columns.map((column) => [column.key, JSON.stringify(column)]))
  const now = new Map(dataset.columns.map((column) => [column.key, column]))
  return physical.map((column) => {
    const current = now.get(column.key)
    const edited = current !== undefined && base.has(column.key) && base.get(column.key) !== JSON.stringify(current)
    return withPresentation(column, edited ? current : (asked.get(column.key) ?? current))
  })
}

interface VersionEffect {
  tableSet: number
  /** Of the file that is exactly this state. */
  contentHash: string | null
  bytes: number
  /** The version whose rows stay; null when none does. */
  base: DataVersionRecord | null
}

function recordVersion(
  context: WarehouseContext,
  { load, dataset, prepared }: Publication,
  { tableSet, contentHash, bytes, base }: VersionEffect,
): CompletedLoad {
  const { rowCount, added, replaced, duplicates, manifest } = prepared
  const columns = [...mergePresentation(prepared.columns, load, dataset), ...calculatedColumns(dataset)]
  const { mode, fileName, objectKey, runId } = load.spec
  const dataVersion = dataset.dataVersion + 1
  const counts = {
    ...(mode === 'upsert' || mode === 'append' ? { rowsDuplicate: duplicates } : {}),
    ...(replacesRows(mode) ? { rowsReplaced: replaced } : {}),
    datasetRowsRejected: load.rejected + (base ? (base.done.datasetRowsRejected ?? base.done.rowsRejected) : 0),
    datasetRowsDuplicate: (mode === 'append' ? duplicates : 0) + (base?.done.datasetRowsDuplicate ?? 0),
  }
  const done = { dataVersion, rowCount, bytes, columns, rowsWritten: added, rowsRejected: load.rejected, ...counts }
  // What names a part does not tell one row from another, nor does a key that was appended over: neither is offered for an upsert.
  const named = mode !== 'replacePart' && mode !== 'append' && load.spec.keyColumns.length > 0
  const keyColumns = named ? load.spec.keyColumns : retainedKeyColumns(dataset, columns)
  const createdAt = context.clock.now()
  const file = { runId, mode, fileName, objectKey, contentHash }
  const rows = { columns, keyColumns, rowCount, bytes, dataVersion }
  insertVersion(context, { datasetId: dataset.id, ...file, ...rows, tableSet, manifest, createdAt, done })
  releaseVersions(context, dataset.id, getTableSet(context, tableSet))
  const name = dataset.name === load.base.name ? load.spec.datasetName : dataset.name
  saveDataset(context, { ...dataset, name, ...rows, tableSet, contentHash, loadedAt: createdAt })
  return done
}

const retainedKeyColumns = (dataset: StoredDataset, columns: Column[]): StoredDataset['keyColumns'] =>
  dataset.keyColumns.every((key) => columns.some((column) => column.key === key)) ? dataset.keyColumns : []
