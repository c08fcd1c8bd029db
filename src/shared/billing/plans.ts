import { pricesFor, type BillingInterval, type Price } from './prices'

/** Plans with their limits and gates: the given facts of the product as data. */
export type PlanId = 'personal' | 'standard' | 'professional' | 'enterprise' | 'legacy'
/** `null` = unlimited. */
export type PlanLimit = number | null

export interface PlanFeatures {
  analysts: PlanLimit
  users: PlanLimit
  dataSources: PlanLimit
  customInsights: PlanLimit
  syncFrequencyHours: number
  aiMessages: PlanLimit
  reporting: boolean
  reportSharing: boolean
  externalBI: boolean
  dataGrouping: boolean
  forecasting: boolean
  dataAccessManagement: boolean
  userGrouping: boolean
  aiAssistant: boolean
  fileAnalysis: boolean
  multiCurrency: boolean
  clientPortal: boolean
  support: 'email' | 'priority' | 'dedicated'
  consultingHours: number
  /** Ours, beside the given ones: forecasts that are kept up to date, groupings, feeds to other tools. */
  activeForecasts: PlanLimit
  groupings: PlanLimit
  feeds: PlanLimit
}
/** What is counted against a plan. `aiMessages` count per month of billing, in a trial over all of it. */
export const LIMIT_NAMES = [
  'analysts',
  'users',
  'dataSources',
  'customInsights',
  'aiMessages',
  'activeForecasts',
  'groupings',
  'feeds',
] as const satisfies readonly (keyof PlanFeatures)[]
export type LimitName = (typeof LIMIT_NAMES)[number]
export type GateName = {
  [K in keyof PlanFeatures]: PlanFeatures[K] extends boolean ? K : never
}[keyof PlanFeatures]
export const GATE_NAMES = [
  'reporting',
  'reportSharing',
  'externalBI',
  'dataGrouping',
  'forecasting',
  'dataAccessManagement',
  'userGrouping',
  'aiAssistant',
  'fileAnalysis',
  'multiCurrency',
  'clientPortal',
] as const satisfies readonly GateName[]

/** Of the given gates and limits, those whose feature is not built yet: no screen lists them. */
export const PLANNED_GATES = ['externalBI', 'fileAnalysis', 'clientPortal'] as const satisfies readonly GateName[]
export const PLANNED_LIMITS = ['feeds'] as const satisfies readonly LimitName[]
export const isPlannedGate = (gate: GateName): boolean => PLANNED_GATES.some((name) => name === gate)
export const isPlannedLimit = (limit: LimitName): boolean => PLANNED_LIMITS.some((name) => name === limit)

export interface Plan {
  id: PlanId
  name: string
  description: string
  badge?: string
  recommended: boolean
  highlighted: boolean
  hidden: boolean
  prices: Record<BillingInterval, Price>
  displayFeatures: string[]
  features: PlanFeatures
}
export const TRIAL_DAYS = 7
export const TRIAL_MS = TRIAL_DAYS * 24 * 60 * 60 * 1000
export const INVOICE_DUE_DAYS = 30
/** How long an overdue payment changes nothing. */
export const GRACE_DAYS = 14
export const GRACE_MS = GRACE_DAYS * 24 * 60 * 60 * 1000
export const BANK_TRANSFER_COUNTRY = 'BE'

const CUSTOM_PRICES: Record<BillingInterval, Price> = {
  monthly: { amount: null, currency: 'EUR', priceId: null, text: 'Custom price' },
  yearly: { amount: null, currency: 'EUR', priceId: null, text: 'Custom price' },
}

const PERSONAL: PlanFeatures = {
  analysts: 1,
  users: 1,
  dataSources: 1,
  customInsights: 10,
  syncFrequencyHours: 24,
  aiMessages: 100,
  reporting: true,
  reportSharing: false,
  externalBI: false,
  dataGrouping: true,
  forecasting: true,
  dataAccessManagement: false,
  userGrouping: false,
  aiAssistant: true,
  fileAnalysis: false,
  multiCurrency: false,
  clientPortal: false,
  support: 'email',
  consultingHours: 0,
  activeForecasts: 3,
  groupings: 10,
  feeds: 0,
}
const STANDARD: PlanFeatures = {
  ...PERSONAL,
  analysts: 3,
  users: 30,
  dataSources: 3,
  customInsights: 20,
  syncFrequencyHours: 12,
  aiMessages: 1000,
  reportSharing: true,
  externalBI: true,
  userGrouping: true,
  clientPortal: true,
  support: 'priority',
  consultingHours: 2,
  activeForecasts: 20,
  groupings: 30,
  feeds: 5,
}
const PROFESSIONAL: PlanFeatures = {
  ...STANDARD,
  analysts: 10,
  users: 100,
  dataSources: 10,
  customInsights: null,
  syncFrequencyHours: 6,
  aiMessages: null,
  dataAccessManagement: true,
  fileAnalysis: true,
  multiCurrency: true,
  support: 'dedicated',
  consultingHours: 5,
  activeForecasts: null,
  groupings: 50,
  feeds: 20,
}
/**
 * The seven trial days give Professional's features, with 100 AI messages in all, and as many insights as anybody looks
 * at in a week: each is computed anew after every load in the one object of a workspace that pays nothing yet.
 */
export const TRIAL_FEATURES: PlanFeatures = {
  ...PROFESSIONAL,
  customInsights: 200,
  aiMessages: 100,
  support: 'email',
  consultingHours: 0,
  feeds: 5,
}

export const PLANS: readonly Plan[] = [
  {
    id: 'personal',
    name: 'Personal',
    description: 'One person, one source',
    recommended: false,
    highlighted: false,
    hidden: false,
    prices: pricesFor('personal', { monthly: 195, yearly: 2340 }),
    displayFeatures: [
      '1 user',
      '1 data source, synced every 24 hours',
      '10 custom insights',
      'Insight bot, 100 AI messages a month',
      '3 active forecasts',
      '10 groupings',
      'Reports',
      'Email support',
    ],
    features: PERSONAL,
  },
  {
    id: 'standard',
    name: 'Standard',
    description: 'Teams that share insights',
    badge: 'Most popular',
    recommended: true,
    highlighted: false,
    hidden: false,
    prices: pricesFor('standard', { monthly: 450, yearly: 5400 }),
    displayFeatures: [
      '30 users, 3 of them analysts',
      '3 data sources, synced every 12 hours',
      '20 custom insights',
      'Insight bot, 1,000 AI messages a month',
      '20 active forecasts',
      '30 groupings',
      'Reports, shared by link and email',
      'User groups',
      'Priority support, 2 consulting hours',
    ],
    features: STANDARD,
  },
  {
    id: 'professional',
    name: 'Professional',
    description: 'Companies run on their data',
    recommended: false,
    highlighted: true,
    hidden: false,
    prices: pricesFor('professional', { monthly: 895, yearly: 10740 }),
    displayFeatures: [
      '100 users, 10 of them analysts',
      '10 data sources, synced every 6 hours',
      'Unlimited insights and forecasts',
      'Insight bot, unlimited AI messages',
      '50 groupings',
      'Reports, shared by link and email',
      'User groups',
      'Multi-currency',
      'Data access management',
      'Dedicated support, 5 consulting hours',
    ],
    features: PROFESSIONAL,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    description: 'Custom limits and price',
    badge: 'Contact us',
    recommended: false,
    highlighted: false,
    hidden: false,
    prices: CUSTOM_PRICES,
    displayFeatures: ['Everything in Professional', 'Custom limits', 'One agreement for several companies'],
    features: PROFESSIONAL,
  },
  {
    id: 'legacy',
    name: 'Legacy',
    description: 'Older agreement',
    recommended: false,
    highlighted: false,
    hidden: true,
    prices: CUSTOM_PRICES,
    displayFeatures: [],
    features: PROFESSIONAL,
  },
]

export const planById = (id: PlanId): Plan | undefined => PLANS.find((plan) => plan.id === id)

/** Plans that can be bought by oneself, cheapest first. */
export const SELLABLE_PLAN_IDS = ['personal', 'standard', 'professional'] as const satisfies readonly PlanId[]
export type SellablePlanId = (typeof SELLABLE_PLAN_IDS)[number]

/** The cheapest plan on sale that opens a gate: what a locked screen offers. */
export function requiredPlan(gate: GateName): PlanId {
  return PLANS.find((plan) => !plan.hidden && plan.features[gate])?.id ?? 'enterprise'
}

/** Sold with today's plans. */
export const ADD_ON_IDS = ['extra_analyst', 'user_pack_10', 'extra_source', 'frequent_sync'] as const
/** Premium sync by number of sources: goes with the older tiers. */
export const PREMIUM_SYNC_IDS = ['premium_sync_1', 'premium_sync_3', 'premium_sync_5', 'premium_sync_10'] as const
/** For how many sources a Premium sync is. */
export const PREMIUM_SYNC_SIZES = [1, 3, 5, 10] as const
export type AddOnId = (typeof ADD_ON_IDS)[number] | (typeof PREMIUM_SYNC_IDS)[number]
export const ALL_ADD_ON_IDS: readonly AddOnId[] = [...ADD_ON_IDS, ...PREMIUM_SYNC_IDS]

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
    description: '1 more analyst and user',
    prices: pricesFor('extra_analyst', ADD_ON_PRICES),
  },
  {
    id: 'user_pack_10',
    name: '10-user pack',
    description: '10 more users',
    prices: pricesFor('user_pack_10', ADD_ON_PRICES),
  },
  {
    id: 'extra_source',
    name: 'Extra data source',
    description: '1 more data source',
    prices: pricesFor('extra_source', ADD_ON_PRICES),
  },
  {
    id: 'frequent_sync',
    name: 'Frequent sync',
    description: 'Hourly sync of every source',
    prices: pricesFor('frequent_sync', ADD_ON_PRICES),
    onePerWorkspace: true,
  },
]

const premiumSync = (
  sources: (typeof PREMIUM_SYNC_SIZES)[number],
  amounts: { monthly: number; yearly: number },
): AddOn => ({
  id: `premium_sync_${sources}`,
  name: `Premium sync, ${sources} ${sources === 1 ? 'source' : 'sources'}`,
  description: `Hourly sync of ${sources === 1 ? 'one source' : `${sources} sources`} of an older tier`,
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
