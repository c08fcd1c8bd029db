import { selectGrants, toGrant, type GrantRow } from '../grant-store'
import type { Database } from '../../../db/database'
import { holderJoins, inForceColumn, parseScopes } from '../../../identity/access-token-store'
import { liveSessionSql } from '../../../identity/session-store'
import type { TokenScope } from '../../../shared/programs/access-tokens'
import { CONNECTED_APPS_MAX, type ConnectedApp } from '../../../shared/programs/connected-apps'

const DELETE_BATCH_ROWS = 1_000

export interface OauthClient {
  id: string
  name: string
  redirectUris: string[]
}

/** Our own writing, read back. */
const parseUris = (text: string): string[] => JSON.parse(text)

/** Apps that announced themselves. */
export const oauthClientStore = ({ d1 }: Database) => ({
  async get(id: string): Promise<OauthClient | null> {
    const row = await d1
      .prepare('SELECT id, name, redirect_uris AS uris FROM oauth_clients WHERE id = ?')
      .bind(id)
      .first<{ id: string; name: string; uris: string }>()
    return row && { id: row.id, name: row.name, redirectUris: parseUris(row.uris) }
  },
  insert: ({ id, name, redirectUris }: OauthClient, now: number): D1PreparedStatement =>
    d1
      .prepare('INSERT INTO oauth_clients (id, name, redirect_uris, created_at) VALUES (?, ?, ?, ?)')
      .bind(id, name, JSON.stringify(redirectUris), now),
  markUsed: (id: string, now: number): D1PreparedStatement =>
    d1.prepare('UPDATE oauth_clients SET used_at = ?2 WHERE id = ?1').bind(id, now),
  /** Those that nobody connected, and those that nobody has connected any more. */
  async deleteUnused(before: { never: number; since: number }): Promise<void> {
    await d1
      .prepare(
        `DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients o
           WHERE ((used_at IS NULL AND created_at <= ?1) OR used_at <= ?2)
             AND NOT EXISTS (SELECT 1 FROM connected_apps WHERE client_id = o.id) LIMIT ?3)`,
      )
      .bind(before.never, before.since, DELETE_BATCH_ROWS)
      .run()
  },
})

export interface NewAppGrant {
  id: string
  workspaceId: string
  userId: string
  userEpoch: number
  memberEpoch: number
  sessionHash: string
  clientId: string
  name: string
  scopes: TokenScope[]
  codeHash: string
  codeChallenge: string
  redirectUri: string
  now: number
  codeExpiresAt: number
}

/** What a person granted an app, as its secrets find it. */
export interface AppGrant {
  id: string
  workspaceId: string
  userId: string
  userEpoch: number
  memberEpoch: number
  clientId: string
  name: string
  scopes: TokenScope[]
  /** Null once the code was used. */
  codeChallenge: string | null
  codeExpiresAt: number
  redirectUri: string | null
  createdAt: number
  expiresAt: number
  /** Whether the person is still let in as when they agreed. */
  isInForce: boolean
}
const FOUND = `SELECT t.id, t.workspace_id AS workspaceId, t.user_id AS userId, t.user_epoch AS userEpoch,
    t.member_epoch AS memberEpoch, t.client_id AS clientId, t.name, t.scopes, t.code_challenge AS codeChallenge,
    t.code_expires_at AS codeExpiresAt, t.redirect_uri AS redirectUri, t.created_at AS createdAt,
    t.expires_at AS expiresAt, ${inForceColumn} FROM connected_apps t ${holderJoins}`
type FoundRow = Omit<AppGrant, 'scopes' | 'isInForce'> & { scopes: string; inForce: number }
const toFound = ({ scopes, inForce, ...row }: FoundRow): AppGrant => ({
  ...row,
  scopes: parseScopes(scopes),
  isInForce: inForce === 1,
})

export interface NewTokens {
  accessId: string
  accessHash: string
  accessExpiresAt: number
  refreshHash: string
  expiresAt: number
  now: number
}

/** Grants of apps by what they show. Writes are statements for `commit`. */
export const appGrantStore = ({ d1 }: Database) => {
  const find = async (where: string, value: string): Promise<AppGrant | null> => {
    const row = await d1.prepare(`${FOUND} WHERE ${where}`).bind(value).first<FoundRow>()
    return row && toFound(row)
  }
  const insertToken = (of: AppGrant, tokens: NewTokens): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO access_tokens (id, hash, workspace_id, user_id, user_epoch, member_epoch, app_id, name, scopes, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        ...[
          tokens.accessId,
          tokens.accessHash,
          of.workspaceId,
          of.userId,
          of.userEpoch,
          of.memberEpoch,
          of.id,
          of.name,
        ],
        ...[JSON.stringify(of.scopes), tokens.now, tokens.accessExpiresAt],
      )
  return {
    byCode: (hash: string) => find('t.code_hash = ?', hash),
    byRefresh: (hash: string) => find('t.refresh_hash = ?', hash),
    byUsedRefresh: (hash: string) => find('t.used_refresh_hash = ?', hash),
    byAccess: (hash: string) => find('t.id = (SELECT app_id FROM access_tokens WHERE hash = ?)', hash),

    /** Adds no row when the person has as many in the workspace as they may, or is no longer who agreed. */
    insert: (made: NewAppGrant): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO connected_apps (id, workspace_id, user_id, user_epoch, member_epoch, client_id, name, scopes,
             code_hash, code_challenge, redirect_uri, created_at, code_expires_at, expires_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13
           WHERE (SELECT count(*) FROM connected_apps WHERE user_id = ?3 AND workspace_id = ?2 AND expires_at > ?12)
               < ${CONNECTED_APPS_MAX}
             AND EXISTS (SELECT 1 FROM members WHERE workspace_id = ?2 AND user_id = ?3 AND epoch = ?5 AND status = 'active')
             AND EXISTS (SELECT 1 FROM users WHERE id = ?3 AND epoch = ?4)
             AND ${liveSessionSql({ hash: '?14', user: '?3' })}`,
        )
        .bind(
          ...[made.id, made.workspaceId, made.userId, made.userEpoch, made.memberEpoch, made.clientId, made.name],
          ...[JSON.stringify(made.scopes), made.codeHash, made.codeChallenge, made.redirectUri, made.now],
          ...[made.codeExpiresAt, made.sessionHash],
        ),

    /** The first tokens. The first statement changes no row when the code was used meanwhile. */
    useCode: (of: AppGrant, tokens: NewTokens): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE connected_apps SET code_challenge = NULL, redirect_uri = NULL, refresh_hash = ?2, expires_at = ?3
           WHERE id = ?1 AND code_challenge IS NOT NULL`,
        )
        .bind(of.id, tokens.refreshHash, tokens.expiresAt),
      insertToken(of, tokens),
    ],

    /** The next tokens; those before end. The first statement changes no row when somebody was first. */
    rotate: (of: AppGrant, used: string, tokens: NewTokens): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE connected_apps SET refresh_hash = ?3, used_refresh_hash = ?2, expires_at = ?4
           WHERE id = ?1 AND refresh_hash = ?2`,
        )
        .bind(of.id, used, tokens.refreshHash, tokens.expiresAt),
      d1.prepare('DELETE FROM access_tokens WHERE app_id = ?').bind(of.id),
      insertToken(of, tokens),
    ],

    /** Its tokens first: none outlives it. */
    remove: (id: string): D1PreparedStatement[] => [
      d1.prepare('DELETE FROM connected_apps WHERE id = ?').bind(id),
      d1.prepare('DELETE FROM access_tokens WHERE app_id = ?').bind(id),
    ],

    async deleteExpired(now: number): Promise<void> {
      await d1
        .prepare('DELETE FROM connected_apps WHERE id IN (SELECT id FROM connected_apps WHERE expires_at <= ? LIMIT ?)')
        .bind(now, DELETE_BATCH_ROWS)
        .run()
    },
  }
}

// One whose code was not used yet is not connected.
const SELECT_APPS = `${selectGrants('connected_apps')} AND t.code_challenge IS NULL`

const toApp = (row: GrantRow, now: number): ConnectedApp => {
  const { expiresAt: _expiresAt, ...app } = toGrant(row, now)
  return app
}

/** Apps that one person connected, in all their workspaces. */
export const connectedAppStore = ({ d1 }: Database, userId: string) => ({
  async list(now: number): Promise<ConnectedApp[]> {
    const { results } = await d1
      .prepare(`${SELECT_APPS} ORDER BY t.created_at DESC, t.id LIMIT 200`)
      .bind(userId)
      .all<GrantRow>()
    return results.map((row) => toApp(row, now))
  },
  async get(id: string, now: number): Promise<ConnectedApp | null> {
    const row = await d1.prepare(`${SELECT_APPS} AND t.id = ?2`).bind(userId, id).first<GrantRow>()
    return row && toApp(row, now)
  },
})
