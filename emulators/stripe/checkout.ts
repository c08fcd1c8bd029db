import { DAY_SECONDS, HOUR_SECONDS } from './calendar.ts'
import { addCard, assertCharged } from './cards.ts'
import { createCustomer, requireCustomer } from './customers.ts'
import { emit } from './events.ts'
import { StripeError, invalidRequestError } from './errors.ts'
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
import { assertCompatible, priceOf } from './items.ts'
import { embeddedList, paginate } from './lists.ts'
import { priceBody } from './prices.ts'
import { assertSameCurrency, startSubscription } from './create-subscription.ts'
import type { SessionRecord } from './state.ts'
import { parseItems, trialEndOf } from './subscriptions.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** Stripe wants two days at least of a trial that is set at its checkout. */
const TRIAL_MIN_SECONDS = 48 * HOUR_SECONDS

/** What the stand-in does not have, as an account without it tells it. */
const DEFAULT_FIELDS = {
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_creation: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  wallet_options: null,
}

export function sessionBody(simulation: Simulation, session: SessionRecord) {
  const { items, subscription_data: _, ...plain } = session
  const total = items.reduce((sum, item) => sum + priceOf(simulation, item).unit_amount * item.quantity, 0)
  const customer = session.customer === null ? undefined : simulation.state.customers[session.customer]
  return {
    ...plain,
    ...DEFAULT_FIELDS,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: session.status === 'open' || session.payment_status === 'paid' ? dueNow(simulation, session) : 0,
    customer_details: customer && {
      email: customer.email,
      name: customer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    line_items: embeddedList(
      `/v1/checkout/sessions/${session.id}/line_items`,
      items.map((item) => lineItem(simulation, item)),
    ),
    livemode: simulation.options.livemode,
    payment_method_collection: 'always',
    payment_method_types: ['card'],
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? `${simulation.options.origin}/checkout/${session.id}` : null,
  }
}

function lineItem(simulation: Simulation, item: SessionRecord['items'][number]) {
  const price = priceOf(simulation, item)
  const amount = price.unit_amount * item.quantity
  return {
    id: item.id,
    object: 'item',
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: simulation.state.products[price.product]?.name ?? null,
    price: priceBody(simulation, price),
    quantity: item.quantity,
  }
}

/** When a trial that begins with this session ends; null = there is none. */
export const sessionTrial = (simulation: Simulation, session: SessionRecord): number | null =>
  trialEndOf(simulation, session.subscription_data)

/** What is charged when it is completed. */
export const dueNow = (simulation: Simulation, session: SessionRecord): number =>
  sessionTrial(simulation, session) !== null
    ? 0
    : session.items.reduce((sum, item) => sum + priceOf(simulation, item).unit_amount * item.quantity, 0)

/** @throws 400 for a trial that is too short */
function assertTrialLength(data: Form, now: number): void {
  const trial = optionalInteger(data, 'trial_end')
  if (trial !== undefined && trial < now + TRIAL_MIN_SECONDS)
    throw invalidRequestError('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    })
  const days = optionalInteger(data, 'trial_period_days')
  if (days !== undefined && days < 1)
    throw invalidRequestError('The minimum number of trial period days is 1.', {
      param: 'subscription_data[trial_period_days]',
    })
}

function expiryOf(form: Form, now: number): number {
  const expires = optionalInteger(form, 'expires_at') ?? now + DAY_SECONDS
  if (expires < now + HOUR_SECONDS / 2 || expires > now + DAY_SECONDS + 60)
    throw invalidRequestError(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  return expires
}

export function createSession(simulation: Simulation, form: Form): object {
  if (oneOf(form, 'mode', ['subscription']) === undefined)
    throw invalidRequestError('The stand-in knows checkouts of subscriptions only.', { param: 'mode' })
  const customer = optionalText(form, 'customer') || null
  if (customer !== null) requireCustomer(simulation, customer, 'customer')
  if (customer !== null && optionalText(form, 'customer_email'))
    throw invalidRequestError('You may only specify one of these parameters: customer, customer_email.')
  const takesTaxId = optionalBoolean(subForm(form, 'tax_id_collection') ?? {}, 'enabled') === true
  if (customer !== null && takesTaxId && optionalText(subForm(form, 'customer_update') ?? {}, 'name') !== 'auto')
    throw invalidRequestError(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    )
  const items = parseItems(simulation, formList(form, 'line_items') ?? [], 'line_items')
  assertCompatible(simulation, items)
  const now = simulation.now()
  const data = subForm(form, 'subscription_data') ?? {}
  assertTrialLength(data, now)
  const expires = expiryOf(form, now)
  const currency = priceOf(simulation, items[0] ?? { price: '' }).currency
  if (customer !== null) assertSameCurrency(simulation, customer, currency)
  const session: SessionRecord = {
    id: simulation.id(simulation.options.livemode ? 'cs_live' : 'cs_test', 40),
    created: now,
    expires_at: expires,
    status: 'open',
    mode: 'subscription',
    payment_status: 'unpaid',
    customer,
    customer_email: optionalText(form, 'customer_email') || null,
    client_reference_id: optionalText(form, 'client_reference_id') || null,
    success_url: requireText(form, 'success_url'),
    cancel_url: optionalText(form, 'cancel_url') || null,
    currency,
    items: items.map((item) => ({ id: simulation.id('li', 14), price: item.price, quantity: item.quantity })),
    subscription_data: data,
    subscription: null,
    invoice: null,
    metadata: mergeMetadata(form),
  }
  simulation.state.sessions[session.id] = session
  return sessionBody(simulation, session)
}

export function expireSession(simulation: Simulation, session: SessionRecord): void {
  session.status = 'expired'
  emit(simulation, 'checkout.session.expired', sessionBody(simulation, session))
}

export function expireSessionCall(simulation: Simulation, id: string): object {
  const session = requireRecord(simulation.state.sessions, 'checkout.session', id)
  if (session.status !== 'open')
    throw invalidRequestError(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  expireSession(simulation, session)
  return sessionBody(simulation, session)
}

export function listSessions(simulation: Simulation, form: Form): object {
  const by = (name: string, value: string | null): boolean =>
    optionalText(form, name) === undefined || optionalText(form, name) === value
  const records = Object.values(simulation.state.sessions).filter(
    (one) => by('customer', one.customer) && by('subscription', one.subscription) && by('status', one.status),
  )
  return paginate(records, form, { url: '/v1/checkout/sessions', tell: (one) => sessionBody(simulation, one) })
}

/**
 * What happens when somebody pays on the page of a session.
 * @param card `declined`: the card is refused, nothing changes, the session stays open
 */
export function completeSession(
  simulation: Simulation,
  id: string,
  { card }: { card: 'ok' | 'declined' },
): { ok: true } | { ok: false; problem: string } {
  const session = requireRecord(simulation.state.sessions, 'checkout.session', id)
  if (session.status !== 'open') return { ok: false, problem: 'This checkout is over.' }
  try {
    simulation.atomically(() => complete(simulation, session.id, card === 'declined'))
    return { ok: true }
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return { ok: false, problem: error.message }
  }
}

function complete(simulation: Simulation, id: string, declines: boolean): void {
  const session = requireRecord(simulation.state.sessions, 'checkout.session', id)
  const customer =
    session.customer ??
    String(
      Object.entries(
        createCustomer(simulation, session.customer_email === null ? {} : { email: session.customer_email }),
      )[0]?.[1],
    )
  const card = addCard(simulation, customer, { declines })
  const trialEnd = sessionTrial(simulation, session)
  if (trialEnd !== null) assertCharged(simulation, card)
  const subscription = startSubscription(simulation, {
    customer,
    items: session.items.map(({ price, quantity }) => ({ price, quantity, metadata: {} })),
    collection: 'charge_automatically',
    daysUntilDue: null,
    trialEnd,
    anchor: optionalInteger(session.subscription_data, 'billing_cycle_anchor') ?? null,
    prorate: optionalText(session.subscription_data, 'proration_behavior') !== 'none',
    behavior: 'error_if_incomplete',
    card: card.id,
    description: optionalText(session.subscription_data, 'description') || null,
    paymentSettings: {},
    invoiceSettings: subForm(session.subscription_data, 'invoice_settings') ?? {},
    metadata: mergeMetadata(session.subscription_data),
  })
  session.customer = customer
  session.subscription = subscription.id
  session.invoice = subscription.latest_invoice
  session.status = 'complete'
  session.payment_status = trialEnd === null ? 'paid' : 'no_payment_required'
  emit(simulation, 'checkout.session.completed', sessionBody(simulation, session))
}
