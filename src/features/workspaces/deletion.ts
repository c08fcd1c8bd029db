import { workspaceDeletionStore, deletedWorkspaceStore, listEndedMemberships } from './store'
import { getWorkspace } from './service'
import type { Actor } from '../../scope'
import { workspaceAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { ReplyFactory } from '../../http/idempotency'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { nameKey } from '../../shared/field-schemas'
import { picturePath } from '../../shared/pictures'
import type { WorkspaceSummary } from '../../shared/session'
import type { DeleteWorkspaceInput } from '../../shared/workspaces/deletion'
import type { DeletedWorkspace, EndedMembership } from '../../shared/workspaces/workspaces'
import { terminateLoadWorkflow } from '../../sync/run-recovery'

const toDeletedWorkspace = (row: { id: string; name: string; deletedAt: number }): DeletedWorkspace => ({
  id: row.id,
  name: row.name,
  deletedAt: toIso(row.deletedAt),
  until: toIso(row.deletedAt + DELETED_RETENTION_MS),
})

/**
 * Closes a workspace: from then on nobody enters it, its loads end, its subscription is cancelled at the next round of
 * billing (also where billing is away right now), and 30 days later it is purged. Until then an owner brings it back. Its owners and administrators are told.
 * @throws ProductError `invalid_input` when the name is not the workspace's, `version_conflict`
 */
export async function deleteWorkspace(
  { deps, scope, actor }: RequestContext,
  input: Omit<DeleteWorkspaceInput, 'password'>,
): Promise<DeletedWorkspace> {
  const workspace = await getWorkspace(deps, scope)
  const { id, name } = workspace
  if (nameKey(input.name) !== nameKey(name))
    throw new ProductError('invalid_input', { fields: { name: 'Enter the workspace’s name.' } })
  const store = workspaceDeletionStore(deps.db, scope)
  const [administrators, loads] = await Promise.all([store.administrators(), store.activeLoads()])
  const now = deps.clock.now()
  const answer = toDeletedWorkspace({ id, name, deletedAt: now })
  const mail = {
    template: 'workspaceDeleted',
    workspace: name,
    by: actor.name,
    until: now + DELETED_RETENTION_MS,
  } as const
  await commit(deps, {
    change: [store.remove({ version: input.version, now }), store.cancelLoads(now)],
    audit: [workspaceAuditEntry(scope, 'workspace.delete', { before: workspace })],
    outbox: administrators.map(({ userId, email }) =>
      mailOutboxEntry(
        { to: email, ...mail },
        { key: `workspaceDeleted:${id}:${input.version}:${userId}`, workspaceId: id },
      ),
    ),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getWorkspace(deps, scope) }),
    },
  })
  for (const runId of loads) {
    await terminateLoadWorkflow(deps, runId)
    await deps.warehouse(scope).abortLoad({ runId })
  }
  return answer
}

/** What the person may still bring back: deleted workspaces that they own, the newest first. */
export async function listDeletedWorkspaces(deps: Deps, actor: Actor): Promise<DeletedWorkspace[]> {
  const rows = await deletedWorkspaceStore(deps.db, actor).list(deps.clock.now() - DELETED_RETENTION_MS)
  return rows.map(toDeletedWorkspace)
}

/** Why the person is in workspaces no more, or not for now; the newest first. */
export async function endedMemberships(deps: Deps, { userId }: Actor): Promise<EndedMembership[]> {
  const rows = await listEndedMemberships(deps.db, { userId, since: deps.clock.now() - DELETED_RETENTION_MS })
  return rows.map(({ workspace, reason, at }) => ({ workspace, reason, at: at === null ? null : toIso(at) }))
}

/**
 * Opens a deleted workspace again, with its members and everything in it. Loads that ended with it are tried again by hand.
 * @throws ProductError `not_found` when it is not the person's to bring back, or gone for good
 */
export async function restoreWorkspace(
  deps: Deps,
  restoration: { actor: Actor; id: string; reply: ReplyFactory },
): Promise<WorkspaceSummary> {
  const { actor, id } = restoration
  const store = deletedWorkspaceStore(deps.db, actor)
  // From then on the sweep may be purging it: half of a workspace must not come back.
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const row = (await store.list(since)).find((each) => each.id === id)
  if (!row) throw new ProductError('not_found')
  const summary: WorkspaceSummary = { id, name: row.name, role: row.role, logo: picturePath(row.logoKey) }
  await commit(deps, {
    change: [store.restore(id, since)],
    audit: [workspaceAuditEntry({ workspaceId: id, actorId: actor.userId }, 'workspace.restore', { after: summary })],
    reply: restoration.reply(summary),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return summary
}
