import { isLeaseActive, assertNotLoading, acquireLease, findLoad, insertLoad, type LoadRecord } from './load'
import { emptyDataset, findDataset, saveDataset, type StoredDataset } from '../catalogue'
import type { BeginLoad, CompletedLoad } from '../contract'
import type { WarehouseContext } from '../context'
import { createTableSet, findTableSet, type TableSet } from '../tables'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { LoadMode } from '../../shared/data-sources/data-sources'

/** Fences of real leases start at 1. */
const NO_LEASE = 0

export interface LoadLease {
  fence: number
  unchanged: boolean
}

/** Takes the lease and makes the staging tables; the same run again resumes as long as its lease holds. */
export function beginLoad(context: WarehouseContext, spec: BeginLoad): LoadLease {
  return context.transaction(() => {
    const known = findLoad(context, spec.runId)
    if (known) return resumeLoad(context, known, spec)
    const dataset = findDataset(context, spec.datasetId)
    if (dataset && dataset.deletedAt !== null) throw new ProductError('not_found')
    validateSpec(spec)
    if (dataset && isIncremental(spec, dataset)) validateTypesUnchanged(context, spec, dataset)
    assertNotLoading(context, spec.datasetId)
    return dataset && isUnchanged(spec, dataset)
      ? skipUnchanged(context, spec, dataset)
      : startLoad(context, spec, dataset)
  })
}

/** Whether rows of the file take the place of rows with their key: of one row each, or of a whole part. */
export const replacesRows = (mode: LoadMode): boolean => mode === 'upsert' || mode === 'replacePart'

/** Whether rows are added to what is there; without rows an append or upsert is a creation. */
export const isIncremental = (spec: Pick<BeginLoad, 'mode'>, dataset: Pick<StoredDataset, 'tableSet'>): boolean =>
  dataset.tableSet !== null && (spec.mode === 'append' || replacesRows(spec.mode))

/** The rows that those of a load are added to; null when they become the dataset's rows by themselves. */
export function baseOf(
  context: WarehouseContext,
  { datasetId, spec }: Pick<LoadRecord, 'datasetId' | 'spec'>,
): TableSet | null {
  const dataset = findDataset(context, datasetId)
  return dataset && isIncremental(spec, dataset) ? findTableSet(context, dataset.tableSet) : null
}

const isUnchanged = (spec: BeginLoad, dataset: StoredDataset): boolean =>
  dataset.tableSet !== null && !isIncremental(spec, dataset) && dataset.contentHash === spec.contentHash

function resumeLoad(context: WarehouseContext, loadRecord: LoadRecord, spec: BeginLoad): LoadLease {
  if (loadRecord.datasetId !== spec.datasetId) throw new ProductError('not_found')
  if (loadRecord.state === 'done') return { fence: loadRecord.fence, unchanged: loadRecord.fence === NO_LEASE }
  if (isLeaseActive(context, loadRecord)) return { fence: loadRecord.fence, unchanged: false }
  throw new ProductError('expired', { what: 'load' }, 'Import interrupted. Try again.')
}

const newLoadRecord = (
  spec: BeginLoad,
  dataset: StoredDataset | null,
): Omit<LoadRecord, 'fence' | 'state' | 'tableSet'> => ({
  runId: spec.runId,
  datasetId: spec.datasetId,
  spec,
  base: { name: dataset?.name ?? spec.datasetName, columns: dataset?.columns ?? [] },
  staged: 0,
  rejected: 0,
  bytes: 0,
  outcome: null,
})

function startLoad(context: WarehouseContext, spec: BeginLoad, dataset: StoredDataset | null): LoadLease {
  const { datasetId, sourceId, datasetName: name, columns, runId } = spec
  if (!dataset || dataset.tableSet === null) {
    saveDataset(context, emptyDataset({ id: datasetId, sourceId, name, columns }))
  }
  const fence = acquireLease(context, { datasetId, runId })
  const set = createTableSet(context, { datasetId, kind: 'staging', columns })
  insertLoad(context, { ...newLoadRecord(spec, dataset), fence, state: 'open', tableSet: set.n })
  return { fence, unchanged: false }
}

/** The same content again: the run is done before it began, without ever holding the lease. */
function skipUnchanged(context: WarehouseContext, spec: BeginLoad, dataset: StoredDataset): LoadLease {
  const { dataVersion, rowCount, bytes, columns } = dataset
  const done: CompletedLoad = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0 }
  const loadRecord: LoadRecord = {
    ...newLoadRecord(spec, dataset),
    fence: NO_LEASE,
    state: 'done',
    tableSet: null,
    outcome: null,
  }
  insertLoad(context, { ...loadRecord, outcome: { ok: true, value: done } })
  return { fence: NO_LEASE, unchanged: true }
}

function validateSpec(spec: BeginLoad): void {
  const keys = new Set(spec.columns.map((column) => column.key))
  if (keys.size > DATASET_MAX_COLUMNS) {
    throw new ProductError('too_large', { what: 'columns', max: DATASET_MAX_COLUMNS, size: keys.size })
  }
  const clean = keys.size === spec.columns.length && keys.size > 0 && [...keys].every((key) => /^c\d{1,6}$/.test(key))
  if (!clean) throw new ProductError('invalid_input', { fields: { columns: 'Each column needs its own key.' } })
  const keyed = spec.keyColumns.every((key) => keys.has(key))
  if (!keyed || (replacesRows(spec.mode) && spec.keyColumns.length === 0)) {
    const what =
      spec.mode === 'replacePart' ? 'Choose the key columns of each part.' : 'Choose the columns that identify a row.'
    throw new ProductError('invalid_input', { fields: { keyColumns: what } })
  }
}

/** Values of two types in one column could never be compared again. */
function validateTypesUnchanged(context: WarehouseContext, spec: BeginLoad, dataset: StoredDataset): void {
  const before = new Map(findTableSet(context, dataset.tableSet)?.columns.map((column) => [column.key, column]))
  const changed = spec.columns.filter((column) => {
    const old = before.get(column.key)
    return old !== undefined && (old.type !== column.type || (old.zoned ?? false) !== (column.zoned ?? false))
  })
  if (changed.length === 0) return
  const message = 'Column type differs. Replace all rows, or use the existing type.'
  throw new ProductError('invalid_input', {
    fields: Object.fromEntries(changed.map((column) => [`columns.${column.key}`, message])),
  })
}
