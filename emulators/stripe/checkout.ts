import { DAY, HOUR } from './calendar.ts'
import { addCard, mustCharge } from './cards.ts'
import { createCustomer, customerOf } from './customers.ts'
import { emit } from './events.ts'
import { Fault, invalid } from './faults.ts'
import { flag, list, metadataOf, needed, oneOf, part, text, whole } from './form.ts'
import type { Form } from './form.ts'
import { mustFit, priceOf } from './items.ts'
import { inner, page } from './lists.ts'
import { priceBody } from './prices.ts'
import { mustBeOneCurrency, startSubscription } from './start.ts'
import type { SessionRecord } from './state.ts'
import { askedItems, trialEndOf } from './subscriptions.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

/** Stripe wants two days at least of a trial that is set at its checkout. */
const SHORTEST_TRIAL = 48 * HOUR

/** What the stand-in does not have, as an account without it tells it. */
const NEVER_SET = {
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

export function sessionBody(world: World, session: SessionRecord) {
  const { items, subscription_data: _, ...plain } = session
  const total = items.reduce((sum, item) => sum + priceOf(world, item).unit_amount * item.quantity, 0)
  const customer = session.customer === null ? undefined : world.state.customers[session.customer]
  return {
    ...plain,
    ...NEVER_SET,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: session.status === 'open' || session.payment_status === 'paid' ? dueNow(world, session) : 0,
    customer_details: customer && {
      email: customer.email,
      name: customer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    line_items: inner(
      `/v1/checkout/sessions/${session.id}/line_items`,
      items.map((item) => lineItem(world, item)),
    ),
    livemode: world.options.livemode,
    payment_method_collection: 'always',
    payment_method_types: ['card'],
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? `${world.options.origin}/checkout/${session.id}` : null,
  }
}

function lineItem(world: World, item: SessionRecord['items'][number]) {
  const price = priceOf(world, item)
  const amount = price.unit_amount * item.quantity
  return {
    id: item.id,
    object: 'item',
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: world.state.products[price.product]?.name ?? null,
    price: priceBody(world, price),
    quantity: item.quantity,
  }
}

/** When a trial that begins with this session ends; null = there is none. */
export const sessionTrial = (world: World, session: SessionRecord): number | null =>
  trialEndOf(world, session.subscription_data)

/** What is charged when it is completed. */
export const dueNow = (world: World, session: SessionRecord): number =>
  sessionTrial(world, session) !== null
    ? 0
    : session.items.reduce((sum, item) => sum + priceOf(world, item).unit_amount * item.quantity, 0)

/** @throws 400 for a trial that is too short */
function mustBeTrial(data: Form, now: number): void {
  const trial = whole(data, 'trial_end')
  if (trial !== undefined && trial < now + SHORTEST_TRIAL)
    throw invalid('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    })
  const days = whole(data, 'trial_period_days')
  if (days !== undefined && days < 1)
    throw invalid('The minimum number of trial period days is 1.', { param: 'subscription_data[trial_period_days]' })
}

function expiryOf(form: Form, now: number): number {
  const expires = whole(form, 'expires_at') ?? now + DAY
  if (expires < now + HOUR / 2 || expires > now + DAY + 60)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  return expires
}

export function createSession(world: World, form: Form): object {
  if (oneOf(form, 'mode', ['subscription']) === undefined)
    throw invalid('The stand-in knows checkouts of subscriptions only.', { param: 'mode' })
  const customer = text(form, 'customer') || null
  if (customer !== null) customerOf(world, customer, 'customer')
  if (customer !== null && text(form, 'customer_email'))
    throw invalid('You may only specify one of these parameters: customer, customer_email.')
  const takesTaxId = flag(part(form, 'tax_id_collection') ?? {}, 'enabled') === true
  if (customer !== null && takesTaxId && text(part(form, 'customer_update') ?? {}, 'name') !== 'auto')
    throw invalid(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    )
  const items = askedItems(world, list(form, 'line_items') ?? [], 'line_items')
  mustFit(world, items)
  const now = world.now()
  const data = part(form, 'subscription_data') ?? {}
  mustBeTrial(data, now)
  const expires = expiryOf(form, now)
  const currency = priceOf(world, items[0] ?? { price: '' }).currency
  if (customer !== null) mustBeOneCurrency(world, customer, currency)
  const session: SessionRecord = {
    id: world.id(world.options.livemode ? 'cs_live' : 'cs_test', 40),
    created: now,
    expires_at: expires,
    status: 'open',
    mode: 'subscription',
    payment_status: 'unpaid',
    customer,
    customer_email: text(form, 'customer_email') || null,
    client_reference_id: text(form, 'client_reference_id') || null,
    success_url: needed(form, 'success_url'),
    cancel_url: text(form, 'cancel_url') || null,
    currency,
    items: items.map((item) => ({ id: world.id('li', 14), price: item.price, quantity: item.quantity })),
    subscription_data: data,
    subscription: null,
    invoice: null,
    metadata: metadataOf(form),
  }
  world.state.sessions[session.id] = session
  return sessionBody(world, session)
}

export function expireSession(world: World, session: SessionRecord): void {
  session.status = 'expired'
  emit(world, 'checkout.session.expired', sessionBody(world, session))
}

export function expireCall(world: World, id: string): object {
  const session = found(world.state.sessions, 'checkout.session', id)
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  expireSession(world, session)
  return sessionBody(world, session)
}

export function listSessions(world: World, form: Form): object {
  const by = (name: string, value: string | null): boolean =>
    text(form, name) === undefined || text(form, name) === value
  const records = Object.values(world.state.sessions).filter(
    (one) => by('customer', one.customer) && by('subscription', one.subscription) && by('status', one.status),
  )
  return page(records, form, { url: '/v1/checkout/sessions', tell: (one) => sessionBody(world, one) })
}

/**
 * What happens when somebody pays on the page of a session.
 * @param card `declined`: the card is refused, nothing changes, the session stays open
 */
export function completeSession(
  world: World,
  id: string,
  { card }: { card: 'ok' | 'declined' },
): { ok: true } | { ok: false; problem: string } {
  const session = found(world.state.sessions, 'checkout.session', id)
  if (session.status !== 'open') return { ok: false, problem: 'This checkout is over.' }
  try {
    world.atomically(() => complete(world, session.id, card === 'declined'))
    return { ok: true }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, problem: error.message }
  }
}

function complete(world: World, id: string, declines: boolean): void {
  const session = found(world.state.sessions, 'checkout.session', id)
  const customer =
    session.customer ??
    String(
      Object.entries(
        createCustomer(world, session.customer_email === null ? {} : { email: session.customer_email }),
      )[0]?.[1],
    )
  const card = addCard(world, customer, { declines })
  const trialEnd = sessionTrial(world, session)
  if (trialEnd !== null) mustCharge(world, card)
  const subscription = startSubscription(world, {
    customer,
    items: session.items.map(({ price, quantity }) => ({ price, quantity, metadata: {} })),
    collection: 'charge_automatically',
    daysUntilDue: null,
    trialEnd,
    anchor: whole(session.subscription_data, 'billing_cycle_anchor') ?? null,
    prorate: text(session.subscription_data, 'proration_behavior') !== 'none',
    behavior: 'error_if_incomplete',
    card: card.id,
    description: text(session.subscription_data, 'description') || null,
    paymentSettings: {},
    invoiceSettings: part(session.subscription_data, 'invoice_settings') ?? {},
    metadata: metadataOf(session.subscription_data),
  })
  session.customer = customer
  session.subscription = subscription.id
  session.invoice = subscription.latest_invoice
  session.status = 'complete'
  session.payment_status = trialEnd === null ? 'paid' : 'no_payment_required'
  emit(world, 'checkout.session.completed', sessionBody(world, session))
}
