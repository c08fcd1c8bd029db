import { addCard, cardFor } from '../cards.ts'
import { endAt } from '../update-subscription.ts'
import { completeSession, dueNow, sessionTrial } from '../checkout.ts'
import { invoiceCustomer } from '../invoice-body.ts'
import type { CheckoutView, PageActions, InvoiceView, Outcome, PortalView } from './page-actions.ts'
import { emitOnChange } from '../events.ts'
import { StripeError } from '../errors.ts'
import { subForm, optionalText, textList } from '../form.ts'
import { amountDue, totalOf } from '../invoice-body.ts'
import { chargeInvoice, recordRefusal } from '../invoices.ts'
import { lineText, periodOf, priceOf } from '../items.ts'
import { amountInWords } from '../money.ts'
import type { InvoiceRecord, SubscriptionRecord } from '../state.ts'
import { subscriptionBody } from '../subscription-body.ts'
import { virtualAccountOf, bankTransfer } from '../transfers.ts'
import { requireRecord, type Simulation } from '../simulation.ts'

const nameOf = (simulation: Simulation, customer: string | null, email: string | null = null): string => {
  const record = customer === null ? undefined : simulation.state.customers[customer]
  return record?.name ?? record?.email ?? email ?? 'A new customer'
}

const itemText = (simulation: Simulation, item: { price: string; quantity: number }): string => {
  const price = priceOf(simulation, item)
  const name = simulation.state.products[price.product]?.name ?? price.product
  return `${item.quantity} × ${name} (${amountInWords(price.unit_amount, price.currency)} / ${price.recurring?.interval ?? ''})`
}

function checkoutView(simulation: Simulation, id: string): CheckoutView | null {
  const session = simulation.state.sessions[id]
  if (session === undefined) return null
  const trial = sessionTrial(simulation, session)
  const sum = session.items.reduce((all, item) => all + priceOf(simulation, item).unit_amount * item.quantity, 0)
  return {
    state: session.status,
    customer: nameOf(simulation, session.customer, session.customer_email),
    currency: session.currency,
    lines: session.items.map((item) => ({
      text: itemText(simulation, item),
      amount: priceOf(simulation, item).unit_amount * item.quantity,
    })),
    dueNow: dueNow(simulation, session),
    later: trial === null ? null : { amount: sum, at: trial - simulation.state.ahead },
    successUrl: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id),
    cancelUrl: session.cancel_url,
  }
}

/** Where a transfer for the invoice goes; null = it is not paid by transfer. */
function bankDetails(simulation: Simulation, invoice: InvoiceRecord): InvoiceView['bank'] {
  if (!textList(invoice.payment_settings, 'payment_method_types').includes('customer_balance')) return null
  const options = subForm(subForm(invoice.payment_settings, 'payment_method_options') ?? {}, 'customer_balance') ?? {}
  const transfer = subForm(subForm(options, 'bank_transfer') ?? {}, 'eu_bank_transfer') ?? {}
  return virtualAccountOf(
    simulation,
    invoice.customer,
    optionalText(transfer, 'country') ?? simulation.options.bankTransferCountries[0] ?? '',
  )
}

/** The numbers of both sides, and who pays the VAT where that is not the seller. */
function taxNotes(simulation: Simulation, invoice: InvoiceRecord): InvoiceView['notes'] {
  const { tax_exempt, tax_ids } = invoice.finalized_customer ?? invoiceCustomer(simulation, invoice.customer)
  const own = (invoice.account_tax_ids ?? []).flatMap((id) => simulation.state.taxIds[id] ?? [])
  return [
    ...own.map(({ value }) => ({ name: 'Seller’s VAT number', value })),
    ...tax_ids.map(({ value }) => ({ name: 'VAT number', value })),
    ...(tax_exempt === 'reverse' ? [{ name: 'Tax', value: 'Reverse charge: to be paid by the recipient' }] : []),
  ]
}

function invoiceView(simulation: Simulation, id: string): InvoiceView | null {
  const invoice = simulation.state.invoices[id]
  if (invoice === undefined) return null
  const { ahead } = simulation.state
  return {
    id,
    number: invoice.number,
    state: invoice.status,
    customer: nameOf(simulation, invoice.customer),
    notes: [
      ...taxNotes(simulation, invoice),
      ...(invoice.custom_fields ?? []).map((one) => ({
        name: optionalText(one, 'name') ?? '',
        value: optionalText(one, 'value') ?? '',
      })),
    ],
    currency: invoice.currency,
    lines: invoice.lines.map((line) => ({ text: lineText(simulation, line), amount: line.amount })),
    total: totalOf(invoice),
    due: invoice.status === 'void' ? 0 : amountDue(invoice) - invoice.amount_paid,
    issuedAt: (invoice.effective_at ?? invoice.created) - ahead,
    dueAt: invoice.due_date === null ? null : invoice.due_date - ahead,
    paidAt: invoice.status_transitions.paid_at === null ? null : invoice.status_transitions.paid_at - ahead,
    bank: bankDetails(simulation, invoice),
  }
}

function portalView(simulation: Simulation, id: string): PortalView | null {
  const portal = simulation.state.portals[id]
  if (portal === undefined) return null
  const { customer } = portal
  const { ahead } = simulation.state
  const subscriptions = Object.values(simulation.state.subscriptions).filter((one) => one.customer === customer)
  const card = cardFor(simulation, customer, subscriptions.find(({ status }) => status !== 'canceled') ?? null)
  return {
    customer: nameOf(simulation, customer),
    returnUrl: portal.return_url,
    card: card && { last4: card.last4, declines: card.declines },
    subscriptions: subscriptions.map((one) => ({
      id: one.id,
      lines: one.items.map((item) => itemText(simulation, item)),
      state: one.status,
      periodEndsAt: periodOf(one).end - ahead,
      endsAt: one.cancel_at === null ? null : one.cancel_at - ahead,
    })),
    invoices: Object.values(simulation.state.invoices)
      .filter((one) => one.customer === customer && one.status !== 'draft')
      .toReversed()
      .flatMap((one) => invoiceView(simulation, one.id) ?? []),
  }
}

/** Runs what a person does on a page; what Stripe would refuse is told there. */
function runAction(run: () => Outcome | void): Outcome {
  try {
    return run() ?? { ok: true }
  } catch (error) {
    if (error instanceof StripeError) return { ok: false, problem: error.message }
    throw error
  }
}

/** A subscription of the customer whose portal it is. */
function ownSubscription(simulation: Simulation, portalId: string, id: string): SubscriptionRecord {
  const portal = requireRecord(simulation.state.portals, 'billing_portal.session', portalId)
  const subscription = requireRecord(simulation.state.subscriptions, 'subscription', id)
  if (subscription.customer !== portal.customer)
    throw new StripeError(404, { type: 'invalid_request_error', message: 'No such subscription' })
  return subscription
}

/** The portal tells the end by its date alone: `cancel_at_period_end` stays false, as in Stripe's flexible billing mode. */
const setCancelDate = (simulation: Simulation, subscription: SubscriptionRecord, at: number | null): void =>
  emitOnChange(simulation, 'customer.subscription.updated', {
    tell: () => subscriptionBody(simulation, subscription),
    change: () => endAt(simulation, subscription, { at, atPeriodEnd: false }),
  })

function payInvoice(simulation: Simulation, id: string, declines: boolean): Outcome {
  const invoice = requireRecord(simulation.state.invoices, 'invoice', id)
  if (invoice.status !== 'open') return { ok: false, problem: 'Nothing to pay.' }
  if (declines) {
    recordRefusal(simulation, invoice)
    return { ok: false, problem: 'Your card was declined.' }
  }
  const subscription = simulation.state.subscriptions[invoice.subscription ?? '']
  const card = addCard(simulation, invoice.customer, { declines })
  if (subscription !== undefined) subscription.default_payment_method = card.id
  return chargeInvoice(simulation, invoice) ? { ok: true } : { ok: false, problem: 'Your card was declined.' }
}

function changeCard(simulation: Simulation, portalId: string, declines: boolean): void {
  const portal = requireRecord(simulation.state.portals, 'billing_portal.session', portalId)
  const card = addCard(simulation, portal.customer, { declines })
  for (const one of Object.values(simulation.state.subscriptions))
    if (one.customer === portal.customer) one.default_payment_method = card.id
}

/** What stands behind the pages. */
export const createPageActions = (simulation: Simulation): PageActions => ({
  checkout: (id) => checkoutView(simulation, id),
  payCheckout: (id, card) =>
    runAction(() => completeSession(simulation, id, { card: card === 'works' ? 'ok' : 'declined' })),
  invoice: (id) => invoiceView(simulation, id),
  transfer: (id) => runAction(() => bankTransfer(simulation, id)),
  payInvoice: (id, card) => runAction(() => payInvoice(simulation, id, card === 'declined')),
  portal: (id) => portalView(simulation, id),
  cancel: (portalId, id) =>
    runAction(() => {
      const subscription = ownSubscription(simulation, portalId, id)
      if (subscription.schedule !== null) return { ok: false, problem: 'Cancel the scheduled change first.' }
      setCancelDate(simulation, subscription, periodOf(subscription).end)
    }),
  resume: (portalId, id) => runAction(() => setCancelDate(simulation, ownSubscription(simulation, portalId, id), null)),
  changeCard: (portalId, card) => runAction(() => changeCard(simulation, portalId, card === 'declined')),
})
