import { amountOf } from '../../../lib/money'
import { ADD_ON_IDS, addOnById, LEGACY_TIERS, PREMIUM_SYNC_IDS, planById } from '../../../../src/shared/billing/plans'
import type { AddOnId, LegacyTier, PlanId } from '../../../../src/shared/billing/plans'
import type { AddOnQuantities } from '../../../../src/shared/billing/entitlements'
import type { MoneyAmount, BillingInterval, Price } from '../../../../src/shared/billing/prices'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

interface PlanRef {
  planId: PlanId | null
  tier: number | null
}

/** Where links to the plans lead on the page. */
export const PLANS_ANCHOR = 'plans'

export const INTERVAL_PRICE_SUFFIX: Record<BillingInterval, string> = { monthly: 'per month', yearly: 'per year' }
export const INTERVAL_ADVERBS: Record<BillingInterval, string> = { monthly: 'monthly', yearly: 'yearly' }

/** "Standard", "5 data sources (older tier)" as on the invoice; null while no plan was bought. */
export function planName({ planId, tier }: PlanRef): string | null {
  if (planId === null) return null
  if (planId === 'legacy' && tier !== null) return `${tier} data ${tier === 1 ? 'source' : 'sources'} (older tier)`
  return planById(planId)?.name ?? planId
}

export const findOlderTier = (tier: number | null): LegacyTier | undefined =>
  LEGACY_TIERS.find(({ sources }) => sources === tier)

/** What the plan itself costs; null = agreed with the customer. */
export function planPrice({ planId, tier }: PlanRef, interval: BillingInterval): Price | null {
  if (planId === null) return null
  const { prices } = (planId === 'legacy' ? findOlderTier(tier) : planById(planId)) ?? {}
  return prices?.[interval] ?? null
}

/** One thing that is paid for, at its list price. */
export interface PricePart {
  name: string
  amount: MoneyAmount
}

/** What the plan and its add-ons cost by the price list; empty where a price is agreed with the customer. */
export function priceParts({
  planId,
  tier,
  interval,
  addOns,
}: PlanRef & Pick<SubscriptionView, 'interval' | 'addOns'>) {
  if (interval === null) return []
  const plan = planPrice({ planId, tier }, interval)
  const parts = addOnEntries(addOns).map(([id, count]) => ({
    name: describeAddOns({ [id]: count }),
    amount: amountOf(addOnById(id)?.prices[interval] ?? null, count),
  }))
  return [{ name: planName({ planId, tier }), amount: amountOf(plan) }, ...parts].filter(
    (part): part is PricePart => part.name !== null && part.amount !== null,
  )
}

/** One sum per currency: an older tier is paid in kronor, Premium sync beside it in euro. */
export function sumByCurrency(parts: readonly PricePart[]): MoneyAmount[] {
  const sums = new Map<string, number>()
  for (const { amount } of parts) sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + amount.minor)
  return [...sums].map(([currency, minor]) => ({ minor, currency }))
}

/** Held add-ons in the order of the catalogue, with how many of each. */
export const addOnEntries = (addOns: AddOnQuantities): [AddOnId, number][] =>
  [...ADD_ON_IDS, ...PREMIUM_SYNC_IDS].flatMap((id): [AddOnId, number][] => (addOns[id] ? [[id, addOns[id]]] : []))

/** "2 × Extra analyst, Frequent sync"; empty without any. */
export const describeAddOns = (addOns: AddOnQuantities): string =>
  addOnEntries(addOns)
    .map(([id, count]) => `${count === 1 ? '' : `${count} × `}${addOnById(id)?.name ?? id}`)
    .join(', ')

/** Add-ons as the checkout's address carries them: `extra_analyst:2,frequent_sync:1`; undefined without any. */
export const serializeAddOns = (addOns: AddOnQuantities): string | undefined =>
  addOnEntries(addOns)
    .map(([id, count]) => `${id}:${count}`)
    .join(',') || undefined
