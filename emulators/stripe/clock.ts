import { DAY_SECONDS } from './calendar.ts'
import { HOUR_SECONDS } from './calendar.ts'
import { expireSession } from './checkout.ts'
import { finalizeAndCharge, chargeInvoice } from './invoices.ts'
import { periodOf } from './items.ts'
import { renewSubscription } from './renew.ts'
import { endSubscription, markOverdue } from './standing.ts'
import { expireIncomplete } from './start.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import type { Simulation } from './world.ts'

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
export const daysToSeconds = (days: number): number => Math.round(days * DAY_SECONDS)
