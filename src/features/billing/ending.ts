import { CANCEL_KEY } from './projection'
import { accountToChange, endLater, finish, releaseSchedule } from './change'
import { audited } from './customer'
import type { Buying } from './customer'
import { heldOf } from './held'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { inTurn, intentOf, keyOfCall, takeTurn } from './turn'
import type { Turn } from './turn'
import type { Deps } from '../../deps'
import type { SubscriptionView } from '../../shared/subscription'

/** Lets the subscription end when what is paid for has been used. */
export async function cancelSubscription(deps: Deps, buying: Buying, version: number): Promise<SubscriptionView> {
  return step(deps, { buying, version, what: 'subscription.cancel' }, endLater)
}

/** Takes back what waits for the end of the period: the end itself, and a smaller plan. */
export async function resumeSubscription(deps: Deps, buying: Buying, version: number): Promise<SubscriptionView> {
  return step(deps, { buying, version, what: 'subscription.resume' }, async (stripe, subscription, turn) => {
    await releaseSchedule(stripe, subscription, turn)
    const { id, cancel_at: at, cancel_at_period_end: ends } = subscription
    if (at === null && !ends) return
    await asking(
      stripe.subscriptions.update(
        id,
        { ...(ends ? { cancel_at_period_end: false } : { cancel_at: '' }), metadata: { [CANCEL_KEY]: '' } },
        keyOfCall(turn, `resume-${id}`),
      ),
    )
  })
}

type Work = (stripe: Stripe, subscription: Stripe.Subscription, turn: Turn) => Promise<void>

async function step(
  deps: Deps,
  { buying, version, what }: { buying: Buying; version: number; what: 'subscription.cancel' | 'subscription.resume' },
  work: Work,
): Promise<SubscriptionView> {
  const stripe = stripeOf(deps)
  const account = await accountToChange(deps, buying, version)
  const held = await heldOf(stripe, account)
  const turn = await takeTurn(deps, account, await intentOf(what, version))
  return inTurn(deps, turn, async () => {
    for (const one of [held.plan, held.premium]) if (one) await work(stripe, one, turn)
    return finish(deps, { buying, turn, audit: audited(buying, what, { before: held.chosen }) })
  })
}
