import { ADD_ONS, LEGACY_TIERS, PREMIUM_SYNC_ADD_ONS, PLANS, type AddOnId, type PlanId } from './plans'
import { BILLING_INTERVALS, toMinorUnits, type BillingCurrency, type BillingInterval, type Price } from './prices'

/** What a price stands for. */
type PricedItem = { kind: 'plan'; planId: PlanId; tier: number | null } | { kind: 'addOn'; addOnId: AddOnId }

/** One price of the catalogue, as billing knows it. */
export interface CataloguePrice {
  /** Its key there; ids there differ from account to account, keys do not. */
  lookupKey: string
  /** Id of the thing that is sold: its two prices have the same. */
  product: string
  name: string
  description: string
  /** Integer of the currency's smallest unit, per interval. */
  minor: number
  currency: BillingCurrency
  interval: BillingInterval
  sold: PricedItem
}

interface CatalogueProduct {
  product: string
  name: string
  description: string
  prices: Record<BillingInterval, Price>
  sold: PricedItem
}
const PRICED_PRODUCTS: CatalogueProduct[] = [
  ...PLANS.map((plan): CatalogueProduct => ({
    ...plan,
    product: plan.id,
    sold: { kind: 'plan', planId: plan.id, tier: null },
  })),
  ...[...ADD_ONS, ...PREMIUM_SYNC_ADD_ONS].map((addOn): CatalogueProduct => ({
    ...addOn,
    product: addOn.id,
    sold: { kind: 'addOn', addOnId: addOn.id },
  })),
  ...LEGACY_TIERS.map(({ sources, prices }): CatalogueProduct => ({
    product: `older_${sources}`,
    name: `${sources} data ${sources === 1 ? 'source' : 'sources'} (older tier)`,
    description: 'An older agreement.',
    prices,
    sold: { kind: 'plan', planId: 'legacy', tier: sources },
  })),
]

/** Every price that can be charged. Custom prices have none. */
export const PRICE_CATALOGUE: readonly CataloguePrice[] = PRICED_PRODUCTS.flatMap(
  ({ product, name, description, prices, sold }) =>
    BILLING_INTERVALS.flatMap((interval) => {
      const { amount, currency, priceId } = prices[interval]
      if (amount === null || priceId === null) return []
      const minor = toMinorUnits(amount, currency)
      return [{ lookupKey: priceId, product, name, description, minor, currency, interval, sold }]
    }),
)

const BY_LOOKUP_KEY = new Map(PRICE_CATALOGUE.map((entry) => [entry.lookupKey, entry]))
/** What a price at Stripe stands for; undefined = none of ours. */
export const cataloguePriceOf = (lookupKey: string): CataloguePrice | undefined => BY_LOOKUP_KEY.get(lookupKey)
