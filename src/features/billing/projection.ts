import { catalogueKeyOf } from './price-list'
import type { Stripe } from './stripe'
import { cataloguePriceOf } from '../../shared/billing/price-catalogue'
import type { CataloguePrice } from '../../shared/billing/price-catalogue'
import type { AddOnQuantities } from '../../shared/billing/entitlements'
import type { PlanId } from '../../shared/billing/plans'
import type { BillingInterval } from '../../shared/billing/prices'
import { CANCEL_REASONS } from './billing-account'
import type { ScheduledPlanChange, SubscriptionProjection } from './billing-account'

type PriceRef = Pick<Stripe.Price, 'lookup_key' | 'metadata'>
/** What is read of a subscription at Stripe. */
export type StripeSubscription = Pick<
  Stripe.Subscription,
  'id' | 'status' | 'created' | 'cancel_at' | 'cancel_at_period_end' | 'collection_method' | 'metadata'
> & {
  schedule: string | { id: string } | null
  items: {
    data: (Pick<Stripe.SubscriptionItem, 'current_period_start' | 'current_period_end'> & {
      price: PriceRef
      quantity?: number
    })[]
  }
}
/** What is read of an open invoice. */
export type StripeInvoice = Pick<Stripe.Invoice, 'collection_method' | 'due_date' | 'attempted' | 'created'> & {
  status_transitions: { finalized_at: number | null }
  parent: { subscription_details: { subscription: string | { id: string } } | null } | null
}

interface PurchasedItem {
  entry: CataloguePrice
  quantity: number
}
/** What these items are of our catalogue; others are none of ours. */
export const purchasedItems = (items: readonly { price: PriceRef; quantity?: number }[]): PurchasedItem[] =>
  items.flatMap(({ price, quantity = 1 }) => {
    const key = catalogueKeyOf(price)
    const entry = key === null ? undefined : cataloguePriceOf(key)
    return entry ? [{ entry, quantity }] : []
  })

export interface PurchasedPlan {
  planId: PlanId
  tier: number | null
  interval: BillingInterval
  addOns: AddOnQuantities
}

export function countAddOns(bought: readonly PurchasedItem[]): AddOnQuantities {
  const addOns: AddOnQuantities = {}
  for (const { entry, quantity } of bought)
    if (entry.sold.kind === 'addOn' && quantity > 0)
      addOns[entry.sold.addOnId] = (addOns[entry.sold.addOnId] ?? 0) + quantity
  return addOns
}

/** The plan among these items with its add-ons; null without one. */
export function findPlan(items: readonly { price: PriceRef; quantity?: number }[]): PurchasedPlan | null {
  const bought = purchasedItems(items)
  for (const { entry } of bought)
    if (entry.sold.kind === 'plan')
      return {
        planId: entry.sold.planId,
        tier: entry.sold.tier,
        interval: entry.interval,
        addOns: countAddOns(bought),
      }
  return null
}

/** Statuses of subscriptions that are in force. What was never paid for (`incomplete`) or has ended is not. */
const ACTIVE_STATUSES = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
/** Statuses in which nothing works any more, though Stripe keeps the subscription. */
const STOPPED_STATUSES = new Set(['unpaid', 'paused'])
const isStopped = ({ status }: Pick<StripeSubscription, 'status'>): boolean => STOPPED_STATUSES.has(status)

/** Of two that are paid for at once, the same is kept by whoever looks: one that works, then the one bought first. */
const byPrecedence = (a: StripeSubscription, b: StripeSubscription): number =>
  Number(isStopped(a)) - Number(isStopped(b)) || a.created - b.created || (a.id < b.id ? -1 : 1)

export interface ClassifiedSubscriptions {
  /** The subscription of the plan. */
  main: StripeSubscription | null
  /** Premium sync beside an older tier. */
  premium: StripeSubscription | null
  /** In force beside those: paid for twice. */
  duplicates: StripeSubscription[]
  /** Whether a plan was in force and has ended. */
  hadPlan: boolean
}

/** Which of a customer's subscriptions is what. Those that sell nothing of our catalogue are left out. */
export function classifySubscriptions(subscriptions: readonly StripeSubscription[]): ClassifiedSubscriptions {
  const live = subscriptions.filter(({ status }) => ACTIVE_STATUSES.has(status)).toSorted(byPrecedence)
  const hasPlan = ({ items }: StripeSubscription): boolean => findPlan(items.data) !== null
  const [main = null, ...moreMain] = live.filter(hasPlan)
  const [premium = null, ...morePremium] = live.filter(
    (one) => !hasPlan(one) && purchasedItems(one.items.data).length > 0,
  )
  const hadPlan = subscriptions.some((one) => one.status === 'canceled' && hasPlan(one))
  return { main, premium, duplicates: [...moreMain, ...morePremium], hadPlan }
}

/** A price that was deleted says nothing. */
type PhasePrice = { id: string } & Partial<Pick<Stripe.Price, 'lookup_key' | 'metadata'>>
/** What is read of the schedule of the plan's subscription. */
export type StripeSchedule = Pick<Stripe.SubscriptionSchedule, 'status'> & {
  phases: { start_date: number; items: { price: string | PhasePrice; quantity?: number }[] }[]
}
/** What Stripe says of a customer at one moment. */
export interface StripeObjects {
  /** All of the customer's, ended ones too. */
  subscriptions: StripeSubscription[]
  /** Those that are open. */
  invoices: StripeInvoice[]
  schedule: StripeSchedule | null
}
export const CANCEL_KEY = 'insikt_cancel'
/** In the metadata of a subscription: seconds of our trial that are yet to prolong a period which was paid at once. */
export const TRIAL_EXTENSION_KEY = 'insikt_trial_rest'
/** Our own part of the row, which Stripe has no say in, beside what stood there. */
export type PriorSubscription = SubscriptionProjection & { trialEndsAt: number | null }

/** The part of a row that is Stripe's, in one order: equal texts say the same. */
export const pickProjection = (row: SubscriptionProjection): SubscriptionProjection => ({
  state: row.state,
  planId: row.planId,
  tier: row.tier,
  interval: row.interval,
  addOns: Object.fromEntries(Object.entries(row.addOns).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  method: row.method,
  subscriptionId: row.subscriptionId,
  premiumId: row.premiumId,
  periodEndsAt: row.periodEndsAt,
  cancelAt: row.cancelAt,
  cancelReason: row.cancelReason,
  trialRestMs: row.trialRestMs,
  invoiceDueAt: row.invoiceDueAt,
  pastDueSince: row.pastDueSince,
  scheduled: row.scheduled,
})

const toMs = (seconds: number): number => seconds * 1000
const earliest = (instants: number[]): number | null => (instants.length === 0 ? null : Math.min(...instants))

/** A plan that the operator set: it is in force without a subscription. */
export const hasCustomPlan = (row: Pick<PriorSubscription, 'planId' | 'tier' | 'subscriptionId'>): boolean =>
  isOperatorPlan(row) || (row.planId !== null && row.subscriptionId === null)
/** A plan that is in no catalogue: nothing at Stripe replaces it. */
const isOperatorPlan = ({ planId, tier }: Pick<PriorSubscription, 'planId' | 'tier'>): boolean =>
  planId === 'enterprise' || (planId === 'legacy' && tier === null)

/** Where no subscription is in force. */
const NO_SUBSCRIPTION = {
  planId: null,
  tier: null,
  interval: null,
  method: null,
  subscriptionId: null,
  periodEndsAt: null,
  cancelAt: null,
  cancelReason: null,
  trialRestMs: null,
  invoiceDueAt: null,
  pastDueSince: null,
  scheduled: null,
} as const

/** The row that Stripe's objects make at `now` (epoch ms), whatever we heard of them before and in which order. */
export function projectSubscription(
  objects: StripeObjects,
  subscription: PriorSubscription,
  now: number,
): SubscriptionProjection {
  const { main, premium, hadPlan } = classifySubscriptions(objects.subscriptions)
  const plan = main && findPlan(main.items.data)
  // Premium sync goes with an older tier: beside a plan of today it gives nothing, though it is paid to its end.
  const isBesideTier = plan === null || plan.planId === 'legacy'
  const premiumAddOns = premium && isBesideTier ? countAddOns(purchasedItems(premium.items.data)) : {}
  const addOns = { ...plan?.addOns, ...premiumAddOns }
  const premiumId = premium?.id ?? null
  if (main === null || plan === null)
    return { ...NO_SUBSCRIPTION, ...stateWithoutSubscription(subscription, hadPlan, now), addOns, premiumId }
  const { state, ...due } = paymentState(objects, { main, before: subscription, now })
  const scheduled = scheduledChangeOf(objects.schedule, { main, plan, premium }, now)
  // A change that waits happens when Stripe's period ends: the rest of the trial prolongs the one after it.
  const extensionSeconds = scheduled === null && !isStopped(main) ? trialExtensionSecondsOf(main) : 0
  return {
    ...(isOperatorPlan(subscription) ? operatorPlanOf(subscription) : { state, planId: plan.planId, tier: plan.tier }),
    ...due,
    interval: plan.interval,
    addOns,
    method: main.collection_method === 'send_invoice' ? 'invoice' : 'card',
    subscriptionId: main.id,
    premiumId,
    periodEndsAt: periodEnd(main) + toMs(extensionSeconds),
    cancelAt: endsWithPeriod(main)
      ? periodEnd(main) + toMs(extensionSeconds)
      : main.cancel_at === null
        ? null
        : toMs(main.cancel_at),
    trialRestMs: extensionSeconds === 0 ? null : toMs(extensionSeconds),
    cancelReason: CANCEL_REASONS.find((reason) => reason === main.metadata[CANCEL_KEY]) ?? null,
    scheduled,
  }
}

/** Seconds of our trial that are yet to prolong a period. */
export function trialExtensionSecondsOf({ metadata }: Pick<StripeSubscription, 'metadata'>): number {
  const rest = Number(metadata[TRIAL_EXTENSION_KEY] ?? 0)
  return Number.isSafeInteger(rest) && rest > 0 ? rest : 0
}

/** Whether it ends when what is paid for has been used, rather than on a day of its own. */
export const endsWithPeriod = (one: StripeSubscription): boolean =>
  one.cancel_at === null ? one.cancel_at_period_end : toMs(one.cancel_at) === periodEnd(one)

type PlanState = Pick<SubscriptionProjection, 'state' | 'planId' | 'tier'>
const operatorPlanOf = ({ state, planId, tier }: PriorSubscription): PlanState => ({ state, planId, tier })

/** What is in force without a subscription: the operator's plan, our trial, or nothing any more. */
function stateWithoutSubscription(subscription: PriorSubscription, ended: boolean, now: number): PlanState {
  if (hasCustomPlan(subscription)) return operatorPlanOf(subscription)
  const { trialEndsAt } = subscription
  const isTrialing = trialEndsAt !== null && (now < trialEndsAt || !ended)
  return { planId: null, tier: null, state: isTrialing ? 'trialing' : ended ? 'canceled' : 'awaiting_checkout' }
}

interface PaymentInput {
  main: StripeSubscription
  before: PriorSubscription
  now: number
}
/** How far the customer is with paying. */
function paymentState(
  { subscriptions, invoices }: StripeObjects,
  { main, before, now }: PaymentInput,
): Pick<SubscriptionProjection, 'state' | 'invoiceDueAt' | 'pastDueSince'> {
  // What was begun and never completed owes nothing.
  const incompleteIds = new Set(
    subscriptions.filter(({ status }) => status.startsWith('incomplete')).map(({ id }) => id),
  )
  const dueDates = invoices
    .filter((invoice) => !incompleteIds.has(subscriptionIdOf(invoice) ?? ''))
    .map(invoiceDueDates)
  const invoiceDueAt = earliest(dueDates.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt])))
  const overdue = earliest(
    dueDates.flatMap(({ overdueAt }) => (overdueAt === null || overdueAt > now ? [] : [overdueAt])),
  )
  // Stripe may know of a payment that failed without an invoice that says when it was due. Where one does, it counts:
  // a subscription stays `past_due` there for its newest invoice, whichever of them was paid.
  const isUnexplained = dueDates.every(({ dueAt, overdueAt }) => dueAt === null && overdueAt === null)
  const failedSince = main.status === 'past_due' && isUnexplained ? (before.pastDueSince ?? now) : null
  const pastDueSince = overdue ?? failedSince
  const state = isStopped(main)
    ? 'restricted'
    : pastDueSince !== null
      ? 'past_due'
      : invoiceDueAt !== null
        ? 'invoice_pending'
        : 'active'
  return { state, invoiceDueAt, pastDueSince }
}

const subscriptionIdOf = ({ parent }: StripeInvoice): string | null => {
  const subscription = parent?.subscription_details?.subscription ?? null
  return typeof subscription === 'string' ? subscription : (subscription?.id ?? null)
}

/** When an invoice is due, and from when on it is overdue; a card's is due at once, and overdue once it was tried. */
export function invoiceDueDates(invoice: Omit<StripeInvoice, 'parent'>): {
  dueAt: number | null
  overdueAt: number | null
} {
  if (invoice.collection_method === 'send_invoice') {
    const dueAt = invoice.due_date === null ? null : toMs(invoice.due_date)
    return { dueAt, overdueAt: dueAt }
  }
  const attemptedAt = toMs(invoice.status_transitions.finalized_at ?? invoice.created)
  return { dueAt: null, overdueAt: invoice.attempted ? attemptedAt : null }
}

/** Epoch ms, as Stripe counts. */
export const periodEnd = ({ items }: StripeSubscription): number =>
  Math.max(...items.data.map(({ current_period_end: end }) => toMs(end)))

interface ActiveSubscriptions {
  main: StripeSubscription
  plan: PurchasedPlan
  premium: StripeSubscription | null
}

/** The change that waits: what the first phase holds that has not begun, or the end of Premium sync alone. */
function scheduledChangeOf(
  schedule: StripeSchedule | null,
  active: ActiveSubscriptions,
  now: number,
): ScheduledPlanChange | null {
  const { main, premium } = active
  const { planId, interval, addOns } = active.plan
  const isActive = schedule?.status === 'active' || schedule?.status === 'not_started'
  const next = isActive ? schedule.phases.find(({ start_date: start }) => toMs(start) > now) : undefined
  const items = next?.items.flatMap(pricedPhaseItem) ?? []
  const followingPlan = findPlan(items)
  if (next && followingPlan) {
    const premiumAddOns = premium === null ? {} : countAddOns(purchasedItems(premium.items.data))
    const { planId: nextPlanId, interval: nextInterval } = followingPlan
    const at = toMs(next.start_date)
    return { planId: nextPlanId, interval: nextInterval, addOns: { ...followingPlan.addOns, ...premiumAddOns }, at }
  }
  const premiumChange = countAddOns(purchasedItems(items))
  if (next && Object.keys(premiumChange).length > 0)
    return { planId, interval, addOns: { ...addOns, ...premiumChange }, at: toMs(next.start_date) }
  if (premium === null || !premium.cancel_at_period_end || main.cancel_at_period_end) return null
  return { planId, interval, addOns, at: periodEnd(premium) }
}

const pricedPhaseItem = ({ price, quantity }: StripeSchedule['phases'][number]['items'][number]) =>
  typeof price === 'string' || !price.metadata
    ? []
    : [
        {
          price: { lookup_key: price.lookup_key ?? null, metadata: price.metadata },
          ...(quantity === undefined ? {} : { quantity }),
        },
      ]
