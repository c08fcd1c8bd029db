import { pricesFor } from './prices'
import type { BillingInterval, Price } from './prices'

/** Sold with today's plans. */
export const ADD_ON_IDS = ['extra_analyst', 'user_pack_10', 'extra_source', 'frequent_sync'] as const
/** Premium sync by number of sources: goes with the older tiers. */
export const PREMIUM_SYNC_IDS = ['premium_sync_1', 'premium_sync_3', 'premium_sync_5', 'premium_sync_10'] as const
export type AddOnId = (typeof ADD_ON_IDS)[number] | (typeof PREMIUM_SYNC_IDS)[number]

export interface AddOn {
  id: AddOnId
  name: string
  description: string
  prices: Record<BillingInterval, Price>
  onePerWorkspace?: boolean
}

const ADD_ON_PRICES = { monthly: 20, yearly: 240 }
export const ADD_ONS: readonly AddOn[] = [
  {
    id: 'extra_analyst',
    name: 'Extra analyst',
    description: 'One more analyst and one more user.',
    prices: pricesFor('extra_analyst', ADD_ON_PRICES),
  },
  {
    id: 'user_pack_10',
    name: '10-user pack',
    description: 'Ten more users.',
    prices: pricesFor('user_pack_10', ADD_ON_PRICES),
  },
  {
    id: 'extra_source',
    name: 'Extra data source',
    description: 'One more data source.',
    prices: pricesFor('extra_source', ADD_ON_PRICES),
  },
  {
    id: 'frequent_sync',
    name: 'Frequent sync',
    description: 'Every source is synced hourly.',
    prices: pricesFor('frequent_sync', ADD_ON_PRICES),
    onePerWorkspace: true,
  },
]

const premiumSync = (sources: 1 | 3 | 5 | 10, amounts: { monthly: number; yearly: number }): AddOn => ({
  id: `premium_sync_${sources}`,
  name: `Premium sync, ${sources} ${sources === 1 ? 'source' : 'sources'}`,
  description: 'Hourly sync for the older tiers.',
  prices: pricesFor(`premium_sync_${sources}`, amounts),
  onePerWorkspace: true,
})
export const PREMIUM_SYNC_ADD_ONS: readonly AddOn[] = [
  premiumSync(1, { monthly: 8.5, yearly: 85 }),
  premiumSync(3, { monthly: 18, yearly: 180 }),
  premiumSync(5, { monthly: 26, yearly: 260 }),
  premiumSync(10, { monthly: 35, yearly: 350 }),
]

export interface LegacyTier {
  sources: number
  hidden: boolean
  prices: Record<BillingInterval, Price>
}
const legacyTier = (sources: number, monthly: number, yearly: number): LegacyTier => ({
  sources,
  hidden: sources === 50,
  prices: pricesFor(`older_${sources}`, { monthly, yearly, currency: 'SEK' }),
})
/** The older tiers, named by their number of data sources: renewable, not for sale. */
export const LEGACY_TIERS: readonly LegacyTier[] = [
  legacyTier(1, 495, 4950),
  legacyTier(3, 995, 9950),
  legacyTier(5, 1495, 14950),
  legacyTier(10, 1995, 19950),
  legacyTier(50, 2995, 29950),
]

export const addOnById = (id: AddOnId): AddOn | undefined =>
  [...ADD_ONS, ...PREMIUM_SYNC_ADD_ONS].find((one) => one.id === id)
