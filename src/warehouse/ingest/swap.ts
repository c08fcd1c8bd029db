import { replacesRows } from './begin'
import { mergeBounds } from './bounds'
import type { LoadRecord } from './load'
import { appendRows, copyRows, matchRows, matchTable, removeRows } from './copy-rows'
import { rescale } from './scale'
import { assertRowLimit } from './staging'
import { findVersion, insertVersion, type DataVersionRecord } from './versions'
import { calculatedColumns, withPresentation, saveDataset, type StoredDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import type { WarehouseContext } from '../context'
import { deleteChunks, invalidateFrom, invalidateRows } from '../segments/segment-store'
import {
  addColumns,
  countRows,
  createTableSet,
  discardTableSet,
  findTableSet,
  getTableSet,
  saveTableSet,
  setTableSetKind,
  tableSetsOf,
} from '../tables'
import type { TableSet } from '../tables'
import { PREVIOUS_ROWS_RETENTION_MS } from '../../shared/limits'
import type { Column } from '../../shared/data-sources/data-sources'

interface Publication {
  load: LoadRecord
  dataset: StoredDataset
  staging: TableSet
  duplicates: number
}

/** Swaps a set out: it stays for instant rollback until its time or the next swap, earlier ones go now. */
export function retireTableSet(context: WarehouseContext, datasetId: string, set: TableSet): void {
  for (const old of tableSetsOf(context, datasetId, ['previous'])) discardTableSet(context, old.n)
  setTableSetKind(context, set.n, { kind: 'previous', dropAfter: context.clock.now() + PREVIOUS_ROWS_RETENTION_MS })
}

/** Makes the staged tables the dataset's tables. Call inside a transaction. */
export function swapInStaged(
  context: WarehouseContext,
  { load, dataset, staging, duplicates }: Publication,
): CompletedLoad {
  const before = findTableSet(context, dataset.tableSet)
  if (before) retireTableSet(context, dataset.id, before)
  const dataVersion = dataset.dataVersion + 1
  const rowCount = countRows(context, staging)
  setTableSetKind(context, staging.n, { kind: 'live' })
  saveTableSet(context, { ...staging, tip: dataVersion })
  return recordVersion(
    context,
    { load, dataset, duplicates, contentHash: load.spec.mode === 'upsert' ? null : load.spec.contentHash },
    {
      columns: mergePresentation(staging.columns, load, dataset),
      rowCount,
      bytes: proportionalBytes(load, rowCount),
      rowsWritten: rowCount,
      replaced: 0,
      undo: { tableSet: staging.n, parent: null, firstRow: null, lastRow: null, aside: null, restored: null },
      base: null,
    },
  )
}

/** Adds the staged rows to the live tables; the rows whose place they take first go out, and are kept aside. */
export function addStagedRows(
  context: WarehouseContext,
  { load, dataset, staging, duplicates }: Publication,
): CompletedLoad {
  const staged = countRows(context, staging)
  const live = alignLiveColumns(context, getTableSet(context, dataset.tableSet), staging)
  const { mode, keyColumns } = load.spec
  const matched = keyColumns.length > 0 ? matchRows(context, { staging, live }, keyColumns) : 0
  const replaced = replacesRows(mode) ? matched : 0
  const rowCount = dataset.rowCount - replaced + staged
  assertRowLimit(rowCount)
  if (replaced > 0) invalidateRows(context, live.n, matchTable(staging))
  const aside = replaced > 0 ? moveAside(context, live, matchTable(staging)) : null
  const range = appendRows(context, staging, live)
  invalidateFrom(context, live.n, range.firstRow)
  const dataVersion = dataset.dataVersion + 1
  saveTableSet(context, { ...live, bounds: mergeBounds(live.bounds, staging.bounds), tip: dataVersion })
  const freed = dataset.rowCount === 0 ? 0 : Math.round((dataset.bytes * replaced) / dataset.rowCount)
  return recordVersion(
    context,
    { load, dataset, duplicates: mode === 'append' ? duplicates + matched : duplicates, contentHash: null },
    {
      columns: mergePresentation(live.columns, load, dataset),
      rowCount,
      bytes: dataset.bytes - freed + proportionalBytes(load, staged),
      rowsWritten: staged,
      replaced,
      undo: { tableSet: live.n, parent: dataset.dataVersion, ...range, aside, restored: null },
      base: findVersion(context, dataset.id, dataset.dataVersion),
    },
  )
}

const proportionalBytes = (loadRecord: LoadRecord, rows: number): number =>
  loadRecord.staged === 0 ? 0 : Math.round((loadRecord.bytes * rows) / loadRecord.staged)

/** Live tables get the columns and the scales of the staged ones; what is kept aside of them follows. */
function alignLiveColumns(context: WarehouseContext, live: TableSet, staging: TableSet): TableSet {
  const asides = tableSetsOf(context, live.datasetId, ['aside'])
  let set = addColumns(context, live, staging.columns)
  if (set.columns.length > live.columns.length) deleteChunks(context, live.n)
  for (const { key, type, scale } of staging.columns) {
    const old = set.columns.find((column) => column.key === key)
    if (type !== 'number' || old?.scale === scale) continue
    deleteChunks(context, live.n)
    set = rescale(context, set, { key, scale })
    for (const [n, aside] of asides.entries()) asides[n] = rescale(context, aside, { key, scale })
  }
  for (const aside of asides) saveTableSet(context, aside)
  saveTableSet(context, set)
  return set
}

/** Moves rows out of the live tables, keeping their numbers. Those of an earlier upsert are let go. */
function moveAside(context: WarehouseContext, live: TableSet, numbers: string): number {
  for (const old of tableSetsOf(context, live.datasetId, ['aside'])) discardTableSet(context, old.n)
  const { datasetId, columns, layout } = live
  const aside = createTableSet(context, { datasetId, kind: 'aside', columns, layout })
  copyRows(context, { from: live, to: aside, shift: 0, only: numbers })
  removeRows(context, live, numbers)
  return aside.n
}

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
  columns: Column[]
  rowCount: number
  bytes: number
  rowsWritten: number
  replaced: number
  undo: Pick<DataVersionRecord, 'tableSet' | 'parent' | 'firstRow' | 'lastRow' | 'aside' | 'restored'>
  /** The version whose rows stay; null when none does. */
  base: DataVersionRecord | null
}
type VersionCause = Pick<Publication, 'load' | 'dataset' | 'duplicates'> & { contentHash: string | null }

/** Writes the new version and the catalogue's entry. */
function recordVersion(
  context: WarehouseContext,
  { load, dataset, duplicates, contentHash }: VersionCause,
  effect: VersionEffect,
): CompletedLoad {
  const { rowCount, bytes, rowsWritten, replaced, undo, base } = effect
  const columns = [...effect.columns, ...calculatedColumns(dataset)]
  const { mode, fileName, objectKey, runId } = load.spec
  const dataVersion = dataset.dataVersion + 1
  const counts = {
    ...(mode === 'upsert' || mode === 'append' ? { rowsDuplicate: duplicates } : {}),
    ...(replacesRows(mode) ? { rowsReplaced: replaced } : {}),
    datasetRowsRejected: load.rejected + (base ? (base.done.datasetRowsRejected ?? base.done.rowsRejected) : 0),
    datasetRowsDuplicate: (mode === 'append' ? duplicates : 0) + (base?.done.datasetRowsDuplicate ?? 0),
  }
  const done = { dataVersion, rowCount, bytes, columns, rowsWritten, rowsRejected: load.rejected, ...counts }
  // What names a part does not tell one row from another, nor does a key that was appended over: neither is offered for an upsert.
  const named = mode !== 'replacePart' && mode !== 'append' && load.spec.keyColumns.length > 0
  const keyColumns = named ? load.spec.keyColumns : retainedKeyColumns(dataset, columns)
  const createdAt = context.clock.now()
  const file = { runId, mode, fileName, objectKey, contentHash }
  const rows = { columns, keyColumns, rowCount, bytes, dataVersion }
  insertVersion(context, { datasetId: dataset.id, ...file, ...rows, ...undo, createdAt, done })
  const name = dataset.name === load.base.name ? load.spec.datasetName : dataset.name
  const tableSet = undo.tableSet
  saveDataset(context, { ...dataset, name, ...rows, tableSet, contentHash, loadedAt: createdAt })
  return done
}

const retainedKeyColumns = (dataset: StoredDataset, columns: Column[]): StoredDataset['keyColumns'] =>
  dataset.keyColumns.every((key) => columns.some((column) => column.key === key)) ? dataset.keyColumns : []
