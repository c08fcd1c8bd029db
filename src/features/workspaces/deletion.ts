import { deletionStore, ownedDeletions } from './deletion-store'
import { currentWorkspace } from './service'
import type { z } from 'zod'
import type { Actor } from '../../access/actor'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import type { Reply } from '../../http/idempotency'
import { mailEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { DELETED_KEPT_MS } from '../../shared/limits'
import { nameKey } from '../../shared/names'
import { picturePath } from '../../shared/pictures'
import type { WorkspaceSummary } from '../../shared/session'
import type { DeletedWorkspace, deleteWorkspaceSchema } from '../../shared/workspaces'
import { terminate } from '../../sync/settle'

const iso = (at: number): string => new Date(at).toISOString()
const view = (row: { id: string; name: string; deletedAt: number }): DeletedWorkspace => ({
  id: row.id,
  name: row.name,
  deletedAt: iso(row.deletedAt),
  until: iso(row.deletedAt + DELETED_KEPT_MS),
})

/**
 * Closes a workspace: from then on nobody enters it, its loads end, and 30 days later it is purged. Until then an owner
 * brings it back. Its owners and administrators are told.
 * @throws ProductError `invalid_input` when the name is not the workspace's, `version_conflict`
 */
export async function deleteWorkspace(
  deps: Deps,
  ask: Asking & { actor: Actor; input: z.output<typeof deleteWorkspaceSchema> },
): Promise<DeletedWorkspace> {
  const { scope, actor, input } = ask
  const workspace = await currentWorkspace(deps, scope)
  const { id, name } = workspace
  if (nameKey(input.name) !== nameKey(name))
    throw new ProductError('invalid_input', { fields: { name: 'This is not the name of the workspace.' } })
  const store = deletionStore(deps.db, scope)
  const [administrators, loads] = await Promise.all([store.administrators(), store.activeLoads()])
  const now = deps.clock.now()
  const answer = view({ id, name, deletedAt: now })
  const mail = { template: 'workspaceDeleted', workspace: name, by: actor.name, until: now + DELETED_KEPT_MS } as const
  await commit(deps, {
    change: [store.remove({ version: input.version, now }), store.cancelLoads(now)],
    audit: [
      {
        ...{ workspaceId: id, actorId: actor.userId, action: 'workspace.delete' },
        ...{ entity: 'workspace', entityId: id, before: workspace },
      },
    ],
    outbox: administrators.map(({ userId, email }) =>
      mailEntry({ to: email, ...mail }, { key: `workspaceDeleted:${id}:${input.version}:${userId}`, workspaceId: id }),
    ),
    reply: ask.reply(answer),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await currentWorkspace(deps, scope) }),
    },
  })
  for (const runId of loads) {
    await terminate(deps, runId)
    await deps.warehouse(scope).abortLoad({ runId })
  }
  return answer
}

/** What the person may still bring back: deleted workspaces that they own, the newest first. */
export async function deletedWorkspaces(deps: Deps, actor: Actor): Promise<DeletedWorkspace[]> {
  return (await ownedDeletions(deps.db, actor).list(deps.clock.now() - DELETED_KEPT_MS)).map(view)
}

/**
 * Opens a deleted workspace again, with its members and everything in it. Loads that ended with it are tried again by hand.
 * @throws ProductError `not_found` when it is not the person's to bring back, or gone for good
 */
export async function restoreWorkspace(
  deps: Deps,
  ask: { actor: Actor; id: string; reply: Reply },
): Promise<WorkspaceSummary> {
  const { actor, id } = ask
  const store = ownedDeletions(deps.db, actor)
  // From then on the sweep may be purging it: half of a workspace must not come back.
  const since = deps.clock.now() - DELETED_KEPT_MS
  const row = (await store.list(since)).find((each) => each.id === id)
  if (!row) throw new ProductError('not_found')
  const summary: WorkspaceSummary = { id, name: row.name, role: row.role, logo: picturePath(row.logoKey) }
  await commit(deps, {
    change: [store.restore(id, since)],
    audit: [
      {
        ...{ workspaceId: id, actorId: actor.userId, action: 'workspace.restore' },
        ...{ entity: 'workspace', entityId: id, after: summary },
      },
    ],
    reply: ask.reply(summary),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return summary
}
