import { addCard, cardFor, charges } from './cards.ts'
import { updateSubscription } from './change.ts'
import { completeSession, dueNow, sessionTrial } from './checkout.ts'
import { taxIdsOf } from './customers.ts'
import type { CheckoutShown, Desk, InvoiceShown, LineShown, Outcome, PortalShown, TestCard } from './desk.ts'
import { Fault } from './faults.ts'
import { part, text, texts } from './form.ts'
import { dueOf, totalOf } from './invoice-body.ts'
import { settle } from './invoices.ts'
import { periodOf, priceOf } from './items.ts'
import { releaseSchedule } from './schedules.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import type { World } from './world.ts'

/** The pages' view of what the stand-in knows. */
export const deskOf = (world: World): Desk => ({
  checkout: (id) => checkoutOf(world, id),
  payCheckout: (id, card) =>
    Object.hasOwn(world.state.sessions, id)
      ? completeSession(world, id, { card: card === 'works' ? 'ok' : 'declined' })
      : GONE,
  invoice: (id) => invoiceOf(world, id),
  transfer: (id) => paid(world, id, null),
  payInvoice: (id, card) => paid(world, id, card),
  portal: (id) => portalOf(world, id),
  cancel: (portal, id) =>
    changed(world, { portal, id }, (one) => {
      // What was planned for later does not come any more.
      if (one.schedule !== null) releaseSchedule(world, one.schedule)
      updateSubscription(world, one.id, { cancel_at_period_end: 'true' })
    }),
  resume: (portal, id) =>
    changed(world, { portal, id }, (one) => updateSubscription(world, one.id, { cancel_at_period_end: 'false' })),
  changeCard: (portal, card) => changeCard(world, portal, card),
})

const GONE: Outcome = { ok: false, problem: 'This is not here any more.' }

/** Only what is the record's own: an id may be any word. */
const byId = <T>(records: Record<string, T>, id: string): T | null =>
  (Object.hasOwn(records, id) ? records[id] : undefined) ?? null

function customerName(world: World, id: string | null): string {
  const customer = id === null ? null : byId(world.state.customers, id)
  return customer?.name ?? customer?.email ?? customer?.id ?? 'A new customer'
}

/** Items in words, with what a whole period of each costs. */
const linesOf = (world: World, items: { price: string; quantity: number }[]): LineShown[] =>
  items.map((item) => {
    const price = priceOf(world, item)
    const name = byId(world.state.products, price.product)?.name ?? price.product
    const times = item.quantity === 1 ? '' : `${item.quantity} × `
    return {
      text: `${times}${name}, per ${price.recurring?.interval ?? ''}`,
      amount: price.unit_amount * item.quantity,
    }
  })

function checkoutOf(world: World, id: string): CheckoutShown | null {
  const session = byId(world.state.sessions, id)
  if (session === null) return null
  const { status, customer, currency, items, success_url: success, cancel_url: cancelUrl } = session
  const lines = linesOf(world, items)
  const trial = status === 'open' ? sessionTrial(world, session) : null
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  return {
    state: status,
    customer: session.customer_email ?? customerName(world, customer),
    currency,
    lines,
    dueNow: dueNow(world, session),
    later: trial === null ? null : { amount, at: trial - world.state.ahead },
    successUrl: success.replaceAll('{CHECKOUT_SESSION_ID}', id),
    cancelUrl,
  }
}

function notesOf(world: World, invoice: InvoiceRecord): InvoiceShown['notes'] {
  const fields = (invoice.custom_fields ?? []).map((field) => ({
    name: text(field, 'name') ?? '',
    value: text(field, 'value') ?? '',
  }))
  return [...taxIdsOf(world, invoice.customer).map(({ value }) => ({ name: 'VAT number', value })), ...fields]
}

/** Where a transfer for the invoice goes: an account in the country that was asked for. */
function bankOf(invoice: InvoiceRecord): InvoiceShown['bank'] {
  if (!texts(invoice.payment_settings, 'payment_method_types').includes('customer_balance')) return null
  const options = part(invoice.payment_settings, 'payment_method_options') ?? {}
  const transfer = part(part(options, 'customer_balance') ?? {}, 'bank_transfer') ?? {}
  const country = text(part(transfer, 'eu_bank_transfer') ?? {}, 'country') ?? ''
  return {
    country,
    holder: 'Insikt (test billing)',
    iban: `${country}00 0000 0000 0000`,
    bic: `TEST${country}22`,
    reference: invoice.number ?? invoice.id,
  }
}

function invoiceOf(world: World, id: string): InvoiceShown | null {
  const invoice = byId(world.state.invoices, id)
  if (invoice === null || invoice.status === 'draft') return null
  const { number, status, currency, due_date: due, status_transitions: transitions } = invoice
  const { ahead } = world.state
  const credit = dueOf(invoice) - totalOf(invoice)
  return {
    id,
    number,
    state: status,
    customer: customerName(world, invoice.customer),
    notes: notesOf(world, invoice),
    currency,
    lines: [
      ...invoice.lines.map(({ description, amount }) => ({ text: description, amount })),
      ...(credit === 0 ? [] : [{ text: credit < 0 ? 'From your credit' : 'Kept as credit', amount: credit }]),
    ],
    total: totalOf(invoice),
    due: status === 'open' || status === 'uncollectible' ? dueOf(invoice) - invoice.amount_paid : 0,
    issuedAt: (transitions.finalized_at ?? invoice.created) - ahead,
    dueAt: due === null ? null : due - ahead,
    paidAt: transitions.paid_at === null ? null : transitions.paid_at - ahead,
    bank: bankOf(invoice),
  }
}

/** All that is due on an invoice comes: by transfer, or by a card that may be refused. */
function paid(world: World, id: string, card: TestCard | null): Outcome {
  const invoice = byId(world.state.invoices, id)
  if (invoice === null) return GONE
  if (invoice.status !== 'open') return { ok: false, problem: 'Nothing is due on this invoice.' }
  if (card !== null) {
    const shown = {
      id: 'pm_once',
      created: world.now(),
      customer: invoice.customer,
      last4: '',
      declines: card !== 'works',
    }
    if (!charges(world, shown)) return { ok: false, problem: 'Your card was declined.' }
  }
  settle(world, invoice, dueOf(invoice) - invoice.amount_paid)
  return { ok: true }
}

const LIVE = new Set<SubscriptionRecord['status']>(['active', 'trialing', 'past_due', 'unpaid', 'incomplete'])
const STATES: Record<SubscriptionRecord['status'], string> = {
  active: 'Active',
  trialing: 'Free until the first payment',
  past_due: 'A payment is missing',
  unpaid: 'Unpaid',
  incomplete: 'Waiting for the first payment',
  incomplete_expired: 'Never paid',
  canceled: 'Ended',
}

const ofCustomer = <T extends { customer: string }>(records: Record<string, T>, customer: string): T[] =>
  Object.values(records).filter((one) => one.customer === customer)

function portalOf(world: World, id: string): PortalShown | null {
  const portal = byId(world.state.portals, id)
  if (portal === null) return null
  const { customer, return_url: returnUrl } = portal
  const { ahead, subscriptions, invoices } = world.state
  const live = ofCustomer(subscriptions, customer).filter(({ status }) => LIVE.has(status))
  return {
    customer: customerName(world, customer),
    returnUrl,
    card: cardFor(world, customer, live[0] ?? null),
    subscriptions: live.map((one) => ({
      id: one.id,
      lines: linesOf(world, one.items).map((line) => line.text),
      state: STATES[one.status],
      periodEndsAt: periodOf(one).end - ahead,
      endsAt: one.cancel_at === null ? null : one.cancel_at - ahead,
    })),
    invoices: ofCustomer(invoices, customer)
      .flatMap((one) => invoiceOf(world, one.id) ?? [])
      .toReversed(),
  }
}

/** Changes one subscription of the portal's customer; what the rules refuse is said. */
function changed(
  world: World,
  { portal, id }: { portal: string; id: string },
  change: (one: SubscriptionRecord) => void,
): Outcome {
  const customer = byId(world.state.portals, portal)?.customer
  const one = byId(world.state.subscriptions, id)
  if (one === null || one.customer !== customer) return GONE
  try {
    change(one)
    return { ok: true }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, problem: error.message }
    throw error
  }
}

function changeCard(world: World, portalId: string, card: TestCard): Outcome {
  const portal = byId(world.state.portals, portalId)
  if (portal === null) return GONE
  const { id } = addCard(world, portal.customer, { declines: card === 'declined' })
  for (const one of ofCustomer(world.state.subscriptions, portal.customer)) {
    if (LIVE.has(one.status)) updateSubscription(world, one.id, { default_payment_method: id })
  }
  return { ok: true }
}
