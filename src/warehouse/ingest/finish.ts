import { baseOf } from './begin'
import { renewLease, findLoad, completeLoad, type LoadRecord } from './load'
import { prepareRows, type PreparedRows } from './prepare-rows'
import { addStagedRows, swapInStaged } from './swap'
import { findDataset } from '../catalogue'
import { cutBack } from './staging'
import type { CompletedLoad, StagedRows } from '../contract'
import { revalidateRelations } from '../relations/service'
import type { WarehouseContext } from '../context'
import { getTableSet } from '../tables'
import { ProductError, type RpcResult } from '../../shared/errors'
import { REJECTS_MAX_SHARE } from '../../shared/limits'

/**
 * Validates what was staged, prepares it (slow, invisible, repeatable) and makes it the dataset in one transaction.
 * A refusal ends the load; asking again answers the same.
 */
export async function finishLoad(
  context: WarehouseContext,
  at: { runId: string; fence: number; staged?: StagedRows },
): Promise<RpcResult<CompletedLoad>> {
  const known = findLoad(context, at.runId)
  if (known?.state === 'done' && known.outcome) return known.outcome
  const load = context.transaction(() => {
    const held = renewLease(context, at)
    return at.staged ? cutBack(context, held, at.staged) : held
  })
  try {
    validateStaged(context, load)
    const prepared = await prepareRows(holdingLease(context, at), load, baseOf(context, load))
    return context.transaction(() => publishStaged(context, at, prepared))
  } catch (error) {
    if (!(error instanceof ProductError) || error.code === 'expired') throw error
    const rpcResult: RpcResult<CompletedLoad> = { ok: false, error: error.serialize() }
    context.transaction(() => completeLoad(context, renewLease(context, at), { outcome: rpcResult, keepSet: false }))
    return rpcResult
  }
}

/** Many rows are prepared for longer than a lease lasts: it is renewed whenever others have their turn. */
function holdingLease(context: WarehouseContext, at: { runId: string; fence: number }): WarehouseContext {
  const pause = async (): Promise<void> => {
    renewLease(context, at)
    await context.pause()
  }
  return { ...context, pause }
}

function validateStaged(context: WarehouseContext, load: LoadRecord & { tableSet: number }): void {
  const read = load.staged + load.rejected
  if (load.rejected > read * REJECTS_MAX_SHARE) {
    const message =
      `${load.rejected.toLocaleString('en')} of ${read.toLocaleString('en')} rows are invalid. ` +
      'Check delimiter, decimal separator and column types.'
    throw new ProductError('file_unreadable', { reason: 'broken' }, message)
  }
  if (load.staged === 0 && !baseOf(context, load) && load.spec.allowsEmpty !== true) {
    throw new ProductError('file_unreadable', { reason: 'empty' }, 'File has no rows. Existing data is unchanged.')
  }
}

function publishStaged(
  context: WarehouseContext,
  at: { runId: string; fence: number },
  prepared: PreparedRows,
): RpcResult<CompletedLoad> {
  const load = renewLease(context, at)
  const dataset = findDataset(context, load.datasetId)
  if (!dataset || dataset.deletedAt !== null) throw new ProductError('not_found')
  const staging = getTableSet(context, load.tableSet)
  const adds = prepared.base !== null
  const publication = { load, dataset, staging, prepared }
  const done = adds ? addStagedRows(context, publication) : swapInStaged(context, publication)
  revalidateRelations(context, load.datasetId)
  const rpcResult: RpcResult<CompletedLoad> = { ok: true, value: done }
  completeLoad(context, load, { outcome: rpcResult, keepSet: !adds })
  return rpcResult
}
