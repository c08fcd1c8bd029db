import { periodAround, HOUR_SECONDS } from './calendar.ts'
import { emitOnChange } from './events.ts'
import { draftInvoice, finalize, finalizeAndCharge, chargeInvoice } from './invoices.ts'
import { billingIntervalOf, fullPeriodLines, periodOf, setPeriod } from './items.ts'
import { advancePhase } from './schedules.ts'
import { endSubscription, markOverdue } from './subscription-status.ts'
import type { SubscriptionRecord, InvoiceRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { Simulation } from './simulation.ts'
import { expireSession } from './checkout.ts'
import { expireIncomplete } from './create-subscription.ts'

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

interface ScheduledEvent {
  at: number
  run: () => void
}
const INCOMPLETE_SECONDS = 23 * HOUR_SECONDS
/** More would be a circle: no clock is moved that far. */
const MAX_STEPS = 100_000

function subscriptionEvents(simulation: Simulation, subscription: SubscriptionRecord): ScheduledEvent[] {
  const { status, created, cancel_at } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return []
  if (status === 'incomplete')
    return [{ at: created + INCOMPLETE_SECONDS, run: () => expireIncomplete(simulation, subscription) }]
  const until = periodOf(subscription).end
  const due: ScheduledEvent[] = [{ at: until, run: () => renewSubscription(simulation, subscription) }]
  if (cancel_at !== null && cancel_at < until)
    due.push({ at: cancel_at, run: () => endSubscription(simulation, subscription, 'cancellation_requested') })
  return due
}

function invoiceEvents(simulation: Simulation, invoice: InvoiceRecord): ScheduledEvent[] {
  if (invoice.status === 'draft')
    return invoice.automatically_finalizes_at === null || !invoice.auto_advance
      ? []
      : [{ at: invoice.automatically_finalizes_at, run: () => finalizeAndCharge(simulation, invoice) }]
  if (invoice.status !== 'open') return []
  const due: ScheduledEvent[] = []
  if (invoice.due_date !== null && !invoice.overdue)
    due.push({ at: invoice.due_date + 1, run: () => markOverdue(simulation, invoice) })
  if (invoice.next_payment_attempt !== null)
    due.push({ at: invoice.next_payment_attempt, run: () => void chargeInvoice(simulation, invoice) })
  return due
}

function nextEvent(simulation: Simulation): ScheduledEvent | undefined {
  const { subscriptions, invoices, sessions } = simulation.state
  const all = [
    ...Object.values(subscriptions).flatMap((one) => subscriptionEvents(simulation, one)),
    ...Object.values(invoices).flatMap((one) => invoiceEvents(simulation, one)),
    ...Object.values(sessions)
      .filter(({ status }) => status === 'open')
      .map((one) => ({ at: one.expires_at, run: () => expireSession(simulation, one) })),
  ]
  return all.reduce<ScheduledEvent | undefined>(
    (first, one) => (first === undefined || one.at < first.at ? one : first),
    undefined,
  )
}

/** Lets everything happen that is due until an instant, each thing at its own. */
export function runUntil(simulation: Simulation, until: number): void {
  const before = simulation.at
  try {
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const due = nextEvent(simulation)
      if (due === undefined || due.at > until) return
      simulation.at = due.at
      due.run()
    }
    throw new Error('the clock of the stand-in runs in a circle')
  } finally {
    simulation.at = before
  }
}

export const runDue = (simulation: Simulation): void => runUntil(simulation, simulation.clock())
