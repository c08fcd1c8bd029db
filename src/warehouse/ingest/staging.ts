import { firstRow, type WarehouseContext } from '../context'
import type { RejectedRow } from '../../shared/data-sources/data-sources'
import { REJECTS_STORED_MAX, DATASET_MAX_ROWS, WORKSPACE_MAX_BYTES } from '../../shared/limits'
import { baseOf } from './begin'
import { findLoad, renewLease, saveProgress, type LoadRecord } from './load'
import type { StagedBatch } from '../segments/segment-store'
import { dropOpenChunk, dropStagedRows, stageRows } from '../segments/staged-columns'
import type { SegmentStart, StageBatch, StagedRows } from '../contract'
import { ProductError } from '../../shared/errors'

/** Keeps the first rejected rows of a run; `after` is how many it had rejected before. */
function storeRejects(
  context: WarehouseContext,
  runId: string,
  batch: { rejects: RejectedRow[]; after: number },
): void {
  const kept = batch.rejects.slice(0, Math.max(0, REJECTS_STORED_MAX - batch.after))
  if (kept.length === 0) return
  context.sql.exec(
    `INSERT INTO rejects (run_id, seq, line, reason, text)
     SELECT ?, ? + key, value ->> 'line', value ->> 'reason', value ->> 'text' FROM json_each(?)`,
    runId,
    batch.after + 1,
    JSON.stringify(kept),
  )
}

function deleteRejectsAfter(context: WarehouseContext, runId: string, rejected: number): void {
  context.sql.exec('DELETE FROM rejects WHERE run_id = ? AND seq > ?', runId, rejected)
}

/** Rejected rows of a run by line, from after a line on. */
export function listRejects(
  context: WarehouseContext,
  at: { runId: string; after: number; limit: number },
): RejectedRow[] {
  const query = 'SELECT line, reason, text FROM rejects WHERE run_id = ? AND line > ? ORDER BY line, seq LIMIT ?'
  return context.sql.exec<{ line: number; reason: string; text: string }>(query, at.runId, at.after, at.limit).toArray()
}

/** SQLite's own cap on one value, with room for the statement. */
const PARAMETER_MAX_BYTES = 2_000_000

/** What a load that has ended came to; null while it is under way. */
function endedLoad(context: WarehouseContext, at: { runId: string; fence: number }): StagedRows | null {
  const load = findLoad(context, at.runId)
  return load?.state === 'done' && load.fence === at.fence ? stagedRowsOf(load) : null
}
const stagedRowsOf = ({ staged, rejected }: LoadRecord): StagedRows => ({ staged, rejected })

/**
 * Starts a segment, or starts it again, and answers what comes before it. What an earlier try of it staged stays: a try that
 * was given up may still be at it, and both read the same rows.
 */
export function openSegment(context: WarehouseContext, at: SegmentStart): StagedRows {
  return context.transaction(() => {
    const ended = endedLoad(context, at)
    if (ended) return ended
    const load = renewLease(context, at)
    const query = 'SELECT staged, rejected FROM segments WHERE run_id = ? AND segment = ?'
    const before = firstRow<{ staged: number; rejected: number }>(context.sql, query, at.runId, at.segment)
    if (before) return before
    const start = at.from ? cutBack(context, load, at.from) : load
    const insert = 'INSERT INTO segments (run_id, segment, staged, rejected, bytes) VALUES (?, ?, ?, ?, ?)'
    context.sql.exec(insert, at.runId, at.segment, start.staged, start.rejected, start.bytes)
    return stagedRowsOf(start)
  })
}

/**
 * A load without what lies behind so many rows: of a segment that has ended, all tries but the one whose end is known count
 * for nothing, and one of another release may have read more rows. Call inside a transaction. @throws ProductError `busy`
 */
export function cutBack<T extends LoadRecord & { tableSet: number }>(
  context: WarehouseContext,
  load: T,
  to: StagedRows,
): T {
  if (load.staged < to.staged || load.rejected < to.rejected) throw new ProductError('busy', { retryAfter: 1 })
  const cut = { ...load, ...takeBack(context, load, to) }
  saveProgress(context, cut)
  return cut
}

/**
 * Takes batches in that follow one on another: their rows, and what of them was rejected, in one transaction. One that was
 * sent before is not taken twice.
 */
export function stageBatches(context: WarehouseContext, batches: readonly StageBatch[]): StagedRows {
  const [first] = batches
  if (!first) throw new Error('There is no batch to stage.')
  const ended = endedLoad(context, first)
  if (ended) return ended
  try {
    return context.transaction(() => stage(context, first, batches))
  } catch (error) {
    const load = findLoad(context, first.runId)
    if (load?.tableSet) dropOpenChunk(context, load.tableSet)
    throw error
  }
}

function stage(
  context: WarehouseContext,
  lease: { runId: string; fence: number },
  batches: readonly StageBatch[],
): StagedRows {
  const held = renewLease(context, lease)
  let load = held
  const staged: StagedBatch[] = []
  for (const batch of batches) {
    const { after, rowCount, rejectCount } = batch
    if (load.staged >= after.staged + rowCount && load.rejected >= after.rejected + rejectCount) continue
    if (load.staged < after.staged || load.rejected < after.rejected) throw new ProductError('busy', { retryAfter: 1 })
    load = { ...load, ...takeBack(context, load, after) }
    assertWithinLimits(context, load, batch)
    if (rowCount > 0) staged.push({ first: load.staged, rows: rowCount, body: batch.rows })
    storeRejects(context, load.runId, { rejects: batch.rejects, after: load.rejected })
    load = {
      ...load,
      staged: load.staged + rowCount,
      rejected: load.rejected + rejectCount,
      bytes: load.bytes + batch.rows.byteLength,
    }
  }
  if (load === held) return stagedRowsOf(held)
  stageRows(context, { tableSet: load.tableSet, base: baseOf(context, load)?.n ?? null }, staged)
  saveProgress(context, load)
  return stagedRowsOf(load)
}

/** Takes out what an earlier try staged in batches that ended elsewhere, as those of another release may. */
function takeBack(
  context: WarehouseContext,
  load: LoadRecord & { tableSet: number },
  to: StagedRows,
): StagedRows & { bytes: number } {
  if (load.staged === to.staged && load.rejected === to.rejected) return load
  dropStagedRows(context, load.tableSet, to.staged)
  deleteRejectsAfter(context, load.runId, to.rejected)
  const share = load.staged === 0 ? 1 : to.staged / load.staged
  return { ...to, bytes: Math.round(load.bytes * share) }
}

function assertWithinLimits(context: WarehouseContext, loadRecord: LoadRecord, batch: StageBatch): void {
  if (batch.rows.byteLength > PARAMETER_MAX_BYTES) {
    throw new ProductError('too_large', { what: 'body', max: PARAMETER_MAX_BYTES, size: batch.rows.byteLength })
  }
  assertRowLimit(loadRecord.staged + batch.rowCount)
  const size = context.sql.databaseSize
  if (size > WORKSPACE_MAX_BYTES) {
    const details = { what: 'workspace', max: WORKSPACE_MAX_BYTES, size }
    throw new ProductError('too_large', details, 'Workspace storage full. Delete sources you don’t need.')
  }
}

/** @throws ProductError `too_large` when a dataset would hold more rows than allowed. */
export function assertRowLimit(size: number): void {
  if (size <= DATASET_MAX_ROWS) return
  const message = `A table holds at most ${DATASET_MAX_ROWS.toLocaleString('en')} rows. Split the file or import fewer.`
  throw new ProductError('too_large', { what: 'rows', max: DATASET_MAX_ROWS, size }, message)
}
