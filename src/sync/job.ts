import { Scope } from '../access/scope'
import { readMemberContext } from '../access/standing'
import type { Deps } from '../deps'
import { roleMay } from '../shared/permissions'

/** What starts a load, and all that its durable state holds of the person who started it. */
export interface LoadFileParams {
  runId: string
  workspaceId: string
  userId: string
  epoch: string
}

export const loadParamsFor = (scope: Scope, runId: string): LoadFileParams => {
  const { workspaceId, actorId, epoch } = scope.wire()
  return { runId, workspaceId, userId: actorId, epoch }
}

/** Why a step must not go on: the run was stopped, its source deleted, or the person may no longer load. */
export type AbortReason = 'stopped' | 'not_allowed'

const ACTIVE_RUN = `
SELECT r.actor_id AS actorId FROM runs r JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
WHERE r.workspace_id = ? AND r.id = ? AND r.state IN ('queued', 'running')`

/**
 * The scope of a job, rebuilt from what the database says now: whoever left the workspace or lost the right to load, be it
 * because the plan has no room for them, ends the job here, unless somebody inherited it, and so does a cancelled run or a deleted source.
 */
export async function jobScope(deps: Pick<Deps, 'db' | 'clock'>, params: LoadFileParams): Promise<Scope | AbortReason> {
  const { workspaceId, userId, runId } = params
  const [starter, wanted] = await Promise.all([
    authorizedLoader(deps, params),
    deps.db.d1.prepare(ACTIVE_RUN).bind(workspaceId, runId).first<{ actorId: string }>(),
  ])
  if (wanted === null) return 'stopped'
  const { actorId } = wanted
  const loader = actorId === userId ? starter : await authorizedLoader(deps, { workspaceId, userId: actorId })
  return loader?.scope ?? 'not_allowed'
}

/** A member who may load, with the scope that the database gives them now; `null` when they may not any more. */
export async function authorizedLoader(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { workspaceId: string; userId: string },
): Promise<{ scope: Scope; name: string } | null> {
  const standing = await readMemberContext(deps, who)
  return standing && roleMay(standing.role, 'create:source') ? standing : null
}

/** The scope with which a job cleans up after itself: it needs no rights any more. */
export const cleanupScope = (params: LoadFileParams): Scope =>
  Scope.forJob({ workspaceId: params.workspaceId, userId: params.userId, epoch: params.epoch })
