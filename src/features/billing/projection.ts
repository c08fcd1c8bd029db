import { addOnsOf, boughtBy, isStopped, planOf, sortOut } from './sorting'
import type { Held as HeldPlan, StripeInvoice, StripeSubscription } from './sorting'
import type { Stripe } from './stripe'
import type { StoredChange } from '../../db/schema'
import type { AddOnQuantities, SubscriptionState } from '../../shared/entitlements'
import type { PlanId } from '../../shared/plans'
import type { Interval } from '../../shared/prices'
import type { PayMethod } from '../../shared/subscription'

/** A price that was deleted says nothing. */
type PhasePrice = { id: string } & Partial<Pick<Stripe.Price, 'lookup_key' | 'metadata'>>
/** What is read of the schedule of the plan's subscription. */
export type StripeSchedule = Pick<Stripe.SubscriptionSchedule, 'status'> & {
  phases: { start_date: number; items: { price: string | PhasePrice; quantity?: number }[] }[]
}
/** What Stripe says of a customer at one moment. */
export interface Answer {
  /** All of the customer's, ended ones too. */
  subscriptions: StripeSubscription[]
  /** Those that are open. */
  invoices: StripeInvoice[]
  schedule: StripeSchedule | null
}

export const CANCEL_REASONS = ['unpaid', 'deleted'] as const
/** Why we ask Stripe to end a subscription with its period; it stands in the subscription's metadata under this key. */
export type CancelReason = (typeof CANCEL_REASONS)[number]
export const CANCEL_KEY = 'insikt_cancel'
/** In the metadata of a subscription: seconds of our trial that are yet to prolong a period which was paid at once. */
export const REST_KEY = 'insikt_trial_rest'

/** The columns that are made equal to Stripe's objects. Instants are epoch ms. */
export interface Projected {
  state: SubscriptionState
  planId: PlanId | null
  tier: number | null
  interval: Interval | null
  addOns: AddOnQuantities
  method: PayMethod | null
  subscriptionId: string | null
  premiumId: string | null
  periodEndsAt: number | null
  cancelAt: number | null
  cancelReason: CancelReason | null
  /** The part of `periodEndsAt` that Stripe is yet to be told of (ms). */
  trialRestMs: number | null
  invoiceDueAt: number | null
  pastDueSince: number | null
  scheduled: StoredChange | null
}
/** Our own part of the row, which Stripe has no say in, beside what stood there. */
export type Before = Projected & { trialEndsAt: number | null }

/** The part of a row that is Stripe's, in one order: equal texts say the same. */
export const projectedOf = (row: Projected): Projected => ({
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

const ms = (seconds: number): number => seconds * 1000
const earliest = (instants: number[]): number | null => (instants.length === 0 ? null : Math.min(...instants))

/** A plan that the operator set: it is in force without a subscription. */
export const isCustom = (row: Pick<Before, 'planId' | 'tier' | 'subscriptionId'>): boolean =>
  isOperators(row) || (row.planId !== null && row.subscriptionId === null)
/** A plan that is in no catalogue: nothing at Stripe replaces it. */
const isOperators = ({ planId, tier }: Pick<Before, 'planId' | 'tier'>): boolean =>
  planId === 'enterprise' || (planId === 'legacy' && tier === null)

/** Where no subscription is in force. */
const NOTHING = {
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
export function project(answer: Answer, before: Before, now: number): Projected {
  const { main, premium, ended } = sortOut(answer.subscriptions)
  const plan = main && planOf(main.items.data)
  const addOns = { ...plan?.addOns, ...(premium && addOnsOf(boughtBy(premium.items.data))) }
  const premiumId = premium?.id ?? null
  if (main === null || plan === null) return { ...NOTHING, ...unpaid(before, ended, now), addOns, premiumId }
  const { state, ...due } = payment(answer, { main, before, now })
  const scheduled = scheduledBy(answer.schedule, { main, plan, premium }, now)
  // A change that waits happens when Stripe's period ends: the rest of the trial prolongs the one after it.
  const rest = scheduled === null && !isStopped(main) ? trialRestOf(main) : 0
  return {
    ...(isOperators(before) ? { ...ownPlan(before) } : { state, planId: plan.planId, tier: plan.tier }),
    ...due,
    interval: plan.interval,
    addOns,
    method: main.collection_method === 'send_invoice' ? 'invoice' : 'card',
    subscriptionId: main.id,
    premiumId,
    periodEndsAt: periodEnd(main) + ms(rest),
    cancelAt: endsWithPeriod(main) ? periodEnd(main) + ms(rest) : main.cancel_at === null ? null : ms(main.cancel_at),
    trialRestMs: rest === 0 ? null : ms(rest),
    cancelReason: CANCEL_REASONS.find((reason) => reason === main.metadata[CANCEL_KEY]) ?? null,
    scheduled,
  }
}

/** Seconds of our trial that are yet to prolong a period. */
export function trialRestOf({ metadata }: Pick<StripeSubscription, 'metadata'>): number {
  const rest = Number(metadata[REST_KEY] ?? 0)
  return Number.isSafeInteger(rest) && rest > 0 ? rest : 0
}

/** Whether it ends when what is paid for has been used, rather than on a day of its own. */
export const endsWithPeriod = (one: StripeSubscription): boolean =>
  one.cancel_at === null ? one.cancel_at_period_end : ms(one.cancel_at) === periodEnd(one)

const ownPlan = ({ state, planId, tier }: Before): Pick<Projected, 'state' | 'planId' | 'tier'> => ({
  state,
  planId,
  tier,
})

/** What is in force without a subscription: the operator's plan, our trial, or nothing any more. */
function unpaid(before: Before, ended: boolean, now: number): Pick<Projected, 'state' | 'planId' | 'tier'> {
  if (isCustom(before)) return ownPlan(before)
  const { trialEndsAt } = before
  const tries = trialEndsAt !== null && (now < trialEndsAt || !ended)
  return { ...NOTHING_BOUGHT, state: tries ? 'trialing' : ended ? 'canceled' : 'awaiting_checkout' }
}
const NOTHING_BOUGHT = { planId: null, tier: null }

interface Paying {
  main: StripeSubscription
  before: Before
  now: number
}
/** How far the customer is with paying. */
function payment(
  { subscriptions, invoices }: Answer,
  { main, before, now }: Paying,
): Pick<Projected, 'state' | 'invoiceDueAt' | 'pastDueSince'> {
  // What was begun and never completed owes nothing.
  const begun = new Set(subscriptions.filter(({ status }) => status.startsWith('incomplete')).map(({ id }) => id))
  const owed = invoices.filter((invoice) => !begun.has(subscriptionIdOf(invoice) ?? '')).map(dueOf)
  const invoiceDueAt = earliest(owed.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt])))
  const overdue = earliest(owed.flatMap(({ overdueAt }) => (overdueAt === null || overdueAt > now ? [] : [overdueAt])))
  // Stripe may know of a payment that failed without an invoice that is open.
  const pastDueSince = overdue ?? (main.status === 'past_due' ? (before.pastDueSince ?? now) : null)
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
export function dueOf(invoice: Omit<StripeInvoice, 'parent'>): { dueAt: number | null; overdueAt: number | null } {
  if (invoice.collection_method === 'send_invoice') {
    const dueAt = invoice.due_date === null ? null : ms(invoice.due_date)
    return { dueAt, overdueAt: dueAt }
  }
  const triedAt = ms(invoice.status_transitions.finalized_at ?? invoice.created)
  return { dueAt: null, overdueAt: invoice.attempted ? triedAt : null }
}

/** Epoch ms, as Stripe counts. */
export const periodEnd = ({ items }: StripeSubscription): number =>
  Math.max(...items.data.map(({ current_period_end: end }) => ms(end)))

interface InForce {
  main: StripeSubscription
  plan: HeldPlan
  premium: StripeSubscription | null
}

/** The change that waits: what the first phase holds that has not begun, or the end of Premium sync alone. */
function scheduledBy(schedule: StripeSchedule | null, held: InForce, now: number): StoredChange | null {
  const { main, premium } = held
  const { planId, interval, addOns } = held.plan
  const runs = schedule?.status === 'active' || schedule?.status === 'not_started'
  const next = runs ? schedule.phases.find(({ start_date: start }) => ms(start) > now) : undefined
  const items = next?.items.flatMap(priced) ?? []
  const later = planOf(items)
  if (next && later) {
    const beside = premium === null ? {} : addOnsOf(boughtBy(premium.items.data))
    const { planId: nextPlan, interval: nextInterval } = later
    const at = ms(next.start_date)
    return { planId: nextPlan, interval: nextInterval, addOns: { ...later.addOns, ...beside }, at }
  }
  const smaller = addOnsOf(boughtBy(items))
  if (next && Object.keys(smaller).length > 0)
    return { planId, interval, addOns: { ...addOns, ...smaller }, at: ms(next.start_date) }
  if (premium === null || !premium.cancel_at_period_end || main.cancel_at_period_end) return null
  return { planId, interval, addOns, at: periodEnd(premium) }
}

const priced = ({ price, quantity }: StripeSchedule['phases'][number]['items'][number]) =>
  typeof price === 'string' || !price.metadata
    ? []
    : [
        {
          price: { lookup_key: price.lookup_key ?? null, metadata: price.metadata },
          ...(quantity === undefined ? {} : { quantity }),
        },
      ]
