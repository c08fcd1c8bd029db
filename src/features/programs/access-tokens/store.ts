import { selectGrants, toGrant, type GrantRow } from '../grant-store'
import type { Database } from '../../../db/database'
import { holderJoins } from '../../../identity/access-token-store'
import { liveSessionSql } from '../../../identity/session-store'
import { ACCESS_TOKENS_MAX, type AccessToken, type TokenScope } from '../../../shared/programs/access-tokens'
import { DAY_MS } from '../../../shared/dates'

/** How long a token that expired is told of. */
const KEPT_MS = 30 * DAY_MS
const DELETE_BATCH_ROWS = 1_000

const SELECT = `${selectGrants('access_tokens')} AND t.app_id IS NULL`

export interface NewToken {
  id: string
  hash: string
  name: string
  scopes: TokenScope[]
  workspaceId: string
  userEpoch: number
  memberEpoch: number
  sessionHash: string
  now: number
  expiresAt: number
}

/** Tokens that one person made, in all their workspaces. Writes are statements for `commit`. */
export const accessTokenStore = ({ d1 }: Database, userId: string) => ({
  /** The newest first. */
  async list(now: number): Promise<AccessToken[]> {
    const { results } = await d1
      .prepare(`${SELECT} ORDER BY t.created_at DESC, t.id LIMIT 200`)
      .bind(userId)
      .all<GrantRow>()
    return results.map((row) => toGrant(row, now))
  },

  async get(id: string, now: number): Promise<AccessToken | null> {
    const row = await d1.prepare(`${SELECT} AND t.id = ?2`).bind(userId, id).first<GrantRow>()
    return row && toGrant(row, now)
  },

  /** Adds no row when the person has as many live ones in the workspace as they may, or is no longer who asked. */
  insert: (token: NewToken): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO access_tokens (user_id, id, hash, workspace_id, user_epoch, member_epoch, name, scopes, created_at, expires_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
         WHERE (SELECT count(*) FROM access_tokens t ${holderJoins} WHERE t.user_id = ?1 AND t.workspace_id = ?4
             AND t.app_id IS NULL AND t.expires_at > ?9 AND t.user_epoch = u.epoch AND t.member_epoch = m.epoch)
             < ${ACCESS_TOKENS_MAX}
           AND EXISTS (SELECT 1 FROM members WHERE workspace_id = ?4 AND user_id = ?1 AND epoch = ?6 AND status = 'active')
           AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND epoch = ?5)
           AND ${liveSessionSql({ hash: '?11', user: '?1' })}`,
      )
      .bind(
        ...[userId, token.id, token.hash, token.workspaceId, token.userEpoch, token.memberEpoch, token.name],
        ...[JSON.stringify(token.scopes), token.now, token.expiresAt, token.sessionHash],
      ),

  /** Whoever asks with it from here on is refused. Changes no row when it is gone. */
  remove: (id: string): D1PreparedStatement =>
    d1.prepare('DELETE FROM access_tokens WHERE user_id = ?1 AND id = ?2 AND app_id IS NULL').bind(userId, id),
})

/** Removes tokens that expired long ago; those of apps go as they expire. */
export async function deleteOldTokens({ d1 }: Database, now: number): Promise<void> {
  await d1
    .prepare(
      `DELETE FROM access_tokens WHERE id IN (SELECT id FROM access_tokens
         WHERE expires_at <= CASE WHEN app_id IS NULL THEN ?1 ELSE ?2 END LIMIT ?3)`,
    )
    .bind(now - KEPT_MS, now, DELETE_BATCH_ROWS)
    .run()
}
