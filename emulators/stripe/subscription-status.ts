import { emit, emitOnChange } from './events.ts'
import { invoiceBody } from './invoice-body.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { Simulation } from './simulation.ts'

/** How a subscription stands after something became of an invoice of its: the latest finalised one decides. */
export function updateSubscriptionStatus(simulation: Simulation, invoice: InvoiceRecord): void {
  const subscription = invoice.subscription === null ? undefined : simulation.state.subscriptions[invoice.subscription]
  if (subscription === undefined) return
  const latest = latestFinalised(simulation, subscription)
  if (latest === undefined || latest.id !== invoice.id) return
  emitOnChange(simulation, 'customer.subscription.updated', {
    tell: () => subscriptionBody(simulation, subscription),
    change: () => {
      subscription.status = statusAfterInvoice(simulation, subscription, latest)
      if (subscription.status === 'incomplete_expired') subscription.ended_at = simulation.now()
    },
  })
}

const latestFinalised = (simulation: Simulation, { id }: SubscriptionRecord): InvoiceRecord | undefined =>
  Object.values(simulation.state.invoices).findLast(
    (one) => one.subscription === id && one.status_transitions.finalized_at !== null,
  )

function statusAfterInvoice(
  simulation: Simulation,
  { status, trial_end }: SubscriptionRecord,
  latest: InvoiceRecord,
): SubscriptionRecord['status'] {
  if (status === 'canceled' || status === 'incomplete_expired') return status
  const good = trial_end !== null && trial_end > simulation.now() ? 'trialing' : 'active'
  if (latest.status === 'paid') return good
  if (latest.status === 'void') return status === 'incomplete' ? 'incomplete_expired' : good
  if (latest.status !== 'open') return status === 'incomplete' ? status : good
  const failed = latest.collection_method === 'charge_automatically' && latest.attempted
  if (status === 'incomplete' || status === 'unpaid') return status
  return failed || latest.overdue ? 'past_due' : status
}

/** The due date of an invoice has passed. */
export function markOverdue(simulation: Simulation, invoice: InvoiceRecord): void {
  invoice.overdue = true
  emit(simulation, 'invoice.overdue', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
}

/** No further attempt to charge the card follows. */
export function endDunning(simulation: Simulation, subscription: SubscriptionRecord): void {
  const { afterRetries } = simulation.options
  if (subscription.status !== 'past_due' || afterRetries === 'past_due') return
  if (afterRetries === 'canceled') endSubscription(simulation, subscription, 'payment_failed')
  else
    emitOnChange(simulation, 'customer.subscription.updated', {
      tell: () => subscriptionBody(simulation, subscription),
      change: () => {
        subscription.status = 'unpaid'
      },
    })
}

/** The subscription is over. Its open invoices stay as they are; a schedule goes with it. */
export function endSubscription(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const now = simulation.now()
  subscription.status = 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  subscription.cancel_reason = reason
  const schedule = subscription.schedule === null ? undefined : simulation.state.schedules[subscription.schedule]
  if (schedule?.status === 'active') {
    schedule.status = 'canceled'
    schedule.canceled_at = now
  }
  for (const invoice of Object.values(simulation.state.invoices)) {
    if (invoice.subscription !== subscription.id || invoice.status === 'paid') continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
    if (invoice.status === 'draft') invoice.automatically_finalizes_at = null
  }
  emit(simulation, 'customer.subscription.deleted', subscriptionBody(simulation, subscription))
}
