import { billingStore } from './store'
import { canChooseRetained, subscriptionView } from './subscription-view'
import type { SubscriptionContext } from './subscription-view'
import type { Scope } from '../../identity/scope'
import { commit } from '../../db/commit'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { ProductError } from '../../shared/errors'
import type { RetainInput, SubscriptionView } from '../../shared/billing/subscription'

interface RetainedEntity {
  kind: 'source' | 'member' | 'insight' | 'grouping' | 'forecast'
  id: string
}
const toRetainedEntities = ({ sources, members, insights, groupings, forecasts }: RetainInput): RetainedEntity[] => [
  ...sources.map((id): RetainedEntity => ({ kind: 'source', id })),
  ...members.map((id): RetainedEntity => ({ kind: 'member', id })),
  ...insights.map((id): RetainedEntity => ({ kind: 'insight', id })),
  ...groupings.map((id): RetainedEntity => ({ kind: 'grouping', id })),
  ...forecasts.map((id): RetainedEntity => ({ kind: 'forecast', id })),
]

/**
 * What stays first when the plan becomes smaller, in place of what was chosen before. More may be named than there is
 * room for: then the oldest of them stay.
 * @throws ProductError `forbidden` while a plan is paid for and no smaller one waits; `not_found` for what is not here
 */
export async function setRetainedItems(
  deps: Deps,
  context: SubscriptionContext,
  input: RetainInput,
): Promise<SubscriptionView> {
  const { scope } = context
  const row = await billingStore(deps.db, scope).get()
  const { state } = computeEntitlements(row, deps.clock.now())
  if (!canChooseRetained(state, row.scheduled)) throw new ProductError('forbidden', {}, CHOICE_UNAVAILABLE)
  const store = retainedItemStore(deps.db, scope)
  const chosen = toRetainedEntities(input)
  const [before, allPresent] = await Promise.all([store.list(), store.allExist(chosen)])
  if (!allPresent) throw new ProductError('not_found')
  await commit(deps, {
    // What may be chosen when depends on the subscription: it must still be the one that was looked at.
    change: [store.assertSubscriptionUnchanged(row), ...store.replace(chosen)],
    audit: [
      {
        ...{ workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'subscription.keep' },
        ...{ entity: 'workspace', entityId: scope.workspaceId, before, after: chosen },
      },
    ],
    expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
  })
  return subscriptionView(deps, context)
}
const CHOICE_UNAVAILABLE =
  'What stays can be chosen before the plan becomes smaller, or once nothing is paid for any more.'

const retainedItemStore = ({ d1 }: Database, { workspaceId }: Scope) => ({
  async list(): Promise<RetainedEntity[]> {
    const { results } = await d1
      .prepare('SELECT kind, entity_id AS id FROM kept WHERE workspace_id = ? ORDER BY kind, entity_id')
      .bind(workspaceId)
      .all<RetainedEntity>()
    return results
  },

  async allExist(chosen: RetainedEntity[]): Promise<boolean> {
    const missing = await d1
      .prepare(
        `SELECT 1 AS found FROM json_each(?2) j WHERE NOT CASE j.value ->> 'kind'
           WHEN 'source' THEN EXISTS (SELECT 1 FROM data_sources s WHERE s.id = j.value ->> 'id' AND s.workspace_id = ?1
             AND s.deleted_at IS NULL)
           WHEN 'insight' THEN EXISTS (SELECT 1 FROM insights i WHERE i.id = j.value ->> 'id' AND i.workspace_id = ?1
             AND i.deleted_at IS NULL)
           WHEN 'grouping' THEN EXISTS (SELECT 1 FROM groupings g WHERE g.id = j.value ->> 'id' AND g.workspace_id = ?1
             AND g.deleted_at IS NULL)
           WHEN 'forecast' THEN EXISTS (SELECT 1 FROM forecasts f WHERE f.id = j.value ->> 'id' AND f.workspace_id = ?1)
           ELSE EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = ?1 AND m.user_id = j.value ->> 'id') END LIMIT 1`,
      )
      .bind(workspaceId, JSON.stringify(chosen))
      .first()
    return missing === null
  },

  /** Changes nothing; counts as a change while the subscription is as it was read. */
  assertSubscriptionUnchanged: ({
    state,
    fetchedAt,
    scheduled,
  }: {
    state: string
    fetchedAt: number
    scheduled: unknown
  }) =>
    d1
      .prepare(
        `UPDATE subscriptions SET version = version
         WHERE workspace_id = ?1 AND state = ?2 AND fetched_at = ?3 AND (scheduled IS NOT NULL) = ?4`,
      )
      .bind(workspaceId, state, fetchedAt, scheduled === null ? 0 : 1),

  replace: (chosen: RetainedEntity[]): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM kept WHERE workspace_id = ?').bind(workspaceId),
    d1
      .prepare(
        `INSERT OR IGNORE INTO kept (workspace_id, kind, entity_id)
         SELECT ?1, value ->> 'kind', value ->> 'id' FROM json_each(?2)`,
      )
      .bind(workspaceId, JSON.stringify(chosen)),
  ],
})
