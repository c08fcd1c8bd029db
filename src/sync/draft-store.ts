import type { Database } from '../db/database'
import { parseRow } from '../db/rows'

export interface DraftRow {
  id: string
  workspaceId: string
  userId: string
  kind: string
  sourceId: string | null
  settings: Record<string, string>
  sealed: string
  state: 'asked' | 'given'
  expiresAt: number
}

/** Consents at vendors on their way, each of one person in one workspace. */
export const draftStore = ({ d1 }: Database) => ({
  insert: (row: DraftRow): Promise<unknown> =>
    d1
      .prepare(
        `INSERT INTO connection_drafts (id, workspace_id, user_id, kind, source_id, settings, sealed, state, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        row.id,
        row.workspaceId,
        row.userId,
        row.kind,
        row.sourceId,
        JSON.stringify(row.settings),
        row.sealed,
        row.state,
        row.expiresAt,
      )
      .run(),

  async get(id: string, of: { userId: string; now: number }): Promise<DraftRow | null> {
    const row = await d1
      .prepare(
        `SELECT id, workspace_id AS workspaceId, user_id AS userId, kind, source_id AS sourceId, settings, sealed, state,
           expires_at AS expiresAt FROM connection_drafts WHERE id = ? AND user_id = ? AND expires_at > ?`,
      )
      .bind(id, of.userId, of.now)
      .first<Record<string, unknown>>()
    return row && parseRow<DraftRow>(row, { json: ['settings'] })
  },

  /** Of two equal answers the first one counts. */
  async give(id: string, to: { sealed: string; settings: Record<string, string> }): Promise<boolean> {
    const sql = `UPDATE connection_drafts SET sealed = ?2, settings = ?3, state = 'given' WHERE id = ?1 AND state = 'asked'`
    return (await d1.prepare(sql).bind(id, to.sealed, JSON.stringify(to.settings)).run()).meta.changes > 0
  },

  remove: (id: string): D1PreparedStatement => d1.prepare('DELETE FROM connection_drafts WHERE id = ?').bind(id),

  deleteExpired: (now: number): Promise<unknown> =>
    d1.prepare('DELETE FROM connection_drafts WHERE expires_at <= ?').bind(now).run(),
})
