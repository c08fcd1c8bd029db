import { ADD_ON_IDS, addOnById, OLDER_TIERS, PREMIUM_SYNC_IDS } from '../../../src/shared/add-ons'
import type { AddOnId, OlderTier } from '../../../src/shared/add-ons'
import type { AddOnQuantities } from '../../../src/shared/entitlements'
import { planById } from '../../../src/shared/plans'
import type { PlanId } from '../../../src/shared/plans'
import type { Interval, Price } from '../../../src/shared/prices'

interface Held {
  planId: PlanId | null
  tier: number | null
}

/** Where links to the plans lead on the page. */
export const PLANS_ID = 'plans'

export const PER: Record<Interval, string> = { monthly: 'per month', yearly: 'per year' }
export const EVERY: Record<Interval, string> = { monthly: 'monthly', yearly: 'yearly' }

/** "Standard", "Older tier for 5 data sources"; null while no plan was bought. */
export function planName({ planId, tier }: Held): string | null {
  if (planId === null) return null
  if (planId === 'legacy' && tier !== null) return `Older tier for ${tier} data ${tier === 1 ? 'source' : 'sources'}`
  return planById(planId)?.name ?? planId
}

export const olderTier = (tier: number | null): OlderTier | undefined =>
  OLDER_TIERS.find(({ sources }) => sources === tier)

/** What the plan itself costs; null = agreed with the customer. */
export function planPrice({ planId, tier }: Held, interval: Interval): Price | null {
  if (planId === null) return null
  const { prices } = (planId === 'legacy' ? olderTier(tier) : planById(planId)) ?? {}
  return prices?.[interval] ?? null
}

/** Held add-ons in the order of the catalogue, with how many of each. */
export const heldAddOns = (addOns: AddOnQuantities): [AddOnId, number][] =>
  [...ADD_ON_IDS, ...PREMIUM_SYNC_IDS].flatMap((id): [AddOnId, number][] => (addOns[id] ? [[id, addOns[id]]] : []))

/** "2 × Extra analyst, Frequent sync"; empty without any. */
export const addOnWords = (addOns: AddOnQuantities): string =>
  heldAddOns(addOns)
    .map(([id, count]) => `${count === 1 ? '' : `${count} × `}${addOnById(id)?.name ?? id}`)
    .join(', ')

/** Add-ons as the checkout's address carries them: `extra_analyst:2,frequent_sync:1`; undefined without any. */
export const addOnsText = (addOns: AddOnQuantities): string | undefined =>
  heldAddOns(addOns)
    .map(([id, count]) => `${id}:${count}`)
    .join(',') || undefined
