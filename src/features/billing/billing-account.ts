import type { Subscription, AddOnQuantities, SubscriptionState } from '../../shared/billing/entitlements'
import type { BillingDetails, PlanChoice, PaymentMethod } from '../../shared/billing/subscription'
import type { PlanId } from '../../shared/billing/plans'
import type { BillingInterval } from '../../shared/billing/prices'

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

/**
 * The subscription of one workspace with everything that is known of it, parsed. It is read here only: for a scope, for a
 * customer that a signed event names, or for a round. Instants are epoch ms.
 */
export interface BillingAccount extends Subscription, SubscriptionProjection {
  workspaceId: string
  customerId: string | null
  premiumCustomerId: string | null
  checkout: OpenCheckout | null
  checkoutSerial: number
  details: Partial<BillingDetails>
  fetchedAt: number
  version: number
  workspaceName: string
  /** Null while the workspace is open; 0 = it is being purged. */
  deletedAt: number | null
}

/** The columns that are made equal to Stripe's objects. Instants are epoch ms. */
export interface SubscriptionProjection {
  state: SubscriptionState
  planId: PlanId | null
  tier: number | null
  interval: BillingInterval | null
  addOns: AddOnQuantities
  method: PaymentMethod | null
  subscriptionId: string | null
  premiumId: string | null
  periodEndsAt: number | null
  cancelAt: number | null
  cancelReason: CancelReason | null
  /** The part of `periodEndsAt` that Stripe is yet to be told of (ms). */
  trialRestMs: number | null
  invoiceDueAt: number | null
  pastDueSince: number | null
  scheduled: ScheduledPlanChange | null
}

/** A first payment is for a plan, or for Premium sync beside an older tier: each a subscription of its own. */
export type PurchaseKind = 'plan' | 'premium'

export const CANCEL_REASONS = ['unpaid', 'deleted'] as const

/** Why we ask Stripe to end a subscription with its period; it stands in the subscription's metadata under this key. */
export type CancelReason = (typeof CANCEL_REASONS)[number]
