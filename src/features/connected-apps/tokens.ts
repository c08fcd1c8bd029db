import { connectionStore, type FoundConnection } from './store'
import { auditEntryFactory, commit, tryCommit } from '../../db/commit'
import type { Deps } from '../../deps'
import { equalText, sha256Hex } from '../../lib/hash'
import { DAY_MS, MINUTE_MS } from '../../shared/dates'
import { TOKEN_BYTES, TOKEN_PREFIXES } from '../../shared/programs/access-tokens'

const ACCESS_MS = 60 * MINUTE_MS
/** Without a refresh for so long a connection ends; after a year in any case. */
const IDLE_MS = 90 * DAY_MS
const CONNECTION_MS = 365 * DAY_MS
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/** Why no token is given, by the codes of RFC 6749, 5.2. */
export type TokenRefusal = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_target'
export interface GivenTokens {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}
export type TokenAnswer = { tokens: GivenTokens } | { refused: TokenRefusal }

const auditOf = auditEntryFactory('connectedApp')

/** Somebody has a copy of a secret of it: nobody is let in by it any more. */
async function endConnection(deps: Deps, { id, workspaceId, userId, name }: FoundConnection): Promise<void> {
  const scope = { workspaceId, actorId: userId }
  await commit(deps, {
    change: connectionStore(deps.db).remove(id),
    audit: [auditOf({ scope }, { action: 'connectedApp.revoke', id, before: { name } })],
  })
}

/** The first tokens of an app, for its code. A code that is shown a second time ends what it began. */
export async function exchangeCode(
  deps: Deps,
  given: { code: string; clientId: string; redirectUri: string; verifier: string },
): Promise<TokenAnswer> {
  const found = await connectionStore(deps.db).byCode(await sha256Hex(given.code))
  if (!found || found.clientId !== given.clientId) return { refused: 'invalid_grant' }
  if (found.codeChallenge === null) {
    await endConnection(deps, found)
    return { refused: 'invalid_grant' }
  }
  const isTimely = deps.clock.now() < found.codeExpiresAt && found.redirectUri === given.redirectUri
  const isOwn = VERIFIER.test(given.verifier) && equalText(await challengeOf(given.verifier), found.codeChallenge)
  if (!isTimely || !isOwn || !found.isHeld) return { refused: 'invalid_grant' }
  return give(deps, found, (tokens) => connectionStore(deps.db).useCode(found, tokens))
}

/** The next tokens; each refresh token works once, and its second use ends the connection. */
export async function refreshTokens(
  deps: Deps,
  { token, clientId }: { token: string; clientId: string },
): Promise<TokenAnswer> {
  const store = connectionStore(deps.db)
  const hash = await sha256Hex(token)
  const found = await store.byRefresh(hash)
  if (!found) {
    const copied = await store.byUsedRefresh(hash)
    if (copied) await endConnection(deps, copied)
    return { refused: 'invalid_grant' }
  }
  if (found.clientId !== clientId || !found.isHeld || found.expiresAt <= deps.clock.now())
    return { refused: 'invalid_grant' }
  return give(deps, found, (tokens) => store.rotate(found, hash, tokens))
}

type Write = Parameters<ReturnType<typeof connectionStore>['useCode']>[1]

async function give(
  deps: Deps,
  { scopes, createdAt }: FoundConnection,
  change: (tokens: Write) => D1PreparedStatement[],
): Promise<TokenAnswer> {
  const now = deps.clock.now()
  const access = `${TOKEN_PREFIXES.app}${deps.ids.token(TOKEN_BYTES)}`
  const refresh = `${TOKEN_PREFIXES.refresh}${deps.ids.token(TOKEN_BYTES)}`
  const write: Write = {
    ...{ accessId: deps.ids.next('accessToken'), now, accessExpiresAt: now + ACCESS_MS },
    ...{ accessHash: await sha256Hex(access), refreshHash: await sha256Hex(refresh) },
    expiresAt: Math.min(now + IDLE_MS, createdAt + CONNECTION_MS),
  }
  if (!(await tryCommit(deps, { change: change(write) }))) return { refused: 'invalid_grant' }
  return {
    tokens: {
      ...{ access_token: access, token_type: 'Bearer', expires_in: ACCESS_MS / 1000 },
      ...{ refresh_token: refresh, scope: scopes.join(' ') },
    },
  }
}

/** Ends the connection of a token, whichever of its two it is (RFC 7009). Unknown ones are none any more. */
export async function revokeToken(deps: Deps, { token, clientId }: { token: string; clientId: string }): Promise<void> {
  const store = connectionStore(deps.db)
  const hash = await sha256Hex(token)
  const found = (await store.byRefresh(hash)) ?? (await store.byAccess(hash))
  if (found && found.clientId === clientId) await endConnection(deps, found)
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
