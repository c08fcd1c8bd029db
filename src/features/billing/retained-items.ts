import { retainedItemStore, type RetainedEntity } from './retained-item-store'
import { getAccount } from './store'
import { canChooseRetained, subscriptionView } from './subscription-view'
import { workspaceAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { ProductError } from '../../shared/errors'
import type { RetainInput, SubscriptionView } from '../../shared/billing/subscription'

const entitiesOf = (kind: RetainedEntity['kind'], ids: string[]): RetainedEntity[] => ids.map((id) => ({ kind, id }))
const toRetainedEntities = (input: RetainInput): RetainedEntity[] => [
  ...entitiesOf('source', input.sources),
  ...entitiesOf('member', input.members),
  ...entitiesOf('insight', input.insights),
  ...entitiesOf('grouping', input.groupings),
  ...entitiesOf('forecast', input.forecasts),
]

/**
 * What stays first when the plan becomes smaller, in place of what was chosen before. More may be named than there is
 * room for: then the oldest of them stay.
 * @throws ProductError `forbidden` while a plan is paid for and no smaller one waits; `not_found` for what is not here
 */
export async function setRetainedItems(context: RequestContext, input: RetainInput): Promise<SubscriptionView> {
  const { deps, scope } = context
  const row = await getAccount(deps.db, scope)
  const { state } = computeEntitlements(row, deps.clock.now())
  if (!canChooseRetained(state, row.scheduled)) throw new ProductError('forbidden', {}, CHOICE_UNAVAILABLE)
  const store = retainedItemStore(deps.db, scope)
  const chosen = toRetainedEntities(input)
  const [before, allPresent] = await Promise.all([store.list(), store.allExist(chosen)])
  if (!allPresent) throw new ProductError('not_found')
  await commit(deps, {
    // What may be chosen when depends on the subscription: it must still be the one that was looked at.
    change: [store.assertSubscriptionUnchanged(row), ...(await store.replace(chosen))],
    audit: [workspaceAuditEntry(scope, 'subscription.keep', { before, after: chosen })],
    expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
  })
  return subscriptionView(context)
}
const CHOICE_UNAVAILABLE = 'Choose what stays before a downgrade, or without a plan.'
