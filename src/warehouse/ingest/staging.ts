import { firstRow, type WarehouseContext } from '../context'
import type { RejectedRow } from '../../shared/data-sources/data-sources'
import { REJECTS_STORED_MAX, DATASET_MAX_ROWS, WORKSPACE_MAX_BYTES } from '../../shared/limits'
import { baseOf } from './begin'
import { findLoad, renewLease, saveProgress, type LoadRecord } from './load'
import { dropOpenChunk, dropStagedRows, stageRows } from '../segments/staged-columns'
import type { StageBatch } from '../contract'
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

/** Starts a segment, or starts it again: what an earlier try of it (and of later ones) staged is taken out. */
export function openSegment(context: WarehouseContext, at: { runId: string; fence: number; segment: number }): void {
  context.transaction(() => {
    const load = renewLease(context, at)
    const query = 'SELECT staged, rejected, bytes FROM segments WHERE run_id = ? AND segment = ?'
    const before = firstRow<{ staged: number; rejected: number; bytes: number }>(
      context.sql,
      query,
      at.runId,
      at.segment,
    )
    if (before) restartSegment(context, { ...load, ...before }, at.segment)
    else {
      const insert = 'INSERT INTO segments (run_id, segment, staged, rejected, bytes) VALUES (?, ?, ?, ?, ?)'
      context.sql.exec(insert, at.runId, at.segment, load.staged, load.rejected, load.bytes)
    }
  })
}

function restartSegment(context: WarehouseContext, load: LoadRecord & { tableSet: number }, segment: number): void {
  dropStagedRows(context, load.tableSet, load.staged)
  deleteRejectsAfter(context, load.runId, load.rejected)
  context.sql.exec('DELETE FROM segments WHERE run_id = ? AND segment > ?', load.runId, segment)
  saveProgress(context, load)
}

/** Takes a batch in: its rows, and what of it was rejected, in one transaction. */
export function stageBatch(context: WarehouseContext, batch: StageBatch): { staged: number; rejected: number } {
  try {
    return context.transaction(() => stage(context, batch))
  } catch (error) {
    const load = findLoad(context, batch.runId)
    if (load?.tableSet) dropOpenChunk(context, load.tableSet)
    throw error
  }
}

function stage(context: WarehouseContext, batch: StageBatch): { staged: number; rejected: number } {
  const load = renewLease(context, batch)
  assertWithinLimits(context, load, batch)
  const next = {
    ...load,
    staged: load.staged + batch.rowCount,
    rejected: load.rejected + batch.rejectCount,
    bytes: load.bytes + batch.rows.byteLength,
  }
  if (batch.rowCount > 0) {
    const target = { tableSet: load.tableSet, base: baseOf(context, load)?.n ?? null }
    stageRows(context, target, { first: load.staged, rows: batch.rowCount, body: batch.rows })
  }
  storeRejects(context, load.runId, { rejects: batch.rejects, after: load.rejected })
  saveProgress(context, next)
  return { staged: next.staged, rejected: next.rejected }
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
