import { DAY } from './calendar.ts'
import { updateSubscription } from './change.ts'
import { missing } from './faults.ts'
import { flag, list, metadataOf, needed, oneOf, part, text, whole } from './form.ts'
import type { Form } from './form.ts'
import { advance, draftInvoice } from './invoices.ts'
import { quantityOf, unused } from './items.ts'
import { page } from './lists.ts'
import { sellable } from './prices.ts'
import { end } from './standing.ts'
import { ENDED, startSubscription } from './start.ts'
import type { Start } from './start.ts'
import type { SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

/** Items that are asked for with prices and quantities. */
export const askedItems = (world: World, forms: Form[], param = 'items'): Start['items'] =>
  forms.map((form, index) => ({
    price: sellable(world, needed(form, 'price'), `${param}[${index}][price]`).id,
    quantity: quantityOf(form, `${param}[${index}]`) ?? 1,
    metadata: metadataOf(form),
  }))

/** When a trial that is asked for ends; null = there is none. */
export function trialEndOf(world: World, form: Form): number | null {
  const days = whole(form, 'trial_period_days')
  if (text(form, 'trial_end') === 'now') return null
  return whole(form, 'trial_end') ?? (days === undefined || days === 0 ? null : world.now() + days * DAY)
}

export const startOf = (world: World, form: Form): Start => ({
  customer: needed(form, 'customer'),
  items: askedItems(world, list(form, 'items') ?? []),
  collection: oneOf(form, 'collection_method', ['charge_automatically', 'send_invoice']) ?? 'charge_automatically',
  daysUntilDue: whole(form, 'days_until_due') ?? null,
  trialEnd: trialEndOf(world, form),
  anchor: whole(form, 'billing_cycle_anchor') ?? null,
  prorate: text(form, 'proration_behavior') !== 'none',
  behavior:
    oneOf(form, 'payment_behavior', [
      'allow_incomplete',
      'default_incomplete',
      'error_if_incomplete',
      'pending_if_incomplete',
    ]) ?? 'allow_incomplete',
  card: text(form, 'default_payment_method') || null,
  description: text(form, 'description') || null,
  paymentSettings: part(form, 'payment_settings') ?? {},
  invoiceSettings: part(form, 'invoice_settings') ?? {},
  metadata: metadataOf(form),
})

export function createSubscription(world: World, form: Form): object {
  const subscription = startSubscription(world, startOf(world, form))
  if (flag(form, 'cancel_at_period_end') === true || text(form, 'cancel_at'))
    return updateSubscription(world, subscription.id, {
      ...(form['cancel_at'] ? { cancel_at: form['cancel_at'] } : { cancel_at_period_end: 'true' }),
    })
  return subscriptionBody(world, subscription)
}

export function cancelSubscription(world: World, id: string, form: Form): object {
  const subscription = found(world.state.subscriptions, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw missing('subscription', id)
  if (flag(form, 'prorate') === true && subscription.status !== 'trialing')
    world.state.pending.push(...unused(world, subscription, world.now()).map((line) => ({ subscription: id, line })))
  if (flag(form, 'invoice_now') === true && world.state.pending.some((one) => one.subscription === id)) {
    const period = { start: world.now(), end: world.now() }
    advance(world, draftInvoice(world, subscription, { reason: 'manual', lines: [], period }))
  }
  end(world, subscription, 'cancellation_requested')
  return subscriptionBody(world, subscription)
}

export function listSubscriptions(world: World, form: Form): object {
  const status = text(form, 'status')
  const customer = text(form, 'customer')
  const price = text(form, 'price')
  const collection = text(form, 'collection_method')
  const shown = ({ status: own }: SubscriptionRecord): boolean =>
    status === undefined
      ? !ENDED.includes(own)
      : status === 'all' || (status === 'ended' ? ENDED.includes(own) : own === status)
  const records = Object.values(world.state.subscriptions).filter(
    (one) =>
      shown(one) &&
      (customer === undefined || one.customer === customer) &&
      (collection === undefined || one.collection_method === collection) &&
      (price === undefined || one.items.some((item) => item.price === price)),
  )
  return page(records, form, { url: '/v1/subscriptions', tell: (one) => subscriptionBody(world, one) })
}
