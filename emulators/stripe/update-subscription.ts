import { DAY_SECONDS, periodAround } from './calendar.ts'
import { assertOwnCard } from './cards.ts'
import { emitOnChange } from './events.ts'
import { cardDeclinedError, invalidRequestError } from './errors.ts'
import { optionalBoolean, formList, mergeMetadata, oneOf, subForm, optionalText, optionalInteger } from './form.ts'
import type { Form } from './form.ts'
import { finalizeAndCharge, draftInvoice, finalize } from './invoices.ts'
import {
  billingIntervalOf,
  changedItems,
  fullPeriodLines,
  periodOf,
  prorations,
  setPeriod,
  unusedTimeCredit,
} from './items.ts'
import { syncCurrentPhase } from './schedules.ts'
import { assertTransferOffered } from './create-subscription.ts'
import type { ItemRecord, LineRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { requireRecord, type Simulation } from './simulation.ts'

const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const
export type Proration = (typeof PRORATIONS)[number]

export interface ChangeTerms {
  proration: Proration
  /** The instant for which prorations are counted. */
  at: number
}

/** `POST /v1/subscriptions/:id`. */
export function updateSubscription(simulation: Simulation, id: string, form: Form): object {
  const subscription = requireRecord(simulation.state.subscriptions, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    const harmless = Object.keys(form).every((name) => ['metadata', 'cancellation_details', 'expand'].includes(name))
    if (!harmless)
      throw invalidRequestError('A canceled subscription can only update its cancellation_details and metadata.')
  }
  emitOnChange(simulation, 'customer.subscription.updated', {
    tell: () => subscriptionBody(simulation, subscription),
    change: () => {
      applySettings(simulation, subscription, form)
      applyEnd(simulation, subscription, form)
      applyMoney(simulation, subscription, form)
    },
  })
  return subscriptionBody(simulation, subscription)
}

function applySettings(simulation: Simulation, subscription: SubscriptionRecord, form: Form): void {
  subscription.metadata = mergeMetadata(form, subscription.metadata)
  const description = optionalText(form, 'description')
  if (description !== undefined) subscription.description = description || null
  const card = optionalText(form, 'default_payment_method')
  if (card) assertOwnCard(simulation, subscription.customer, card)
  if (card !== undefined) subscription.default_payment_method = card || null
  const settings = subForm(form, 'payment_settings')
  if (settings !== undefined) assertTransferOffered(simulation, settings)
  subscription.payment_settings = { ...subscription.payment_settings, ...settings }
  subscription.invoice_settings = { ...subscription.invoice_settings, ...subForm(form, 'invoice_settings') }
  const method = oneOf(form, 'collection_method', ['charge_automatically', 'send_invoice'])
  subscription.collection_method = method ?? subscription.collection_method
  subscription.days_until_due = optionalInteger(form, 'days_until_due') ?? subscription.days_until_due
  if (subscription.collection_method === 'charge_automatically') subscription.days_until_due = null
  else if (subscription.days_until_due === null)
    throw invalidRequestError('If you set `collection_method` to `send_invoice`, you must also set `days_until_due`.', {
      param: 'days_until_due',
    })
}

function applyEnd(simulation: Simulation, subscription: SubscriptionRecord, form: Form): void {
  const atPeriodEnd = optionalBoolean(form, 'cancel_at_period_end')
  const asked = optionalText(form, 'cancel_at')
  if (atPeriodEnd === undefined && asked === undefined) return
  if (subscription.schedule !== null)
    throw invalidRequestError(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  const at =
    atPeriodEnd === true || asked === 'min_period_end' || asked === 'max_period_end'
      ? periodOf(subscription).end
      : (optionalInteger(form, 'cancel_at') ?? null)
  if (at !== null && at < simulation.now())
    throw invalidRequestError('Invalid cancel_at: it must be in the future.', { param: 'cancel_at' })
  endAt(simulation, subscription, { at, atPeriodEnd: atPeriodEnd ?? false })
}

/** Sets when the subscription ends by itself; null = it goes on. */
export function endAt(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { at, atPeriodEnd }: { at: number | null; atPeriodEnd: boolean },
): void {
  subscription.cancel_at = at
  subscription.cancel_at_period_end = atPeriodEnd
  subscription.canceled_at = at === null ? null : simulation.now()
  subscription.cancel_reason = at === null ? null : 'cancellation_requested'
}

function parseTerms(simulation: Simulation, subscription: SubscriptionRecord, form: Form): ChangeTerms {
  const { start, end } = periodOf(subscription)
  const at = optionalInteger(form, 'proration_date') ?? simulation.now()
  if (form['proration_date'] !== undefined && (at < start || at > end))
    throw invalidRequestError('Invalid proration_date: it must be within the current period of the subscription.', {
      param: 'proration_date',
    })
  return { proration: oneOf(form, 'proration_behavior', PRORATIONS) ?? 'create_prorations', at }
}

function applyMoney(simulation: Simulation, subscription: SubscriptionRecord, form: Form): void {
  const items = changedItems(simulation, subscription, formList(form, 'items') ?? [])
  const terms = parseTerms(simulation, subscription, form)
  const trialEnd = optionalText(form, 'trial_end')
  const before = subscription.latest_invoice
  if (trialEnd !== undefined) changeTrial(simulation, subscription, { items, terms, trialEnd })
  else
    changeItems(simulation, subscription, { items, terms, anew: optionalText(form, 'billing_cycle_anchor') === 'now' })
  if (subscription.cancel_at_period_end) subscription.cancel_at = periodOf(subscription).end
  if (subscription.schedule !== null && form['items'] !== undefined) syncCurrentPhase(simulation, subscription)
  const made =
    subscription.latest_invoice === before ? undefined : simulation.state.invoices[subscription.latest_invoice ?? '']
  if (made?.status === 'open' && made.attempted && optionalText(form, 'payment_behavior') === 'error_if_incomplete')
    throw cardDeclinedError()
}

/** Puts other items in force, as terms say. */
export function changeItems(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { items, terms, anew }: { items: ItemRecord[]; terms: ChangeTerms; anew: boolean },
): void {
  const old = JSON.stringify(billingIntervalOf(simulation, subscription))
  const other = JSON.stringify(billingIntervalOf(simulation, { items })) !== old
  // A trial is free whatever is in it: nothing is to be settled, and it ends when it ends.
  if (subscription.status === 'trialing' && !anew) {
    subscription.items = items
    return
  }
  if (other || anew) {
    restart(simulation, subscription, { items, terms })
    return
  }
  const lines =
    terms.proration === 'none'
      ? []
      : prorations(simulation, subscription, { before: subscription.items, after: items, at: terms.at })
  subscription.items = items
  invoiceLines(simulation, subscription, { lines, now: terms.proration === 'always_invoice' })
}

/** A new period begins now, and is invoiced at once. */
function restart(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { items, terms }: { items: ItemRecord[]; terms: ChangeTerms },
): void {
  const now = simulation.now()
  const credit =
    terms.proration === 'none' || subscription.status === 'trialing'
      ? []
      : unusedTimeCredit(simulation, subscription, terms.at)
  subscription.items = items
  subscription.billing_cycle_anchor = now
  const period = periodAround(now, billingIntervalOf(simulation, subscription), now)
  setPeriod(subscription.items, period)
  if (subscription.status === 'trialing') {
    subscription.status = 'active'
    subscription.trial_end = now
  }
  invoiceLines(simulation, subscription, {
    lines: [...credit, ...fullPeriodLines(simulation, items, { period })],
    now: true,
  })
}

function changeTrial(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { items, terms, trialEnd }: { items: ItemRecord[]; terms: ChangeTerms; trialEnd: string },
): void {
  const now = simulation.now()
  const until = trialEnd === 'now' ? now : Number(trialEnd)
  if (!Number.isInteger(until) || (trialEnd !== 'now' && (until <= now || until > now + 730 * DAY_SECONDS)))
    throw invalidRequestError('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  if (trialEnd === 'now') {
    if (subscription.status === 'trialing') restart(simulation, subscription, { items, terms })
    else changeItems(simulation, subscription, { items, terms, anew: false })
    return
  }
  const credit =
    terms.proration === 'none' || subscription.status === 'trialing'
      ? []
      : unusedTimeCredit(simulation, subscription, terms.at)
  subscription.items = items
  subscription.trial_start ??= now
  subscription.trial_end = until
  if (subscription.status === 'active') subscription.status = 'trialing'
  subscription.billing_cycle_anchor = until
  const period = { start: now, end: until }
  setPeriod(subscription.items, period)
  const lines = [...credit, ...fullPeriodLines(simulation, items, { period, trial: true })]
  invoiceLines(simulation, subscription, { lines, now: true })
}

/** Lines are invoiced now, or wait for the next invoice. */
function invoiceLines(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { lines, now }: { lines: LineRecord[]; now: boolean },
): void {
  if (!now) {
    simulation.state.pending.push(...lines.map((line) => ({ subscription: subscription.id, line })))
    return
  }
  if (lines.length === 0) return
  const period = { start: simulation.now(), end: simulation.now() }
  const invoice = draftInvoice(simulation, subscription, { reason: 'subscription_update', lines, period })
  const nothing = invoice.lines.every(({ amount }) => amount === 0)
  if (subscription.collection_method === 'charge_automatically') finalizeAndCharge(simulation, invoice)
  else if (nothing) finalize(simulation, invoice)
}
