import { addOnById, ALL_ADD_ON_IDS, PREMIUM_SYNC_IDS, SELLABLE_PLAN_IDS } from '../../../../src/shared/billing/plans'
import type { AddOnId, PlanFeatures, PlanId, SellablePlanId } from '../../../../src/shared/billing/plans'
import { featuresOf, type AddOnQuantities } from '../../../../src/shared/billing/entitlements'
import { addOnList, isWithoutPlan, RECOMMENDED_PLAN_ID, serializeAddOns } from '../plan-prices'
import type { BillingInterval } from '../../../../src/shared/billing/prices'
import { ADD_ON_MAX } from '../../../../src/shared/billing/subscription'
import type { CheckoutInput, PaymentMethod, SubscriptionView } from '../../../../src/shared/billing/subscription'

export type PurchasablePlanId = SellablePlanId | 'legacy'

/** What the address says; absent = nobody has chosen yet. */
export interface CheckoutSearch {
  plan?: PurchasablePlanId | undefined
  interval?: BillingInterval | undefined
  /** `id:qty,…`; empty = none. */
  addOns?: string | undefined
  method?: PaymentMethod | undefined
}

export interface PlanSelection {
  planId: PurchasablePlanId
  interval: BillingInterval
  addOns: AddOnQuantities
  method: PaymentMethod
}

const PURCHASABLE_PLAN_IDS: readonly PurchasablePlanId[] = [...SELLABLE_PLAN_IDS, 'legacy']
const isPurchasablePlan = (id: PlanId | null): id is PurchasablePlanId => PURCHASABLE_PLAN_IDS.some((one) => one === id)

/** How many of an add-on one workspace may hold. */
export const maxQuantityOf = (id: AddOnId): number => (addOnById(id)?.onePerWorkspace ? 1 : ADD_ON_MAX)

/** The add-ons of an address; what is none of ours is left out. */
export function parseAddOns(text: string): AddOnQuantities {
  const quantities: AddOnQuantities = {}
  for (const part of text.split(',')) {
    const [name, count = ''] = part.split(':')
    const id = ALL_ADD_ON_IDS.find((one) => one === name)
    if (id !== undefined && /^[1-9]\d{0,3}$/.test(count)) quantities[id] = Math.min(Number(count), maxQuantityOf(id))
  }
  return quantities
}

/** What may go with the plan: one Premium sync beside an older tier, today's add-ons beside today's plans. */
export function compatibleAddOns(planId: PurchasablePlanId, addOns: AddOnQuantities): AddOnQuantities {
  const isPremium = (id: AddOnId) => PREMIUM_SYNC_IDS.some((one) => one === id)
  const kept = addOnList(addOns).filter(({ id }) => isPremium(id) === (planId === 'legacy'))
  return Object.fromEntries((planId === 'legacy' ? kept.slice(0, 1) : kept).map(({ id, qty }) => [id, qty]))
}

/** Whether the workspace is on an older tier now: they are changed and renewed, not bought. */
export const hasOlderTier = (view: SubscriptionView): boolean =>
  view.planId === 'legacy' && view.tier !== null && !isWithoutPlan(view)

/** What the workspace pays for, or paid for last; null = nothing that could be bought again. */
export function currentSelection(view: SubscriptionView): Omit<PlanSelection, 'method'> | null {
  const { planId, interval, addOns } = view
  if (!isPurchasablePlan(planId) || interval === null || (planId === 'legacy' && !hasOlderTier(view))) return null
  return { planId, interval, addOns: compatibleAddOns(planId, addOns) }
}

/** The choice of an address, over what is held, over what most people take. */
export function selectionFromSearch(search: CheckoutSearch, view: SubscriptionView): PlanSelection {
  const current = currentSelection(view)
  // An older tier is paid in another currency: it is left by ending it, and never come back to.
  const requestedPlan = (search.plan === 'legacy') === hasOlderTier(view) ? search.plan : undefined
  const planId = requestedPlan ?? current?.planId ?? RECOMMENDED_PLAN_ID
  return {
    planId,
    interval: search.interval ?? current?.interval ?? 'monthly',
    addOns: compatibleAddOns(
      planId,
      search.addOns === undefined ? (current?.addOns ?? {}) : parseAddOns(search.addOns),
    ),
    method: search.method ?? view.method ?? 'card',
  }
}

/** The choice as the address holds it. */
export const toSearch = ({ planId, interval, addOns, method }: PlanSelection): Required<CheckoutSearch> => ({
  plan: planId,
  interval,
  addOns: serializeAddOns(addOns),
  method,
})

/** The choice as the server takes it. */
export const toCheckoutInput = ({ planId, interval, addOns, method }: PlanSelection): CheckoutInput => ({
  planId,
  interval,
  addOns: addOnList(addOns),
  method,
})

/** Limits and gates the choice would give. */
export const selectedFeatures = ({ planId, addOns }: PlanSelection, tier: number | null): PlanFeatures =>
  featuresOf({ planId, override: null, addOns, tier: planId === 'legacy' ? tier : null })
