import type { z } from 'zod'
import { accessTokenStore, deleteOldTokens } from './store'
import { auditEntryFactory, commit, type StoredReply } from '../../../db/commit'
import type { Deps } from '../../../deps'
import type { RequestContext } from '../../../http/request-context'
import { sha256Hex } from '../../../lib/hash'
import { toIso } from '../../../lib/iso'
import { mailOutboxEntry } from '../../../mail/queued-mail'
import {
  ACCESS_TOKENS_MAX,
  TOKEN_BYTES,
  TOKEN_PREFIXES,
  type AccessToken,
  type CreatedAccessToken,
  type createAccessTokenSchema,
} from '../../../shared/programs/access-tokens'
import { DAY_MS } from '../../../shared/dates'
import { ProductError } from '../../../shared/errors'

const auditOf = auditEntryFactory('accessToken')

/** The person's own tokens of all their workspaces. */
export const listAccessTokens = (deps: Deps, userId: string): Promise<AccessToken[]> =>
  accessTokenStore(deps.db, userId).list(deps.clock.now())

/**
 * Makes a token by which a program asks in the person's name, in this workspace. The person is proven already.
 * @throws ProductError `limit_reached`; `unauthenticated` when the session or the rights it was asked with ended meanwhile
 */
export async function createAccessToken(
  context: Pick<RequestContext, 'deps' | 'scope' | 'actor' | 'membership'>,
  { name, scopes, days }: Pick<z.output<typeof createAccessTokenSchema>, 'name' | 'scopes' | 'days'>,
): Promise<CreatedAccessToken> {
  const { deps, actor, membership } = context
  const { workspaceId, workspaceName } = membership
  const now = deps.clock.now()
  const id = deps.ids.next('accessToken')
  const token = `${TOKEN_PREFIXES.personal}${deps.ids.token(TOKEN_BYTES)}`
  const expiresAt = now + days * DAY_MS
  const created: AccessToken = {
    ...{ id, name, workspaceId, workspaceName, scopes, state: 'live', createdAt: toIso(now) },
    ...{ expiresAt: toIso(expiresAt), lastUsedAt: null },
  }
  const store = accessTokenStore(deps.db, actor.userId)
  const mail = { template: 'accessGranted', workspace: workspaceName, name, kind: 'token' } as const
  // No answer is kept for the same call again: it holds the token.
  await commit(deps, {
    change: [
      store.insert({
        ...{ id, hash: await sha256Hex(token), name, scopes, workspaceId, now, expiresAt },
        ...{ userEpoch: actor.epoch, memberEpoch: membership.epoch, sessionHash: actor.sessionHash },
      }),
    ],
    audit: [auditOf(context, { action: 'accessToken.create', id, after: { ...created } })],
    outbox: actor.email === null ? [] : [mailOutboxEntry({ to: actor.email, ...mail }, { key: `accessGranted:${id}` })],
    expect: { onMissed: () => missed(context) },
  })
  return { ...created, token }
}

async function missed({ deps, actor, membership }: Pick<RequestContext, 'deps' | 'actor' | 'membership'>) {
  const all = await accessTokenStore(deps.db, actor.userId).list(deps.clock.now())
  const used = all.filter(({ workspaceId, state }) => workspaceId === membership.workspaceId && state === 'live').length
  if (used < ACCESS_TOKENS_MAX) return new ProductError('unauthenticated')
  return new ProductError(
    'limit_reached',
    { limit: 'accessTokens', used, max: ACCESS_TOKENS_MAX },
    `You can have ${ACCESS_TOKENS_MAX} tokens in a workspace. Revoke one that is not needed.`,
  )
}

/** Ends a token at once. @throws ProductError `not_found` */
export async function revokeAccessToken(
  deps: Deps,
  { userId, id, reply }: { userId: string; id: string; reply: (body: AccessToken) => StoredReply | null },
): Promise<AccessToken> {
  const store = accessTokenStore(deps.db, userId)
  const token = await store.get(id, deps.clock.now())
  if (!token) throw new ProductError('not_found')
  const ended: AccessToken = { ...token, state: 'ended' }
  const scope = { workspaceId: token.workspaceId, actorId: userId }
  await commit(deps, {
    change: [store.remove(id)],
    audit: [auditOf({ scope }, { action: 'accessToken.revoke', id, before: { ...token } })],
    reply: reply(ended),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return ended
}

export const sweepAccessTokens = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  deleteOldTokens(db, clock.now())
