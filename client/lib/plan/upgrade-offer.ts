import { queryOptions, useQuery } from '@tanstack/react-query'
import { ADD_ON_NOUNS, FEATURE_LABELS, formatLimit } from './plan-labels'
import {
  ADD_ON_IDS,
  addOnById,
  planById,
  SELLABLE_PLAN_IDS,
  GATE_NAMES,
  LIMIT_NAMES,
} from '../../../src/shared/billing/plans'
import type { GateName, LimitName, PlanFeatures, PlanId, SellablePlanId } from '../../../src/shared/billing/plans'
import { featuresOf, isDowngrade } from '../../../src/shared/billing/entitlements'
import type { AddOnQuantities, Entitlements, ReadOnlyReason } from '../../../src/shared/billing/entitlements'
import { toMinorUnits, type MoneyAmount } from '../../../src/shared/billing/prices'
import type { PublicConfig } from '../../../src/shared/session'
import { ApiError, readJson, api } from '../api'
import { readOnlyReasonOf } from '../describe-error'
import { useMay } from '../gate'
import { useMoney } from '../money'
import { session, useSession } from '../session'
import type { Member } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'
import { TERMS } from '../../../src/shared/terms'
import { capitalize } from '../../../src/shared/text'

/** What is missing. `count`: so many must fit; absent = one more than there may be now. */
export type PlanNeed =
  | { kind: 'gate'; gate: GateName }
  | { kind: 'limit'; limit: LimitName; count?: number }
  | { kind: 'write'; reason: ReadOnlyReason }
type UnmetNeed = Exclude<PlanNeed, { kind: 'write' }>

export const SUBSCRIPTION_PAGE = '/settings/workspace/subscription'
export const CHECKOUT_PAGE = '/settings/workspace/subscription/checkout'

/** The page that sells it, and what is chosen there already: the whole choice, with what is held beside it. */
export type OfferTarget =
  | { to: typeof SUBSCRIPTION_PAGE }
  | { to: typeof CHECKOUT_PAGE; search: { plan: SellablePlanId; interval?: 'monthly'; addOns: string } }

/** The one thing that helps. */
export interface Offer {
  /** A verb and its object, for a button: "Add an extra data source". */
  action: string
  /** What is bought, in words: "Extra data source". */
  title: string
  /** What comes of it, as a sentence. */
  gives: string
  /** Per month; `from`: the least of several. Null where it has no price of its own. */
  costs: { amount: MoneyAmount; from: boolean } | null
  target: OfferTarget
}

/** What a workspace has: of its entitlements, what an offer depends on. */
export type CurrentPlan = Pick<Entitlements, 'planId' | 'features' | 'addOns'>

interface PlanOption {
  planId: SellablePlanId
  addOns: AddOnQuantities
  features: PlanFeatures
  /** What it costs in whole euro per month. */
  monthly: number
}

/** Limits that grow by add-ons, with how much one brings. */
const ADD_ON_BY_LIMIT = {
  analysts: { id: 'extra_analyst', brings: 1 },
  users: { id: 'user_pack_10', brings: 10 },
  dataSources: { id: 'extra_source', brings: 1 },
} as const
type AddOnLimit = keyof typeof ADD_ON_BY_LIMIT
const hasAddOn = (limit: LimitName): limit is AddOnLimit => limit in ADD_ON_BY_LIMIT

/**
 * The cheapest way out of a gate or limit that takes nothing away: add-ons beside the plan that is held, or another plan;
 * for a workspace that takes no changes, the way back. Null where billing is off: there is nothing to buy.
 */
export function offerFor(planNeed: PlanNeed, currentPlan: CurrentPlan, billing: PublicConfig['billing']): Offer | null {
  if (billing === 'off') return null
  if (planNeed.kind === 'write') return reactivationOffer(planNeed.reason)
  if (currentPlan.planId === 'enterprise' || currentPlan.planId === 'legacy') return CUSTOM_CONTRACT_OFFER
  const choice = SELLABLE_PLAN_IDS.map((planId) => planOptionFor(planId, planNeed, currentPlan))
    .filter(
      ({ features }) => meetsNeed(features, planNeed, currentPlan) && !isDowngrade(currentPlan.features, features),
    )
    .toSorted((a, b) => a.monthly - b.monthly)[0]
  if (!choice) return ENTERPRISE_OFFER
  const addOns = ADD_ON_IDS.flatMap((id) => (choice.addOns[id] ? [`${id}:${choice.addOns[id]}`] : [])).join(',')
  const search = {
    plan: choice.planId,
    // Whoever pays already goes on paying as often as before.
    ...(currentPlan.planId === null ? { interval: 'monthly' as const } : {}),
    addOns,
  }
  return { ...describeOffer(choice, planNeed, currentPlan), target: { to: CHECKOUT_PAGE, search } }
}

/** Everything on sale is priced in euro. */
const euroPrice = (amount: number, from = false): NonNullable<Offer['costs']> => ({
  amount: { minor: toMinorUnits(amount, 'EUR'), currency: 'eur' },
  from,
})
const priceOf = (planId: PlanId, addOns: AddOnQuantities): number =>
  ADD_ON_IDS.reduce(
    (sum, id) => sum + (addOns[id] ?? 0) * (addOnById(id)?.prices.monthly.amount ?? 0),
    planById(planId)?.prices.monthly.amount ?? 0,
  )

/** How many must fit. */
function requiredCount(limit: LimitName, need: UnmetNeed, { features }: CurrentPlan): number {
  const has = features[limit] ?? 0
  return need.kind === 'limit' && need.limit === limit ? Math.max(need.count ?? 0, has + 1) : has
}

function meetsNeed(features: PlanFeatures, need: UnmetNeed, currentPlan: CurrentPlan): boolean {
  if (need.kind === 'gate') return features[need.gate]
  const has = features[need.limit]
  return has === null || has >= requiredCount(need.limit, need, currentPlan)
}

/** A plan with as few add-ons as it takes to meet the need and to keep what is there. */
function planOptionFor(planId: SellablePlanId, need: UnmetNeed, currentPlan: CurrentPlan): PlanOption {
  const addOns =
    currentPlan.planId === planId
      ? addOnsForCurrentPlan(need, currentPlan)
      : addOnsForOtherPlan(planId, need, currentPlan)
  const monthly = priceOf(planId, addOns)
  if (currentPlan.planId !== planId)
    return { planId, addOns, monthly, features: featuresOf({ planId, addOns, override: null, tier: null }) }
  // Grown from what there is: an administrator may have given more than the plan.
  const more = (id: 'extra_analyst' | 'user_pack_10' | 'extra_source'): number =>
    (addOns[id] ?? 0) - (currentPlan.addOns[id] ?? 0)
  const grown = {
    extra_analyst: more('extra_analyst'),
    user_pack_10: more('user_pack_10'),
    extra_source: more('extra_source'),
  }
  const features = featuresOf({ planId, override: currentPlan.features, addOns: grown, tier: null })
  return { planId, addOns, monthly, features }
}

function addOnsForCurrentPlan(need: UnmetNeed, currentPlan: CurrentPlan): AddOnQuantities {
  if (need.kind === 'gate' || !hasAddOn(need.limit)) return currentPlan.addOns
  const { id, brings } = ADD_ON_BY_LIMIT[need.limit]
  const missing = requiredCount(need.limit, need, currentPlan) - (currentPlan.features[need.limit] ?? 0)
  return { ...currentPlan.addOns, [id]: (currentPlan.addOns[id] ?? 0) + Math.ceil(missing / brings) }
}

function addOnsForOtherPlan(planId: SellablePlanId, need: UnmetNeed, currentPlan: CurrentPlan): AddOnQuantities {
  const bare = featuresOf({ planId, override: null, addOns: {}, tier: null })
  const short = (limit: AddOnLimit, also = 0): number =>
    bare[limit] === null ? 0 : Math.max(0, requiredCount(limit, need, currentPlan) - bare[limit] - also)
  const analysts = short('analysts')
  return {
    extra_analyst: analysts,
    // An extra analyst is a further user, too.
    user_pack_10: Math.ceil(short('users', analysts) / ADD_ON_BY_LIMIT.users.brings),
    extra_source: short('dataSources'),
    frequent_sync: currentPlan.features.syncFrequencyHours < bare.syncFrequencyHours ? 1 : 0,
  }
}

const describeGain = (features: PlanFeatures, need: UnmetNeed, currentPlan: CurrentPlan): string =>
  need.kind === 'gate'
    ? FEATURE_LABELS[need.gate].gives
    : `${capitalize(formatLimit(need.limit, features[need.limit]))} instead of ${currentPlan.features[need.limit] ?? 0}.`

function describeOffer(
  { planId, addOns, features, monthly }: PlanOption,
  need: UnmetNeed,
  currentPlan: CurrentPlan,
): Omit<Offer, 'target'> {
  const gives = describeGain(features, need, currentPlan)
  if (currentPlan.planId === planId && need.kind === 'limit' && hasAddOn(need.limit)) {
    const { id } = ADD_ON_BY_LIMIT[need.limit]
    const count = (addOns[id] ?? 0) - (currentPlan.addOns[id] ?? 0)
    const name = addOnById(id)?.name ?? ''
    return {
      action: `Add ${ADD_ON_NOUNS[id](count)}`,
      title: count === 1 ? name : `${count} × ${name}`,
      gives,
      costs: euroPrice(priceOf(planId, addOns) - priceOf(planId, currentPlan.addOns)),
    }
  }
  const name = planById(planId)?.name ?? ''
  const action = currentPlan.planId === null ? `Choose ${name}` : `Change to ${name}`
  return { action, title: `${name} plan`, gives, costs: euroPrice(monthly) }
}

const ENTERPRISE_OFFER: Offer = {
  action: 'Ask about Enterprise',
  title: 'Enterprise plan',
  gives: 'Custom limits and price.',
  costs: null,
  target: { to: SUBSCRIPTION_PAGE },
}
const CUSTOM_CONTRACT_OFFER: Offer = {
  action: 'View subscription',
  title: 'Custom agreement',
  gives: 'Contact us to change it.',
  costs: null,
  target: { to: SUBSCRIPTION_PAGE },
}

const LOWEST_PLAN_PRICE = euroPrice(Math.min(...SELLABLE_PLAN_IDS.map((planId) => priceOf(planId, {}))), true)
const REACTIVATION_OFFERS: Record<ReadOnlyReason, Omit<Offer, 'target'>> = {
  trial_expired: {
    action: 'Choose a plan',
    title: 'A plan',
    gives: 'Import and edit again.',
    costs: LOWEST_PLAN_PRICE,
  },
  awaiting_checkout: {
    action: 'Choose a plan',
    title: 'A plan',
    gives: 'Add data and create insights.',
    costs: LOWEST_PLAN_PRICE,
  },
  canceled: {
    action: 'Choose a plan',
    title: 'A plan',
    gives: 'Import and edit again.',
    costs: LOWEST_PLAN_PRICE,
  },
  restricted: {
    action: 'Pay invoice',
    title: 'Pay the overdue invoice',
    gives: 'Import and edit again.',
    costs: null,
  },
  frozen: {
    action: 'View subscription',
    title: 'A larger plan',
    gives: 'Edit everything again.',
    costs: null,
  },
}
const reactivationOffer = (reason: ReadOnlyReason): Offer => ({
  ...REACTIVATION_OFFERS[reason],
  target: { to: SUBSCRIPTION_PAGE },
})

/** What of the plan stands behind a refusal; null for refusals about anything else. */
export function planNeedOf(error: unknown): PlanNeed | null {
  if (!(error instanceof ApiError)) return null
  const { code, feature, limit, used, reason } = error.body
  const gate = GATE_NAMES.find((name) => name === feature)
  if (code === 'plan_required' && gate) return { kind: 'gate', gate }
  const counted = LIMIT_NAMES.find((name) => name === limit)
  if (code === 'limit_reached' && counted)
    return { kind: 'limit', limit: counted, ...(typeof used === 'number' ? { count: used + 1 } : {}) }
  const why = readOnlyReasonOf(reason)
  return code === 'read_only' && why ? { kind: 'write', reason: why } : null
}

/** Who owns this tab's workspace. */
export const ownersQuery = () =>
  queryOptions({
    queryKey: ['members', 'owners', session().workspace?.id],
    queryFn: ({ signal }) =>
      readJson<ListPage<Member>>(api.api.members.$get({ query: { role: 'owner' } }, { init: { signal } })),
    staleTime: 5 * 60_000,
  })

const NAMES_MAX = 2
/** Who can buy: owners by name while they are few, else by their role. */
export function describePlanBuyers(owners: readonly Pick<Member, 'name'>[]): string {
  if (owners.length === 0 || owners.length > NAMES_MAX) return 'An owner or admin'
  return owners.map(({ name }) => name).join(' or ')
}

export interface UpgradeOffer {
  offer: Offer
  /** "20,00 € per month, excl. VAT"; null where it has no price of its own. */
  price: string | null
  /** Whether the person may buy it; otherwise `who` can. */
  mayBuy: boolean
  who: string
}

/** What helps the person of this tab with what is missing; null where nothing is sold. */
export function useUpgradeOffer(planNeed: PlanNeed): UpgradeOffer | null {
  const { workspace, config } = useSession()
  const money = useMoney()
  const mayBuy = useMay('edit:subscription')
  const mayAsk = useMay('view:member')
  const offer = workspace ? offerFor(planNeed, workspace.entitlements, config.billing) : null
  const owners = useQuery({ ...ownersQuery(), enabled: offer !== null && !mayBuy && mayAsk })
  if (!offer) return null
  const { costs } = offer
  const price =
    costs === null ? null : `${costs.from ? 'from ' : ''}${money(costs.amount)} per month, ${TERMS.excludingVat}`
  return { offer, price, mayBuy, who: describePlanBuyers(owners.data?.items ?? []) }
}
