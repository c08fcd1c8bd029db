import { consentStore, returnedConsentStore, type ConsentRow } from './consent-store'
import { failureOf } from '../sync/sync-failure'
import type { Connection, ConnectorContext } from '../../connectors/contract'
import type { RegisteredConnector } from '../../connectors/registry'
import type { Deps } from '../../deps'
import type { Scope } from '../../identity/scope'
import { sha256Hex } from '../../lib/hash'
import { errorMessage, log } from '../../lib/log'
import { keyringOf, openSecret, sealSecret } from '../../secrets/secret-box'
import { ProductError } from '../../shared/errors'
import type { ConnectorKind } from '../../shared/data-sources/connectors'
import { consentCallbackPath, type ConsentProblem } from '../../shared/data-sources/consents'
import { connectionStore } from '../../sync/connection-store'
import { contextFor, requireConnector } from '../../sync/credentials'

const STATE_BYTES = 32
/** As text 43 signs, the least that PKCE allows. */
const VERIFIER_BYTES = 32
const DELETED_AT_ONCE = 500
const EMPTY: Connection = { settings: {}, secrets: {} }

const ownerOf = ({ id, workspaceId }: Pick<ConsentRow, 'id' | 'workspaceId'>) => ({ workspaceId, sourceId: id })
const redirectUriOf = ({ settings }: Deps, kind: ConnectorKind): string =>
  new URL(consentCallbackPath(kind), settings.BASE_URL).href

/** The code challenge of a verifier (PKCE, `S256`). */
async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const text = btoa(Array.from(digest, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function authorisationOf(deps: Deps, kind: ConnectorKind) {
  const registered = requireConnector(deps, kind)
  const { authorise } = registered.connector
  if (!authorise) throw new ProductError('not_found')
  return { registered, authorise }
}

const contextOf = (deps: Deps, registered: RegisteredConnector, budgetOf: string): ConnectorContext =>
  contextFor(deps, registered, { connection: EMPTY, budgetOf })

/**
 * Begins a consent: the address of the vendor's page.
 * @throws ProductError `not_found` for a kind without consent, or a source of another workspace; `not_enabled` without keys
 */
export async function startConsent(
  deps: Deps,
  { scope, sessionHash }: { scope: Scope; sessionHash: string },
  asked: { kind: ConnectorKind; sourceId?: string | undefined },
): Promise<{ url: string }> {
  const { kind, sourceId = null } = asked
  const { registered, authorise } = authorisationOf(deps, kind)
  const { workspaceId, actorId: userId } = scope
  if (sourceId !== null && (await connectionStore(deps.db, workspaceId).get(sourceId))?.kind !== kind)
    throw new ProductError('not_found')
  const [id, state, verifier] = [
    deps.ids.token(STATE_BYTES),
    deps.ids.token(STATE_BYTES),
    deps.ids.token(VERIFIER_BYTES),
  ]
  const ring = await keyringOf(deps.settings.SECRETS_KEYS)
  const row = {
    ...{ id, sessionHash, kind, sourceId, now: deps.clock.now() },
    stateHash: await sha256Hex(state),
    verifier: await sealSecret(ring, ownerOf({ id, workspaceId }), verifier),
  }
  await consentStore(deps.db, { workspaceId, userId }).insert(row).run()
  const at = { state, redirectUri: redirectUriOf(deps, kind), codeChallenge: await challengeOf(verifier) }
  return { url: authorise.url(contextOf(deps, registered, workspaceId), at) }
}

export interface ReturnedConsent {
  row: ConsentRow | null
  problem: ConsentProblem | null
}

/**
 * What came back from a vendor, in the browser of `actor`. A state is good once, and only in the session that it was made in;
 * what the vendor gave is kept, sealed, until a source is made of it.
 */
export async function finishConsent(
  deps: Deps,
  actor: { userId: string; sessionHash: string } | null,
  answer: { kind: string; query: Readonly<Record<string, string>> },
): Promise<ReturnedConsent> {
  const { query } = answer
  const store = returnedConsentStore(deps.db)
  const row = await store.take(await sha256Hex(query['state'] ?? ''), deps.clock.now())
  const isOurs = row?.kind === answer.kind && row.userId === actor?.userId && row.sessionHash === actor.sessionHash
  if (!row || !isOurs) return { row: null, problem: 'expired' }
  const { code } = query
  if (query['error'] !== undefined || code === undefined)
    return { row, problem: query['error'] === 'access_denied' ? 'denied' : 'failed' }
  try {
    const { registered, authorise } = authorisationOf(deps, row.kind)
    const ring = await keyringOf(deps.settings.SECRETS_KEYS)
    const codeVerifier = await openSecret(ring, ownerOf(row), row.verifier)
    const asked = { code, redirectUri: redirectUriOf(deps, row.kind), codeVerifier, query }
    const { secrets, settings = {} } = await authorise.exchange(contextOf(deps, registered, row.workspaceId), asked)
    const sealed = await sealSecret(ring, ownerOf(row), JSON.stringify(secrets))
    await store.give(row.id, { secrets: sealed, settings }).run()
    return { row, problem: null }
  } catch (error) {
    if (failureOf(error, row.kind) === null) deps.reporter.report(error, { route: 'consent' })
    log('warn', 'a consent led to nothing', { kind: row.kind, error: errorMessage(error) })
    return { row, problem: 'failed' }
  }
}

/**
 * What a consent gave, for the person who gave it.
 * @throws ProductError `not_found` when it is too old, somebody else's, or of another kind
 */
export async function openConsent(deps: Deps, scope: Scope, asked: { id: string; kind: string }): Promise<Connection> {
  const { workspaceId, actorId: userId } = scope
  const row = await consentStore(deps.db, { workspaceId, userId }).given(asked.id, deps.clock.now())
  if (row?.kind !== asked.kind || row.secrets === null) throw consentGone()
  const ring = await keyringOf(deps.settings.SECRETS_KEYS)
  const parsed: unknown = JSON.parse(await openSecret(ring, ownerOf(row), row.secrets))
  if (typeof parsed !== 'object' || parsed === null) throw consentGone()
  const secrets = Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]))
  return { settings: row.settings, secrets }
}

const consentGone = (): ProductError => new ProductError('not_found', {}, 'The sign-in is too old. Connect again.')

/** A consent that became a source's own is kept nowhere else. */
export const forgetConsent = (deps: Deps, scope: Scope, id: string): D1PreparedStatement =>
  consentStore(deps.db, { workspaceId: scope.workspaceId, userId: scope.actorId }).delete(id)

/** Consents of which nothing was made. */
export async function deleteOldConsents(deps: Deps): Promise<void> {
  await returnedConsentStore(deps.db).deleteExpired(deps.clock.now(), DELETED_AT_ONCE).run()
}
