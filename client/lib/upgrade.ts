import { ADD_ON_NOUNS, GATE_WORDS, limitWords } from './upgrade-words'
import { ADD_ON_IDS, addOnById } from '../../src/shared/add-ons'
import { featuresOf, takesAway } from '../../src/shared/entitlements'
import type { AddOnQuantities, Entitlements, ReadOnlyReason } from '../../src/shared/entitlements'
import { planById, SELLABLE_PLAN_IDS } from '../../src/shared/plans'
import type { GateName, LimitName, PlanFeatures, PlanId, SellablePlanId } from '../../src/shared/plans'
import { minorUnits } from '../../src/shared/prices'
import type { Amount } from '../../src/shared/prices'
import type { PublicConfig } from '../../src/shared/session'

/** What is missing. `count`: so many must fit; absent = one more than there may be now. */
export type Need =
  | { kind: 'gate'; gate: GateName }
  | { kind: 'limit'; limit: LimitName; count?: number }
  | { kind: 'write'; reason: ReadOnlyReason }
type Missing = Exclude<Need, { kind: 'write' }>

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
  costs: { amount: Amount; from: boolean } | null
  target: OfferTarget
}

/** What a workspace has: of its entitlements, what an offer depends on. */
export type Held = Pick<Entitlements, 'planId' | 'features' | 'addOns'>

interface Choice {
  planId: SellablePlanId
  addOns: AddOnQuantities
  features: PlanFeatures
  /** What it costs in whole euro per month. */
  monthly: number
}

/** Limits that grow by add-ons, with how much one brings. */
const BY_ADD_ON = {
  analysts: { id: 'extra_analyst', brings: 1 },
  users: { id: 'user_pack_10', brings: 10 },
  dataSources: { id: 'extra_source', brings: 1 },
} as const
type Growing = keyof typeof BY_ADD_ON
const isGrowing = (limit: LimitName): limit is Growing => limit in BY_ADD_ON

/**
 * The cheapest way out of a gate or limit that takes nothing away: add-ons beside the plan that is held, or another plan;
 * for a workspace that takes no changes, the way back. Null where billing is off: there is nothing to buy.
 */
export function offerFor(need: Need, held: Held, billing: PublicConfig['billing']): Offer | null {
  if (billing === 'off') return null
  if (need.kind === 'write') return offerToWrite(need.reason)
  if (held.planId === 'enterprise' || held.planId === 'legacy') return OWN_AGREEMENT
  const choice = SELLABLE_PLAN_IDS.map((planId) => choiceOf(planId, need, held))
    .filter(({ features }) => meets(features, need, held) && !takesAway(held.features, features))
    .toSorted((a, b) => a.monthly - b.monthly)[0]
  if (!choice) return ENTERPRISE
  const addOns = ADD_ON_IDS.flatMap((id) => (choice.addOns[id] ? [`${id}:${choice.addOns[id]}`] : [])).join(',')
  const search = {
    plan: choice.planId,
    // Whoever pays already goes on paying as often as before.
    ...(held.planId === null ? { interval: 'monthly' as const } : {}),
    addOns,
  }
  return { ...wordsOf(choice, need, held), target: { to: CHECKOUT_PAGE, search } }
}

/** Everything on sale is priced in euro. */
const euro = (amount: number, from = false): NonNullable<Offer['costs']> => ({
  amount: { minor: minorUnits(amount, 'EUR'), currency: 'eur' },
  from,
})
const priceOf = (planId: PlanId, addOns: AddOnQuantities): number =>
  ADD_ON_IDS.reduce(
    (sum, id) => sum + (addOns[id] ?? 0) * (addOnById(id)?.prices.monthly.amount ?? 0),
    planById(planId)?.prices.monthly.amount ?? 0,
  )

/** How many must fit. */
function goalOf(limit: LimitName, need: Missing, { features }: Held): number {
  const has = features[limit] ?? 0
  return need.kind === 'limit' && need.limit === limit ? Math.max(need.count ?? 0, has + 1) : has
}

function meets(features: PlanFeatures, need: Missing, held: Held): boolean {
  if (need.kind === 'gate') return features[need.gate]
  const has = features[need.limit]
  return has === null || has >= goalOf(need.limit, need, held)
}

/** A plan with as few add-ons as it takes to meet the need and to keep what is there. */
function choiceOf(planId: SellablePlanId, need: Missing, held: Held): Choice {
  const addOns = held.planId === planId ? besideHeld(need, held) : besideOther(planId, need, held)
  const monthly = priceOf(planId, addOns)
  if (held.planId !== planId)
    return { planId, addOns, monthly, features: featuresOf({ planId, addOns, override: null, tier: null }) }
  // Grown from what there is: an administrator may have given more than the plan.
  const more = (id: 'extra_analyst' | 'user_pack_10' | 'extra_source'): number =>
    (addOns[id] ?? 0) - (held.addOns[id] ?? 0)
  const grown = {
    extra_analyst: more('extra_analyst'),
    user_pack_10: more('user_pack_10'),
    extra_source: more('extra_source'),
  }
  const features = featuresOf({ planId, override: held.features, addOns: grown, tier: null })
  return { planId, addOns, monthly, features }
}

function besideHeld(need: Missing, held: Held): AddOnQuantities {
  if (need.kind === 'gate' || !isGrowing(need.limit)) return held.addOns
  const { id, brings } = BY_ADD_ON[need.limit]
  const missing = goalOf(need.limit, need, held) - (held.features[need.limit] ?? 0)
  return { ...held.addOns, [id]: (held.addOns[id] ?? 0) + Math.ceil(missing / brings) }
}

function besideOther(planId: SellablePlanId, need: Missing, held: Held): AddOnQuantities {
  const bare = featuresOf({ planId, override: null, addOns: {}, tier: null })
  const short = (limit: Growing, also = 0): number =>
    bare[limit] === null ? 0 : Math.max(0, goalOf(limit, need, held) - bare[limit] - also)
  const analysts = short('analysts')
  return {
    extra_analyst: analysts,
    // An extra analyst is a further user, too.
    user_pack_10: Math.ceil(short('users', analysts) / BY_ADD_ON.users.brings),
    extra_source: short('dataSources'),
    frequent_sync: held.features.syncFrequencyHours < bare.syncFrequencyHours ? 1 : 0,
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const givesOf = (features: PlanFeatures, need: Missing, held: Held): string =>
  need.kind === 'gate'
    ? GATE_WORDS[need.gate].gives
    : sentence(`${limitWords(need.limit, features[need.limit])} instead of ${held.features[need.limit] ?? 0}`)

function wordsOf({ planId, addOns, features, monthly }: Choice, need: Missing, held: Held): Omit<Offer, 'target'> {
  const gives = givesOf(features, need, held)
  if (held.planId === planId && need.kind === 'limit' && isGrowing(need.limit)) {
    const { id } = BY_ADD_ON[need.limit]
    const count = (addOns[id] ?? 0) - (held.addOns[id] ?? 0)
    const name = addOnById(id)?.name ?? ''
    return {
      action: `Add ${ADD_ON_NOUNS[id](count)}`,
      title: count === 1 ? name : `${count} × ${name}`,
      gives,
      costs: euro(priceOf(planId, addOns) - priceOf(planId, held.addOns)),
    }
  }
  const name = planById(planId)?.name ?? ''
  const action = held.planId === null ? `Choose ${name}` : `Move to ${name}`
  return { action, title: `The ${name} plan`, gives, costs: euro(monthly) }
}

const ENTERPRISE: Offer = {
  action: 'Ask about Enterprise',
  title: 'The Enterprise plan',
  gives: 'Limits and prices made for you.',
  costs: null,
  target: { to: SUBSCRIPTION_PAGE },
}
const OWN_AGREEMENT: Offer = {
  action: 'See the subscription',
  title: 'Your own agreement',
  gives: 'It sets what you have, and the subscription page says how to change it.',
  costs: null,
  target: { to: SUBSCRIPTION_PAGE },
}

const FROM = euro(Math.min(...SELLABLE_PLAN_IDS.map((planId) => priceOf(planId, {}))), true)
const TO_WRITE: Record<ReadOnlyReason, Omit<Offer, 'target'>> = {
  trial_expired: {
    action: 'Choose a plan',
    title: 'A subscription',
    gives: 'Loads and changes go on where they stopped.',
    costs: FROM,
  },
  awaiting_checkout: {
    action: 'Choose a plan',
    title: 'A subscription',
    gives: 'Data can be added and insights made.',
    costs: FROM,
  },
  canceled: {
    action: 'Subscribe again',
    title: 'A subscription',
    gives: 'Everything goes on where it stopped.',
    costs: FROM,
  },
  restricted: {
    action: 'Pay the invoice',
    title: 'Payment of the open invoice',
    gives: 'Everything goes on as before.',
    costs: null,
  },
  frozen: {
    action: 'See the subscription',
    title: 'A plan with room for all',
    gives: 'Everything that is frozen works again.',
    costs: null,
  },
}
const offerToWrite = (reason: ReadOnlyReason): Offer => ({ ...TO_WRITE[reason], target: { to: SUBSCRIPTION_PAGE } })
