import { pricesFor } from './prices'
import type { BillingInterval, Price } from './prices'

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
/** What is counted against a plan. `aiMessages` count per calendar month, in a trial over all of it. */
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
/** The seven trial days give Professional's features, with 100 bot messages in all. */
export const TRIAL_FEATURES: PlanFeatures = {
  ...PROFESSIONAL,
  aiMessages: 100,
  support: 'email',
  consultingHours: 0,
  feeds: 5,
}

export const PLANS: readonly Plan[] = [
  {
    id: 'personal',
    name: 'Personal',
    description: 'For one person and one source.',
    recommended: false,
    highlighted: false,
    hidden: false,
    prices: pricesFor('personal', { monthly: 195, yearly: 2340 }),
    displayFeatures: [
      '1 user',
      '1 data source, synced daily',
      '10 custom insights',
      '100 bot messages a month',
      'Forecasts, reports and data grouping',
      'Support by e-mail',
    ],
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
    prices: pricesFor('standard', { monthly: 450, yearly: 5400 }),
    displayFeatures: [
      '30 users, 3 of them analysts',
      '3 data sources, synced every 12 hours',
      '20 custom insights',
      '1 000 bot messages a month',
      'Client portal, user groups and external BI',
      'Reports shared by link and mail',
      'Priority support, 2 hours of consulting',
    ],
    features: STANDARD,
  },
  {
    id: 'professional',
    name: 'Professional',
    description: 'For companies that steer by their figures.',
    recommended: false,
    highlighted: true,
    hidden: false,
    prices: pricesFor('professional', { monthly: 895, yearly: 10740 }),
    displayFeatures: [
      '100 users, 10 of them analysts',
      '10 data sources, synced every 6 hours',
      'Unlimited insights and bot messages',
      'Everything else in Standard',
      'Data access management',
      'File analysis',
      'Several currencies',
      'Dedicated support, 5 hours of consulting',
    ],
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
    prices: CUSTOM_PRICES,
    displayFeatures: ['Everything in Professional', 'Limits of your own', 'One agreement for many companies'],
    features: PROFESSIONAL,
  },
  {
    id: 'legacy',
    name: 'Legacy',
    description: 'An older agreement.',
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
