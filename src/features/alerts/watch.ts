import { evaluateAlert } from './evaluate'
import { alertStore } from './store'
import { Scope } from '../../access/scope'
import type { MemberContext } from '../../access/standing'
import type { Deps } from '../../deps'

/** Alerts that one round looks at. */
const ALERTS_PER_RUN_MAX = 25
/** How long a round has to itself before another one tries. */
const LEASE_MS = 10 * 60 * 1000

/** New rows of a dataset: evaluates every alert that reads it. One that cannot be evaluated holds up no other. */
export async function evaluateDependentAlerts(
  deps: Deps,
  { scope }: Pick<MemberContext, 'scope'>,
  datasetId: string,
): Promise<void> {
  await forEachThenThrow(await alertStore(deps.db, scope).dependentsOf(datasetId), (id) =>
    evaluateAlert(deps, scope, id),
  )
}

/** The scheduled round: periods end, and reminders fall due, where no new rows come. */
export async function evaluateDueAlerts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { results } = await deps.db.d1
    .prepare(
      `UPDATE alerts SET due_at = ?1 + ?2 WHERE id IN (
         SELECT id FROM alerts INDEXED BY alerts_due WHERE active = 1 AND due_at <= ?1
           AND workspace_id IN (SELECT id FROM workspaces WHERE deleted_at IS NULL) ORDER BY due_at LIMIT ?3)
       RETURNING id, workspace_id AS workspaceId, owner_id AS ownerId`,
    )
    .bind(now, LEASE_MS, ALERTS_PER_RUN_MAX)
    .all<{ id: string; workspaceId: string; ownerId: string }>()
  // The key only opens the alert itself: figures are asked for with what its owner may see at that moment.
  await forEachThenThrow(results, ({ id, workspaceId, ownerId }) =>
    evaluateAlert(deps, Scope.forJob({ workspaceId, userId: ownerId, epoch: '' }), id),
  )
}

/** Does all of it, then throws the first fault there was: whoever called tries again. */
async function forEachThenThrow<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const faults: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}
