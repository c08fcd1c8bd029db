import { isAlive, refuseWhileLoading, takeLease } from './lease'
import { findLoad, insertLoad } from './load'
import type { Load } from './load'
import { emptyDataset, findStored, saveDataset } from '../catalogue'
import type { StoredDataset } from '../catalogue'
import type { BeginLoad, LoadDone } from '../contract'
import type { Room } from '../room'
import { createSet, findSet } from '../tables'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { LoadMode } from '../../shared/sources'

/** Fences of real leases start at 1. */
const NO_LEASE = 0

export interface Begun {
  fence: number
  unchanged: boolean
}

/** Takes the lease and makes the staging tables; the same run again resumes as long as its lease holds. */
export function beginLoad(room: Room, spec: BeginLoad): Begun {
  return room.atomically(() => {
    const known = findLoad(room, spec.runId)
    if (known) return resume(room, known, spec)
    const dataset = findStored(room, spec.datasetId)
    if (dataset && dataset.deletedAt !== null) throw new ProductError('not_found')
    refuseSpec(spec)
    if (dataset && isAddition(spec, dataset)) refuseOtherTypes(room, spec, dataset)
    refuseWhileLoading(room, spec.datasetId)
    return dataset && isUnchanged(spec, dataset) ? skip(room, spec, dataset) : start(room, spec, dataset)
  })
}

/** Whether rows of the file take the place of rows with their key: of one row each, or of a whole part. */
export const takesPlaces = (mode: LoadMode): boolean => mode === 'upsert' || mode === 'replacePart'

/** Whether rows are added to what is there; without rows an append or upsert is a creation. */
export const isAddition = (spec: Pick<BeginLoad, 'mode'>, dataset: Pick<StoredDataset, 'tableSet'>): boolean =>
  dataset.tableSet !== null && (spec.mode === 'append' || takesPlaces(spec.mode))

const isUnchanged = (spec: BeginLoad, dataset: StoredDataset): boolean =>
  dataset.tableSet !== null && !isAddition(spec, dataset) && dataset.contentHash === spec.contentHash

function resume(room: Room, load: Load, spec: BeginLoad): Begun {
  if (load.datasetId !== spec.datasetId) throw new ProductError('not_found')
  if (load.state === 'done') return { fence: load.fence, unchanged: load.fence === NO_LEASE }
  if (isAlive(room, load)) return { fence: load.fence, unchanged: false }
  throw new ProductError('expired', { what: 'load' }, 'This load was interrupted. Start it again.')
}

const freshLoad = (spec: BeginLoad, dataset: StoredDataset | null): Omit<Load, 'fence' | 'state' | 'tableSet'> => ({
  runId: spec.runId,
  datasetId: spec.datasetId,
  spec,
  base: { name: dataset?.name ?? spec.datasetName, columns: dataset?.columns ?? [] },
  staged: 0,
  rejected: 0,
  bytes: 0,
  widened: {},
  bounds: {},
  outcome: null,
})

function start(room: Room, spec: BeginLoad, dataset: StoredDataset | null): Begun {
  const { datasetId, sourceId, datasetName: name, columns, runId } = spec
  if (!dataset || dataset.tableSet === null) {
    saveDataset(room, emptyDataset({ id: datasetId, sourceId, name, columns }))
  }
  const fence = takeLease(room, { datasetId, runId })
  const set = createSet(room, { datasetId, kind: 'staging', columns })
  insertLoad(room, { ...freshLoad(spec, dataset), fence, state: 'open', tableSet: set.n })
  return { fence, unchanged: false }
}

/** The same content again: the run is done before it began, without ever holding the lease. */
function skip(room: Room, spec: BeginLoad, dataset: StoredDataset): Begun {
  const { dataVersion, rowCount, bytes, columns } = dataset
  const done: LoadDone = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0 }
  const load: Load = { ...freshLoad(spec, dataset), fence: NO_LEASE, state: 'done', tableSet: null, outcome: null }
  insertLoad(room, { ...load, outcome: { ok: true, value: done } })
  return { fence: NO_LEASE, unchanged: true }
}

function refuseSpec(spec: BeginLoad): void {
  const keys = new Set(spec.columns.map((column) => column.key))
  if (keys.size > DATASET_MAX_COLUMNS) {
    throw new ProductError('too_large', { what: 'columns', max: DATASET_MAX_COLUMNS, size: keys.size })
  }
  const clean = keys.size === spec.columns.length && keys.size > 0 && [...keys].every((key) => /^c\d{1,6}$/.test(key))
  if (!clean) throw new ProductError('invalid_input', { fields: { columns: 'Each column needs a key of its own.' } })
  const keyed = spec.keyColumns.every((key) => keys.has(key))
  if (!keyed || (takesPlaces(spec.mode) && spec.keyColumns.length === 0)) {
    const what =
      spec.mode === 'replacePart' ? 'Choose the columns that name a part.' : 'Choose the columns that identify a row.'
    throw new ProductError('invalid_input', { fields: { keyColumns: what } })
  }
}

/** Values of two types in one column could never be compared again. */
function refuseOtherTypes(room: Room, spec: BeginLoad, dataset: StoredDataset): void {
  const before = new Map(findSet(room, dataset.tableSet)?.columns.map((column) => [column.key, column]))
  const changed = spec.columns.filter((column) => {
    const old = before.get(column.key)
    return old !== undefined && (old.type !== column.type || (old.zoned ?? false) !== (column.zoned ?? false))
  })
  if (changed.length === 0) return
  const message = 'This column has another type in the dataset. Replace the dataset, or read the column as before.'
  throw new ProductError('invalid_input', {
    fields: Object.fromEntries(changed.map((column) => [`columns.${column.key}`, message])),
  })
}
