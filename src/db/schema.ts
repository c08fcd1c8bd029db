import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { IDENTITY_PROVIDERS } from '../shared/account'
import type { NotificationSettings } from '../shared/account'
import type { AddOnQuantities, SubscriptionState } from '../shared/billing/entitlements'
import type { PlanFeatures, PlanId } from '../shared/billing/plans'
import type { BillingInterval } from '../shared/billing/prices'
import { PAYMENT_METHODS } from '../shared/billing/subscription'
import type { BillingDetails, PlanChoice } from '../shared/billing/subscription'
import type { OnboardingStep } from '../shared/session'
import { WEEK_STARTS } from '../shared/workspaces'
import type { QueryPlan } from '../shared/query/plan'
import { ORIGINS } from '../shared/insights'
import type { Viz } from '../shared/insights'

/** The tables of `migrations/` that stores read through drizzle. Instants are epoch milliseconds. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  /** Typed at registration or proven; null = none counts. */
  email: text('email'),
  emailProvenAt: integer('email_proven_at'),
  name: text('name').notNull(),
  passwordHash: text('password_hash'),
  job: text('job'),
  goals: text('goals', { mode: 'json' }).$type<string[]>().notNull(),
  locale: text('locale'),
  avatarKey: text('avatar_key'),
  notifications: text('notifications', { mode: 'json' }).$type<Partial<NotificationSettings>>().notNull(),
  onboarding: text('onboarding').$type<OnboardingStep>().notNull(),
  epoch: integer('epoch').notNull(),
  staffRole: text('staff_role'),
  termsAcceptedAt: integer('terms_accepted_at').notNull(),
  disabledAt: integer('disabled_at'),
  deletedAt: integer('deleted_at'),
  createdAt: integer('created_at').notNull(),
})

export const workspaces = sqliteTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  country: text('country').notNull(),
  currency: text('currency').notNull(),
  numberLocale: text('number_locale').notNull(),
  timeZone: text('time_zone').notNull(),
  fiscalYearStart: integer('fiscal_year_start').notNull(),
  weekStart: text('week_start', { enum: WEEK_STARTS }).notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  deletedAt: integer('deleted_at'),
  deletedBy: text('deleted_by'),
  logoKey: text('logo_key'),
  mailDomains: text('mail_domains', { mode: 'json' }).$type<string[]>().notNull(),
})

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  provider: text('provider', { enum: IDENTITY_PROVIDERS }).notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  userId: text('user_id').notNull(),
  email: text('email'),
  emailProven: integer('email_proven', { mode: 'boolean' }).notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at').notNull(),
})

/** A change that waits for the end of the period; `at` in epoch ms. */
export interface ScheduledPlanChange extends PlanChoice {
  at: number
}
/** The checkout page that is open for a workspace; `hash` of what was chosen, `expiresAt` in epoch ms. */
export interface OpenCheckout {
  id: string
  url: string
  hash: string
  expiresAt: number
}

export const subscriptions = sqliteTable('subscriptions', {
  workspaceId: text('workspace_id').primaryKey(),
  state: text('state').$type<SubscriptionState>().notNull(),
  planId: text('plan_id').$type<PlanId>(),
  trialEndsAt: integer('trial_ends_at'),
  override: text('override', { mode: 'json' }).$type<Partial<PlanFeatures>>(),
  interval: text('interval').$type<BillingInterval>(),
  addOns: text('add_ons', { mode: 'json' }).$type<AddOnQuantities>().notNull(),
  tier: integer('tier'),
  method: text('method', { enum: PAYMENT_METHODS }),
  customerId: text('customer_id'),
  subscriptionId: text('subscription_id'),
  premiumId: text('premium_id'),
  premiumCustomerId: text('premium_customer_id'),
  periodEndsAt: integer('period_ends_at'),
  cancelAt: integer('cancel_at'),
  trialRestMs: integer('trial_rest_ms'),
  invoiceDueAt: integer('invoice_due_at'),
  pastDueSince: integer('past_due_since'),
  scheduled: text('scheduled', { mode: 'json' }).$type<ScheduledPlanChange>(),
  checkout: text('checkout', { mode: 'json' }).$type<OpenCheckout>(),
  checkoutSerial: integer('checkout_serial').notNull(),
  details: text('details', { mode: 'json' }).$type<Partial<BillingDetails>>().notNull(),
  cancelReason: text('cancel_reason', { enum: ['unpaid', 'deleted'] }),
  triedAt: integer('tried_at').notNull(),
  fetchedAt: integer('fetched_at').notNull(),
  version: integer('version').notNull(),
  told: text('told'),
})

export const sessions = sqliteTable('sessions', {
  hash: text('hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  userAgent: text('user_agent'),
  country: text('country'),
  epoch: integer('epoch').notNull(),
})

export const insights = sqliteTable('insights', {
  id: text('id').primaryKey(),
  workspaceId: text('workspace_id').notNull(),
  name: text('name').notNull(),
  nameKey: text('name_key').notNull(),
  description: text('description').notNull(),
  plan: text('plan', { mode: 'json' }).$type<QueryPlan>().notNull(),
  viz: text('viz', { mode: 'json' }).$type<Viz>().notNull(),
  ownerId: text('owner_id').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
  origin: text('origin', { enum: ORIGINS }).notNull(),
  categoryId: text('category_id'),
  findings: text('findings', { enum: ['on', 'off'] }).notNull(),
  verifiedBy: text('verified_by'),
  verifiedAt: integer('verified_at'),
  verifiedHash: text('verified_hash'),
})
