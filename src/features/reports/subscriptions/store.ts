import type { Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import {
  BLOCK_SUBSCRIPTIONS_MAX,
  type BlockSubscription,
  type SubscriptionCadence,
} from '../../../shared/reports/block-subscriptions'

/** `due_at` of one that its reader ended by the link in a mail, who may take that back: it never comes. */
const ENDED = 8_640_000_000_000_000

/** One as it falls due. */
export interface DueSubscription {
  id: string
  workspaceId: string
  userId: string
  reportId: string
  block: string
  cadence: SubscriptionCadence
  lastSlot: string | null
  dataKey: string | null
}

/** A member's own subscriptions to blocks. Writes are statements for `commit`. */
export const blockSubscriptionStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  async list(): Promise<BlockSubscription[]> {
    const { results } = await d1
      .prepare(
        `SELECT s.report_id AS reportId, r.name AS report, r.kind, s.block_id AS block, s.cadence
         FROM block_subscriptions s JOIN reports r ON r.id = s.report_id AND r.deleted_at IS NULL
         WHERE s.workspace_id = ?1 AND s.user_id = ?2 AND s.due_at < ${ENDED} ORDER BY r.name_key, s.created_at, s.id`,
      )
      .bind(workspaceId, actorId)
      .all<BlockSubscription>()
    return results
  },

  /** Begins with the next slot. Writes no row when the member has as many as they may. */
  save: (
    of: { id: string; report: string; block: string; cadence: SubscriptionCadence },
    now: number,
  ): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO block_subscriptions (id, workspace_id, report_id, block_id, user_id, cadence, created_at)
         SELECT ?3, ?1, ?4, ?5, ?2, ?6, ?7
         WHERE EXISTS (SELECT 1 FROM block_subscriptions WHERE report_id = ?4 AND block_id = ?5 AND user_id = ?2)
           OR (SELECT count(*) FROM block_subscriptions WHERE workspace_id = ?1 AND user_id = ?2) < ${BLOCK_SUBSCRIPTIONS_MAX}
         ON CONFLICT (report_id, block_id, user_id) DO UPDATE SET cadence = ?6, last_slot = NULL, data_key = NULL, due_at = 0`,
      )
      .bind(workspaceId, actorId, of.id, of.report, of.block, of.cadence, now),

  remove: (report: string, block: string): D1PreparedStatement =>
    d1
      .prepare(
        'DELETE FROM block_subscriptions WHERE workspace_id = ? AND user_id = ? AND report_id = ? AND block_id = ?',
      )
      .bind(workspaceId, actorId, report, block),
})

/** Subscriptions of all workspaces, as they fall due. */
export const blockSubscriptionQueue = ({ d1 }: Database) => ({
  /** Those that are due; nobody else gets them until `leaseEnd`. */
  async claimDue(at: { now: number; leaseEnd: number; limit: number }): Promise<DueSubscription[]> {
    const { results } = await d1
      .prepare(
        `UPDATE block_subscriptions SET due_at = ?2 WHERE rowid IN (
           SELECT rowid FROM block_subscriptions INDEXED BY block_subscriptions_due WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3)
         RETURNING id, workspace_id AS workspaceId, user_id AS userId, report_id AS reportId, block_id AS block, cadence,
           last_slot AS lastSlot, data_key AS dataKey`,
      )
      .bind(at.now, at.leaseEnd, at.limit)
      .all<DueSubscription>()
    return results
  },

  /** Changes no row when another round filled the slot, or the reader changed or ended it meanwhile. */
  reschedule: (
    { id, lastSlot, cadence, dataKey }: DueSubscription,
    to: { slot: string | null; dataKey: string | null; dueAt: number },
  ): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE block_subscriptions SET last_slot = ?2, data_key = ?3, due_at = ?4
         WHERE id = ?1 AND last_slot IS ?5 AND cadence = ?6 AND data_key IS ?7 AND due_at < ${ENDED}`,
      )
      .bind(id, to.slot, to.dataKey, to.dueAt, lastSlot, cadence, dataKey),

  /** New rows came in: those that wait for data look at once. */
  wake: (workspaceId: string): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE block_subscriptions SET due_at = 0 WHERE workspace_id = ? AND cadence = 'data' AND due_at < ${ENDED}`,
      )
      .bind(workspaceId),
})

/** One by the link in its mail. */
export const linkedBlockSubscription = ({ d1 }: Database, id: string) => ({
  async get(): Promise<{ workspaceId: string; report: string; workspace: string; subscribed: boolean } | null> {
    const row = await d1
      .prepare(
        `SELECT s.workspace_id AS workspaceId, r.name AS report, w.name AS workspace, s.due_at < ${ENDED} AS subscribed
         FROM block_subscriptions s JOIN reports r ON r.id = s.report_id
         JOIN workspaces w ON w.id = s.workspace_id AND w.deleted_at IS NULL WHERE s.id = ?`,
      )
      .bind(id)
      .first<{ workspaceId: string; report: string; workspace: string; subscribed: number }>()
    return row && { ...row, subscribed: row.subscribed === 1 }
  },

  /** Null: subscribed, from the next slot on. */
  set: (unsubscribedAt: number | null): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE block_subscriptions SET due_at = iif(?2 IS NULL, 0, ${ENDED}), last_slot = iif(?2 IS NULL, NULL, last_slot)
         WHERE id = ?1 AND (due_at < ${ENDED}) = (?2 IS NOT NULL)`,
      )
      .bind(id, unsubscribedAt),
})
