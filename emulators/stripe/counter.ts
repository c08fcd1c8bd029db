import { addCard, cardFor } from './cards.ts'
import { endAt } from './change.ts'
import { completeSession, dueNow, sessionTrial } from './checkout.ts'
import { taxIdsOf } from './customers.ts'
import type { CheckoutShown, Desk, InvoiceShown, Outcome, PortalShown } from './desk.ts'
import { noting } from './events.ts'
import { Fault } from './faults.ts'
import { part, text, texts } from './form.ts'
import { dueOf, totalOf } from './invoice-body.ts'
import { collect, refused } from './invoices.ts'
import { lineText, periodOf, priceOf } from './items.ts'
import { worded } from './money.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { accountOf, bankTransfer } from './transfers.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

const nameOf = (world: World, customer: string | null, email: string | null = null): string => {
  const record = customer === null ? undefined : world.state.customers[customer]
  return record?.name ?? record?.email ?? email ?? 'A new customer'
}

const itemText = (world: World, item: { price: string; quantity: number }): string => {
  const price = priceOf(world, item)
  const name = world.state.products[price.product]?.name ?? price.product
  return `${item.quantity} × ${name} (${worded(price.unit_amount, price.currency)} / ${price.recurring?.interval ?? ''})`
}

function checkoutShown(world: World, id: string): CheckoutShown | null {
  const session = world.state.sessions[id]
  if (session === undefined) return null
  const trial = sessionTrial(world, session)
  const sum = session.items.reduce((all, item) => all + priceOf(world, item).unit_amount * item.quantity, 0)
  return {
    state: session.status,
    customer: nameOf(world, session.customer, session.customer_email),
    currency: session.currency,
    lines: session.items.map((item) => ({
      text: itemText(world, item),
      amount: priceOf(world, item).unit_amount * item.quantity,
    })),
    dueNow: dueNow(world, session),
    later: trial === null ? null : { amount: sum, at: trial - world.state.ahead },
    successUrl: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id),
    cancelUrl: session.cancel_url,
  }
}

/** Where a transfer for the invoice goes; null = it is not paid by transfer. */
function bankOf(world: World, invoice: InvoiceRecord): InvoiceShown['bank'] {
  if (!texts(invoice.payment_settings, 'payment_method_types').includes('customer_balance')) return null
  const options = part(part(invoice.payment_settings, 'payment_method_options') ?? {}, 'customer_balance') ?? {}
  const transfer = part(part(options, 'bank_transfer') ?? {}, 'eu_bank_transfer') ?? {}
  return accountOf(world, invoice.customer, text(transfer, 'country') ?? world.options.bankTransferCountries[0] ?? '')
}

function invoiceShown(world: World, id: string): InvoiceShown | null {
  const invoice = world.state.invoices[id]
  if (invoice === undefined) return null
  const { ahead } = world.state
  return {
    id,
    number: invoice.number,
    state: invoice.status,
    customer: nameOf(world, invoice.customer),
    notes: [
      ...taxIdsOf(world, invoice.customer).map(({ value }) => ({ name: 'VAT number', value })),
      ...(invoice.custom_fields ?? []).map((one) => ({
        name: text(one, 'name') ?? '',
        value: text(one, 'value') ?? '',
      })),
    ],
    currency: invoice.currency,
    lines: invoice.lines.map((line) => ({ text: lineText(world, line), amount: line.amount })),
    total: totalOf(invoice),
    due: invoice.status === 'void' ? 0 : dueOf(invoice) - invoice.amount_paid,
    issuedAt: (invoice.effective_at ?? invoice.created) - ahead,
    dueAt: invoice.due_date === null ? null : invoice.due_date - ahead,
    paidAt: invoice.status_transitions.paid_at === null ? null : invoice.status_transitions.paid_at - ahead,
    bank: bankOf(world, invoice),
  }
}

function portalShown(world: World, id: string): PortalShown | null {
  const portal = world.state.portals[id]
  if (portal === undefined) return null
  const { customer } = portal
  const { ahead } = world.state
  const subscriptions = Object.values(world.state.subscriptions).filter((one) => one.customer === customer)
  const card = cardFor(world, customer, subscriptions.find(({ status }) => status !== 'canceled') ?? null)
  return {
    customer: nameOf(world, customer),
    returnUrl: portal.return_url,
    card: card && { last4: card.last4, declines: card.declines },
    subscriptions: subscriptions.map((one) => ({
      id: one.id,
      lines: one.items.map((item) => itemText(world, item)),
      state: one.status,
      periodEndsAt: periodOf(one).end - ahead,
      endsAt: one.cancel_at === null ? null : one.cancel_at - ahead,
    })),
    invoices: Object.values(world.state.invoices)
      .filter((one) => one.customer === customer && one.status !== 'draft')
      .toReversed()
      .flatMap((one) => invoiceShown(world, one.id) ?? []),
  }
}

/** Runs what a person does on a page; what Stripe would refuse is told there. */
function outcomeOf(run: () => Outcome | void): Outcome {
  try {
    return run() ?? { ok: true }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, problem: error.message }
    throw error
  }
}

/** A subscription of the customer whose portal it is. */
function ownSubscription(world: World, portalId: string, id: string): SubscriptionRecord {
  const portal = found(world.state.portals, 'billing_portal.session', portalId)
  const subscription = found(world.state.subscriptions, 'subscription', id)
  if (subscription.customer !== portal.customer)
    throw new Fault(404, { type: 'invalid_request_error', message: 'No such subscription' })
  return subscription
}

/** The portal tells the end by its date alone: `cancel_at_period_end` stays false, as in Stripe's flexible billing mode. */
const setEnd = (world: World, subscription: SubscriptionRecord, at: number | null): void =>
  noting(world, 'customer.subscription.updated', {
    tell: () => subscriptionBody(world, subscription),
    change: () => endAt(world, subscription, { at, atPeriodEnd: false }),
  })

function payInvoice(world: World, id: string, declines: boolean): Outcome {
  const invoice = found(world.state.invoices, 'invoice', id)
  if (invoice.status !== 'open') return { ok: false, problem: 'There is nothing to pay.' }
  if (declines) {
    refused(world, invoice)
    return { ok: false, problem: 'Your card was declined.' }
  }
  const subscription = world.state.subscriptions[invoice.subscription ?? '']
  const card = addCard(world, invoice.customer, { declines })
  if (subscription !== undefined) subscription.default_payment_method = card.id
  return collect(world, invoice) ? { ok: true } : { ok: false, problem: 'Your card was declined.' }
}

function changeCard(world: World, portalId: string, declines: boolean): void {
  const portal = found(world.state.portals, 'billing_portal.session', portalId)
  const card = addCard(world, portal.customer, { declines })
  for (const one of Object.values(world.state.subscriptions))
    if (one.customer === portal.customer) one.default_payment_method = card.id
}

/** What stands behind the pages. */
export const deskOf = (world: World): Desk => ({
  checkout: (id) => checkoutShown(world, id),
  payCheckout: (id, card) =>
    outcomeOf(() => completeSession(world, id, { card: card === 'works' ? 'ok' : 'declined' })),
  invoice: (id) => invoiceShown(world, id),
  transfer: (id) => outcomeOf(() => bankTransfer(world, id)),
  payInvoice: (id, card) => outcomeOf(() => payInvoice(world, id, card === 'declined')),
  portal: (id) => portalShown(world, id),
  cancel: (portalId, id) =>
    outcomeOf(() => {
      const subscription = ownSubscription(world, portalId, id)
      if (subscription.schedule !== null)
        return { ok: false, problem: 'A change is scheduled for this subscription: take it back first.' }
      setEnd(world, subscription, periodOf(subscription).end)
    }),
  resume: (portalId, id) => outcomeOf(() => setEnd(world, ownSubscription(world, portalId, id), null)),
  changeCard: (portalId, card) => outcomeOf(() => changeCard(world, portalId, card === 'declined')),
})
