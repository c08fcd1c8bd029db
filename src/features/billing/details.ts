import { closedPage } from './checkout'
import { audited, customersOf, detailsFor, writeDetails } from './customer'
import type { Buying } from './customer'
import { billingStore } from './store'
import type { BillingRow } from './store'
import { stripeOf } from './stripe'
import { afterTurn, checkVersion, inTurn, intentOf, takeTurn, turnEnd } from './turn'
import { subscriptionView } from './view'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { BillingDetails, SubscriptionView } from '../../shared/subscription'

/**
 * Says what stands on invoices from now on and where they go.
 * @throws ProductError `not_enabled`, `version_conflict`, `invalid_input`, `busy`, `billing_unavailable`
 */
export async function updateDetails(
  deps: Deps,
  buying: Buying,
  { version, ...details }: BillingDetails & { version: number },
): Promise<SubscriptionView> {
  const stripe = stripeOf(deps)
  const account = await billingStore(deps.db, buying.scope).get()
  checkVersion(account, version)
  // The turn takes the place of the page that may be open: it is closed, for nobody would know of it any more.
  await closedPage(stripe, account)
  const turn = await takeTurn(deps, account, await intentOf('details', details))
  return inTurn(deps, turn, async () => {
    const after: BillingRow = { ...turn.account, details }
    for (const customer of customersOf(account)) await writeDetails(stripe, customer, detailsFor(after, buying))
    const view = await subscriptionView(deps, buying, afterTurn(after, turn))
    const keep = deps.db.d1
      .prepare('UPDATE subscriptions SET details = ? WHERE workspace_id = ?')
      .bind(JSON.stringify(details), account.workspaceId)
    await commit(deps, {
      change: [keep, turnEnd(deps.db, turn)],
      audit: [audited(buying, 'subscription.details', { before: account.details, after: details })],
      reply: buying.reply(view),
    })
    return view
  })
}
