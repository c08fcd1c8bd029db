import { CANCEL_KEY } from './projection'
import { requireChangeableAccount, scheduleCancellation, completeChange, releaseSchedule } from './change'
import { subscriptionAuditEntry } from './customer'
import type { PurchaseContext } from './customer'
import { requireCurrentSubscriptions } from './held'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { withLock, hashIntent, idempotencyKeyOf, acquireLock } from './turn'
import type { CheckoutLock } from './turn'
import type { Deps } from '../../deps'
import type { SubscriptionView } from '../../shared/subscription'

/** Lets the subscription end when what is paid for has been used. */
export async function cancelSubscription(
  deps: Deps,
  purchaseContext: PurchaseContext,
  version: number,
): Promise<SubscriptionView> {
  return changeCancellation(
    deps,
    { buying: purchaseContext, version, what: 'subscription.cancel' },
    scheduleCancellation,
  )
}

/** Takes back what waits for the end of the period: the end itself, and a smaller plan. */
export async function resumeSubscription(
  deps: Deps,
  purchaseContext: PurchaseContext,
  version: number,
): Promise<SubscriptionView> {
  return changeCancellation(
    deps,
    { buying: purchaseContext, version, what: 'subscription.resume' },
    async (stripe, subscription, turn) => {
      await releaseSchedule(stripe, subscription, turn)
      const { id, cancel_at: at, cancel_at_period_end: ends } = subscription
      if (at === null && !ends) return
      await callStripe(
        stripe.subscriptions.update(
          id,
          { ...(ends ? { cancel_at_period_end: false } : { cancel_at: '' }), metadata: { [CANCEL_KEY]: '' } },
          idempotencyKeyOf(turn, `resume-${id}`),
        ),
      )
    },
  )
}

type SubscriptionOperation = (
  stripe: Stripe,
  subscription: Stripe.Subscription,
  checkoutLock: CheckoutLock,
) => Promise<void>

async function changeCancellation(
  deps: Deps,
  {
    buying,
    version,
    what,
  }: { buying: PurchaseContext; version: number; what: 'subscription.cancel' | 'subscription.resume' },
  operation: SubscriptionOperation,
): Promise<SubscriptionView> {
  const stripe = stripeClient(deps)
  const account = await requireChangeableAccount(deps, buying, version)
  const held = await requireCurrentSubscriptions(stripe, account)
  const turn = await acquireLock(deps, account, await hashIntent(what, version))
  return withLock(deps, turn, async () => {
    for (const one of [held.plan, held.premium]) if (one) await operation(stripe, one, turn)
    return completeChange(deps, {
      buying,
      turn,
      audit: subscriptionAuditEntry(buying, what, { before: held.selection }),
    })
  })
}
