import { ADD_ONS, OLDER_TIERS, PREMIUM_SYNC } from './add-ons'
import type { AddOnId } from './add-ons'
import { PLANS } from './plans'
import type { PlanId } from './plans'
import { INTERVALS, minorUnits } from './prices'
import type { Currency, Interval, Price } from './prices'

/** What a price stands for. */
export type Sold = { kind: 'plan'; planId: PlanId; tier: number | null } | { kind: 'addOn'; addOnId: AddOnId }

/** One price of the catalogue, as billing knows it. */
export interface CatalogueEntry {
  /** Its key there; ids there differ from account to account, keys do not. */
  lookupKey: string
  /** Id of the thing that is sold: its two prices have the same. */
  product: string
  name: string
  description: string
  /** Integer of the currency's smallest unit, per interval. */
  minor: number
  currency: Currency
  interval: Interval
  sold: Sold
}

interface Thing {
  product: string
  name: string
  description: string
  prices: Record<Interval, Price>
  sold: Sold
}
const THINGS: Thing[] = [
  ...PLANS.map((plan): Thing => ({ ...plan, product: plan.id, sold: { kind: 'plan', planId: plan.id, tier: null } })),
  ...[...ADD_ONS, ...PREMIUM_SYNC].map((addOn): Thing => ({
    ...addOn,
    product: addOn.id,
    sold: { kind: 'addOn', addOnId: addOn.id },
  })),
  ...OLDER_TIERS.map(({ sources, prices }): Thing => ({
    product: `older_${sources}`,
    name: `${sources} data ${sources === 1 ? 'source' : 'sources'} (older tier)`,
    description: 'An older agreement.',
    prices,
    sold: { kind: 'plan', planId: 'legacy', tier: sources },
  })),
]

/** Every price that can be charged. Custom prices have none. */
export const CATALOGUE: readonly CatalogueEntry[] = THINGS.flatMap(({ product, name, description, prices, sold }) =>
  INTERVALS.flatMap((interval) => {
    const { amount, currency, priceId } = prices[interval]
    if (amount === null || priceId === null) return []
    const minor = minorUnits(amount, currency)
    return [{ lookupKey: priceId, product, name, description, minor, currency, interval, sold }]
  }),
)

const BY_KEY = new Map(CATALOGUE.map((entry) => [entry.lookupKey, entry]))
/** What a price at Stripe stands for; undefined = none of ours. */
export const entryOf = (lookupKey: string): CatalogueEntry | undefined => BY_KEY.get(lookupKey)
