import { updateSubscription } from './update-subscription.ts'
import { runUntil } from './clock.ts'
import { requireCustomer } from './customers.ts'
import { StripeError, invalidRequestError } from './errors.ts'
import { formList, requireText, subForm, optionalText, type Form } from './form.ts'
import { invoiceBody } from './invoice-body.ts'
import { periodOf } from './items.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import { startSubscription } from './create-subscription.ts'
import { parseSubscriptionParams } from './subscriptions.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** `POST /v1/invoices/create_preview`: what would be done is done in a copy, so what is shown is what is charged. */
export function previewInvoice(simulation: Simulation, form: Form): object {
  const copy = simulation.copy()
  // What a preview shows does not hang on whether the card would be refused.
  for (const card of Object.values(copy.state.cards)) card.declines = false
  copy.state.declines = 0
  const details = subForm(form, 'subscription_details') ?? {}
  const schedule = optionalText(form, 'schedule')
  const id = optionalText(form, 'subscription') ?? (schedule && copy.state.schedules[schedule]?.subscription)
  const invoice = id
    ? previewOfChange(copy, requireRecord(copy.state.subscriptions, 'subscription', id, 'subscription'), details)
    : previewOfStart(copy, form, details)
  const { id: _, ...body } = invoiceBody(copy, { ...invoice, number: null, status: 'draft', amount_paid: 0 })
  return { id: invoice.id.replace(/^in_/, 'upcoming_in_'), ...body, hosted_invoice_url: null, invoice_pdf: null }
}

function previewOfStart(simulation: Simulation, form: Form, details: Form): InvoiceRecord {
  const customer = requireCustomer(simulation, requireText(form, 'customer'), 'customer')
  if (formList(details, 'items') === undefined) throw noUpcomingInvoiceError()
  const start = parseSubscriptionParams(simulation, { ...details, customer: customer.id })
  const subscription = startSubscription(simulation, { ...start, behavior: 'default_incomplete' })
  return latest(simulation, subscription)
}

const CHANGES = ['items', 'trial_end', 'billing_cycle_anchor', 'cancel_at', 'cancel_at_period_end']

function previewOfChange(simulation: Simulation, subscription: SubscriptionRecord, details: Form): InvoiceRecord {
  const known = new Set(Object.keys(simulation.state.invoices))
  if (CHANGES.some((name) => details[name] !== undefined)) {
    if (details['proration_date'] !== undefined && formList(details, 'items') === undefined)
      throw invalidRequestError('proration_date needs items.', { param: 'subscription_details[proration_date]' })
    updateSubscription(simulation, subscription.id, details)
  }
  const made = Object.values(simulation.state.invoices).find(
    (one) => !known.has(one.id) && one.subscription === subscription.id,
  )
  if (made !== undefined) return made
  if (subscription.cancel_at !== null || !['active', 'trialing', 'past_due', 'unpaid'].includes(subscription.status))
    throw noUpcomingInvoiceError()
  for (const invoice of Object.values(simulation.state.invoices)) invoice.next_payment_attempt = null
  runUntil(simulation, periodOf(subscription).end)
  const renewal = latest(simulation, subscription)
  if (known.has(renewal.id)) throw noUpcomingInvoiceError()
  return { ...renewal, billing_reason: 'upcoming' }
}

function latest(simulation: Simulation, subscription: SubscriptionRecord): InvoiceRecord {
  return requireRecord(simulation.state.invoices, 'invoice', subscription.latest_invoice ?? '')
}

const noUpcomingInvoiceError = (): StripeError =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: 'No upcoming invoices for customer',
  })
