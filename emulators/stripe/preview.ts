import { updateSubscription } from './change.ts'
import { runUntil } from './clock.ts'
import { customerOf } from './customers.ts'
import { Fault, invalid } from './faults.ts'
import { list, needed, part, text } from './form.ts'
import type { Form } from './form.ts'
import { invoiceBody } from './invoice-body.ts'
import { periodOf } from './items.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import { startSubscription } from './start.ts'
import { startOf } from './subscriptions.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

/** `POST /v1/invoices/create_preview`: what would be done is done in a copy, so what is shown is what is charged. */
export function previewInvoice(world: World, form: Form): object {
  const copy = world.copy()
  // What a preview shows does not hang on whether the card would be refused.
  for (const card of Object.values(copy.state.cards)) card.declines = false
  copy.state.declines = 0
  const details = part(form, 'subscription_details') ?? {}
  const schedule = text(form, 'schedule')
  const id = text(form, 'subscription') ?? (schedule && copy.state.schedules[schedule]?.subscription)
  const invoice = id
    ? ofChange(copy, found(copy.state.subscriptions, 'subscription', id, 'subscription'), details)
    : ofStart(copy, form, details)
  const { id: _, ...body } = invoiceBody(copy, { ...invoice, number: null, status: 'draft', amount_paid: 0 })
  return { id: invoice.id.replace(/^in_/, 'upcoming_in_'), ...body, hosted_invoice_url: null, invoice_pdf: null }
}

function ofStart(world: World, form: Form, details: Form): InvoiceRecord {
  const customer = customerOf(world, needed(form, 'customer'), 'customer')
  if (list(details, 'items') === undefined) throw noneUpcoming()
  const start = startOf(world, { ...details, customer: customer.id })
  const subscription = startSubscription(world, { ...start, behavior: 'default_incomplete' })
  return latest(world, subscription)
}

const CHANGES = ['items', 'trial_end', 'billing_cycle_anchor', 'cancel_at', 'cancel_at_period_end']

function ofChange(world: World, subscription: SubscriptionRecord, details: Form): InvoiceRecord {
  const known = new Set(Object.keys(world.state.invoices))
  if (CHANGES.some((name) => details[name] !== undefined)) {
    if (details['proration_date'] !== undefined && list(details, 'items') === undefined)
      throw invalid('proration_date needs items.', { param: 'subscription_details[proration_date]' })
    updateSubscription(world, subscription.id, details)
  }
  const made = Object.values(world.state.invoices).find(
    (one) => !known.has(one.id) && one.subscription === subscription.id,
  )
  if (made !== undefined) return made
  if (subscription.cancel_at !== null || !['active', 'trialing', 'past_due', 'unpaid'].includes(subscription.status))
    throw noneUpcoming()
  for (const invoice of Object.values(world.state.invoices)) invoice.next_payment_attempt = null
  runUntil(world, periodOf(subscription).end)
  const renewal = latest(world, subscription)
  if (known.has(renewal.id)) throw noneUpcoming()
  return { ...renewal, billing_reason: 'upcoming' }
}

function latest(world: World, subscription: SubscriptionRecord): InvoiceRecord {
  return found(world.state.invoices, 'invoice', subscription.latest_invoice ?? '')
}

const noneUpcoming = (): Fault =>
  new Fault(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: 'No upcoming invoices for customer',
  })
