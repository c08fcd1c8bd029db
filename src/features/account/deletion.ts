import { z } from 'zod'
import { CREDENTIAL_LINK_KINDS, expiredLink, type SignedInUser } from './credentials'
import { accountDeletionStore, anonymizeStatements, listUsersToAnonymize, userContactStore } from './store'
import type { NamedWorkspace } from './store'
import { endedMembershipStore } from '../../identity/ended-membership-store'
import { invalidateEmailLinks, findEmailLink, createEmailLink } from '../../identity/email-link-store'
import { endOtherSessionsStatement } from '../../identity/session-store'
import { memberAuditEntry, userAuditEntry, workspaceAuditEntry } from '../../db/audit'
import { commit, tryCommit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { AccountDeletionPreview, RestoredAccount } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { DELETED_RETENTION_MS } from '../../shared/limits'

/** What the end of the account would take along, and what stands in its way. */
export async function previewDeletion(deps: Deps, userId: string): Promise<AccountDeletionPreview> {
  const store = accountDeletionStore(deps.db, userId)
  const [blocked, going] = await Promise.all([store.sharedWorkspacesWithSoleOwner(), store.soleMemberWorkspaces()])
  return { blocked, going }
}

const undeletePayloadSchema = z.object({ email: z.string(), provenAt: z.number().nullable(), deletedAt: z.number() })

/**
 * Ends the account, already proven: nobody enters it, its address is free, and 30 days later nothing says whose it was.
 * What the person owned in workspaces that go on is an owner's of each.
 * @throws ProductError `in_use` with the workspaces that need another owner first
 */
export async function deleteAccount(deps: Deps, me: SignedInUser): Promise<void> {
  const store = accountDeletionStore(deps.db, me.userId)
  const [person, going, left] = await Promise.all([
    userContactStore(deps.db).byId(me.userId),
    store.soleMemberWorkspaces(),
    store.remainingWorkspaces(),
  ])
  if (!person) throw new ProductError('unauthenticated')
  const now = deps.clock.now()
  const until = now + DELETED_RETENTION_MS
  const payload = { email: person.email, provenAt: person.emailProvenAt, deletedAt: now }
  const link = createEmailLink(deps, { kind: 'undelete', userId: me.userId, payload, ttlMs: DELETED_RETENTION_MS })
  const recipient = person.email
  await commit(deps, {
    change: [
      store.closeAccount({ epoch: me.epoch, now }),
      ...store.transferOwnership(now),
      ...store.leaveWorkspaces(now),
      endOtherSessionsStatement(deps, me.userId, null),
      invalidateEmailLinks(deps, { userId: me.userId, kinds: CREDENTIAL_LINK_KINDS }),
      ...(recipient === null ? [] : [link.insert]),
    ],
    audit: [userAuditEntry(me.userId, 'account.delete'), ...workspaceAuditEntries(me.userId, { going, left })],
    outbox:
      recipient === null
        ? []
        : [mailOutboxEntry({ to: recipient, template: 'accountDeleted', linkId: link.id, until }, { key: link.id })],
    expect: { onMissed: async () => deletionBlocked(await store.sharedWorkspacesWithSoleOwner()) },
  })
}

const deletionBlocked = (blocked: NamedWorkspace[]): ProductError =>
  blocked.length === 0
    ? new ProductError('unauthenticated')
    : new ProductError(
        'in_use',
        { dependents: blocked.map(({ id, name }) => ({ type: 'workspace', id, name })) },
        'Transfer the workspaces only you own first.',
      )

/** What the audit logs of the workspaces are told. */
const workspaceAuditEntries = (
  actorId: string,
  { going, left }: { going: NamedWorkspace[]; left: NamedWorkspace[] },
): AuditEntry[] => [
  ...going.map(({ id: workspaceId }) => workspaceAuditEntry({ workspaceId, actorId }, 'workspace.delete')),
  ...left.map(({ id: workspaceId }) =>
    memberAuditEntry({ scope: { workspaceId, actorId } }, { action: 'member.leave', id: actorId }),
  ),
]

/**
 * Takes the deletion back, by the link of the mail about it. Memberships of workspaces that went on come back suspended:
 * an owner or admin of each lets the person in again.
 * @throws ProductError `expired`; `account_exists` when the address is taken and the person has no other way in
 */
export async function restoreAccount(deps: Deps, token: string): Promise<RestoredAccount> {
  const link = await findEmailLink(deps, token, ['undelete'])
  const payload = undeletePayloadSchema.safeParse(link?.payload)
  if (!link || !payload.success) throw expiredLink()
  const store = accountDeletionStore(deps.db, link.userId)
  const { email: address, deletedAt } = payload.data
  const now = deps.clock.now()
  const waiting = await endedMembershipStore(deps.db, link.userId).endedWithAccount(deletedAt)
  await commit(deps, {
    change: [
      store.consumeUndeleteLink({ id: link.id, email: address, now }),
      ...store.restoreAccount(payload.data, now),
    ],
    audit: [
      userAuditEntry(link.userId, 'account.undelete'),
      ...waiting.map(({ id }) => restoredMemberEntry(id, link.userId)),
    ],
    expect: {
      onMissed: async () =>
        (await findEmailLink(deps, token, ['undelete'])) === null
          ? expiredLink()
          : new ProductError('account_exists', {}, 'Another account uses this email. Change it there first.'),
    },
  })
  const email = (await userContactStore(deps.db).byId(link.userId))?.email ?? null
  return { email, waiting: waiting.map(({ name }) => name) }
}

/** Tells the workspace: its open pages hear of it, and its log says so. */
const restoredMemberEntry = (workspaceId: string, userId: string): AuditEntry =>
  memberAuditEntry(
    { scope: { workspaceId, actorId: userId } },
    { action: 'member.restore', id: userId, after: { status: 'suspended' } },
  )

const BATCH_SIZE = 50

/** Makes people nameless whose deletion nothing can take back any more. */
export async function anonymizeDeletedUsers(deps: Deps): Promise<void> {
  const people = await listUsersToAnonymize(deps.db, deps.clock.now() - DELETED_RETENTION_MS, BATCH_SIZE)
  for (const userId of people) await anonymizeUser(deps, userId)
}

/** Nobody who took the deletion back in this very moment. */
export async function anonymizeUser(deps: Deps, userId: string): Promise<void> {
  await tryCommit(deps, {
    change: anonymizeStatements(deps.db, userId),
    audit: [{ ...userAuditEntry(userId, 'account.forget'), actorId: null }],
  })
}
