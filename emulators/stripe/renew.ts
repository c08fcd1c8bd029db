import { periodAround } from './calendar.ts'
import { noting } from './events.ts'
import { draftInvoice, finalize } from './invoices.ts'
import { cadence, fullLines, periodOf, setPeriod } from './items.ts'
import { enterPhase } from './schedules.ts'
import { end } from './standing.ts'
import type { SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { World } from './world.ts'

/** What happens when the period that is paid for (or free) has passed: it ends, or the next one is invoiced. */
export function renew(world: World, subscription: SubscriptionRecord): void {
  const { start, end: now } = periodOf(subscription)
  if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    end(world, subscription, 'cancellation_requested')
    return
  }
  if (enterPhase(world, subscription) === 'ended') return
  noting(world, 'customer.subscription.updated', {
    tell: () => subscriptionBody(world, subscription),
    change: () => {
      if (subscription.status === 'trialing') subscription.status = 'active'
      const period = periodAround(subscription.billing_cycle_anchor, cadence(world, subscription), now)
      setPeriod(subscription.items, period)
      const lines = fullLines(world, subscription.items, { period })
      const invoice = draftInvoice(world, subscription, {
        reason: 'subscription_cycle',
        lines,
        period: { start, end: now },
      })
      if (invoice.lines.every(({ amount }) => amount === 0)) finalize(world, invoice)
    },
  })
}
