import type { z } from 'zod'
import { newWorkspaceRows, workspaceStore } from './store'
import type { Scope } from '../../scope'
import { workspaceAuditEntry } from '../../db/audit'
import { commit, type StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { billingMode } from '../../settings'
import { ProductError } from '../../shared/errors'
import { TRIAL_MS } from '../../shared/billing/plans'
import type { WorkspaceSummary } from '../../shared/session'
import type { createWorkspaceSchema, updateWorkspaceSchema, Workspace } from '../../shared/workspaces/workspaces'
import type { RequestContext } from '../../http/request-context'
import { deleteUnreferencedPictures, storePicture } from '../../http/picture-upload'
import { LOGO_MAX_BYTES } from '../../shared/account'
import { picturePath } from '../../shared/pictures'

/** A workspace of the person's own with everything it needs, in one batch: the first in trial, the next awaiting checkout. */
export async function createWorkspace(
  deps: Deps,
  request: { userId: string; input: z.output<typeof createWorkspaceSchema> },
  reply: (body: WorkspaceSummary) => StoredReply | null,
): Promise<WorkspaceSummary> {
  const { userId, input } = request
  const now = deps.clock.now()
  const workspace: Workspace = {
    ...input,
    id: deps.ids.next('workspace'),
    mailDomains: [],
    reportDomains: [],
    logo: null,
    version: 1,
  }
  const summary: WorkspaceSummary = { id: workspace.id, name: workspace.name, role: 'owner', logo: null }
  await commit(deps, {
    change: newWorkspaceRows(deps.db, {
      workspace,
      ownerId: userId,
      now,
      trialEndsAt: now + TRIAL_MS,
      alwaysTrial: billingMode(deps.settings) === 'off',
    }),
    audit: [
      workspaceAuditEntry({ workspaceId: workspace.id, actorId: userId }, 'workspace.create', { after: workspace }),
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
  { deps, scope, reply }: RequestContext,
  input: z.output<typeof updateWorkspaceSchema>,
): Promise<Workspace> {
  const before = await getWorkspace(deps, scope)
  const { mailDomains, reportDomains, logo } = before
  const unchanged = {
    ...{ id: scope.workspaceId, logo, mailDomains: input.mailDomains ?? mailDomains },
    reportDomains: input.reportDomains ?? reportDomains,
  }
  const next: Workspace = { ...input, ...unchanged, version: input.version + 1 }
  await commit(deps, {
    change: [workspaceStore(deps.db, scope).update(next)],
    audit: [workspaceAuditEntry(scope, 'workspace.update', { before, after: next })],
    reply: reply(next),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getWorkspace(deps, scope) }),
    },
  })
  return next
}

/** Stores the picture in a request's body as the workspace's logo, in place of the one before. */
export async function putLogo(context: RequestContext, request: Request): Promise<Workspace> {
  const key = await storePicture(context.deps, request, LOGO_MAX_BYTES)
  return setLogo({ ...context, reply: () => null }, key)
}

/** Back to initials. */
export const removeLogo = (context: RequestContext): Promise<Workspace> => setLogo(context, null)

/** Whoever sends last has the say; the version goes up, so that a form that was open before notices. */
async function setLogo({ deps, scope, reply }: RequestContext, key: string | null): Promise<Workspace> {
  const before = await getWorkspace(deps, scope)
  const after: Workspace = { ...before, logo: picturePath(key), version: before.version + 1 }
  await commit(deps, {
    change: [workspaceStore(deps.db, scope).setLogo(key)],
    audit: [
      workspaceAuditEntry(scope, key === null ? 'logo.remove' : 'logo.update', {
        before: { logo: before.logo },
        after: { logo: after.logo },
      }),
    ],
    reply: reply(after),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  await deleteUnreferencedPictures(deps)
  return key === null ? after : getWorkspace(deps, scope)
}
