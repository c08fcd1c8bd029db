/** Prices, limits and gates: the given facts of the product as data. Amounts are in whole units of the currency. */
export type Interval = 'monthly' | 'yearly'
export type PlanId = 'personal' | 'standard' | 'professional' | 'enterprise' | 'legacy'
/** `null` = unlimited. */
export type Limit = number | null

export interface PlanFeatures {
  analysts: Limit
  users: Limit
  dataSources: Limit
  customInsights: Limit
  syncFrequencyHours: number
  aiMessages: Limit
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
}
export type LimitName = 'analysts' | 'users' | 'dataSources' | 'customInsights' | 'aiMessages'
export type GateName = {
  [K in keyof PlanFeatures]: PlanFeatures[K] extends boolean ? K : never
}[keyof PlanFeatures]

export interface Price {
  /** Whole units of `currency` for the interval; `null` = custom, set by an administrator. */
  amount: number | null
  currency: 'EUR' | 'SEK'
  priceId: string | null
  text: string
}
export interface Plan {
  id: PlanId
  name: string
  description: string
  badge?: string
  recommended: boolean
  highlighted: boolean
  hidden: boolean
  prices: Record<Interval, Price>
  displayFeatures: string[]
  features: PlanFeatures
}
export interface AddOn {
  id: string
  name: string
  description: string
  prices: Record<Interval, Price>
  onePerWorkspace?: boolean
}

export const TRIAL_DAYS = 7
export const TRIAL_MS = TRIAL_DAYS * 24 * 60 * 60 * 1000
export const INVOICE_DUE_DAYS = 30
export const BILLING_CURRENCY = 'EUR'
export const BANK_TRANSFER_COUNTRY = 'BE'

const euro = (amount: number, per: string, priceId: string): Price => ({
  amount,
  currency: 'EUR',
  priceId,
  text: `€${amount} per ${per}`,
})
const prices = (id: string, monthly: number, yearly: number): Record<Interval, Price> => ({
  monthly: euro(monthly, 'month', `${id}_monthly`),
  yearly: euro(yearly, 'year', `${id}_yearly`),
})
const kronor = (id: string, monthly: number, yearly: number): Record<Interval, Price> => ({
  monthly: { amount: monthly, currency: 'SEK', priceId: `${id}_monthly`, text: `${monthly} kr per month` },
  yearly: { amount: yearly, currency: 'SEK', priceId: `${id}_yearly`, text: `${yearly} kr per year` },
})
const custom: Record<Interval, Price> = {
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
}
/** The seven trial days give Professional's features, with 100 bot messages in all. */
export const TRIAL_FEATURES: PlanFeatures = { ...PROFESSIONAL, aiMessages: 100, support: 'email', consultingHours: 0 }

export const PLANS: readonly Plan[] = [
  {
    id: 'personal',
    name: 'Personal',
    description: 'For one person and one source.',
    recommended: false,
    highlighted: false,
    hidden: false,
    prices: prices('personal', 195, 2340),
    displayFeatures: ['1 data source', '10 custom insights', 'Daily sync', 'Forecasts and reports'],
    features: PERSONAL,
  },
  {
    id: 'standard',
    name: 'Standard',
    description: 'For a team that shares what it finds.',
    badge: 'Most popular',
    recommended: true,
    highlighted: false,
    hidden: false,
    prices: prices('standard', 450, 5400),
    displayFeatures: ['3 data sources', '20 custom insights', 'Sync every 12 hours', 'Client portal and external BI'],
    features: STANDARD,
  },
  {
    id: 'professional',
    name: 'Professional',
    description: 'For companies that steer by their figures.',
    recommended: false,
    highlighted: true,
    hidden: false,
    prices: prices('professional', 895, 10740),
    displayFeatures: ['10 data sources', 'Unlimited insights', 'Sync every 6 hours', 'Data access and currencies'],
    features: PROFESSIONAL,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    description: 'Limits and prices made for you.',
    badge: 'Contact us',
    recommended: false,
    highlighted: false,
    hidden: false,
    prices: custom,
    displayFeatures: ['Everything in Professional', 'Your own limits'],
    features: PROFESSIONAL,
  },
  {
    id: 'legacy',
    name: 'Legacy',
    description: 'An older agreement.',
    recommended: false,
    highlighted: false,
    hidden: true,
    prices: custom,
    displayFeatures: [],
    features: PROFESSIONAL,
  },
]

export const ADD_ONS: readonly AddOn[] = [
  {
    id: 'extra_analyst',
    name: 'Extra analyst',
    description: 'One more analyst and one more user.',
    prices: prices('extra_analyst', 20, 240),
  },
  { id: 'user_pack_10', name: '10-user pack', description: 'Ten more users.', prices: prices('user_pack_10', 20, 240) },
  {
    id: 'extra_source',
    name: 'Extra data source',
    description: 'One more data source.',
    prices: prices('extra_source', 20, 240),
  },
  {
    id: 'frequent_sync',
    name: 'Frequent sync',
    description: 'Every source is synced hourly.',
    prices: prices('frequent_sync', 20, 240),
    onePerWorkspace: true,
  },
]

const premiumSync = (sources: number, monthly: number, yearly: number): AddOn => ({
  id: `premium_sync_${sources}`,
  name: `Premium sync, ${sources} ${sources === 1 ? 'source' : 'sources'}`,
  description: 'Hourly sync for the older tiers.',
  prices: prices(`premium_sync_${sources}`, monthly, yearly),
  onePerWorkspace: true,
})
export const PREMIUM_SYNC: readonly AddOn[] = [
  premiumSync(1, 8.5, 85),
  premiumSync(3, 18, 180),
  premiumSync(5, 26, 260),
  premiumSync(10, 35, 350),
]

/** The older tiers, named by their number of data sources: renewable, not for sale. */
export const OLDER_TIERS: readonly { sources: number; hidden: boolean; prices: Record<Interval, Price> }[] = [
  { sources: 1, hidden: false, prices: kronor('older_1', 495, 4950) },
  { sources: 3, hidden: false, prices: kronor('older_3', 995, 9950) },
  { sources: 5, hidden: false, prices: kronor('older_5', 1495, 14950) },
  { sources: 10, hidden: false, prices: kronor('older_10', 1995, 19950) },
  { sources: 50, hidden: true, prices: kronor('older_50', 2995, 29950) },
]

export type SubscriptionState =
  | 'trialing'
  | 'trial_expired'
  | 'awaiting_checkout'
  | 'active'
  | 'invoice_pending'
  | 'past_due'
  | 'restricted'
  | 'canceled'

/** What the workspace's subscription row says; all that entitlements are computed from. */
export interface Subscription {
  state: SubscriptionState
  planId: PlanId | null
  /** Epoch ms; the end of the trial while `state` is `trialing`. */
  trialEndsAt: number | null
  /** An administrator's own limits and gates, laid over the plan's. */
  override: Partial<PlanFeatures> | null
}

export type ReadOnlyReason = 'trial_expired' | 'awaiting_checkout' | 'restricted' | 'canceled' | 'frozen'

export interface Entitlements {
  state: SubscriptionState
  planId: PlanId | null
  features: PlanFeatures
  readOnly: ReadOnlyReason | null
  trialEndsAt: number | null
}

const planById = (id: PlanId): Plan | undefined => PLANS.find((plan) => plan.id === id)

/** Plan ∪ administrator's override, and whether the workspace may be written to at `now` (epoch ms). */
export function entitlements(subscription: Subscription, now: number): Entitlements {
  const { planId, trialEndsAt } = subscription
  const expired = subscription.state === 'trialing' && trialEndsAt !== null && now >= trialEndsAt
  const state: SubscriptionState = expired ? 'trial_expired' : subscription.state
  const base = planId === null ? TRIAL_FEATURES : (planById(planId)?.features ?? TRIAL_FEATURES)
  const readOnly: ReadOnlyReason | null =
    state === 'trial_expired' || state === 'awaiting_checkout' || state === 'restricted' || state === 'canceled'
      ? state
      : null
  return { state, planId, features: { ...base, ...subscription.override }, readOnly, trialEndsAt }
}

/** The cheapest plan on sale that opens a gate: what a locked screen offers. */
export function requiredPlan(gate: GateName): PlanId {
  return PLANS.find((plan) => !plan.hidden && plan.features[gate])?.id ?? 'enterprise'
}
