import { emit, noting } from './events.ts'
import { invoiceBody } from './invoice-body.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { World } from './world.ts'

/** How a subscription stands after something became of an invoice of its: the latest finalised one decides. */
export function followInvoice(world: World, invoice: InvoiceRecord): void {
  const subscription = invoice.subscription === null ? undefined : world.state.subscriptions[invoice.subscription]
  if (subscription === undefined) return
  const latest = latestFinalised(world, subscription)
  if (latest === undefined || latest.id !== invoice.id) return
  noting(world, 'customer.subscription.updated', {
    tell: () => subscriptionBody(world, subscription),
    change: () => {
      subscription.status = standing(world, subscription, latest)
      if (subscription.status === 'incomplete_expired') subscription.ended_at = world.now()
    },
  })
}

const latestFinalised = (world: World, { id }: SubscriptionRecord): InvoiceRecord | undefined =>
  Object.values(world.state.invoices).findLast(
    (one) => one.subscription === id && one.status_transitions.finalized_at !== null,
  )

function standing(
  world: World,
  { status, trial_end }: SubscriptionRecord,
  latest: InvoiceRecord,
): SubscriptionRecord['status'] {
  if (status === 'canceled' || status === 'incomplete_expired') return status
  const good = trial_end !== null && trial_end > world.now() ? 'trialing' : 'active'
  if (latest.status === 'paid') return good
  if (latest.status === 'void') return status === 'incomplete' ? 'incomplete_expired' : good
  if (latest.status !== 'open') return status === 'incomplete' ? status : good
  const failed = latest.collection_method === 'charge_automatically' && latest.attempted
  if (status === 'incomplete' || status === 'unpaid') return status
  return failed || latest.overdue ? 'past_due' : status
}

/** The due date of an invoice has passed. */
export function fallsDue(world: World, invoice: InvoiceRecord): void {
  invoice.overdue = true
  emit(world, 'invoice.overdue', invoiceBody(world, invoice))
  followInvoice(world, invoice)
}

/** No further attempt to charge the card follows. */
export function gaveUp(world: World, subscription: SubscriptionRecord): void {
  const { afterRetries } = world.options
  if (subscription.status !== 'past_due' || afterRetries === 'past_due') return
  if (afterRetries === 'canceled') end(world, subscription, 'payment_failed')
  else
    noting(world, 'customer.subscription.updated', {
      tell: () => subscriptionBody(world, subscription),
      change: () => {
        subscription.status = 'unpaid'
      },
    })
}

/** The subscription is over. Its open invoices stay as they are; a schedule goes with it. */
export function end(
  world: World,
  subscription: SubscriptionRecord,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const now = world.now()
  subscription.status = 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  subscription.cancel_reason = reason
  const schedule = subscription.schedule === null ? undefined : world.state.schedules[subscription.schedule]
  if (schedule?.status === 'active') {
    schedule.status = 'canceled'
    schedule.canceled_at = now
  }
  for (const invoice of Object.values(world.state.invoices)) {
    if (invoice.subscription !== subscription.id || invoice.status === 'paid') continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
    if (invoice.status === 'draft') invoice.automatically_finalizes_at = null
  }
  emit(world, 'customer.subscription.deleted', subscriptionBody(world, subscription))
}
