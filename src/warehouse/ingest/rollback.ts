import { refuseWhileLoading } from './lease'
import { copyRows, removeRange } from './rows'
import { retire } from './swap'
import { findVersion, forgetRows, insertVersion, undoPath, versionOfRun } from './versions'
import type { Version } from './versions'
import { computedColumns, present, saveDataset } from '../catalogue'
import type { StoredDataset } from '../catalogue'
import type { LoadDone } from '../contract'
import { reproveRelations } from '../relations/relations'
import type { Room } from '../room'
import { discardSet, findSet, getSet, saveSet, setKind } from '../tables'
import type { TableSet } from '../tables'
import { ProductError } from '../../shared/errors'

/**
 * Goes back to a version whose rows are still here: as a new version with its rows. Repeating a run answers the same.
 * @throws ProductError `not_found` when only a reload can bring it back, `busy` during a load.
 */
export function rollback(room: Room, dataset: StoredDataset, to: { dataVersion: number; runId: string }): LoadDone {
  return room.atomically(() => {
    const repeated = versionOfRun(room, to.runId)
    if (repeated?.datasetId === dataset.id) return repeated.done
    refuseWhileLoading(room, dataset.id)
    const target = findVersion(room, dataset.id, to.dataVersion)
    const set = target && findSet(room, target.tableSet)
    const path = set && set.kind !== 'dropped' ? undoPath(room, set, target) : null
    if (!target || !set || !path) throw new ProductError('not_found', {}, 'That version is no longer kept.')
    if (target.dataVersion === dataset.dataVersion) return target.done
    for (const version of path) undo(room, set, version)
    if (set.n !== dataset.tableSet) swapBack(room, dataset, set)
    const done = record(room, { dataset, target, set, runId: to.runId })
    reproveRelations(room, dataset.id)
    return done
  })
}

/** Takes out what a version added and puts back what it overwrote. */
function undo(room: Room, set: TableSet, version: Version): void {
  if (version.firstRow !== null && version.lastRow !== null) {
    removeRange(room, set, { first: version.firstRow, last: version.lastRow })
  }
  forgetRows(room, version)
  if (version.aside === null) return
  copyRows(room, { from: getSet(room, version.aside), to: set, shift: 0 })
  discardSet(room, version.aside)
}

function swapBack(room: Room, dataset: StoredDataset, set: TableSet): void {
  const before = findSet(room, dataset.tableSet)
  setKind(room, set.n, { kind: 'live' })
  if (before) retire(room, dataset.id, before)
}

/** The new version stands in the old one's place: what could be undone under that can be undone under this. */
function record(room: Room, by: { dataset: StoredDataset; target: Version; set: TableSet; runId: string }): LoadDone {
  const { dataset, target, set, runId } = by
  const dataVersion = dataset.dataVersion + 1
  const truth = new Map(set.columns.map((column) => [column.key, column]))
  const looks = new Map(dataset.columns.map((column) => [column.key, column]))
  const stored = target.columns.filter(({ computed }) => !computed)
  const columns = [
    ...stored.map((column) => present(truth.get(column.key) ?? column, looks.get(column.key) ?? column)),
    ...computedColumns(dataset),
  ]
  const { rowCount, bytes, keyColumns, contentHash } = target
  const done: LoadDone = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0 }
  const createdAt = room.clock.now()
  forgetRows(room, target)
  insertVersion(room, { ...target, dataVersion, runId, columns, createdAt, done })
  const kept = new Set(columns.map((column) => column.key))
  saveSet(room, { ...set, columns: set.columns.filter((column) => kept.has(column.key)), tip: dataVersion })
  const rows = { rowCount, bytes, keyColumns, contentHash, columns, dataVersion }
  saveDataset(room, { ...dataset, ...rows, tableSet: set.n, loadedAt: createdAt })
  return done
}
