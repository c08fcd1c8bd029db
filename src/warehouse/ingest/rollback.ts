import { assertNotLoading } from './load'
import { copyRows, removeRange } from './copy-rows'
import { retireTableSet } from './swap'
import { findVersion, detachRows, insertVersion, undoPath, findVersionOfRun, type DataVersionRecord } from './versions'
import { calculatedColumns, withPresentation, saveDataset, type StoredDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import { revalidateRelations } from '../relations/service'
import type { WarehouseContext } from '../context'
import { deleteChunks } from '../segments/segment-store'
import { discardTableSet, findTableSet, getTableSet, saveTableSet, setTableSetKind, type TableSet } from '../tables'
import { ProductError } from '../../shared/errors'

/**
 * Goes back to a version whose rows are still here: as a new version with its rows. Repeating a run answers the same.
 * @throws ProductError `not_found` when only a reload can bring it back, `busy` during a load.
 */
export function rollback(
  context: WarehouseContext,
  dataset: StoredDataset,
  to: { dataVersion: number; runId: string },
): CompletedLoad {
  return context.transaction(() => {
    const repeated = findVersionOfRun(context, to.runId)
    if (repeated?.datasetId === dataset.id) return repeated.done
    assertNotLoading(context, dataset.id)
    const target = findVersion(context, dataset.id, to.dataVersion)
    const set = target && findTableSet(context, target.tableSet)
    const path = set && set.kind !== 'dropped' ? undoPath(context, set, target) : null
    if (!target || !set || !path) throw new ProductError('not_found', {}, 'That version is no longer kept.')
    if (target.dataVersion === dataset.dataVersion) return target.done
    if (path.length > 0) deleteChunks(context, set.n)
    for (const version of path) undoVersion(context, set, version)
    if (set.n !== dataset.tableSet) restoreTableSet(context, dataset, set)
    const done = recordRollback(context, { dataset, target, set, runId: to.runId })
    revalidateRelations(context, dataset.id)
    return done
  })
}

/** Takes out what a version added and puts back what it overwrote. */
function undoVersion(context: WarehouseContext, set: TableSet, record: DataVersionRecord): void {
  if (record.firstRow !== null && record.lastRow !== null) {
    removeRange(context, set, { first: record.firstRow, last: record.lastRow })
  }
  detachRows(context, record)
  if (record.aside === null) return
  copyRows(context, { from: getTableSet(context, record.aside), to: set, shift: 0 })
  discardTableSet(context, record.aside)
}

function restoreTableSet(context: WarehouseContext, dataset: StoredDataset, set: TableSet): void {
  const before = findTableSet(context, dataset.tableSet)
  setTableSetKind(context, set.n, { kind: 'live' })
  if (before) retireTableSet(context, dataset.id, before)
}

/** The new version stands in the old one's place: what could be undone under that can be undone under this. */
function recordRollback(
  context: WarehouseContext,
  by: { dataset: StoredDataset; target: DataVersionRecord; set: TableSet; runId: string },
): CompletedLoad {
  const { dataset, target, set, runId } = by
  const dataVersion = dataset.dataVersion + 1
  const truth = new Map(set.columns.map((column) => [column.key, column]))
  const looks = new Map(dataset.columns.map((column) => [column.key, column]))
  const stored = target.columns.filter(({ computed }) => !computed)
  const columns = [
    ...stored.map((column) => withPresentation(truth.get(column.key) ?? column, looks.get(column.key) ?? column)),
    ...calculatedColumns(dataset),
  ]
  const { rowCount, bytes, keyColumns, contentHash } = target
  const done: CompletedLoad = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0 }
  const createdAt = context.clock.now()
  detachRows(context, target)
  insertVersion(context, { ...target, dataVersion, runId, columns, createdAt, done })
  const kept = new Set(columns.map((column) => column.key))
  saveTableSet(context, { ...set, columns: set.columns.filter((column) => kept.has(column.key)), tip: dataVersion })
  const rows = { rowCount, bytes, keyColumns, contentHash, columns, dataVersion }
  saveDataset(context, { ...dataset, ...rows, tableSet: set.n, loadedAt: createdAt })
  return done
}
