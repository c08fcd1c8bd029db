import { readMemberContext, type MemberContext } from './member-context-store'
import { Scope } from '../scope'
import type { Database } from '../db/database'
import type { TokenScope } from '../shared/programs/access-tokens'
import { MINUTE_MS } from '../shared/dates'
import type { Clock } from '../shared/ids'

/** `last_used_at` moves at most this often. */
const LAST_USED_INTERVAL_MS = MINUTE_MS

/** Condition on rows `t` (with epochs), `u` and `m`: who the token is of is let in as they were when it was made. */
const IN_FORCE = `u.epoch = t.user_epoch AND u.disabled_at IS NULL AND m.epoch = t.member_epoch AND m.status = 'active'
  AND w.deleted_at IS NULL`
export const holderJoins = `JOIN users u ON u.id = t.user_id JOIN workspaces w ON w.id = t.workspace_id
  LEFT JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id`

/** Column `inForce`: 1 while tokens of the row `t` let somebody in, but for their time. */
export const inForceColumn = `coalesce(${IN_FORCE}, 0) AS inForce`

interface TokenRow {
  id: string
  app_id: string | null
  name: string
  workspace_id: string
  user_id: string
  user_epoch: number
  member_epoch: number
  scopes: string
  last_used_at: number | null
}

/** A program that asks in a member's name. */
export interface TokenHolder {
  tokenId: string
  /** The app it asks by; null for a token that the person made. */
  appId: string | null
  /** What the person or the app calls it. */
  name: string
  scopes: TokenScope[]
  lastUsedAt: number | null
  member: MemberContext
  scope: Scope
}

interface TokenDeps {
  db: Database
  clock: Clock
}

/** Our own writing, read back. */
export const parseScopes = (text: string): TokenScope[] => JSON.parse(text)

/**
 * Whose token this is, if it lets anybody in: by its hash (SHA-256). Null for unknown, expired and revoked ones, those
 * from before a new password or another role, and of people who are no active members or have no seat.
 */
export async function readTokenHolder(deps: TokenDeps, hash: string): Promise<TokenHolder | null> {
  const row = await deps.db.d1
    .prepare(
      `SELECT t.id, t.app_id, t.name, t.workspace_id, t.user_id, t.user_epoch, t.member_epoch, t.scopes, t.last_used_at
       FROM access_tokens t ${holderJoins} WHERE t.hash = ?1 AND t.expires_at > ?2 AND ${IN_FORCE}`,
    )
    .bind(hash, deps.clock.now())
    .first<TokenRow>()
  if (!row) return null
  const { workspace_id: workspaceId, user_id: userId } = row
  const member = await readMemberContext(deps, { workspaceId, userId })
  const epoch = `${row.user_epoch}.${row.member_epoch}`
  // Rights are read after the token: they are of the same times, or it lets nobody in.
  if (!member || member.scope.wire().epoch !== epoch) return null
  const { workspaceId: _w, actorId: _a, epoch: _e, client: _c, ...rights } = member.scope.wire()
  return {
    ...{ tokenId: row.id, appId: row.app_id, name: row.name, scopes: parseScopes(row.scopes) },
    ...{ lastUsedAt: row.last_used_at, member, scope: Scope.forToken({ workspaceId, userId, epoch, rights }) },
  }
}

/** Says when a token was used, and the app it belongs to. */
export async function updateLastUsed(deps: TokenDeps, holder: TokenHolder): Promise<void> {
  const now = deps.clock.now()
  const { tokenId, appId, lastUsedAt } = holder
  if (lastUsedAt !== null && now - lastUsedAt < LAST_USED_INTERVAL_MS) return
  const { d1 } = deps.db
  await d1.batch([
    d1.prepare('UPDATE access_tokens SET last_used_at = ?2 WHERE id = ?1').bind(tokenId, now),
    ...(appId === null
      ? []
      : [d1.prepare('UPDATE connected_apps SET last_used_at = ?2 WHERE id = ?1').bind(appId, now)]),
  ])
}
