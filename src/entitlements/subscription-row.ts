import { z } from 'zod'
import { NO_SUBSCRIPTION } from '../shared/billing/entitlements'
import type { AddOnQuantities, Subscription, SubscriptionState } from '../shared/billing/entitlements'
import type { PlanFeatures, PlanId } from '../shared/billing/plans'

/** The columns that entitlements are computed from, of the table under `alias`. */
export const subscriptionColumns = (alias: string): string =>
  [
    ...['state', 'plan_id', 'trial_ends_at', 'override', 'add_ons', 'tier'],
    ...['invoice_due_at', 'past_due_since', 'fetched_at', 'period_ends_at'],
  ]
    .map((name) => `${alias}.${name}`)
    .join(', ')

/** A row of {@link subscriptionColumns}; `state` is null where there is no row. */
export interface SubscriptionRow {
  state: SubscriptionState | null
  plan_id: PlanId | null
  trial_ends_at: number | null
  override: string | null
  add_ons: string | null
  tier: number | null
  invoice_due_at: number | null
  past_due_since: number | null
  fetched_at: number | null
  period_ends_at: number | null
}

const overrideSchema = z.record(z.string(), z.unknown())
const addOnsSchema = z.record(z.string(), z.int().min(0))

/** A workspace without such a row is read-only rather than free. */
export function subscriptionFromRow(row: SubscriptionRow | null): Subscription {
  if (row === null || row.state === null) return NO_SUBSCRIPTION
  const override: Partial<PlanFeatures> | null =
    row.override === null ? null : overrideSchema.parse(JSON.parse(row.override))
  const addOns: AddOnQuantities = addOnsSchema.parse(JSON.parse(row.add_ons ?? '{}'))
  return {
    state: row.state,
    planId: row.plan_id,
    trialEndsAt: row.trial_ends_at,
    override,
    addOns,
    tier: row.tier,
    invoiceDueAt: row.invoice_due_at,
    pastDueSince: row.past_due_since,
    fetchedAt: row.fetched_at ?? 0,
    periodEndsAt: row.period_ends_at,
  }
}
