import { z } from 'zod'
import { auditOf, CREDENTIAL_LINKS } from './acting'
import type { Signed } from './acting'
import { deletionStore, forget, stillNamed } from './deletion-store'
import type { Place } from './deletion-store'
import { linkExpired } from './reset'
import { addresseeStore } from './store'
import { endLinks, findLink, newLink } from '../../access/links'
import { endSessionsOf } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import type { DeletionPreview, Undeleted } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { DELETED_KEPT_MS } from '../../shared/limits'

/** What the end of the account would take along, and what stands in its way. */
export async function previewDeletion(deps: Deps, userId: string): Promise<DeletionPreview> {
  const store = deletionStore(deps.db, userId)
  const [blocked, going] = await Promise.all([store.blocked(), store.going()])
  return { blocked, going }
}

const payloadSchema = z.object({ email: z.string(), provenAt: z.number().nullable(), deletedAt: z.number() })

/**
 * Ends the account, already proven: nobody enters it, its address is free, and 30 days later nothing says whose it was.
 * What the person owned in workspaces that go on is an owner's of each.
 * @throws ProductError `in_use` with the workspaces that need another owner first
 */
export async function deleteAccount(deps: Deps, me: Signed): Promise<void> {
  const store = deletionStore(deps.db, me.userId)
  const [person, going, left] = await Promise.all([
    addresseeStore(deps.db).byId(me.userId),
    store.going(),
    store.left(),
  ])
  if (!person) throw new ProductError('unauthenticated')
  const now = deps.clock.now()
  const until = now + DELETED_KEPT_MS
  const payload = { email: person.email, provenAt: person.emailProvenAt, deletedAt: now }
  const link = newLink(deps, { kind: 'undelete', userId: me.userId, payload, ttlMs: DELETED_KEPT_MS })
  const told = person.email
  await commit(deps, {
    change: [
      store.close({ epoch: me.epoch, now }),
      ...store.handOver(now),
      ...store.leave(),
      endSessionsOf(deps, me.userId, null),
      endLinks(deps, { userId: me.userId, kinds: CREDENTIAL_LINKS }),
      ...(told === null ? [] : [link.insert]),
    ],
    audit: [auditOf(me.userId, 'account.delete'), ...ends(me.userId, { going, left })],
    outbox:
      told === null
        ? []
        : [mailEntry({ to: told, template: 'accountDeleted', linkId: link.id, until }, { key: link.id })],
    expect: { onMissed: async () => inTheWay(await store.blocked()) },
  })
}

const inTheWay = (blocked: Place[]): ProductError =>
  blocked.length === 0
    ? new ProductError('unauthenticated')
    : new ProductError(
        'in_use',
        { dependents: blocked.map(({ id, name }) => ({ type: 'workspace', id, name })) },
        'Hand over the workspaces that only you own first.',
      )

/** What the audit logs of the workspaces are told. */
const ends = (userId: string, places: { going: Place[]; left: Place[] }): AuditEntry[] => [
  ...places.going.map(({ id }) => ({
    ...{ workspaceId: id, actorId: userId, action: 'workspace.delete' },
    ...{ entity: 'workspace', entityId: id },
  })),
  ...places.left.map(({ id }) => ({
    ...{ workspaceId: id, actorId: userId, action: 'member.leave' },
    ...{ entity: 'member', entityId: userId },
  })),
]

/**
 * Takes the deletion back, by the link of the mail about it. Memberships that ended stay ended.
 * @throws ProductError `expired`; `account_exists` when the address is taken and the person has no other way in
 */
export async function undelete(deps: Deps, token: string): Promise<Undeleted> {
  const link = await findLink(deps, token, ['undelete'])
  const payload = payloadSchema.safeParse(link?.payload)
  if (!link || !payload.success) throw linkExpired()
  const store = deletionStore(deps.db, link.userId)
  const { email } = payload.data
  await commit(deps, {
    change: [store.spendUndelete({ id: link.id, email, now: deps.clock.now() }), ...store.reopen(payload.data)],
    audit: [auditOf(link.userId, 'account.undelete')],
    expect: {
      onMissed: async () =>
        (await findLink(deps, token, ['undelete'])) === null
          ? linkExpired()
          : new ProductError(
              'account_exists',
              {},
              'Another account has this address by now. Change its address first.',
            ),
    },
  })
  return { email: (await addresseeStore(deps.db).byId(link.userId))?.email ?? null }
}

const AT_ONCE = 50

/** Makes people nameless whose deletion nothing can take back any more. */
export async function sweepPeople(deps: Deps): Promise<void> {
  const people = await stillNamed(deps.db, deps.clock.now() - DELETED_KEPT_MS, AT_ONCE)
  for (const userId of people) await forgetOne(deps, userId)
}

/** Nobody who took the deletion back in this very moment. */
export async function forgetOne(deps: Deps, userId: string): Promise<void> {
  const back = new ProductError('in_use')
  await commit(deps, {
    change: forget(deps.db, userId),
    audit: [{ workspaceId: null, actorId: null, action: 'account.forget', entity: 'user', entityId: userId }],
    expect: { onMissed: () => back },
  }).catch((error: unknown) => {
    if (error !== back) throw error
  })
}
