import { accountTaxIds } from './account-tax-ids.ts'
import { DAY_SECONDS, HOUR_SECONDS } from './calendar.ts'
import { cardFor, canCharge } from './cards.ts'
import { customFields, customerBody, requireCustomer } from './customers.ts'
import { emit, emitOnChange } from './events.ts'
import { cardDeclinedError, invalidRequestError } from './errors.ts'
import { optionalBoolean, mergeMetadata, subForm, optionalText, textList, type Form } from './form.ts'
import { amountDue, invoiceBody, invoiceCustomer, totalOf } from './invoice-body.ts'
import { paginate } from './lists.ts'
import type { InvoiceRecord, LineRecord, SubscriptionRecord } from './state.ts'
import { endDunning, updateSubscriptionStatus } from './subscription-status.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** How long an invoice that was made by the clock stays a draft. */
export const DRAFT_SECONDS = HOUR_SECONDS
/** After each attempt that failed: when the card is charged again. */
const RETRY_DELAYS = [3 * DAY_SECONDS, 5 * DAY_SECONDS, 7 * DAY_SECONDS]

/** A draft for a subscription, with everything that waited for its next invoice. */
export function draftInvoice(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  what: { reason: InvoiceRecord['billing_reason']; lines: LineRecord[]; period: { start: number; end: number } },
): InvoiceRecord {
  const customer = requireCustomer(simulation, subscription.customer)
  const waiting = simulation.state.pending.filter((one) => one.subscription === subscription.id)
  simulation.state.pending = simulation.state.pending.filter((one) => one.subscription !== subscription.id)
  const settings = subscription.invoice_settings
  const now = simulation.now()
  const invoice: InvoiceRecord = {
    id: simulation.id('in', 24),
    created: now,
    customer: subscription.customer,
    subscription: subscription.id,
    number: null,
    status: 'draft',
    billing_reason: what.reason,
    collection_method: subscription.collection_method,
    auto_advance: true,
    automatically_finalizes_at: now + DRAFT_SECONDS,
    currency: subscription.currency,
    days_until_due: subscription.days_until_due,
    due_date: subscription.days_until_due === null ? null : now + subscription.days_until_due * DAY_SECONDS,
    overdue: false,
    amount_paid: 0,
    attempt_count: 0,
    attempted: false,
    next_payment_attempt: subscription.collection_method === 'send_invoice' ? null : now + DRAFT_SECONDS,
    starting_balance: customer.balance,
    ending_balance: null,
    period_start: what.period.start,
    period_end: what.period.end,
    effective_at: null,
    description: optionalText(settings, 'description') || null,
    footer: optionalText(settings, 'footer') || customer.invoice_settings.footer,
    custom_fields: customFields(settings) ?? customer.invoice_settings.custom_fields,
    payment_settings: {
      ...subscription.payment_settings,
    },
    account_tax_ids: sellerTaxIds(simulation, settings),
    finalized_customer: null,
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    metadata: {},
    subscription_metadata: subscription.metadata,
    lines: [...waiting.map(({ line }) => line), ...what.lines],
  }
  simulation.state.invoices[invoice.id] = invoice
  subscription.latest_invoice = invoice.id
  emit(simulation, 'invoice.created', invoiceBody(simulation, invoice))
  return invoice
}

/** The seller's numbers that a subscription's settings name, or the default ones. */
function sellerTaxIds(simulation: Simulation, settings: Form): string[] | null {
  const named = textList(settings, 'account_tax_ids')
  const ids = named.length > 0 ? named : accountTaxIds(simulation).map(({ id }) => id)
  return ids.length === 0 ? null : ids
}

/** Gives a draft its number and uses the customer's credit; one of nothing is paid by that. */
export function finalize(simulation: Simulation, invoice: InvoiceRecord): void {
  if (invoice.status !== 'draft')
    throw invalidRequestError("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  const customer = requireCustomer(simulation, invoice.customer)
  const total = totalOf(invoice)
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
  invoice.status = 'open'
  invoice.finalized_customer = invoiceCustomer(simulation, customer.id)
  invoice.status_transitions.finalized_at = simulation.now()
  invoice.effective_at = simulation.now()
  invoice.automatically_finalizes_at = null
  invoice.next_payment_attempt = null
  invoice.due_date = invoice.days_until_due === null ? null : simulation.now() + invoice.days_until_due * DAY_SECONDS
  invoice.starting_balance = customer.balance
  invoice.ending_balance = Math.min(0, customer.balance + total)
  emitOnChange(simulation, 'customer.updated', {
    tell: () => customerBody(simulation, customer),
    change: () => {
      customer.next_invoice_sequence += 1
      customer.balance = invoice.ending_balance ?? 0
    },
  })
  emit(simulation, 'invoice.finalized', invoiceBody(simulation, invoice))
  if (amountDue(invoice) === 0) recordPayment(simulation, invoice, 0)
}

/** Money for an invoice has come. */
export function recordPayment(simulation: Simulation, invoice: InvoiceRecord, amount: number): void {
  invoice.amount_paid += amount
  if (invoice.amount_paid < amountDue(invoice)) {
    emit(simulation, 'invoice.updated', invoiceBody(simulation, invoice))
    return
  }
  invoice.status = 'paid'
  invoice.status_transitions.paid_at = simulation.now()
  invoice.attempted = true
  invoice.next_payment_attempt = null
  emit(simulation, 'invoice.paid', invoiceBody(simulation, invoice))
  emit(simulation, 'invoice.payment_succeeded', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
}

/** A card that was tried for an invoice was refused; when it is charged again stays as it is. */
export function recordRefusal(simulation: Simulation, invoice: InvoiceRecord): void {
  invoice.attempted = true
  invoice.attempt_count += 1
  emit(simulation, 'invoice.payment_failed', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
}

/** Charges the card for what is open. A refusal is noted, and the next attempt set. */
export function chargeInvoice(simulation: Simulation, invoice: InvoiceRecord): boolean {
  const subscription = (invoice.subscription && simulation.state.subscriptions[invoice.subscription]) || null
  const card = cardFor(simulation, invoice.customer, subscription)
  invoice.attempted = true
  invoice.attempt_count += 1
  if (card !== null && canCharge(simulation, card)) {
    recordPayment(simulation, invoice, amountDue(invoice) - invoice.amount_paid)
    return true
  }
  const wait = subscription?.status === 'incomplete' ? undefined : RETRY_DELAYS[invoice.attempt_count - 1]
  invoice.next_payment_attempt = wait === undefined ? null : simulation.now() + wait
  emit(simulation, 'invoice.payment_failed', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
  if (wait === undefined && subscription !== null) endDunning(simulation, subscription)
  return false
}

/** Finalises and, where a card is charged by itself, charges it. */
export function finalizeAndCharge(simulation: Simulation, invoice: InvoiceRecord): void {
  finalize(simulation, invoice)
  if (invoice.status === 'open' && invoice.collection_method === 'charge_automatically')
    chargeInvoice(simulation, invoice)
  else if (invoice.status === 'open') emit(simulation, 'invoice.sent', invoiceBody(simulation, invoice))
}

const requireInvoice = (simulation: Simulation, id: string): InvoiceRecord =>
  requireRecord(simulation.state.invoices, 'invoice', id)

export function finalizeCall(simulation: Simulation, id: string): object {
  finalize(simulation, requireInvoice(simulation, id))
  return invoiceBody(simulation, requireInvoice(simulation, id))
}

export function sendCall(simulation: Simulation, id: string): object {
  const invoice = requireInvoice(simulation, id)
  if (invoice.collection_method !== 'send_invoice')
    throw invalidRequestError('You can only manually send an invoice if its collection method is `send_invoice`.')
  if (invoice.status === 'draft') finalize(simulation, invoice)
  emit(simulation, 'invoice.sent', invoiceBody(simulation, invoice))
  return invoiceBody(simulation, invoice)
}

/** @throws 402 when the card is refused: that the attempt was made stays noted */
export function payCall(simulation: Simulation, id: string, form: Form): object {
  const invoice = requireInvoice(simulation, id)
  if (invoice.status === 'draft') finalize(simulation, invoice)
  else if (invoice.status === 'paid') throw invalidRequestError('Invoice is already paid')
  else if (invoice.status === 'void') throw invalidRequestError('Invoices with status void cannot be paid.')
  if (invoice.status === 'open') {
    if (optionalBoolean(form, 'paid_out_of_band') === true)
      recordPayment(simulation, invoice, amountDue(invoice) - invoice.amount_paid)
    else if (!chargeInvoice(simulation, invoice)) throw cardDeclinedError(true)
  }
  return invoiceBody(simulation, invoice)
}

export function voidCall(simulation: Simulation, id: string): object {
  const invoice = requireInvoice(simulation, id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalidRequestError(`You can only void open or uncollectible invoices; this one is ${invoice.status}.`)
  invoice.status = 'void'
  invoice.status_transitions.voided_at = simulation.now()
  invoice.next_payment_attempt = null
  // Credit that had been used comes back.
  requireCustomer(simulation, invoice.customer).balance +=
    Math.min(0, invoice.starting_balance) - (invoice.ending_balance ?? 0)
  emit(simulation, 'invoice.voided', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
  return invoiceBody(simulation, invoice)
}

export function uncollectibleCall(simulation: Simulation, id: string): object {
  const invoice = requireInvoice(simulation, id)
  if (invoice.status !== 'open') throw invalidRequestError('You can only mark open invoices as uncollectible.')
  invoice.status = 'uncollectible'
  invoice.status_transitions.marked_uncollectible_at = simulation.now()
  emit(simulation, 'invoice.marked_uncollectible', invoiceBody(simulation, invoice))
  updateSubscriptionStatus(simulation, invoice)
  return invoiceBody(simulation, invoice)
}

export function updateInvoice(simulation: Simulation, id: string, form: Form): object {
  const invoice = requireInvoice(simulation, id)
  const fields = ['custom_fields', 'footer', 'days_until_due', 'account_tax_ids'].some(
    (name) => form[name] !== undefined,
  )
  if (fields && invoice.status !== 'draft')
    throw invalidRequestError("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' })
  emitOnChange(simulation, 'invoice.updated', {
    tell: () => invoiceBody(simulation, invoice),
    change: () => {
      invoice.metadata = mergeMetadata(form, invoice.metadata)
      invoice.auto_advance = optionalBoolean(form, 'auto_advance') ?? invoice.auto_advance
      invoice.description = optionalText(form, 'description') ?? invoice.description
      if (form['custom_fields'] !== undefined) invoice.custom_fields = customFields(form)
      if (form['account_tax_ids'] !== undefined) {
        const ids = textList(form, 'account_tax_ids')
        for (const taxId of ids) requireRecord(simulation.state.taxIds, 'tax_id', taxId, 'account_tax_ids')
        invoice.account_tax_ids = ids.length === 0 ? null : ids
      }
      if (form['footer'] !== undefined) invoice.footer = optionalText(form, 'footer') || null
      invoice.payment_settings = subForm(form, 'payment_settings') ?? invoice.payment_settings
    },
  })
  return invoiceBody(simulation, invoice)
}

export function listInvoices(simulation: Simulation, form: Form): object {
  const by = (name: string, value: string | null): boolean =>
    optionalText(form, name) === undefined || optionalText(form, name) === value
  const records = Object.values(simulation.state.invoices).filter(
    (one) =>
      by('customer', one.customer) &&
      by('subscription', one.subscription) &&
      by('status', one.status) &&
      by('collection_method', one.collection_method),
  )
  return paginate(records, form, { url: '/v1/invoices', tell: (one) => invoiceBody(simulation, one) })
}
