import { appGrantStore, type AppGrant, type NewTokens } from './store'
import { auditEntryFactory, commit, tryCommit } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { equalText, sha256Hex } from '../../../lib/hash'
import { DAY_MS, MINUTE_MS } from '../../../shared/dates'
import { TOKEN_BYTES, TOKEN_PREFIXES } from '../../../shared/programs/access-tokens'

const ACCESS_MS = 60 * MINUTE_MS
/** Without a refresh for so long a grant ends; after a year in any case. */
const IDLE_MS = 90 * DAY_MS
const GRANT_MS = 365 * DAY_MS
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/** Why no token is given, by the codes of RFC 6749, 5.2. */
export type TokenRefusal = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_target'
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}
export type TokenResult = { tokens: TokenResponse } | { refused: TokenRefusal }

const auditOf = auditEntryFactory('connectedApp')

/** Somebody has a copy of a secret of it: nobody is let in by it any more. */
async function endGrant(deps: Deps, { id, workspaceId, userId, name }: AppGrant): Promise<void> {
  const scope = { workspaceId, actorId: userId }
  await commit(deps, {
    change: appGrantStore(deps.db).remove(id),
    audit: [auditOf({ scope }, { action: 'connectedApp.revoke', id, before: { name } })],
  })
}

/** The first tokens of an app, for its code. A code that is shown a second time ends what it began. */
export async function exchangeCode(
  deps: Deps,
  given: { code: string; clientId: string; redirectUri: string; verifier: string },
): Promise<TokenResult> {
  const found = await appGrantStore(deps.db).byCode(await sha256Hex(given.code))
  if (!found || found.clientId !== given.clientId) return { refused: 'invalid_grant' }
  if (found.codeChallenge === null) {
    await endGrant(deps, found)
    return { refused: 'invalid_grant' }
  }
  const isTimely = deps.clock.now() < found.codeExpiresAt && found.redirectUri === given.redirectUri
  const isOwn = VERIFIER.test(given.verifier) && equalText(await challengeOf(given.verifier), found.codeChallenge)
  if (!isTimely || !isOwn || !found.isInForce) return { refused: 'invalid_grant' }
  return issueTokens(deps, found, (tokens) => appGrantStore(deps.db).useCode(found, tokens))
}

/** The next tokens; each refresh token works once, and its second use ends the grant. */
export async function refreshTokens(
  deps: Deps,
  { token, clientId }: { token: string; clientId: string },
): Promise<TokenResult> {
  const store = appGrantStore(deps.db)
  const hash = await sha256Hex(token)
  const found = await store.byRefresh(hash)
  if (!found) {
    const copied = await store.byUsedRefresh(hash)
    if (copied) await endGrant(deps, copied)
    return { refused: 'invalid_grant' }
  }
  if (found.clientId !== clientId || !found.isInForce || found.expiresAt <= deps.clock.now())
    return { refused: 'invalid_grant' }
  return issueTokens(deps, found, (tokens) => store.rotate(found, hash, tokens))
}

async function issueTokens(
  deps: Deps,
  { scopes, createdAt }: AppGrant,
  change: (tokens: NewTokens) => D1PreparedStatement[],
): Promise<TokenResult> {
  const now = deps.clock.now()
  const access = `${TOKEN_PREFIXES.app}${deps.ids.token(TOKEN_BYTES)}`
  const refresh = `${TOKEN_PREFIXES.refresh}${deps.ids.token(TOKEN_BYTES)}`
  const write: NewTokens = {
    ...{ accessId: deps.ids.next('accessToken'), now, accessExpiresAt: now + ACCESS_MS },
    ...{ accessHash: await sha256Hex(access), refreshHash: await sha256Hex(refresh) },
    expiresAt: Math.min(now + IDLE_MS, createdAt + GRANT_MS),
  }
  if (!(await tryCommit(deps, { change: change(write) }))) return { refused: 'invalid_grant' }
  return {
    tokens: {
      ...{ access_token: access, token_type: 'Bearer', expires_in: ACCESS_MS / 1000 },
      ...{ refresh_token: refresh, scope: scopes.join(' ') },
    },
  }
}

/** Ends the grant of a token, whichever of its two it is (RFC 7009). Unknown ones are none any more. */
export async function revokeToken(deps: Deps, { token, clientId }: { token: string; clientId: string }): Promise<void> {
  const store = appGrantStore(deps.db)
  const hash = await sha256Hex(token)
  const found = (await store.byRefresh(hash)) ?? (await store.byAccess(hash))
  if (found && found.clientId === clientId) await endGrant(deps, found)
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
