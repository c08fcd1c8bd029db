import { periodAround } from './calendar.ts'
import { emitOnChange } from './events.ts'
import { draftInvoice, finalize } from './invoices.ts'
import { billingIntervalOf, fullPeriodLines, periodOf, setPeriod } from './items.ts'
import { advancePhase } from './schedules.ts'
import { endSubscription } from './standing.ts'
import type { SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { Simulation } from './world.ts'

/** What happens when the period that is paid for (or free) has passed: it ends, or the next one is invoiced. */
export function renewSubscription(simulation: Simulation, subscription: SubscriptionRecord): void {
  const { start, end: now } = periodOf(subscription)
  if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    endSubscription(simulation, subscription, 'cancellation_requested')
    return
  }
  if (advancePhase(simulation, subscription) === 'ended') return
  emitOnChange(simulation, 'customer.subscription.updated', {
    tell: () => subscriptionBody(simulation, subscription),
    change: () => {
      if (subscription.status === 'trialing') subscription.status = 'active'
      const period = periodAround(subscription.billing_cycle_anchor, billingIntervalOf(simulation, subscription), now)
      setPeriod(subscription.items, period)
      const lines = fullPeriodLines(simulation, subscription.items, { period })
      const invoice = draftInvoice(simulation, subscription, {
        reason: 'subscription_cycle',
        lines,
        period: { start, end: now },
      })
      if (invoice.lines.every(({ amount }) => amount === 0)) finalize(simulation, invoice)
    },
  })
}
