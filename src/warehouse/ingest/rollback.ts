import { assertNotLoading } from './load'
import { collectNumbers, copyRows, matchTable, numbersNotIn, removeRows } from './copy-rows'
import { retireTableSet } from './swap'
import { findVersion, insertVersion, undoPath, findVersionOfRun, type DataVersionRecord } from './versions'
import { calculatedColumns, withPresentation, saveDataset, type StoredDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import { revalidateRelations } from '../relations/service'
import type { WarehouseContext } from '../context'
import { deleteChunks } from '../segments/segment-store'
import {
  countRows,
  createTableSet,
  discardTableSet,
  findTableSet,
  getTableSet,
  saveTableSet,
  setTableSetKind,
  tableSetsOf,
  type TableSet,
} from '../tables'
import { ProductError } from '../../shared/errors'

/** Sets of rows kept of one dataset so that its newest steps can be undone; older ones are let go. */
const ASIDES_KEPT_MAX = 8

/**
 * Goes back to a version whose rows are still here: as a new version with its rows. The version before stays one that
 * can be gone back to. Repeating a run answers the same.
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
    if (!target || !set || !path) throw new ProductError('not_found', {}, 'Version no longer stored.')
    if (target.dataVersion === dataset.dataVersion) return target.done
    if (path.length > 0) deleteChunks(context, set.n)
    const moved = undoVersions(context, set, path)
    if (set.n !== dataset.tableSet) restoreTableSet(context, dataset, set)
    const done = recordRollback(context, { dataset, target, set, moved, runId: to.runId })
    revalidateRelations(context, dataset.id)
    return done
  })
}

type MovedRows = Pick<DataVersionRecord, 'aside' | 'restored'>

/**
 * Takes out what versions added and puts back what they overwrote, newest first. What went out and what came in by all
 * of that is kept, so that this can be undone in turn.
 */
function undoVersions(context: WarehouseContext, set: TableSet, path: DataVersionRecord[]): MovedRows {
  if (path.length === 0) return { aside: null, restored: null }
  const { datasetId, columns, layout } = set
  const out = createTableSet(context, { datasetId, kind: 'aside', columns, layout })
  const back = createTableSet(context, { datasetId, kind: 'aside', columns, layout })
  for (const version of path) undoVersion(context, { set, out, back }, version)
  const kept = (moved: TableSet): number | null => {
    if (countRows(context, moved) > 0) return moved.n
    discardTableSet(context, moved.n)
    return null
  }
  const moved = { aside: kept(out), restored: kept(back) }
  const asides = tableSetsOf(context, datasetId, ['aside']).toSorted((a, b) => b.n - a.n)
  for (const old of asides.slice(ASIDES_KEPT_MAX)) discardTableSet(context, old.n)
  return moved
}

function undoVersion(
  context: WarehouseContext,
  sets: { set: TableSet; out: TableSet; back: TableSet },
  record: DataVersionRecord,
): void {
  const { set, out, back } = sets
  const numbers = matchTable(out)
  const range = { first: record.firstRow ?? 1, last: record.lastRow ?? 0 }
  collectNumbers(context, set, { range, numbersOf: findTableSet(context, record.restored), into: numbers })
  // What this rollback put back itself, a version before, is no row of the state it began with.
  copyRows(context, { from: set, to: out, shift: 0, only: numbersNotIn(numbers, back) })
  removeRows(context, set, numbers)
  removeRows(context, back, numbers)
  if (record.aside === null) return
  const overwritten = getTableSet(context, record.aside)
  copyRows(context, { from: overwritten, to: set, shift: 0 })
  copyRows(context, { from: overwritten, to: back, shift: 0 })
}

function restoreTableSet(context: WarehouseContext, dataset: StoredDataset, set: TableSet): void {
  const before = findTableSet(context, dataset.tableSet)
  setTableSetKind(context, set.n, { kind: 'live' })
  if (before) retireTableSet(context, dataset.id, before)
}

/** The new version stands on the one that its tables showed last: undoing it leads there again. */
function recordRollback(
  context: WarehouseContext,
  by: { dataset: StoredDataset; target: DataVersionRecord; set: TableSet; moved: MovedRows; runId: string },
): CompletedLoad {
  const { dataset, target, set, moved, runId } = by
  const dataVersion = dataset.dataVersion + 1
  const truth = new Map(set.columns.map((column) => [column.key, column]))
  const looks = new Map(dataset.columns.map((column) => [column.key, column]))
  const stored = target.columns.filter(({ computed }) => !computed)
  const columns = [
    ...stored.map((column) => withPresentation(truth.get(column.key) ?? column, looks.get(column.key) ?? column)),
    ...calculatedColumns(dataset),
  ]
  const { rowCount, bytes, keyColumns, contentHash } = target
  const { datasetRowsRejected = target.done.rowsRejected, datasetRowsDuplicate = 0 } = target.done
  const left = { datasetRowsRejected, datasetRowsDuplicate }
  const done: CompletedLoad = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0, ...left }
  const createdAt = context.clock.now()
  const undo = { parent: set.tip, firstRow: 1, lastRow: 0, ...moved }
  insertVersion(context, { ...target, dataVersion, runId, columns, createdAt, tableSet: set.n, ...undo, done })
  const kept = new Set(columns.map((column) => column.key))
  const physical = [
    ...set.columns.filter((column) => kept.has(column.key)),
    ...stored.filter((column) => !truth.has(column.key)),
  ]
  saveTableSet(context, { ...set, columns: physical, tip: dataVersion })
  const rows = { rowCount, bytes, keyColumns, contentHash, columns, dataVersion }
  saveDataset(context, { ...dataset, ...rows, tableSet: set.n, loadedAt: createdAt })
  return done
}
