import { holderJoins, inForceColumn, parseScopes } from '../../identity/access-token-store'
import { toIso, toIsoOrNull } from '../../lib/iso'
import type { TokenScope, TokenState } from '../../shared/programs/access-tokens'

/** What a person is shown of a token or an app of theirs. */
export interface ListedGrant {
  id: string
  name: string
  workspaceId: string
  workspaceName: string
  scopes: TokenScope[]
  state: TokenState
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
}
export interface GrantRow {
  id: string
  name: string
  workspaceId: string
  workspaceName: string
  scopes: string
  /** Epoch ms, as the other instants. */
  createdAt: number
  expiresAt: number
  lastUsedAt: number | null
  inForce: number
}

/** Rows of one person (`?1`) in workspaces that are there; further conditions follow with `AND`. */
export const selectGrants = (table: 'access_tokens' | 'connected_apps'): string =>
  `SELECT t.id, t.name, t.workspace_id AS workspaceId, w.name AS workspaceName, t.scopes,
    t.created_at AS createdAt, t.expires_at AS expiresAt, t.last_used_at AS lastUsedAt, ${inForceColumn}
  FROM ${table} t ${holderJoins} WHERE t.user_id = ?1 AND w.deleted_at IS NULL`

export const toGrant = (
  { inForce, scopes, createdAt, expiresAt, lastUsedAt, ...row }: GrantRow,
  now: number,
): ListedGrant => ({
  ...row,
  scopes: parseScopes(scopes),
  state: expiresAt <= now ? 'expired' : inForce === 1 ? 'live' : 'ended',
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
  lastUsedAt: toIsoOrNull(lastUsedAt),
})
