import type { z } from 'zod'
import { newWorkspaceRows, workspaceStore } from './store'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { billingMode } from '../../env'
import { ProductError } from '../../shared/errors'
import { TRIAL_MS } from '../../shared/plans'
import type { WorkspaceSummary } from '../../shared/session'
import type { createWorkspaceSchema, updateWorkspaceSchema, Workspace } from '../../shared/workspaces'

/** A workspace of the person's own with everything it needs, in one batch: the first in trial, the next awaiting checkout. */
export async function createWorkspace(
  deps: Deps,
  request: { userId: string; input: z.output<typeof createWorkspaceSchema> },
  reply: (body: WorkspaceSummary) => StoredReply | null,
): Promise<WorkspaceSummary> {
  const { userId, input } = request
  const now = deps.clock.now()
  const workspace: Workspace = { ...input, id: deps.ids.next('workspace'), mailDomains: [], logo: null, version: 1 }
  const summary: WorkspaceSummary = { id: workspace.id, name: workspace.name, role: 'owner', logo: null }
  await commit(deps, {
    change: newWorkspaceRows(deps.db, {
      ...{ workspace, ownerId: userId, now, trialEndsAt: now + TRIAL_MS },
      alwaysTrial: billingMode(deps.settings) === 'off',
    }),
    audit: [
      {
        workspaceId: workspace.id,
        actorId: userId,
        action: 'workspace.create',
        entity: 'workspace',
        entityId: workspace.id,
        after: workspace,
      },
    ],
    reply: reply(summary),
  })
  return summary
}

export async function getWorkspace(deps: Deps, scope: Scope): Promise<Workspace> {
  const workspace = await workspaceStore(deps.db, scope).get()
  if (!workspace) throw new ProductError('not_found')
  return workspace
}

/** @throws ProductError `version_conflict` with the stored workspace as `current` */
export async function updateWorkspace(
  deps: Deps,
  change: { scope: Scope; input: z.output<typeof updateWorkspaceSchema> },
  reply: (body: Workspace) => StoredReply | null,
): Promise<Workspace> {
  const { scope, input } = change
  const { mailDomains, logo } = await getWorkspace(deps, scope)
  const unchanged = { id: scope.workspaceId, mailDomains: input.mailDomains ?? mailDomains, logo }
  const next: Workspace = { ...input, ...unchanged, version: input.version + 1 }
  await commit(deps, {
    change: [workspaceStore(deps.db, scope).update(next)],
    audit: [
      {
        workspaceId: scope.workspaceId,
        actorId: scope.actorId,
        action: 'workspace.update',
        entity: 'workspace',
        entityId: scope.workspaceId,
        after: next,
      },
    ],
    reply: reply(next),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getWorkspace(deps, scope) }),
    },
  })
  return next
}
