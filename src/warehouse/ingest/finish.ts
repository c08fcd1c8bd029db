import { isIncremental, replacesRows } from './begin'
import { measureBounds } from './bounds'
import { renewLease, findLoad, completeLoad, type LoadRecord } from './load'
import { collectKeys, countKeys, dropDuplicates } from './copy-rows'
import { rescale, targetScales } from './scale'
import { fillStagedColumns } from '../segments/fill-columns'
import { takeStagedColumns } from '../segments/staged-columns'
import { addStagedRows, swapInStaged } from './swap'
import { findDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import { revalidateRelations } from '../relations/service'
import type { WarehouseContext } from '../context'
import { countRows, findTableSet, getTableSet, saveTableSet, type TableSet } from '../tables'
import { ProductError, type RpcResult } from '../../shared/errors'
import { REJECTS_MAX_SHARE } from '../../shared/limits'

/**
 * Validates what was staged, prepares it (slow, invisible, repeatable) and makes it the dataset in one transaction.
 * A refusal ends the load; asking again answers the same.
 */
export async function finishLoad(
  context: WarehouseContext,
  at: { runId: string; fence: number },
): Promise<RpcResult<CompletedLoad>> {
  const known = findLoad(context, at.runId)
  if (known?.state === 'done' && known.outcome) return known.outcome
  const load = renewLease(context, at)
  try {
    validateStaged(context, load)
    const duplicates = await prepareStaged(context, load)
    return context.transaction(() => publishStaged(context, at, duplicates))
  } catch (error) {
    if (!(error instanceof ProductError) || error.code === 'expired') throw error
    const rpcResult: RpcResult<CompletedLoad> = { ok: false, error: error.serialize() }
    context.transaction(() => completeLoad(context, renewLease(context, at), { outcome: rpcResult, keepSet: false }))
    return rpcResult
  }
}

const incrementalTarget = (context: WarehouseContext, loadRecord: LoadRecord): TableSet | null => {
  const dataset = findDataset(context, loadRecord.datasetId)
  return dataset && isIncremental(loadRecord.spec, dataset) ? findTableSet(context, dataset.tableSet) : null
}

function validateStaged(context: WarehouseContext, load: LoadRecord & { tableSet: number }): void {
  const read = load.staged + load.rejected
  if (load.rejected > read * REJECTS_MAX_SHARE) {
    const message =
      `${load.rejected.toLocaleString('en')} of ${read.toLocaleString('en')} rows are invalid. ` +
      'Check delimiter, decimal separator and column types.'
    throw new ProductError('file_unreadable', { reason: 'broken' }, message)
  }
  if (load.staged === 0 && !incrementalTarget(context, load)) {
    throw new ProductError('file_unreadable', { reason: 'empty' }, 'File has no rows. Existing data is unchanged.')
  }
}

/** Brings the staged rows into their last form. Answers how many have the key of a later one: an upsert leaves them out. */
async function prepareStaged(context: WarehouseContext, load: LoadRecord & { tableSet: number }): Promise<number> {
  const live = incrementalTarget(context, load)
  const { mode, keyColumns } = load.spec
  const set = context.transaction(() => {
    const staging = getTableSet(context, load.tableSet)
    const counts = staging.layout.map((_, group) => countRows(context, staging, group))
    if (counts.some((count) => count !== counts[0])) throw new Error('Column groups have different row counts.')
    const scaled = scaleStaged(context, load, { staging: { ...staging, bounds: completeBounds(load) }, live })
    saveTableSet(context, scaled)
    return scaled
  })
  const compares = replacesRows(mode) || (mode === 'append' && keyColumns.length > 0)
  if (compares) context.transaction(() => collectKeys(context, set, keyColumns))
  if (mode === 'upsert') context.transaction(() => dropDuplicates(context, set))
  const bounds = await measureBounds(context, set)
  saveTableSet(context, { ...set, bounds })
  // What is added to live rows gets its place among theirs; these are the dataset's rows as they are.
  const encoded = takeStagedColumns(context, load)
  if (!live) await fillStagedColumns(context, set, mode === 'upsert' ? null : encoded)
  if (mode === 'append' && compares) return load.staged - countKeys(context, set)
  return mode === 'upsert' ? load.staged - countRows(context, set) : 0
}

/** Of columns whose cells came wrapped only some values were measured. */
const completeBounds = ({ bounds, widened }: LoadRecord): TableSet['bounds'] =>
  Object.fromEntries(Object.entries(bounds ?? {}).filter(([key]) => !(key in widened)))

function scaleStaged(
  context: WarehouseContext,
  loadRecord: LoadRecord,
  sets: { staging: TableSet; live: TableSet | null },
): TableSet {
  let set = sets.staging
  for (const [key, scale] of targetScales(context, loadRecord, sets)) {
    const column = set.columns.find((candidate) => candidate.key === key)
    if (column?.scale === scale && loadRecord.widened[key] === undefined) continue
    set = rescale(context, set, { key, scale })
  }
  return set
}

function publishStaged(
  context: WarehouseContext,
  at: { runId: string; fence: number },
  duplicates: number,
): RpcResult<CompletedLoad> {
  const load = renewLease(context, at)
  const dataset = findDataset(context, load.datasetId)
  if (!dataset || dataset.deletedAt !== null) throw new ProductError('not_found')
  const staging = getTableSet(context, load.tableSet)
  const adds = isIncremental(load.spec, dataset)
  const done = adds
    ? addStagedRows(context, { load, dataset, staging, duplicates })
    : swapInStaged(context, { load, dataset, staging, duplicates })
  revalidateRelations(context, load.datasetId)
  const rpcResult: RpcResult<CompletedLoad> = { ok: true, value: done }
  completeLoad(context, load, { outcome: rpcResult, keepSet: !adds })
  return rpcResult
}
