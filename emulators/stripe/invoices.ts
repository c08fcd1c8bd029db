import { DAY, HOUR } from './calendar.ts'
import { cardFor, charges } from './cards.ts'
import { customFields, customerBody, customerOf } from './customers.ts'
import { emit, noting } from './events.ts'
import { declined, invalid } from './faults.ts'
import { flag, metadataOf, part, text } from './form.ts'
import type { Form } from './form.ts'
import { dueOf, invoiceBody, totalOf } from './invoice-body.ts'
import { page } from './lists.ts'
import type { InvoiceRecord, LineRecord, SubscriptionRecord } from './state.ts'
import { gaveUp, followInvoice } from './standing.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

/** How long an invoice that was made by the clock stays a draft. */
export const DRAFT_SECONDS = HOUR
/** After each attempt that failed: when the card is charged again. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY]

/** A draft for a subscription, with everything that waited for its next invoice. */
export function draftInvoice(
  world: World,
  subscription: SubscriptionRecord,
  what: { reason: InvoiceRecord['billing_reason']; lines: LineRecord[]; period: { start: number; end: number } },
): InvoiceRecord {
  const customer = customerOf(world, subscription.customer)
  const waiting = world.state.pending.filter((one) => one.subscription === subscription.id)
  world.state.pending = world.state.pending.filter((one) => one.subscription !== subscription.id)
  const settings = subscription.invoice_settings
  const now = world.now()
  const invoice: InvoiceRecord = {
    id: world.id('in', 24),
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
    due_date: subscription.days_until_due === null ? null : now + subscription.days_until_due * DAY,
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
    description: text(settings, 'description') || null,
    footer: text(settings, 'footer') || customer.invoice_settings.footer,
    custom_fields: customFields(settings) ?? customer.invoice_settings.custom_fields,
    payment_settings: {
      ...subscription.payment_settings,
    },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    metadata: {},
    subscription_metadata: subscription.metadata,
    lines: [...waiting.map(({ line }) => line), ...what.lines],
  }
  world.state.invoices[invoice.id] = invoice
  subscription.latest_invoice = invoice.id
  emit(world, 'invoice.created', invoiceBody(world, invoice))
  return invoice
}

/** Gives a draft its number and uses the customer's credit; one of nothing is paid by that. */
export function finalize(world: World, invoice: InvoiceRecord): void {
  if (invoice.status !== 'draft')
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  const customer = customerOf(world, invoice.customer)
  const total = totalOf(invoice)
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
  invoice.status = 'open'
  invoice.status_transitions.finalized_at = world.now()
  invoice.effective_at = world.now()
  invoice.automatically_finalizes_at = null
  invoice.next_payment_attempt = null
  invoice.due_date = invoice.days_until_due === null ? null : world.now() + invoice.days_until_due * DAY
  invoice.starting_balance = customer.balance
  invoice.ending_balance = Math.min(0, customer.balance + total)
  noting(world, 'customer.updated', {
    tell: () => customerBody(world, customer),
    change: () => {
      customer.next_invoice_sequence += 1
      customer.balance = invoice.ending_balance ?? 0
    },
  })
  emit(world, 'invoice.finalized', invoiceBody(world, invoice))
  if (dueOf(invoice) === 0) settle(world, invoice, 0)
}

/** Money for an invoice has come. */
export function settle(world: World, invoice: InvoiceRecord, amount: number): void {
  invoice.amount_paid += amount
  if (invoice.amount_paid < dueOf(invoice)) {
    emit(world, 'invoice.updated', invoiceBody(world, invoice))
    return
  }
  invoice.status = 'paid'
  invoice.status_transitions.paid_at = world.now()
  invoice.attempted = true
  invoice.next_payment_attempt = null
  emit(world, 'invoice.paid', invoiceBody(world, invoice))
  emit(world, 'invoice.payment_succeeded', invoiceBody(world, invoice))
  followInvoice(world, invoice)
}

/** A card that was tried for an invoice was refused; when it is charged again stays as it is. */
export function refused(world: World, invoice: InvoiceRecord): void {
  invoice.attempted = true
  invoice.attempt_count += 1
  emit(world, 'invoice.payment_failed', invoiceBody(world, invoice))
  followInvoice(world, invoice)
}

/** Charges the card for what is open. A refusal is noted, and the next attempt set. */
export function collect(world: World, invoice: InvoiceRecord): boolean {
  const subscription = (invoice.subscription && world.state.subscriptions[invoice.subscription]) || null
  const card = cardFor(world, invoice.customer, subscription)
  invoice.attempted = true
  invoice.attempt_count += 1
  if (card !== null && charges(world, card)) {
    settle(world, invoice, dueOf(invoice) - invoice.amount_paid)
    return true
  }
  const wait = subscription?.status === 'incomplete' ? undefined : RETRIES[invoice.attempt_count - 1]
  invoice.next_payment_attempt = wait === undefined ? null : world.now() + wait
  emit(world, 'invoice.payment_failed', invoiceBody(world, invoice))
  followInvoice(world, invoice)
  if (wait === undefined && subscription !== null) gaveUp(world, subscription)
  return false
}

/** Finalises and, where a card is charged by itself, charges it. */
export function advance(world: World, invoice: InvoiceRecord): void {
  finalize(world, invoice)
  if (invoice.status === 'open' && invoice.collection_method === 'charge_automatically') collect(world, invoice)
  else if (invoice.status === 'open') emit(world, 'invoice.sent', invoiceBody(world, invoice))
}

const invoiceOf = (world: World, id: string): InvoiceRecord => found(world.state.invoices, 'invoice', id)

export function finalizeCall(world: World, id: string): object {
  finalize(world, invoiceOf(world, id))
  return invoiceBody(world, invoiceOf(world, id))
}

export function sendCall(world: World, id: string): object {
  const invoice = invoiceOf(world, id)
  if (invoice.collection_method !== 'send_invoice')
    throw invalid('You can only manually send an invoice if its collection method is `send_invoice`.')
  if (invoice.status === 'draft') finalize(world, invoice)
  emit(world, 'invoice.sent', invoiceBody(world, invoice))
  return invoiceBody(world, invoice)
}

/** @throws 402 when the card is refused: that the attempt was made stays noted */
export function payCall(world: World, id: string, form: Form): object {
  const invoice = invoiceOf(world, id)
  if (invoice.status === 'draft') finalize(world, invoice)
  else if (invoice.status === 'paid') throw invalid('Invoice is already paid')
  else if (invoice.status === 'void') throw invalid('Invoices with status void cannot be paid.')
  if (invoice.status === 'open') {
    if (flag(form, 'paid_out_of_band') === true) settle(world, invoice, dueOf(invoice) - invoice.amount_paid)
    else if (!collect(world, invoice)) throw declined(true)
  }
  return invoiceBody(world, invoice)
}

export function voidCall(world: World, id: string): object {
  const invoice = invoiceOf(world, id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(`You can only void open or uncollectible invoices; this one is ${invoice.status}.`)
  invoice.status = 'void'
  invoice.status_transitions.voided_at = world.now()
  invoice.next_payment_attempt = null
  // Credit that had been used comes back.
  customerOf(world, invoice.customer).balance += Math.min(0, invoice.starting_balance) - (invoice.ending_balance ?? 0)
  emit(world, 'invoice.voided', invoiceBody(world, invoice))
  followInvoice(world, invoice)
  return invoiceBody(world, invoice)
}

export function uncollectibleCall(world: World, id: string): object {
  const invoice = invoiceOf(world, id)
  if (invoice.status !== 'open') throw invalid('You can only mark open invoices as uncollectible.')
  invoice.status = 'uncollectible'
  invoice.status_transitions.marked_uncollectible_at = world.now()
  emit(world, 'invoice.marked_uncollectible', invoiceBody(world, invoice))
  followInvoice(world, invoice)
  return invoiceBody(world, invoice)
}

export function updateInvoice(world: World, id: string, form: Form): object {
  const invoice = invoiceOf(world, id)
  const fields =
    form['custom_fields'] !== undefined || form['footer'] !== undefined || form['days_until_due'] !== undefined
  if (fields && invoice.status !== 'draft')
    throw invalid("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' })
  noting(world, 'invoice.updated', {
    tell: () => invoiceBody(world, invoice),
    change: () => {
      invoice.metadata = metadataOf(form, invoice.metadata)
      invoice.auto_advance = flag(form, 'auto_advance') ?? invoice.auto_advance
      invoice.description = text(form, 'description') ?? invoice.description
      if (form['custom_fields'] !== undefined) invoice.custom_fields = customFields(form)
      if (form['footer'] !== undefined) invoice.footer = text(form, 'footer') || null
      invoice.payment_settings = part(form, 'payment_settings') ?? invoice.payment_settings
    },
  })
  return invoiceBody(world, invoice)
}

export function listInvoices(world: World, form: Form): object {
  const by = (name: string, value: string | null): boolean =>
    text(form, name) === undefined || text(form, name) === value
  const records = Object.values(world.state.invoices).filter(
    (one) =>
      by('customer', one.customer) &&
      by('subscription', one.subscription) &&
      by('status', one.status) &&
      by('collection_method', one.collection_method),
  )
  return page(records, form, { url: '/v1/invoices', tell: (one) => invoiceBody(world, one) })
}
