import { endLoad, findLoad } from './load'
import type { Load } from './load'
import { first } from '../room'
import type { Room } from '../room'
import { ProductError } from '../../shared/errors'
import { LOAD_LEASE_MS } from '../../shared/limits'

type Lease = { run_id: string | null; fence: number; expires_at: number }

const readLease = (room: Room, datasetId: string): Lease | null =>
  first<Lease>(room.sql, 'SELECT run_id, fence, expires_at FROM leases WHERE dataset_id = ?', datasetId)

/** Whether somebody loads this dataset right now. */
export function leaseHolder(room: Room, datasetId: string): { runId: string; expiresAt: number } | null {
  const lease = readLease(room, datasetId)
  if (lease === null || lease.run_id === null || lease.expires_at <= room.clock.now()) return null
  return { runId: lease.run_id, expiresAt: lease.expires_at }
}

/** @throws ProductError `busy` with the seconds after which the lease may be free. */
export function refuseWhileLoading(room: Room, datasetId: string): void {
  const holder = leaseHolder(room, datasetId)
  if (holder === null) return
  const retryAfter = Math.ceil((holder.expiresAt - room.clock.now()) / 1000)
  throw new ProductError('busy', { retryAfter }, 'This dataset is being loaded. Try again when that has ended.')
}

/** Takes the lease under a higher fence; what an expired holder left behind is dropped. */
export function takeLease(room: Room, at: { datasetId: string; runId: string }): number {
  refuseWhileLoading(room, at.datasetId)
  const old = readLease(room, at.datasetId)
  const dead = old?.run_id ? findLoad(room, old.run_id) : null
  if (dead) endLoad(room, dead)
  const fence = (old?.fence ?? 0) + 1
  room.sql.exec(
    'INSERT OR REPLACE INTO leases (dataset_id, run_id, fence, expires_at) VALUES (?, ?, ?, ?)',
    at.datasetId,
    at.runId,
    fence,
    room.clock.now() + LOAD_LEASE_MS,
  )
  return fence
}

export const isAlive = (room: Room, load: Load): boolean =>
  load.state === 'open' && leaseHolder(room, load.datasetId)?.runId === load.runId

/**
 * The open load of a writer, its lease renewed.
 * @throws ProductError `not_found` when there is no such load, `expired` when it was stopped, lost its lease or was
 * taken over.
 */
export function holdLease(room: Room, at: { runId: string; fence: number }): Load & { tableSet: number } {
  const load = findLoad(room, at.runId)
  if (!load) throw new ProductError('not_found')
  const { tableSet } = load
  if (tableSet === null || load.fence !== at.fence || !isAlive(room, load)) {
    throw new ProductError('expired', { what: 'load' }, 'This load was interrupted. Start it again.')
  }
  room.sql.exec(
    'UPDATE leases SET expires_at = ? WHERE dataset_id = ? AND run_id = ? AND fence = ?',
    room.clock.now() + LOAD_LEASE_MS,
    load.datasetId,
    at.runId,
    at.fence,
  )
  return { ...load, tableSet }
}
