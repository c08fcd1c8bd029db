import { DAY_SECONDS, periodAround } from './calendar.ts'
import { cardFor, assertOwnCard } from './cards.ts'
import { requireCustomer } from './customers.ts'
import { emit } from './events.ts'
import { cardDeclinedError, StripeError, invalidRequestError } from './errors.ts'
import { subForm, optionalText, textList, type Form } from './form.ts'
import { chargeInvoice, draftInvoice, finalize } from './invoices.ts'
import { billingIntervalOf, fullPeriodLines, assertCompatible, priceOf } from './items.ts'
import type { Collection, InvoiceRecord, SubscriptionRecord } from './state.ts'
import { endSubscription } from './subscription-status.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { Simulation } from './simulation.ts'

export type Behavior = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'

export interface SubscriptionParams {
  customer: string
  items: { price: string; quantity: number; metadata: Record<string, string> }[]
  collection: Collection
  daysUntilDue: number | null
  trialEnd: number | null
  /** First renewal, when it is not a whole period away. */
  anchor: number | null
  prorate: boolean
  behavior: Behavior
  card: string | null
  description: string | null
  paymentSettings: Form
  invoiceSettings: Form
  metadata: Record<string, string>
}

/** A bank transfer goes to an account in one of the countries that are offered. @throws 400 */
export function assertTransferOffered(simulation: Simulation, settings: Form): void {
  if (!textList(settings, 'payment_method_types').includes('customer_balance')) return
  const balance = subForm(subForm(settings, 'payment_method_options') ?? {}, 'customer_balance') ?? {}
  const transfer = subForm(balance, 'bank_transfer')
  if (transfer === undefined || optionalText(transfer, 'type') !== 'eu_bank_transfer') return
  assertTransferCountry(simulation, optionalText(subForm(transfer, 'eu_bank_transfer') ?? {}, 'country'))
}
export function assertTransferCountry(simulation: Simulation, country: string | undefined): void {
  if (country !== undefined && simulation.options.bankTransferCountries.includes(country)) return
  const param = 'payment_settings[payment_method_options][customer_balance][bank_transfer][eu_bank_transfer][country]'
  throw invalidRequestError(
    `Invalid country: must be one of ${simulation.options.bankTransferCountries.join(', ')} for eu_bank_transfer.`,
    { param },
  )
}

export const ENDED_STATUSES = ['canceled', 'incomplete_expired']

/** Of a currency that a subscription of the customer's that goes on does not have. @throws 400 */
export function assertSameCurrency(simulation: Simulation, customer: string, currency: string): void {
  const other = Object.values(simulation.state.subscriptions).find(
    (one) => one.customer === customer && !ENDED_STATUSES.includes(one.status) && one.currency !== currency,
  )
  if (other !== undefined)
    throw invalidRequestError(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}.`,
    )
}

/** A subscription with its first invoice. @throws 400; 402 when the card is refused and the caller wants no half of it */
export function startSubscription(simulation: Simulation, params: SubscriptionParams): SubscriptionRecord {
  requireCustomer(simulation, params.customer, 'customer')
  assertCompatible(simulation, params.items)
  assertTransferOffered(simulation, params.paymentSettings)
  assertOwnCard(simulation, params.customer, params.card)
  assertSameCurrency(simulation, params.customer, priceOf(simulation, params.items[0] ?? { price: '' }).currency)
  if (params.collection === 'send_invoice' && params.daysUntilDue === null)
    throw invalidRequestError('If you set `collection_method` to `send_invoice`, you must also set `days_until_due`.', {
      param: 'days_until_due',
    })
  if (params.collection === 'send_invoice' && !requireCustomer(simulation, params.customer).email)
    throw invalidRequestError(
      'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
    )
  const now = simulation.now()
  if (params.trialEnd !== null && (params.trialEnd <= now || params.trialEnd > now + 730 * DAY_SECONDS))
    throw invalidRequestError(
      'Invalid timestamp: must be an integer Unix timestamp in the future, at most two years away.',
      {
        param: 'trial_end',
      },
    )
  const subscription = recordOf(simulation, params)
  simulation.state.subscriptions[subscription.id] = subscription
  const invoice = firstInvoice(simulation, subscription, params)
  firstPayment(simulation, { subscription, invoice }, params.behavior)
  return subscription
}

function recordOf(simulation: Simulation, params: SubscriptionParams): SubscriptionRecord {
  const now = simulation.now()
  const anchor = params.trialEnd ?? params.anchor ?? now
  const until = params.trialEnd ?? periodAround(anchor, billingIntervalOf(simulation, params), now).end
  return {
    id: simulation.id('sub', 24),
    created: now,
    customer: params.customer,
    status: params.trialEnd === null ? 'active' : 'trialing',
    currency: priceOf(simulation, params.items[0] ?? { price: '' }).currency,
    collection_method: params.collection,
    days_until_due: params.collection === 'send_invoice' ? params.daysUntilDue : null,
    billing_cycle_anchor: anchor,
    start_date: now,
    trial_start: params.trialEnd === null ? null : now,
    trial_end: params.trialEnd,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancel_reason: null,
    latest_invoice: null,
    schedule: null,
    default_payment_method: params.card,
    description: params.description,
    payment_settings: params.paymentSettings,
    invoice_settings: params.invoiceSettings,
    metadata: params.metadata,
    items: params.items.map((item) => ({
      id: simulation.id('si', 14),
      created: now,
      ...item,
      current_period_start: now,
      current_period_end: until,
    })),
  }
}

function firstInvoice(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { prorate }: SubscriptionParams,
): InvoiceRecord {
  const { start, end: until } = {
    start: simulation.now(),
    end: subscription.items[0]?.current_period_end ?? simulation.now(),
  }
  const trial = subscription.trial_end !== null
  const whole = trial
    ? { start, end: until }
    : periodAround(subscription.billing_cycle_anchor, billingIntervalOf(simulation, subscription), start)
  const portion = prorate ? { part: until - start, whole: whole.end - whole.start } : { part: 0, whole: 1 }
  const isWhole = until - start === whole.end - whole.start
  const lines = fullPeriodLines(simulation, subscription.items, {
    period: { start, end: until },
    trial,
    ...(isWhole ? {} : { portion }),
  })
  return draftInvoice(simulation, subscription, { reason: 'subscription_create', lines, period: { start, end: start } })
}

function firstPayment(
  simulation: Simulation,
  { subscription, invoice }: { subscription: SubscriptionRecord; invoice: InvoiceRecord },
  behavior: Behavior,
): void {
  const nothing = invoice.lines.every(({ amount }) => amount === 0)
  const byCard = subscription.collection_method === 'charge_automatically'
  if (byCard && !nothing) subscription.status = 'incomplete'
  emit(simulation, 'customer.subscription.created', subscriptionBody(simulation, subscription))
  if (!byCard) {
    if (nothing) finalize(simulation, invoice)
    return
  }
  finalize(simulation, invoice)
  if (invoice.status !== 'open' || behavior === 'default_incomplete') return
  if (cardFor(simulation, subscription.customer, subscription) === null)
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message:
        'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    })
  if (!chargeInvoice(simulation, invoice) && behavior === 'error_if_incomplete') throw cardDeclinedError()
}

/** A first payment that did not come within a day. */
export function expireIncomplete(simulation: Simulation, subscription: SubscriptionRecord): void {
  const invoice =
    subscription.latest_invoice === null ? undefined : simulation.state.invoices[subscription.latest_invoice]
  if (invoice?.status === 'open') {
    invoice.status = 'void'
    invoice.status_transitions.voided_at = simulation.now()
    invoice.next_payment_attempt = null
  }
  endSubscription(simulation, subscription, 'payment_failed')
  subscription.status = 'incomplete_expired'
}
