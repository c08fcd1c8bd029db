import { GATE_NAMES, GRACE_MS, LIMIT_NAMES, planById, PREMIUM_SYNC_SIZES, TRIAL_FEATURES } from './plans'
import type { AddOnId, PlanLimit, LimitName, PlanFeatures, PlanId } from './plans'

export const SUBSCRIPTION_STATES = [
  'trialing',
  'trial_expired',
  'awaiting_checkout',
  'active',
  'invoice_pending',
  'past_due',
  'restricted',
  'canceled',
] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/** How many of each add-on are paid for; absent = none. */
export type AddOnQuantities = Partial<Record<AddOnId, number>>

/** What the workspace's subscription row says; all that entitlements are computed from. Instants are epoch ms. */
export interface Subscription {
  /** As last read from billing, or as we set it where billing has no say (trial, custom plans). */
  state: SubscriptionState
  planId: PlanId | null
  /** The end of our own trial. */
  trialEndsAt: number | null
  /** An administrator's own limits and gates, in place of the plan's. */
  override: Partial<PlanFeatures> | null
  addOns: AddOnQuantities
  /** Older tiers only: the number of data sources that names the tier. */
  tier: number | null
  /** When an open invoice is due. */
  invoiceDueAt: number | null
  /** When the oldest unpaid invoice became overdue. */
  pastDueSince: number | null
  /** When billing was last asked. */
  fetchedAt: number
  /** The end of what is paid for; null where nothing is bought. */
  periodEndsAt: number | null
}

export type ReadOnlyReason = 'trial_expired' | 'awaiting_checkout' | 'restricted' | 'canceled' | 'frozen'

/** How often sources may be synced: `sources` of them (null: all) every `hours`, the others every `otherHours`. */
interface SyncPace {
  hours: number
  sources: PlanLimit
  otherHours: number
}

export interface Entitlements {
  state: SubscriptionState
  planId: PlanId | null
  features: PlanFeatures
  /** What of `features` is paid for beside the plan: whoever offers more, offers it beside this. */
  addOns: AddOnQuantities
  syncPace: SyncPace
  readOnly: ReadOnlyReason | null
  trialEndsAt: number | null
  /** While `past_due`: when the workspace becomes read-only. Epoch ms. */
  graceEndsAt: number | null
  /** The end of what is paid for, from which months of billing are counted; null where nothing is bought. Epoch ms. */
  periodEndsAt: number | null
}

/** Where nothing has been paid, asked or set. */
export const NO_SUBSCRIPTION: Subscription = {
  state: 'awaiting_checkout',
  planId: null,
  trialEndsAt: null,
  override: null,
  addOns: {},
  tier: null,
  invoiceDueAt: null,
  pastDueSince: null,
  fetchedAt: 0,
  periodEndsAt: null,
}

const READ_ONLY_STATES: readonly SubscriptionState[] = ['trial_expired', 'awaiting_checkout', 'restricted', 'canceled']
const isReadOnly = (state: SubscriptionState): state is SubscriptionState & ReadOnlyReason =>
  READ_ONLY_STATES.includes(state)

/**
 * Plan ∪ administrator's override ∪ add-ons, and whether the workspace may be written to at `now` (epoch ms). Add-ons
 * count on top of an override: what is paid for is given.
 */
export function computeEntitlements(subscription: Subscription, now: number): Entitlements {
  const { planId, trialEndsAt, addOns, periodEndsAt } = subscription
  const { state, graceEndsAt } = effectiveState(subscription, now)
  const readOnly = isReadOnly(state) ? state : null
  const [features, syncPace] = [featuresOf(subscription), syncPaceOf(subscription)]
  return { state, planId, features, addOns, syncPace, readOnly, trialEndsAt, graceEndsAt, periodEndsAt }
}

/**
 * The state that time has made of the stored one. Nobody is locked out by our own clock alone: an overdue payment
 * restricts only once billing was asked after the grace had ended and still knew of none.
 */
function effectiveState(
  subscription: Subscription,
  now: number,
): { state: SubscriptionState; graceEndsAt: number | null } {
  const { state, trialEndsAt, invoiceDueAt, pastDueSince, fetchedAt } = subscription
  if (state === 'trialing' && trialEndsAt !== null && now >= trialEndsAt)
    return { state: 'trial_expired', graceEndsAt: null }
  const overdue = state === 'invoice_pending' && invoiceDueAt !== null && now >= invoiceDueAt
  if (!overdue && state !== 'past_due') return { state, graceEndsAt: null }
  const graceEndsAt = (pastDueSince ?? invoiceDueAt ?? fetchedAt) + GRACE_MS
  if (now >= graceEndsAt && fetchedAt >= graceEndsAt) return { state: 'restricted', graceEndsAt: null }
  return { state: 'past_due', graceEndsAt }
}

const addToLimit = (planLimit: PlanLimit, more: number): PlanLimit => (planLimit === null ? null : planLimit + more)
const USERS_PER_PACK = 10
const HOURLY_SYNC_HOURS = 1

/** Frequent sync is for every source, a Premium sync for as many as it names (decision 174). */
function syncPaceOf({ planId, override, addOns }: Pick<Subscription, 'planId' | 'override' | 'addOns'>): SyncPace {
  const plan = planId === null ? TRIAL_FEATURES : (planById(planId)?.features ?? TRIAL_FEATURES)
  const otherHours = override?.syncFrequencyHours ?? plan.syncFrequencyHours
  const sources = Math.max(
    0,
    ...PREMIUM_SYNC_SIZES.map((size) => ((addOns[`premium_sync_${size}`] ?? 0) > 0 ? size : 0)),
  )
  const hours = Math.min(HOURLY_SYNC_HOURS, otherHours)
  if ((addOns.frequent_sync ?? 0) > 0) return { hours, sources: null, otherHours: hours }
  if (sources > 0 && hours < otherHours) return { hours, sources, otherHours }
  return { hours: otherHours, sources: null, otherHours }
}

/** Limits and gates in force, whatever the state. */
export function featuresOf({
  planId,
  override,
  addOns,
  tier,
}: Pick<Subscription, 'planId' | 'override' | 'addOns' | 'tier'>): PlanFeatures {
  const plan = planId === null ? TRIAL_FEATURES : (planById(planId)?.features ?? TRIAL_FEATURES)
  const base = { ...plan, ...(tier === null ? {} : { dataSources: tier }), ...override }
  const { extra_analyst: analysts = 0, user_pack_10: packs = 0, extra_source: sources = 0 } = addOns
  return {
    ...base,
    analysts: addToLimit(base.analysts, analysts),
    users: addToLimit(base.users, analysts + packs * USERS_PER_PACK),
    dataSources: addToLimit(base.dataSources, sources),
    syncFrequencyHours: syncPaceOf({ planId, override, addOns }).hours,
  }
}

/** Whether a change takes anything away: then it waits for the end of the period that is paid. */
export function isDowngrade(from: PlanFeatures, to: PlanFeatures): boolean {
  const isLess = (name: LimitName): boolean => to[name] !== null && (from[name] === null || to[name] < from[name])
  return (
    LIMIT_NAMES.some(isLess) ||
    GATE_NAMES.some((gate) => from[gate] && !to[gate]) ||
    to.syncFrequencyHours > from.syncFrequencyHours
  )
}
