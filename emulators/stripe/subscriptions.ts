import { DAY_SECONDS } from './calendar.ts'
import { updateSubscription } from './update-subscription.ts'
import { notFoundError } from './errors.ts'
import {
  optionalBoolean,
  formList,
  mergeMetadata,
  requireText,
  oneOf,
  subForm,
  optionalText,
  optionalInteger,
} from './form.ts'
import type { Form } from './form.ts'
import { finalizeAndCharge, draftInvoice } from './invoices.ts'
import { quantityOf, unusedTimeCredit } from './items.ts'
import { paginate } from './lists.ts'
import { requireSellablePrice } from './prices.ts'
import { endSubscription } from './subscription-status.ts'
import { ENDED_STATUSES, startSubscription, type SubscriptionParams } from './create-subscription.ts'
import type { SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** Items that are asked for with prices and quantities. */
export const parseItems = (simulation: Simulation, forms: Form[], param = 'items'): SubscriptionParams['items'] =>
  forms.map((form, index) => ({
    price: requireSellablePrice(simulation, requireText(form, 'price'), `${param}[${index}][price]`).id,
    quantity: quantityOf(form, `${param}[${index}]`) ?? 1,
    metadata: mergeMetadata(form),
  }))

/** When a trial that is asked for ends; null = there is none. */
export function trialEndOf(simulation: Simulation, form: Form): number | null {
  const days = optionalInteger(form, 'trial_period_days')
  if (optionalText(form, 'trial_end') === 'now') return null
  return (
    optionalInteger(form, 'trial_end') ??
    (days === undefined || days === 0 ? null : simulation.now() + days * DAY_SECONDS)
  )
}

export const parseSubscriptionParams = (simulation: Simulation, form: Form): SubscriptionParams => ({
  customer: requireText(form, 'customer'),
  items: parseItems(simulation, formList(form, 'items') ?? []),
  collection: oneOf(form, 'collection_method', ['charge_automatically', 'send_invoice']) ?? 'charge_automatically',
  daysUntilDue: optionalInteger(form, 'days_until_due') ?? null,
  trialEnd: trialEndOf(simulation, form),
  anchor: optionalInteger(form, 'billing_cycle_anchor') ?? null,
  prorate: optionalText(form, 'proration_behavior') !== 'none',
  behavior:
    oneOf(form, 'payment_behavior', [
      'allow_incomplete',
      'default_incomplete',
      'error_if_incomplete',
      'pending_if_incomplete',
    ]) ?? 'allow_incomplete',
  card: optionalText(form, 'default_payment_method') || null,
  description: optionalText(form, 'description') || null,
  paymentSettings: subForm(form, 'payment_settings') ?? {},
  invoiceSettings: subForm(form, 'invoice_settings') ?? {},
  metadata: mergeMetadata(form),
})

export function createSubscription(simulation: Simulation, form: Form): object {
  const subscription = startSubscription(simulation, parseSubscriptionParams(simulation, form))
  if (optionalBoolean(form, 'cancel_at_period_end') === true || optionalText(form, 'cancel_at'))
    return updateSubscription(simulation, subscription.id, {
      ...(form['cancel_at'] ? { cancel_at: form['cancel_at'] } : { cancel_at_period_end: 'true' }),
    })
  return subscriptionBody(simulation, subscription)
}

export function cancelSubscription(simulation: Simulation, id: string, form: Form): object {
  const subscription = requireRecord(simulation.state.subscriptions, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw notFoundError('subscription', id)
  if (optionalBoolean(form, 'prorate') === true && subscription.status !== 'trialing')
    simulation.state.pending.push(
      ...unusedTimeCredit(simulation, subscription, simulation.now()).map((line) => ({ subscription: id, line })),
    )
  if (
    optionalBoolean(form, 'invoice_now') === true &&
    simulation.state.pending.some((one) => one.subscription === id)
  ) {
    const period = { start: simulation.now(), end: simulation.now() }
    finalizeAndCharge(simulation, draftInvoice(simulation, subscription, { reason: 'manual', lines: [], period }))
  }
  endSubscription(simulation, subscription, 'cancellation_requested')
  return subscriptionBody(simulation, subscription)
}

export function listSubscriptions(simulation: Simulation, form: Form): object {
  const status = optionalText(form, 'status')
  const customer = optionalText(form, 'customer')
  const price = optionalText(form, 'price')
  const collection = optionalText(form, 'collection_method')
  const shown = ({ status: own }: SubscriptionRecord): boolean =>
    status === undefined
      ? !ENDED_STATUSES.includes(own)
      : status === 'all' || (status === 'ended' ? ENDED_STATUSES.includes(own) : own === status)
  const records = Object.values(simulation.state.subscriptions).filter(
    (one) =>
      shown(one) &&
      (customer === undefined || one.customer === customer) &&
      (collection === undefined || one.collection_method === collection) &&
      (price === undefined || one.items.some((item) => item.price === price)),
  )
  return paginate(records, form, { url: '/v1/subscriptions', tell: (one) => subscriptionBody(simulation, one) })
}
