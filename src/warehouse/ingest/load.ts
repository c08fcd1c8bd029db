import type { BeginLoad, CompletedLoad } from '../contract'
import { firstRow, type WarehouseContext } from '../context'
import { dropOpenChunk } from '../segments/staged-columns'
import { discardTableSet } from '../tables'
import { ProductError, type RpcResult } from '../../shared/errors'
import type { Column } from '../../shared/data-sources/data-sources'
import { LOAD_LEASE_MS } from '../../shared/limits'

/** `open`: being staged. `done`: finished, with its outcome (also a refusal). `ended`: aborted, lost or deleted. */
type LoadRecordState = 'open' | 'done' | 'ended'

export interface LoadRecord {
  runId: string
  datasetId: string
  fence: number
  state: LoadRecordState
  spec: BeginLoad
  /** Name and columns of the dataset when the load began: what was edited since then stays edited. */
  base: { name: string; columns: Column[] }
  tableSet: number | null
  staged: number
  rejected: number
  bytes: number
  outcome: RpcResult<CompletedLoad> | null
}

type LoadRow = {
  run_id: string
  dataset_id: string
  fence: number
  state: LoadRecordState
  spec: string
  base: string
  table_set: number | null
  staged: number
  rejected: number
  bytes: number
  outcome: string | null
}

function parseLoad(row: LoadRow): LoadRecord {
  const spec: BeginLoad = JSON.parse(row.spec)
  const base: LoadRecord['base'] = JSON.parse(row.base)
  const outcome: LoadRecord['outcome'] = row.outcome === null ? null : JSON.parse(row.outcome)
  const { fence, state, staged, rejected, bytes } = row
  const ids = { runId: row.run_id, datasetId: row.dataset_id, tableSet: row.table_set }
  return { ...ids, fence, state, spec, base, staged, rejected, bytes, outcome }
}

export function findLoad(context: WarehouseContext, runId: string): LoadRecord | null {
  const row = firstRow<LoadRow>(context.sql, 'SELECT * FROM loads WHERE run_id = ?', runId)
  return row && parseLoad(row)
}

export function insertLoad(context: WarehouseContext, loadRecord: LoadRecord): void {
  context.sql.exec(
    `INSERT INTO loads (run_id, dataset_id, fence, state, spec, base, table_set, staged, rejected, bytes, widened,
      outcome, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', ?, ?)`,
    loadRecord.runId,
    loadRecord.datasetId,
    loadRecord.fence,
    loadRecord.state,
    JSON.stringify(loadRecord.spec),
    JSON.stringify(loadRecord.base),
    loadRecord.tableSet,
    loadRecord.staged,
    loadRecord.rejected,
    loadRecord.bytes,
    loadRecord.outcome && JSON.stringify(loadRecord.outcome),
    context.clock.now(),
  )
}

/** Writes what staging changes. */
export function saveProgress(context: WarehouseContext, loadRecord: LoadRecord): void {
  context.sql.exec(
    'UPDATE loads SET staged = ?, rejected = ?, bytes = ? WHERE run_id = ?',
    loadRecord.staged,
    loadRecord.rejected,
    loadRecord.bytes,
    loadRecord.runId,
  )
}

/** Ends a load with its outcome, frees the lease and lets go of what was staged, unless it became the dataset. */
export function completeLoad(
  context: WarehouseContext,
  loadRecord: LoadRecord,
  end: { outcome: RpcResult<CompletedLoad>; keepSet: boolean },
): void {
  if (loadRecord.tableSet !== null && !end.keepSet) discardTableSet(context, loadRecord.tableSet)
  context.sql.exec(
    "UPDATE loads SET state = 'done', outcome = ?, table_set = NULL WHERE run_id = ?",
    JSON.stringify(end.outcome),
    loadRecord.runId,
  )
  releaseLease(context, loadRecord.runId)
}

/** A load that will never finish: its staging goes, its lease is free, a late writer of it finds nothing. */
export function discardLoad(context: WarehouseContext, load: Pick<LoadRecord, 'runId' | 'tableSet'>): void {
  if (load.tableSet !== null) {
    dropOpenChunk(context, load.tableSet)
    discardTableSet(context, load.tableSet)
  }
  context.sql.exec("UPDATE loads SET state = 'ended', table_set = NULL WHERE run_id = ? AND state = 'open'", load.runId)
  releaseLease(context, load.runId)
}

function releaseLease(context: WarehouseContext, runId: string): void {
  context.sql.exec('UPDATE leases SET run_id = NULL, expires_at = 0 WHERE run_id = ?', runId)
  context.sql.exec('DELETE FROM segments WHERE run_id = ?', runId)
}

/** A lease that was renewed so lately is left as it is: each write is billed. */
const RENEW_AFTER_MS = LOAD_LEASE_MS / 12

type LeaseRow = { run_id: string | null; fence: number; expires_at: number }

const readLease = (context: WarehouseContext, datasetId: string): LeaseRow | null =>
  firstRow<LeaseRow>(context.sql, 'SELECT run_id, fence, expires_at FROM leases WHERE dataset_id = ?', datasetId)

/** Whether somebody loads this dataset right now. */
function activeLeaseHolder(context: WarehouseContext, datasetId: string): { runId: string; expiresAt: number } | null {
  const lease = readLease(context, datasetId)
  if (lease === null || lease.run_id === null || lease.expires_at <= context.clock.now()) return null
  return { runId: lease.run_id, expiresAt: lease.expires_at }
}

/** @throws ProductError `busy` with the seconds after which the lease may be free. */
export function assertNotLoading(context: WarehouseContext, datasetId: string): void {
  const holder = activeLeaseHolder(context, datasetId)
  if (holder === null) return
  const retryAfter = Math.ceil((holder.expiresAt - context.clock.now()) / 1000)
  throw new ProductError('busy', { retryAfter }, 'Another import is in progress. Try again when it ends.')
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
  const holder = activeLeaseHolder(context, load.datasetId)
  if (tableSet === null || load.fence !== at.fence || load.state !== 'open' || holder?.runId !== load.runId) {
    throw new ProductError('expired', { what: 'load' }, 'Import interrupted. Try again.')
  }
  const expiresAt = context.clock.now() + LOAD_LEASE_MS
  if (expiresAt - holder.expiresAt >= RENEW_AFTER_MS)
    context.sql.exec(
      'UPDATE leases SET expires_at = ? WHERE dataset_id = ? AND run_id = ? AND fence = ?',
      expiresAt,
      load.datasetId,
      at.runId,
      at.fence,
    )
  return { ...load, tableSet }
}
