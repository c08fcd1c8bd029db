import { discardLoad, findLoad } from './load'
import type { LoadRecord } from './load'
import { firstRow } from '../room'
import type { WarehouseContext } from '../room'
import { ProductError } from '../../shared/errors'
import { LOAD_LEASE_MS } from '../../shared/limits'

type LeaseRow = { run_id: string | null; fence: number; expires_at: number }

const readLease = (context: WarehouseContext, datasetId: string): LeaseRow | null =>
  firstRow<LeaseRow>(context.sql, 'SELECT run_id, fence, expires_at FROM leases WHERE dataset_id = ?', datasetId)

/** Whether somebody loads this dataset right now. */
export function activeLeaseHolder(
  context: WarehouseContext,
  datasetId: string,
): { runId: string; expiresAt: number } | null {
  const lease = readLease(context, datasetId)
  if (lease === null || lease.run_id === null || lease.expires_at <= context.clock.now()) return null
  return { runId: lease.run_id, expiresAt: lease.expires_at }
}

/** @throws ProductError `busy` with the seconds after which the lease may be free. */
export function assertNotLoading(context: WarehouseContext, datasetId: string): void {
  const holder = activeLeaseHolder(context, datasetId)
  if (holder === null) return
  const retryAfter = Math.ceil((holder.expiresAt - context.clock.now()) / 1000)
  throw new ProductError('busy', { retryAfter }, 'This dataset is being loaded. Try again when that has ended.')
}

/** Takes the lease under a higher fence; what an expired holder left behind is dropped. */
export function acquireLease(context: WarehouseContext, at: { datasetId: string; runId: string }): number {
  assertNotLoading(context, at.datasetId)
  const old = readLease(context, at.datasetId)
  const dead = old?.run_id ? findLoad(context, old.run_id) : null
  if (dead) discardLoad(context, dead)
  const fence = (old?.fence ?? 0) + 1
  context.sql.exec(
    'INSERT OR REPLACE INTO leases (dataset_id, run_id, fence, expires_at) VALUES (?, ?, ?, ?)',
    at.datasetId,
    at.runId,
    fence,
    context.clock.now() + LOAD_LEASE_MS,
  )
  return fence
}

export const isLeaseActive = (context: WarehouseContext, loadRecord: LoadRecord): boolean =>
  loadRecord.state === 'open' && activeLeaseHolder(context, loadRecord.datasetId)?.runId === loadRecord.runId

/**
 * The open load of a writer, its lease renewed.
 * @throws ProductError `not_found` when there is no such load, `expired` when it was stopped, lost its lease or was
 * taken over.
 */
export function renewLease(
  context: WarehouseContext,
  at: { runId: string; fence: number },
): LoadRecord & { tableSet: number } {
  const load = findLoad(context, at.runId)
  if (!load) throw new ProductError('not_found')
  const { tableSet } = load
  if (tableSet === null || load.fence !== at.fence || !isLeaseActive(context, load)) {
    throw new ProductError('expired', { what: 'load' }, 'This load was interrupted. Start it again.')
  }
  context.sql.exec(
    'UPDATE leases SET expires_at = ? WHERE dataset_id = ? AND run_id = ? AND fence = ?',
    context.clock.now() + LOAD_LEASE_MS,
    load.datasetId,
    at.runId,
    at.fence,
  )
  return { ...load, tableSet }
}
