import { amountOf } from '../../lib/money'
import {
  ALL_ADD_ON_IDS,
  addOnById,
  LEGACY_TIERS,
  PLANS,
  planById,
  SELLABLE_PLAN_IDS,
} from '../../../src/shared/billing/plans'
import type { AddOnId, LegacyTier, PlanId } from '../../../src/shared/billing/plans'
import type { AddOnQuantities } from '../../../src/shared/billing/entitlements'
import { BILLING_INTERVALS } from '../../../src/shared/billing/prices'
import type { BillingInterval, MoneyAmount, Price } from '../../../src/shared/billing/prices'
import type { BillingDetails, SubscriptionView } from '../../../src/shared/billing/subscription'
import { TERMS } from '../../../src/shared/terms'
import { capitalize } from '../../../src/shared/text'

interface PlanRef {
  planId: PlanId | null
  tier: number | null
}

/** What the address of the subscription shows instead of its overview: the plans to choose from. */
export const PLANS_VIEW = 'plans'

export const INTERVAL_PRICE_SUFFIX: Record<BillingInterval, string> = { monthly: 'per month', yearly: 'per year' }
/** Behind a price on its own: every price is without VAT. */
export const PRICE_SUFFIX: Record<BillingInterval, string> = {
  monthly: `per month, ${TERMS.excludingVat}`,
  yearly: `per year, ${TERMS.excludingVat}`,
}
export const INTERVAL_OPTIONS = BILLING_INTERVALS.map((value) => ({ value, label: capitalize(value) }))

export const DETAIL_FIELDS = ['companyName', 'billingEmail', 'taxId', 'poReference'] as const
export const DETAIL_LABELS: Record<keyof BillingDetails, string> = {
  companyName: 'Company name',
  billingEmail: 'Invoice email',
  taxId: 'EU VAT number',
  poReference: 'Purchase order reference',
}

export const RECOMMENDED_PLAN_ID =
  SELLABLE_PLAN_IDS.find((id) => PLANS.some((plan) => plan.id === id && plan.recommended)) ?? 'standard'

const STATES_WITHOUT_PLAN: readonly SubscriptionView['state'][] = [
  'trialing',
  'trial_expired',
  'awaiting_checkout',
  'canceled',
]
/** Whether the plan that was bought last gives nothing any more: the next purchase begins a subscription. */
export const isWithoutPlan = ({ state }: Pick<SubscriptionView, 'state'>): boolean =>
  STATES_WITHOUT_PLAN.includes(state)

/** "Standard", "5 data sources (older tier)" as on the invoice; null while no plan was bought. */
export function planName(plan: PlanRef & { planId: PlanId }): string
export function planName(plan: PlanRef): string | null
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
  const parts = addOnList(addOns).map(({ id, qty }) => ({
    name: describeAddOns({ [id]: qty }),
    amount: amountOf(addOnById(id)?.prices[interval] ?? null, qty),
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

/** Add-ons with how many, in the order of the catalogue. */
export const addOnList = (addOns: AddOnQuantities): { id: AddOnId; qty: number }[] =>
  ALL_ADD_ON_IDS.map((id) => ({ id, qty: addOns[id] ?? 0 })).filter(({ qty }) => qty > 0)

/** "2 × Extra analyst, Frequent sync"; empty without any. */
export const describeAddOns = (addOns: AddOnQuantities): string =>
  addOnList(addOns)
    .map(({ id, qty }) => `${qty === 1 ? '' : `${qty} × `}${addOnById(id)?.name ?? id}`)
    .join(', ')

/** Add-ons as the checkout's address carries them: `extra_analyst:2,frequent_sync:1`; empty without any. */
export const serializeAddOns = (addOns: AddOnQuantities): string =>
  addOnList(addOns)
    .map(({ id, qty }) => `${id}:${qty}`)
    .join(',')
