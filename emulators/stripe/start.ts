import { DAY, periodAround } from './calendar.ts'
import { cardFor, mustBeOwnCard } from './cards.ts'
import { customerOf } from './customers.ts'
import { emit } from './events.ts'
import { declined, Fault, invalid } from './faults.ts'
import { part, text, texts } from './form.ts'
import type { Form } from './form.ts'
import { collect, draftInvoice, finalize } from './invoices.ts'
import { cadence, fullLines, mustFit, priceOf } from './items.ts'
import type { Collection, InvoiceRecord, SubscriptionRecord } from './state.ts'
import { end } from './standing.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { World } from './world.ts'

export type Behavior = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'

export interface Start {
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
export function mustOfferTransfer(world: World, settings: Form): void {
  if (!texts(settings, 'payment_method_types').includes('customer_balance')) return
  const balance = part(part(settings, 'payment_method_options') ?? {}, 'customer_balance') ?? {}
  const transfer = part(balance, 'bank_transfer')
  if (transfer === undefined || text(transfer, 'type') !== 'eu_bank_transfer') return
  mustBeTransferCountry(world, text(part(transfer, 'eu_bank_transfer') ?? {}, 'country'))
}
export function mustBeTransferCountry(world: World, country: string | undefined): void {
  if (country !== undefined && world.options.bankTransferCountries.includes(country)) return
  const param = 'payment_settings[payment_method_options][customer_balance][bank_transfer][eu_bank_transfer][country]'
  throw invalid(
    `Invalid country: must be one of ${world.options.bankTransferCountries.join(', ')} for eu_bank_transfer.`,
    { param },
  )
}

export const ENDED = ['canceled', 'incomplete_expired']

/** Of a currency that a subscription of the customer's that goes on does not have. @throws 400 */
export function mustBeOneCurrency(world: World, customer: string, currency: string): void {
  const other = Object.values(world.state.subscriptions).find(
    (one) => one.customer === customer && !ENDED.includes(one.status) && one.currency !== currency,
  )
  if (other !== undefined)
    throw invalid(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}.`,
    )
}

/** A subscription with its first invoice. @throws 400; 402 when the card is refused and the caller wants no half of it */
export function startSubscription(world: World, start: Start): SubscriptionRecord {
  customerOf(world, start.customer, 'customer')
  mustFit(world, start.items)
  mustOfferTransfer(world, start.paymentSettings)
  mustBeOwnCard(world, start.customer, start.card)
  mustBeOneCurrency(world, start.customer, priceOf(world, start.items[0] ?? { price: '' }).currency)
  if (start.collection === 'send_invoice' && start.daysUntilDue === null)
    throw invalid('If you set `collection_method` to `send_invoice`, you must also set `days_until_due`.', {
      param: 'days_until_due',
    })
  if (start.collection === 'send_invoice' && !customerOf(world, start.customer).email)
    throw invalid(
      'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
    )
  const now = world.now()
  if (start.trialEnd !== null && (start.trialEnd <= now || start.trialEnd > now + 730 * DAY))
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future, at most two years away.', {
      param: 'trial_end',
    })
  const subscription = recordOf(world, start)
  world.state.subscriptions[subscription.id] = subscription
  const invoice = firstInvoice(world, subscription, start)
  firstPayment(world, { subscription, invoice }, start.behavior)
  return subscription
}

function recordOf(world: World, start: Start): SubscriptionRecord {
  const now = world.now()
  const anchor = start.trialEnd ?? start.anchor ?? now
  const until = start.trialEnd ?? periodAround(anchor, cadence(world, start), now).end
  return {
    id: world.id('sub', 24),
    created: now,
    customer: start.customer,
    status: start.trialEnd === null ? 'active' : 'trialing',
    currency: priceOf(world, start.items[0] ?? { price: '' }).currency,
    collection_method: start.collection,
    days_until_due: start.collection === 'send_invoice' ? start.daysUntilDue : null,
    billing_cycle_anchor: anchor,
    start_date: now,
    trial_start: start.trialEnd === null ? null : now,
    trial_end: start.trialEnd,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancel_reason: null,
    latest_invoice: null,
    schedule: null,
    default_payment_method: start.card,
    description: start.description,
    payment_settings: start.paymentSettings,
    invoice_settings: start.invoiceSettings,
    metadata: start.metadata,
    items: start.items.map((item) => ({
      id: world.id('si', 14),
      created: now,
      ...item,
      current_period_start: now,
      current_period_end: until,
    })),
  }
}

function firstInvoice(world: World, subscription: SubscriptionRecord, { prorate }: Start): InvoiceRecord {
  const { start, end: until } = { start: world.now(), end: subscription.items[0]?.current_period_end ?? world.now() }
  const trial = subscription.trial_end !== null
  const whole = trial
    ? { start, end: until }
    : periodAround(subscription.billing_cycle_anchor, cadence(world, subscription), start)
  const portion = prorate ? { part: until - start, whole: whole.end - whole.start } : { part: 0, whole: 1 }
  const isWhole = until - start === whole.end - whole.start
  const lines = fullLines(world, subscription.items, {
    period: { start, end: until },
    trial,
    ...(isWhole ? {} : { portion }),
  })
  return draftInvoice(world, subscription, { reason: 'subscription_create', lines, period: { start, end: start } })
}

function firstPayment(
  world: World,
  { subscription, invoice }: { subscription: SubscriptionRecord; invoice: InvoiceRecord },
  behavior: Behavior,
): void {
  const nothing = invoice.lines.every(({ amount }) => amount === 0)
  const byCard = subscription.collection_method === 'charge_automatically'
  if (byCard && !nothing) subscription.status = 'incomplete'
  emit(world, 'customer.subscription.created', subscriptionBody(world, subscription))
  if (!byCard) {
    if (nothing) finalize(world, invoice)
    return
  }
  finalize(world, invoice)
  if (invoice.status !== 'open' || behavior === 'default_incomplete') return
  if (cardFor(world, subscription.customer, subscription) === null)
    throw new Fault(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message:
        'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    })
  if (!collect(world, invoice) && behavior === 'error_if_incomplete') throw declined()
}

/** A first payment that did not come within a day. */
export function expireIncomplete(world: World, subscription: SubscriptionRecord): void {
  const invoice = subscription.latest_invoice === null ? undefined : world.state.invoices[subscription.latest_invoice]
  if (invoice?.status === 'open') {
    invoice.status = 'void'
    invoice.status_transitions.voided_at = world.now()
    invoice.next_payment_attempt = null
  }
  end(world, subscription, 'payment_failed')
  subscription.status = 'incomplete_expired'
}
