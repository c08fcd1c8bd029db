import { expireOpenSession } from './checkout'
import { subscriptionAuditEntry, customerIdsOf, invoiceDetailsFor, updateCustomerDetails } from './customer'
import type { PurchaseContext } from './customer'
import { billingStore } from './store'
import type { BillingAccount } from './store'
import { stripeClient } from './stripe'
import { afterRelease, assertVersion, withLock, hashIntent, acquireLock, releaseLock } from './turn'
import { subscriptionView } from './view'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { BillingDetails, SubscriptionView } from '../../shared/subscription'

/**
 * Says what stands on invoices from now on and where they go.
 * @throws ProductError `not_enabled`, `version_conflict`, `invalid_input`, `busy`, `billing_unavailable`
 */
export async function updateBillingDetails(
  deps: Deps,
  purchaseContext: PurchaseContext,
  { version, ...details }: BillingDetails & { version: number },
): Promise<SubscriptionView> {
  const stripe = stripeClient(deps)
  const account = await billingStore(deps.db, purchaseContext.scope).get()
  assertVersion(account, version)
  // The turn takes the place of the page that may be open: it is closed, for nobody would know of it any more.
  await expireOpenSession(stripe, account)
  const turn = await acquireLock(deps, account, await hashIntent('details', details))
  return withLock(deps, turn, async () => {
    const after: BillingAccount = { ...turn.account, details }
    for (const customer of customerIdsOf(account))
      await updateCustomerDetails(stripe, customer, invoiceDetailsFor(after, purchaseContext))
    const view = await subscriptionView(deps, purchaseContext, afterRelease(after, turn))
    const statement = deps.db.d1
      .prepare('UPDATE subscriptions SET details = ? WHERE workspace_id = ?')
      .bind(JSON.stringify(details), account.workspaceId)
    await commit(deps, {
      change: [statement, releaseLock(deps.db, turn)],
      audit: [
        subscriptionAuditEntry(purchaseContext, 'subscription.details', { before: account.details, after: details }),
      ],
      reply: purchaseContext.reply(view),
    })
    return view
  })
}
