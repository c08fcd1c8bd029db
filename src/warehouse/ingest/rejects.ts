import type { WarehouseContext } from '../room'
import { REJECTS_STORED_MAX } from '../../shared/limits'
import type { RejectedRow } from '../../shared/sources'

/** Keeps the first rejected rows of a run; `after` is how many it had rejected before. */
export function storeRejects(
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

export function deleteRejectsAfter(context: WarehouseContext, runId: string, rejected: number): void {
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
