import { isRegisteredUri, parseRedirectUri } from './model/redirect-uri'
import { connectedAppStore, appGrantStore, oauthClientStore, type OauthClient } from './store'
import { auditEntryFactory, commit, type StoredReply } from '../../../db/commit'
import type { Deps } from '../../../deps'
import type { RequestContext } from '../../../http/request-context'
import { sha256Hex } from '../../../lib/hash'
import { isLoopback } from '../../../lib/loopback'
import { mailOutboxEntry } from '../../../mail/queued-mail'
import { DAY_MS } from '../../../shared/dates'
import { ProductError } from '../../../shared/errors'
import { TOKEN_BYTES, TOKEN_PREFIXES, TOKEN_SCOPES, type TokenScope } from '../../../shared/programs/access-tokens'
import {
  CONNECTED_APPS_MAX,
  type AuthorizationRequest,
  type ConnectedApp,
  type ConnectedAppCode,
  type ConsentQuestion,
} from '../../../shared/programs/connected-apps'

const auditOf = auditEntryFactory('connectedApp')
/** Within which the app fetches its first token. */
const CODE_MS = 60_000
/** SHA-256 as base64url (RFC 7636, S256). */
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Who gives tokens, as apps know it: the origin of this installation. */
export const issuerOf = (baseUrl: string): string => new URL(baseUrl).origin
/** What tokens are for. */
export const resourceOf = (baseUrl: string): string => `${issuerOf(baseUrl)}/mcp`

/**
 * The app that asks, whose address is one that it announced: nothing is sent anywhere before that is known.
 * @throws ProductError `invalid_input`
 */
async function requireClient(deps: Deps, { clientId, redirectUri }: AuthorizationRequest) {
  const client = await oauthClientStore(deps.db).get(clientId)
  const url = parseRedirectUri(redirectUri)
  if (!client || !url || !isRegisteredUri(redirectUri, client.redirectUris))
    throw new ProductError(
      'invalid_input',
      { fields: { '': 'Unknown app or address.' } },
      'This app isn’t registered here.',
    )
  return { client, url }
}

/** The scopes that an app asks for and we know; reading, where it names none. */
function scopesOf({ scope }: AuthorizationRequest): TokenScope[] {
  const asked = scope.split(' ')
  const known = TOKEN_SCOPES.filter((one) => asked.includes(one))
  return known.length === 0 ? ['read'] : known
}

/** Back to the app, with what it is to know. */
function redirectWith(deps: Deps, url: URL, { state }: AuthorizationRequest, params: Record<string, string>): string {
  const to = new URL(url)
  const all = { ...params, ...(state === '' ? {} : { state }), iss: issuerOf(deps.settings.BASE_URL) }
  for (const [name, value] of Object.entries(all)) to.searchParams.set(name, value)
  return to.href
}

/** @throws ProductError `invalid_input` for what no app of today sends */
function assertSafe(deps: Deps, request: AuthorizationRequest): void {
  const { responseType, codeChallengeMethod, codeChallenge, resource } = request
  const isForUs = resource === '' || resource.replace(/\/$/, '') === resourceOf(deps.settings.BASE_URL)
  if (responseType === 'code' && codeChallengeMethod === 'S256' && CODE_CHALLENGE.test(codeChallenge) && isForUs) return
  throw new ProductError(
    'invalid_input',
    { fields: { '': 'Unsupported request.' } },
    'The app sent an unsupported request.',
  )
}

/** What a person is asked when an app wants to be connected. @throws ProductError `invalid_input` */
export async function checkRequest(deps: Deps, request: AuthorizationRequest): Promise<ConsentQuestion> {
  const { client, url } = await requireClient(deps, request)
  assertSafe(deps, request)
  return {
    ...{ name: client.name, host: url.host, local: isLoopback(url.hostname), scopes: scopesOf(request) },
    denyUrl: redirectWith(deps, url, request, { error: 'access_denied' }),
  }
}

/**
 * Connects an app to this workspace in the person's name; they are proven already.
 * @throws ProductError `invalid_input`, `limit_reached`; `unauthenticated` when the session ended meanwhile
 */
export async function connectApp(
  context: Pick<RequestContext, 'deps' | 'scope' | 'actor' | 'membership'>,
  { request, scopes }: { request: AuthorizationRequest; scopes: TokenScope[] },
): Promise<ConnectedAppCode> {
  const { deps, actor, membership } = context
  const { client, url } = await requireClient(deps, request)
  assertSafe(deps, request)
  const asked = scopesOf(request)
  if (scopes.some((scope) => !asked.includes(scope)))
    throw new ProductError('invalid_input', { fields: { scopes: 'The app didn’t ask for this.' } })
  const now = deps.clock.now()
  const id = deps.ids.next('connectedApp')
  const code = `${TOKEN_PREFIXES.code}${deps.ids.token(TOKEN_BYTES)}`
  const { workspaceId, workspaceName } = membership
  const mail = { template: 'accessGranted', workspace: workspaceName, name: client.name, kind: 'app' } as const
  await commit(deps, {
    change: [
      appGrantStore(deps.db).insert({
        ...{
          id,
          workspaceId,
          userId: actor.userId,
          userEpoch: actor.epoch,
          memberEpoch: membership.epoch,
          scopes,
          now,
        },
        ...{ sessionHash: actor.sessionHash, clientId: client.id, name: client.name, redirectUri: request.redirectUri },
        ...{ codeHash: await sha256Hex(code), codeChallenge: request.codeChallenge, codeExpiresAt: now + CODE_MS },
      }),
      oauthClientStore(deps.db).markUsed(client.id, now),
    ],
    audit: [auditOf(context, { action: 'connectedApp.create', id, after: { name: client.name, scopes } })],
    outbox: actor.email === null ? [] : [mailOutboxEntry({ to: actor.email, ...mail }, { key: `accessGranted:${id}` })],
    expect: { onMissed: () => missed(context) },
  })
  return { redirectTo: redirectWith(deps, url, request, { code }) }
}

async function missed({ deps, actor, membership }: Pick<RequestContext, 'deps' | 'actor' | 'membership'>) {
  const all = await listConnectedApps(deps, actor.userId)
  const used = all.filter(
    ({ workspaceId, state }) => workspaceId === membership.workspaceId && state !== 'expired',
  ).length
  if (used < CONNECTED_APPS_MAX) return new ProductError('unauthenticated')
  return new ProductError(
    'limit_reached',
    { limit: 'connectedApps', used, max: CONNECTED_APPS_MAX },
    `You can connect ${CONNECTED_APPS_MAX} apps to a workspace. Disconnect one that is not needed.`,
  )
}

/** The person's own apps of all their workspaces. */
export const listConnectedApps = (deps: Deps, userId: string): Promise<ConnectedApp[]> =>
  connectedAppStore(deps.db, userId).list(deps.clock.now())

/** Disconnects an app at once. @throws ProductError `not_found` */
export async function revokeConnectedApp(
  deps: Deps,
  { userId, id, reply }: { userId: string; id: string; reply: (body: ConnectedApp) => StoredReply | null },
): Promise<ConnectedApp> {
  const app = await connectedAppStore(deps.db, userId).get(id, deps.clock.now())
  if (!app) throw new ProductError('not_found')
  const ended: ConnectedApp = { ...app, state: 'ended' }
  const scope = { workspaceId: app.workspaceId, actorId: userId }
  await commit(deps, {
    change: appGrantStore(deps.db).remove(id),
    audit: [auditOf({ scope }, { action: 'connectedApp.revoke', id, before: { name: app.name } })],
    reply: reply(ended),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return ended
}

/** An app announces itself (RFC 7591); it gets a name to be known by, and no secret. */
export async function registerClient(
  deps: Deps,
  { name, redirectUris }: Pick<OauthClient, 'name' | 'redirectUris'>,
): Promise<OauthClient> {
  const client = { id: deps.ids.next('oauthClient'), name, redirectUris }
  await commit(deps, { change: [oauthClientStore(deps.db).insert(client, deps.clock.now())] })
  return client
}

export async function sweepConnectedApps({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await appGrantStore(db).deleteExpired(now)
  await oauthClientStore(db).deleteUnused({ never: now - 30 * DAY_MS, since: now - 400 * DAY_MS })
}
