import { takesPlaces } from './begin'
import { mergeBounds } from './bounds'
import type { Load } from './load'
import { appendRows, copyRows, matchRows, matchTable, removeRows } from './rows'
import { rescale } from './scale'
import { refuseRows } from './staging'
import { insertVersion } from './versions'
import type { Version } from './versions'
import { computedColumns, present, saveDataset } from '../catalogue'
import type { StoredDataset } from '../catalogue'
import type { LoadDone } from '../contract'
import type { Room } from '../room'
import { addColumns, countRows, createSet, discardSet, findSet, getSet, saveSet, setKind, setsOf } from '../tables'
import type { TableSet } from '../tables'
import { PREVIOUS_KEPT_MS } from '../../shared/limits'
import type { Column } from '../../shared/sources'

interface Publication {
  load: Load
  dataset: StoredDataset
  staging: TableSet
  duplicates: number
}

/** Swaps a set out: it stays for instant rollback until its time or the next swap, earlier ones go now. */
export function retire(room: Room, datasetId: string, set: TableSet): void {
  for (const old of setsOf(room, datasetId, ['previous'])) discardSet(room, old.n)
  setKind(room, set.n, { kind: 'previous', dropAfter: room.clock.now() + PREVIOUS_KEPT_MS })
}

/** Makes the staged tables the dataset's tables. Call inside a transaction. */
export function swapIn(room: Room, { load, dataset, staging, duplicates }: Publication): LoadDone {
  const before = findSet(room, dataset.tableSet)
  if (before) retire(room, dataset.id, before)
  const dataVersion = dataset.dataVersion + 1
  const rowCount = countRows(room, staging)
  setKind(room, staging.n, { kind: 'live' })
  saveSet(room, { ...staging, tip: dataVersion })
  return record(
    room,
    { load, dataset, duplicates, contentHash: load.spec.mode === 'upsert' ? null : load.spec.contentHash },
    {
      columns: presented(staging.columns, load, dataset),
      rowCount,
      bytes: share(load, rowCount),
      rowsWritten: rowCount,
      replaced: 0,
      undo: { tableSet: staging.n, parent: null, firstRow: null, lastRow: null, aside: null },
    },
  )
}

/** Adds the staged rows to the live tables; the rows whose place they take first go out, and are kept aside. */
export function addRows(room: Room, { load, dataset, staging, duplicates }: Publication): LoadDone {
  const staged = countRows(room, staging)
  const live = align(room, getSet(room, dataset.tableSet), staging)
  const replaced = takesPlaces(load.spec.mode) ? matchRows(room, { staging, live }, load.spec.keyColumns) : 0
  const rowCount = dataset.rowCount - replaced + staged
  refuseRows(rowCount)
  const aside = replaced > 0 ? setAside(room, live, matchTable(staging)) : null
  const range = appendRows(room, staging, live)
  const dataVersion = dataset.dataVersion + 1
  saveSet(room, { ...live, bounds: mergeBounds(live.bounds, staging.bounds), tip: dataVersion })
  const freed = dataset.rowCount === 0 ? 0 : Math.round((dataset.bytes * replaced) / dataset.rowCount)
  return record(
    room,
    { load, dataset, duplicates, contentHash: null },
    {
      columns: presented(live.columns, load, dataset),
      rowCount,
      bytes: dataset.bytes - freed + share(load, staged),
      rowsWritten: staged,
      replaced,
      undo: { tableSet: live.n, parent: dataset.dataVersion, ...range, aside },
    },
  )
}

const share = (load: Load, rows: number): number =>
  load.staged === 0 ? 0 : Math.round((load.bytes * rows) / load.staged)

/** Live tables get the columns and the scales of the staged ones; what is kept aside of them follows. */
function align(room: Room, live: TableSet, staging: TableSet): TableSet {
  const asides = setsOf(room, live.datasetId, ['aside'])
  let set = addColumns(room, live, staging.columns)
  for (const { key, type, scale } of staging.columns) {
    const old = set.columns.find((column) => column.key === key)
    if (type !== 'number' || old?.scale === scale) continue
    set = rescale(room, set, { key, scale })
    for (const [n, aside] of asides.entries()) asides[n] = rescale(room, aside, { key, scale })
  }
  for (const aside of asides) saveSet(room, aside)
  saveSet(room, set)
  return set
}

/** Moves rows out of the live tables, keeping their numbers. Those of an earlier upsert are let go. */
function setAside(room: Room, live: TableSet, numbers: string): number {
  for (const old of setsOf(room, live.datasetId, ['aside'])) discardSet(room, old.n)
  const { datasetId, columns, layout } = live
  const aside = createSet(room, { datasetId, kind: 'aside', columns, layout })
  copyRows(room, { from: live, to: aside, shift: 0, only: numbers })
  removeRows(room, live, numbers)
  return aside.n
}

/** Looks edited while the load ran stay; else the load's own look holds. */
function presented(physical: Column[], load: Load, dataset: StoredDataset): Column[] {
  const asked = new Map(load.spec.columns.map((column) => [column.key, column]))
  const base = new Map(load.base.columns.map((column) => [column.key, JSON.stringify(column)]))
  const now = new Map(dataset.columns.map((column) => [column.key, column]))
  return physical.map((column) => {
    const current = now.get(column.key)
    const edited = current !== undefined && base.has(column.key) && base.get(column.key) !== JSON.stringify(current)
    return present(column, edited ? current : (asked.get(column.key) ?? current))
  })
}

interface Effect {
  columns: Column[]
  rowCount: number
  bytes: number
  rowsWritten: number
  replaced: number
  undo: Pick<Version, 'tableSet' | 'parent' | 'firstRow' | 'lastRow' | 'aside'>
}
type Cause = Pick<Publication, 'load' | 'dataset' | 'duplicates'> & { contentHash: string | null }

/** Writes the new version and the catalogue's entry. */
function record(room: Room, { load, dataset, duplicates, contentHash }: Cause, effect: Effect): LoadDone {
  const { rowCount, bytes, rowsWritten, replaced, undo } = effect
  const columns = [...effect.columns, ...computedColumns(dataset)]
  const { mode, fileName, objectKey, runId } = load.spec
  const dataVersion = dataset.dataVersion + 1
  const counts = {
    ...(mode === 'upsert' ? { rowsDuplicate: duplicates } : {}),
    ...(takesPlaces(mode) ? { rowsReplaced: replaced } : {}),
  }
  const done = { dataVersion, rowCount, bytes, columns, rowsWritten, rowsRejected: load.rejected, ...counts }
  // What names a part does not tell one row from another: it must not be offered for an upsert.
  const named = mode !== 'replacePart' && load.spec.keyColumns.length > 0
  const keyColumns = named ? load.spec.keyColumns : keptKeys(dataset, columns)
  const createdAt = room.clock.now()
  const file = { runId, mode, fileName, objectKey, contentHash }
  const rows = { columns, keyColumns, rowCount, bytes, dataVersion }
  insertVersion(room, { datasetId: dataset.id, ...file, ...rows, ...undo, createdAt, done })
  const name = dataset.name === load.base.name ? load.spec.datasetName : dataset.name
  const tableSet = undo.tableSet
  saveDataset(room, { ...dataset, name, ...rows, tableSet, contentHash, loadedAt: createdAt })
  return done
}

const keptKeys = (dataset: StoredDataset, columns: Column[]): StoredDataset['keyColumns'] =>
  dataset.keyColumns.every((key) => columns.some((column) => column.key === key)) ? dataset.keyColumns : []
