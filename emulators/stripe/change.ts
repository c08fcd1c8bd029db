import { DAY, periodAround } from './calendar.ts'
import { mustBeOwnCard } from './cards.ts'
import { noting } from './events.ts'
import { declined, invalid } from './faults.ts'
import { flag, list, metadataOf, oneOf, part, text, whole } from './form.ts'
import type { Form } from './form.ts'
import { advance, draftInvoice, finalize } from './invoices.ts'
import { cadence, changedItems, fullLines, periodOf, prorations, setPeriod, unused } from './items.ts'
import { phaseFollows } from './schedules.ts'
import { mustOfferTransfer } from './start.ts'
import type { ItemRecord, LineRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const
export type Proration = (typeof PRORATIONS)[number]

export interface Terms {
  proration: Proration
  /** The instant for which prorations are counted. */
  at: number
}

/** `POST /v1/subscriptions/:id`. */
export function updateSubscription(world: World, id: string, form: Form): object {
  const subscription = found(world.state.subscriptions, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    const harmless = Object.keys(form).every((name) => ['metadata', 'cancellation_details', 'expand'].includes(name))
    if (!harmless) throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  noting(world, 'customer.subscription.updated', {
    tell: () => subscriptionBody(world, subscription),
    change: () => {
      applySettings(world, subscription, form)
      applyEnd(world, subscription, form)
      applyMoney(world, subscription, form)
    },
  })
  return subscriptionBody(world, subscription)
}

function applySettings(world: World, subscription: SubscriptionRecord, form: Form): void {
  subscription.metadata = metadataOf(form, subscription.metadata)
  const description = text(form, 'description')
  if (description !== undefined) subscription.description = description || null
  const card = text(form, 'default_payment_method')
  if (card) mustBeOwnCard(world, subscription.customer, card)
  if (card !== undefined) subscription.default_payment_method = card || null
  const settings = part(form, 'payment_settings')
  if (settings !== undefined) mustOfferTransfer(world, settings)
  subscription.payment_settings = { ...subscription.payment_settings, ...settings }
  subscription.invoice_settings = { ...subscription.invoice_settings, ...part(form, 'invoice_settings') }
  const method = oneOf(form, 'collection_method', ['charge_automatically', 'send_invoice'])
  subscription.collection_method = method ?? subscription.collection_method
  subscription.days_until_due = whole(form, 'days_until_due') ?? subscription.days_until_due
  if (subscription.collection_method === 'charge_automatically') subscription.days_until_due = null
  else if (subscription.days_until_due === null)
    throw invalid('If you set `collection_method` to `send_invoice`, you must also set `days_until_due`.', {
      param: 'days_until_due',
    })
}

function applyEnd(world: World, subscription: SubscriptionRecord, form: Form): void {
  const atPeriodEnd = flag(form, 'cancel_at_period_end')
  const asked = text(form, 'cancel_at')
  if (atPeriodEnd === undefined && asked === undefined) return
  if (subscription.schedule !== null)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  const at =
    atPeriodEnd === true || asked === 'min_period_end' || asked === 'max_period_end'
      ? periodOf(subscription).end
      : (whole(form, 'cancel_at') ?? null)
  if (at !== null && at < world.now())
    throw invalid('Invalid cancel_at: it must be in the future.', { param: 'cancel_at' })
  endAt(world, subscription, { at, atPeriodEnd: atPeriodEnd ?? false })
}

/** Sets when the subscription ends by itself; null = it goes on. */
export function endAt(
  world: World,
  subscription: SubscriptionRecord,
  { at, atPeriodEnd }: { at: number | null; atPeriodEnd: boolean },
): void {
  subscription.cancel_at = at
  subscription.cancel_at_period_end = atPeriodEnd
  subscription.canceled_at = at === null ? null : world.now()
  subscription.cancel_reason = at === null ? null : 'cancellation_requested'
}

function termsOf(world: World, subscription: SubscriptionRecord, form: Form): Terms {
  const { start, end } = periodOf(subscription)
  const at = whole(form, 'proration_date') ?? world.now()
  if (form['proration_date'] !== undefined && (at < start || at > end))
    throw invalid('Invalid proration_date: it must be within the current period of the subscription.', {
      param: 'proration_date',
    })
  return { proration: oneOf(form, 'proration_behavior', PRORATIONS) ?? 'create_prorations', at }
}

function applyMoney(world: World, subscription: SubscriptionRecord, form: Form): void {
  const items = changedItems(world, subscription, list(form, 'items') ?? [])
  const terms = termsOf(world, subscription, form)
  const trialEnd = text(form, 'trial_end')
  const before = subscription.latest_invoice
  if (trialEnd !== undefined) changeTrial(world, subscription, { items, terms, trialEnd })
  else changeItems(world, subscription, { items, terms, anew: text(form, 'billing_cycle_anchor') === 'now' })
  if (subscription.cancel_at_period_end) subscription.cancel_at = periodOf(subscription).end
  if (subscription.schedule !== null && form['items'] !== undefined) phaseFollows(world, subscription)
  const made =
    subscription.latest_invoice === before ? undefined : world.state.invoices[subscription.latest_invoice ?? '']
  if (made?.status === 'open' && made.attempted && text(form, 'payment_behavior') === 'error_if_incomplete')
    throw declined()
}

/** Puts other items in force, as terms say. */
export function changeItems(
  world: World,
  subscription: SubscriptionRecord,
  { items, terms, anew }: { items: ItemRecord[]; terms: Terms; anew: boolean },
): void {
  const old = JSON.stringify(cadence(world, subscription))
  const other = JSON.stringify(cadence(world, { items })) !== old
  // A trial is free whatever is in it: nothing is to be settled, and it ends when it ends.
  if (subscription.status === 'trialing' && !anew) {
    subscription.items = items
    return
  }
  if (other || anew) {
    restart(world, subscription, { items, terms })
    return
  }
  const lines =
    terms.proration === 'none'
      ? []
      : prorations(world, subscription, { before: subscription.items, after: items, at: terms.at })
  subscription.items = items
  invoiceLines(world, subscription, { lines, now: terms.proration === 'always_invoice' })
}

/** A new period begins now, and is invoiced at once. */
function restart(
  world: World,
  subscription: SubscriptionRecord,
  { items, terms }: { items: ItemRecord[]; terms: Terms },
): void {
  const now = world.now()
  const credit =
    terms.proration === 'none' || subscription.status === 'trialing' ? [] : unused(world, subscription, terms.at)
  subscription.items = items
  subscription.billing_cycle_anchor = now
  const period = periodAround(now, cadence(world, subscription), now)
  setPeriod(subscription.items, period)
  if (subscription.status === 'trialing') {
    subscription.status = 'active'
    subscription.trial_end = now
  }
  invoiceLines(world, subscription, { lines: [...credit, ...fullLines(world, items, { period })], now: true })
}

function changeTrial(
  world: World,
  subscription: SubscriptionRecord,
  { items, terms, trialEnd }: { items: ItemRecord[]; terms: Terms; trialEnd: string },
): void {
  const now = world.now()
  const until = trialEnd === 'now' ? now : Number(trialEnd)
  if (!Number.isInteger(until) || (trialEnd !== 'now' && (until <= now || until > now + 730 * DAY)))
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
  if (trialEnd === 'now') {
    if (subscription.status === 'trialing') restart(world, subscription, { items, terms })
    else changeItems(world, subscription, { items, terms, anew: false })
    return
  }
  const credit =
    terms.proration === 'none' || subscription.status === 'trialing' ? [] : unused(world, subscription, terms.at)
  subscription.items = items
  subscription.trial_start ??= now
  subscription.trial_end = until
  if (subscription.status === 'active') subscription.status = 'trialing'
  subscription.billing_cycle_anchor = until
  const period = { start: now, end: until }
  setPeriod(subscription.items, period)
  const lines = [...credit, ...fullLines(world, items, { period, trial: true })]
  invoiceLines(world, subscription, { lines, now: true })
}

/** Lines are invoiced now, or wait for the next invoice. */
function invoiceLines(
  world: World,
  subscription: SubscriptionRecord,
  { lines, now }: { lines: LineRecord[]; now: boolean },
): void {
  if (!now) {
    world.state.pending.push(...lines.map((line) => ({ subscription: subscription.id, line })))
    return
  }
  if (lines.length === 0) return
  const period = { start: world.now(), end: world.now() }
  const invoice = draftInvoice(world, subscription, { reason: 'subscription_update', lines, period })
  const nothing = invoice.lines.every(({ amount }) => amount === 0)
  if (subscription.collection_method === 'charge_automatically') advance(world, invoice)
  else if (nothing) finalize(world, invoice)
}
