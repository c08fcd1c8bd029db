import { prices } from './prices'
import type { Interval, Price } from './prices'

/** Sold with today's plans. */
export const ADD_ON_IDS = ['extra_analyst', 'user_pack_10', 'extra_source', 'frequent_sync'] as const
/** Premium sync by number of sources: goes with the older tiers. */
export const PREMIUM_SYNC_IDS = ['premium_sync_1', 'premium_sync_3', 'premium_sync_5', 'premium_sync_10'] as const
export type AddOnId = (typeof ADD_ON_IDS)[number] | (typeof PREMIUM_SYNC_IDS)[number]

export interface AddOn {
  id: AddOnId
  name: string
  description: string
  prices: Record<Interval, Price>
  onePerWorkspace?: boolean
}

const EACH = { monthly: 20, yearly: 240 }
export const ADD_ONS: readonly AddOn[] = [
  {
    id: 'extra_analyst',
    name: 'Extra analyst',
    description: 'One more analyst and one more user.',
    prices: prices('extra_analyst', EACH),
  },
  { id: 'user_pack_10', name: '10-user pack', description: 'Ten more users.', prices: prices('user_pack_10', EACH) },
  {
    id: 'extra_source',
    name: 'Extra data source',
    description: 'One more data source.',
    prices: prices('extra_source', EACH),
  },
  {
    id: 'frequent_sync',
    name: 'Frequent sync',
    description: 'Every source is synced hourly.',
    prices: prices('frequent_sync', EACH),
    onePerWorkspace: true,
  },
]

const premiumSync = (sources: 1 | 3 | 5 | 10, amounts: { monthly: number; yearly: number }): AddOn => ({
  id: `premium_sync_${sources}`,
  name: `Premium sync, ${sources} ${sources === 1 ? 'source' : 'sources'}`,
  description: 'Hourly sync for the older tiers.',
  prices: prices(`premium_sync_${sources}`, amounts),
  onePerWorkspace: true,
})
export const PREMIUM_SYNC: readonly AddOn[] = [
  premiumSync(1, { monthly: 8.5, yearly: 85 }),
  premiumSync(3, { monthly: 18, yearly: 180 }),
  premiumSync(5, { monthly: 26, yearly: 260 }),
  premiumSync(10, { monthly: 35, yearly: 350 }),
]

export interface OlderTier {
  sources: number
  hidden: boolean
  prices: Record<Interval, Price>
}
const olderTier = (sources: number, monthly: number, yearly: number): OlderTier => ({
  sources,
  hidden: sources === 50,
  prices: prices(`older_${sources}`, { monthly, yearly, currency: 'SEK' }),
})
/** The older tiers, named by their number of data sources: renewable, not for sale. */
export const OLDER_TIERS: readonly OlderTier[] = [
  olderTier(1, 495, 4950),
  olderTier(3, 995, 9950),
  olderTier(5, 1495, 14950),
  olderTier(10, 1995, 19950),
  olderTier(50, 2995, 29950),
]

export const addOnById = (id: AddOnId): AddOn | undefined => [...ADD_ONS, ...PREMIUM_SYNC].find((one) => one.id === id)
