import { rankColumns, standingUnder } from '../access/frozen'
import type { Ranks } from '../access/frozen'
import { Scope } from '../access/scope'
import { subscriptionColumns, subscriptionFrom } from '../access/subscription-row'
import type { SubscriptionRow } from '../access/subscription-row'
import type { Deps } from '../deps'
import { entitlements } from '../shared/entitlements'
import { ROLES, mayRole } from '../shared/permissions'

/** What starts a load, and all that its durable state holds of the person who started it. */
export interface LoadFileParams {
  runId: string
  workspaceId: string
  userId: string
  epoch: string
}

export const paramsFor = (scope: Scope, runId: string): LoadFileParams => {
  const { workspaceId, actorId, epoch } = scope.wire()
  return { runId, workspaceId, userId: actorId, epoch }
}

/** Why a step must not go on: the run was stopped, its source deleted, or the person may no longer load. */
export type Halt = 'stopped' | 'not_allowed'

const STANDING = `
SELECT m.role, u.name, u.epoch AS user_epoch, m.epoch AS member_epoch, ${rankColumns('m', 'm.workspace_id')},
  ${subscriptionColumns('b')}
FROM members m
JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
LEFT JOIN subscriptions b ON b.workspace_id = m.workspace_id
WHERE m.workspace_id = ? AND m.user_id = ? AND m.status = 'active'`
const WANTED = `
SELECT r.actor_id AS actorId FROM runs r JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
WHERE r.workspace_id = ? AND r.id = ? AND r.state IN ('queued', 'running')`

interface Standing extends Ranks, SubscriptionRow {
  name: string
  user_epoch: number
  member_epoch: number
}

/**
 * The scope of a job, rebuilt from what the database says now: whoever left the workspace or lost the right to load, be it
 * because the plan has no room for them, ends the job here, unless somebody inherited it, and so does a cancelled run or a deleted source.
 */
export async function jobScope(deps: Pick<Deps, 'db' | 'clock'>, params: LoadFileParams): Promise<Scope | Halt> {
  const { workspaceId, userId, runId } = params
  const [starter, wanted] = await Promise.all([
    standingLoader(deps, params),
    deps.db.d1.prepare(WANTED).bind(workspaceId, runId).first<{ actorId: string }>(),
  ])
  if (wanted === null) return 'stopped'
  const { actorId } = wanted
  const loader = actorId === userId ? starter : await standingLoader(deps, { workspaceId, userId: actorId })
  return loader?.scope ?? 'not_allowed'
}

/** A member who may load, with the scope that the database gives them now; `null` when they may not any more. */
export async function standingLoader(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { workspaceId: string; userId: string },
): Promise<{ scope: Scope; name: string } | null> {
  const { workspaceId, userId } = who
  const standing = await deps.db.d1.prepare(STANDING).bind(workspaceId, userId).first<Standing>()
  if (!standing || !ROLES.includes(standing.role)) return null
  const { features } = entitlements(subscriptionFrom(standing), deps.clock.now())
  const { seat, role } = standingUnder(standing, features)
  if (seat === 'none' || !mayRole(role, 'create:source')) return null
  const epoch = `${standing.user_epoch}.${standing.member_epoch}`
  return { scope: Scope.forJob({ workspaceId, userId, epoch }), name: standing.name }
}

/** The scope with which a job cleans up after itself: it needs no rights any more. */
export const cleanUpScope = (params: LoadFileParams): Scope =>
  Scope.forJob({ workspaceId: params.workspaceId, userId: params.userId, epoch: params.epoch })
