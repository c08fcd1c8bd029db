import { ADD_ON_IDS, addOnById, PREMIUM_SYNC_IDS } from '../../../src/shared/add-ons'
import type { AddOnId } from '../../../src/shared/add-ons'
import { featuresOf } from '../../../src/shared/entitlements'
import type { AddOnQuantities } from '../../../src/shared/entitlements'
import { PLANS, SELLABLE_PLAN_IDS } from '../../../src/shared/plans'
import type { PlanFeatures, PlanId, SellablePlanId } from '../../../src/shared/plans'
import type { Interval } from '../../../src/shared/prices'
import { ADD_ON_MAX } from '../../../src/shared/subscription'
import type { CheckoutInput, PayMethod, SubscriptionView } from '../../../src/shared/subscription'

export type ChosenPlan = SellablePlanId | 'legacy'

/** What the address says; absent = nobody has chosen yet. */
export interface CheckoutSearch {
  plan?: ChosenPlan | undefined
  interval?: Interval | undefined
  /** `id:qty,…`; empty = none. */
  addOns?: string | undefined
  method?: PayMethod | undefined
}

export interface Choice {
  planId: ChosenPlan
  interval: Interval
  addOns: AddOnQuantities
  method: PayMethod
}

const ALL_IDS: readonly AddOnId[] = [...ADD_ON_IDS, ...PREMIUM_SYNC_IDS]
const CHOSEN_PLANS: readonly ChosenPlan[] = [...SELLABLE_PLAN_IDS, 'legacy']
const isChosenPlan = (id: PlanId | null): id is ChosenPlan => CHOSEN_PLANS.some((one) => one === id)
const RECOMMENDED =
  SELLABLE_PLAN_IDS.find((id) => PLANS.some((plan) => plan.id === id && plan.recommended)) ?? 'standard'

/** How many of an add-on one workspace may hold. */
export const mostOf = (id: AddOnId): number => (addOnById(id)?.onePerWorkspace ? 1 : ADD_ON_MAX)

/** The add-ons of an address; what is none of ours is left out. */
export function readAddOns(text: string): AddOnQuantities {
  const quantities: AddOnQuantities = {}
  for (const part of text.split(',')) {
    const [name, count = ''] = part.split(':')
    const id = ALL_IDS.find((one) => one === name)
    if (id !== undefined && /^[1-9]\d{0,3}$/.test(count)) quantities[id] = Math.min(Number(count), mostOf(id))
  }
  return quantities
}

/** Add-ons with how many, in the order of the catalogue. */
export const addOnList = (addOns: AddOnQuantities): { id: AddOnId; qty: number }[] =>
  ALL_IDS.map((id) => ({ id, qty: addOns[id] ?? 0 })).filter(({ qty }) => qty > 0)

export const writeAddOns = (addOns: AddOnQuantities): string =>
  addOnList(addOns)
    .map(({ id, qty }) => `${id}:${qty}`)
    .join(',')

/** What may go with the plan: one Premium sync beside an older tier, today's add-ons beside today's plans. */
export function fitting(planId: ChosenPlan, addOns: AddOnQuantities): AddOnQuantities {
  const isPremium = (id: AddOnId) => PREMIUM_SYNC_IDS.some((one) => one === id)
  const kept = addOnList(addOns).filter(({ id }) => isPremium(id) === (planId === 'legacy'))
  return Object.fromEntries((planId === 'legacy' ? kept.slice(0, 1) : kept).map(({ id, qty }) => [id, qty]))
}

const UNPAID: readonly SubscriptionView['state'][] = ['trialing', 'trial_expired', 'awaiting_checkout', 'canceled']
/** Whether confirming begins a subscription, and does not change one. */
export const isFirstPurchase = ({ state }: Pick<SubscriptionView, 'state'>): boolean => UNPAID.includes(state)

/** Whether the workspace is on an older tier now: they are changed and renewed, not bought. */
export const hasOlderTier = (view: SubscriptionView): boolean =>
  view.planId === 'legacy' && view.tier !== null && !isFirstPurchase(view)

/** What the workspace pays for, or paid for last; null = nothing that could be bought again. */
export function heldChoice(view: SubscriptionView): Omit<Choice, 'method'> | null {
  const { planId, interval, addOns } = view
  if (!isChosenPlan(planId) || interval === null || (planId === 'legacy' && !hasOlderTier(view))) return null
  return { planId, interval, addOns: fitting(planId, addOns) }
}

/** The choice of an address, over what is held, over what most people take. */
export function choiceOf(search: CheckoutSearch, view: SubscriptionView): Choice {
  const held = heldChoice(view)
  // An older tier is paid in another currency: it is left by ending it, and never come back to.
  const named = (search.plan === 'legacy') === hasOlderTier(view) ? search.plan : undefined
  const planId = named ?? held?.planId ?? RECOMMENDED
  return {
    planId,
    interval: search.interval ?? held?.interval ?? 'monthly',
    addOns: fitting(planId, search.addOns === undefined ? (held?.addOns ?? {}) : readAddOns(search.addOns)),
    method: search.method ?? view.method ?? 'card',
  }
}

/** The choice as the address holds it. */
export const searchOf = ({ planId, interval, addOns, method }: Choice): Required<CheckoutSearch> => ({
  plan: planId,
  interval,
  addOns: writeAddOns(addOns),
  method,
})

/** The choice as the server takes it. */
export const inputOf = ({ planId, interval, addOns, method }: Choice): CheckoutInput => ({
  planId,
  interval,
  addOns: addOnList(addOns),
  method,
})

/** Limits and gates the choice would give. */
export const featuresFor = ({ planId, addOns }: Choice, tier: number | null): PlanFeatures =>
  featuresOf({ planId, override: null, addOns, tier: planId === 'legacy' ? tier : null })
