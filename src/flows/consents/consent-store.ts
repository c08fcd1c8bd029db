import type { Database } from '../../db/database'
import { parseRow } from '../../db/rows'
import type { ConnectorKind } from '../../shared/data-sources/connectors'
import { CONSENT_TTL_MS } from '../../shared/data-sources/consents'

export interface ConsentRow {
  id: string
  workspaceId: string
  userId: string
  sessionHash: string
  kind: ConnectorKind
  sourceId: string | null
  verifier: string
  secrets: string | null
  settings: Record<string, string>
}

const COLUMNS = `id, workspace_id AS workspaceId, user_id AS userId, session_hash AS sessionHash, kind, source_id AS sourceId,
  verifier, secrets, settings`
const toConsent = (row: Record<string, unknown> | null): ConsentRow | null =>
  row && parseRow<ConsentRow>(row, { json: ['settings'] })

/** Consents of one person in one workspace. */
export const consentStore = ({ d1 }: Database, of: { workspaceId: string; userId: string }) => ({
  insert: (
    row: Pick<ConsentRow, 'id' | 'sessionHash' | 'kind' | 'sourceId' | 'verifier'> & { stateHash: string; now: number },
  ): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO consents (id, workspace_id, user_id, session_hash, kind, source_id, state_hash, verifier, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
      )
      .bind(
        row.id,
        of.workspaceId,
        of.userId,
        row.sessionHash,
        row.kind,
        row.sourceId,
        row.stateHash,
        row.verifier,
        row.now,
      ),

  /** One that gave something, and is young enough. */
  async given(id: string, now: number): Promise<ConsentRow | null> {
    const sql = `SELECT ${COLUMNS} FROM consents WHERE id = ?1 AND workspace_id = ?2 AND user_id = ?3 AND secrets IS NOT NULL
      AND created_at > ?4`
    const row = await d1
      .prepare(sql)
      .bind(id, of.workspaceId, of.userId, now - CONSENT_TTL_MS)
      .first()
    return toConsent(row)
  },

  delete: (id: string): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM consents WHERE id = ?1 AND workspace_id = ?2 AND user_id = ?3')
      .bind(id, of.workspaceId, of.userId),
})

/** What comes back from a vendor names no workspace: only the state that it was sent with. */
export const returnedConsentStore = ({ d1 }: Database) => ({
  /** The consent of a state, which is worth nothing afterwards. */
  async take(stateHash: string, now: number): Promise<ConsentRow | null> {
    const sql = `UPDATE consents SET state_hash = NULL WHERE state_hash = ?1 AND created_at > ?2 RETURNING ${COLUMNS}`
    return toConsent(
      await d1
        .prepare(sql)
        .bind(stateHash, now - CONSENT_TTL_MS)
        .first(),
    )
  },

  give: (id: string, what: { secrets: string; settings: Readonly<Record<string, string>> }): D1PreparedStatement =>
    d1
      .prepare('UPDATE consents SET secrets = ?2, settings = ?3 WHERE id = ?1 AND secrets IS NULL')
      .bind(id, what.secrets, JSON.stringify(what.settings)),

  deleteExpired: (now: number, max: number): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM consents WHERE id IN (SELECT id FROM consents WHERE created_at <= ?1 LIMIT ?2)')
      .bind(now - CONSENT_TTL_MS, max),
})
