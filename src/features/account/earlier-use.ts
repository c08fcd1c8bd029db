import type { SignedInUser } from './credentials'
import { earlierUseStore, type HeldItems, type HeldMember } from './earlier-use-store'
import { describeDevice } from '../../identity/device-name'
import { readEarlierUse, type StoredEarlierUse } from '../../identity/earlier-use-store'
import { Scope } from '../../scope'
import { memberAuditEntry, userAuditEntry, workspaceAuditEntry } from '../../db/audit'
import { commit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { toIso } from '../../lib/iso'
import type { EarlierUse, EarlierUseAnswer } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { terminateLoadWorkflow } from '../../sync/run-recovery'

/** What the account held before its address was proven. @throws ProductError `not_found` when nothing waits for an answer */
export async function getEarlierUse(deps: Deps, { userId }: Pick<SignedInUser, 'userId'>): Promise<EarlierUse> {
  const { stored } = await requireEarlierUse(deps, userId)
  return toEarlierUse(stored, await earlierUseStore(deps.db, userId).heldItems(stored))
}

async function requireEarlierUse(deps: Deps, userId: string) {
  const found = await readEarlierUse(deps.db, userId)
  if (!found) throw new ProductError('not_found')
  return found
}

const toEarlierUse = ({ provenAt, sessions, accounts }: StoredEarlierUse, held: HeldItems): EarlierUse => ({
  provenAt: toIso(provenAt),
  sessions: sessions.map(({ userAgent, country, createdAt }) => ({
    device: describeDevice(userAgent),
    country,
    signedInAt: toIso(createdAt),
  })),
  signIns: accounts.map(({ id, provider, email }) => ({ id, provider, email })),
  workspaces: held.workspaces.map(({ id, name, createdAt, dataSources }) => ({
    id,
    name,
    createdAt: toIso(createdAt),
    dataSources,
    members: held.members
      .filter(({ workspaceId }) => workspaceId === id)
      .map(({ userId, name: member, email, role }) => ({ userId, name: member, email, role })),
    invites: held.invites
      .filter(({ workspaceId }) => workspaceId === id)
      .map(({ id: invite, email, role }) => ({ id: invite, email, role })),
  })),
})

/**
 * Brings back what the person keeps and removes the rest. Workspaces are deleted as an owner deletes them; their people
 * stay suspended in them. Whoever comes back beyond the seats of a plan that shrank meanwhile is over its limit as
 * everybody else there. `reauthenticate` is asked when a way in stays or a workspace goes.
 * @throws ProductError `not_found` when nothing waits for an answer, or for something that was not held;
 * `unauthenticated` when the session ended meanwhile
 */
export async function answerEarlierUse(
  deps: Deps,
  answer: {
    me: SignedInUser & { name: string }
    keep: EarlierUseAnswer
    reauthenticate: () => Promise<void>
  },
): Promise<{ settled: true }> {
  const { me, keep } = answer
  const { text, stored } = await requireEarlierUse(deps, me.userId)
  const store = earlierUseStore(deps.db, me.userId)
  const held = await store.heldItems(stored)
  const plan = planAnswer(stored, held, keep)
  if (keep.signIns.length > 0 || plan.deleted.length > 0) await answer.reauthenticate()
  const now = deps.clock.now()
  const { administrators, loads } = await store.affectedBy(plan.deleted)
  await commit(deps, {
    change: [
      store.settle(text, me.sessionHash),
      store.resumeMembers(plan.resumed),
      ...store.removeMembers(plan.removed),
      ...plan.removed.map(store.stopAlerts),
      store.reopenInvites(keep.invites),
      store.reconnect(stored.accounts.filter(({ id }) => keep.signIns.includes(id))),
      ...store.deleteWorkspaces(plan.deleted, now),
    ],
    audit: [userAuditEntry(me.userId, 'account.earlierUse', { after: keep }), ...answerAudit(me.userId, plan)],
    outbox: administrators.flatMap((admin) => deletionMail(admin, { held, by: me.name, now })),
    expect: { onMissed: () => missedAnswer(deps, { userId: me.userId, text }) },
  })
  for (const { workspaceId, id: runId } of loads) {
    await terminateLoadWorkflow(deps, runId)
    await deps.warehouse(Scope.forJob({ workspaceId, userId: me.userId, epoch: `${me.epoch}.0` })).abortLoad({ runId })
  }
  return { settled: true }
}

/** Answered meanwhile by another call, or asked by a session that ended. */
async function missedAnswer(deps: Deps, read: { userId: string; text: string }): Promise<ProductError> {
  const waiting = await readEarlierUse(deps.db, read.userId)
  return new ProductError(waiting?.text === read.text ? 'unauthenticated' : 'not_found')
}

function deletionMail(
  { workspaceId, userId, email }: { workspaceId: string; userId: string; email: string },
  { held, by, now }: { held: HeldItems; by: string; now: number },
) {
  const workspace = held.workspaces.find(({ id }) => id === workspaceId)
  if (!workspace) return []
  const order = { to: email, template: 'workspaceDeleted', workspace: workspace.name, by } as const
  const key = `workspaceDeleted:${workspaceId}:${now}:${userId}`
  return [mailOutboxEntry({ ...order, until: now + DELETED_RETENTION_MS }, { key, workspaceId })]
}

interface AnswerPlan {
  resumed: HeldMember[]
  removed: HeldMember[]
  /** Ids of workspaces. */
  deleted: string[]
}

const isSame = (a: HeldMember) => (b: HeldMember) => a.workspaceId === b.workspaceId && a.userId === b.userId

/** @throws ProductError `not_found` for what was not held, or is of a workspace that is not kept */
function planAnswer(stored: StoredEarlierUse, held: HeldItems, keep: EarlierUseAnswer): AnswerPlan {
  const isKept = (workspaceId: string): boolean => keep.workspaces.includes(workspaceId)
  const known =
    keep.workspaces.every((id) => held.workspaces.some((row) => row.id === id)) &&
    keep.members.every((member) => isKept(member.workspaceId) && held.members.some(isSame(member))) &&
    keep.invites.every((id) => held.invites.some((row) => row.id === id && isKept(row.workspaceId))) &&
    keep.signIns.every((id) => stored.accounts.some((account) => account.id === id))
  if (!known) throw new ProductError('not_found')
  const others = held.members.filter((member) => isKept(member.workspaceId) && !keep.members.some(isSame(member)))
  return {
    resumed: keep.members,
    removed: others.map(({ workspaceId, userId }) => ({ workspaceId, userId })),
    deleted: held.workspaces.map(({ id }) => id).filter((id) => !isKept(id)),
  }
}

const answerAudit = (actorId: string, { resumed, removed, deleted }: AnswerPlan): AuditEntry[] => [
  ...resumed.map(({ workspaceId, userId }) =>
    memberAuditEntry({ scope: { workspaceId, actorId } }, { action: 'member.update', id: userId }),
  ),
  ...removed.map(({ workspaceId, userId }) =>
    memberAuditEntry({ scope: { workspaceId, actorId } }, { action: 'member.remove', id: userId }),
  ),
  ...deleted.map((workspaceId) => workspaceAuditEntry({ workspaceId, actorId }, 'workspace.delete')),
]
