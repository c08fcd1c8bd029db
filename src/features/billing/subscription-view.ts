import { hasCustomPlan } from './projection'
import { billingStore } from './store'
import type { BillingAccount } from './store'
import type { Membership, Scope } from '../../identity/scope'
import { readOverLimitSummary } from '../../entitlements/over-limit'
import { readUsage } from '../../entitlements/usage'
import type { Deps } from '../../deps'
import { computeEntitlements } from '../../shared/billing/entitlements'
import type { SubscriptionState } from '../../shared/billing/entitlements'
import type { BillingDetails, SubscriptionView } from '../../shared/billing/subscription'

/** Whose subscription is shown. */
export interface SubscriptionContext {
  scope: Scope
  settings: Membership['settings']
}

const toIsoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const NO_DETAILS: BillingDetails = { companyName: '', billingEmail: '', taxId: '', poReference: '' }
const PAID_STATES: readonly SubscriptionState[] = ['active', 'invoice_pending', 'past_due']

/** Whether what stays may be chosen: while no plan is paid for, and while a smaller one waits. */
export const canChooseRetained = (state: SubscriptionState, scheduled: unknown): boolean =>
  scheduled !== null || !PAID_STATES.includes(state)

/**
 * The subscription as we know it: nobody is asked, so it is shown while billing is away. `row` = as it stands or will stand;
 * read when left out.
 */
export async function subscriptionView(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { scope, settings }: SubscriptionContext,
  preloaded?: BillingAccount,
): Promise<SubscriptionView> {
  const row = preloaded ?? (await billingStore(db, scope).get())
  const now = clock.now()
  const effective = computeEntitlements(row, now)
  const [meters, frozen] = await Promise.all([
    readUsage(db, scope, { entitlements: effective, settings, now }),
    readOverLimitSummary(db, scope, effective.features),
  ])
  const { planId, tier, interval, addOns, method, scheduled, version } = row
  return {
    ...{ state: effective.state, planId, tier, interval, addOns, method },
    trialEndsAt: toIsoOrNull(row.trialEndsAt),
    periodEndsAt: toIsoOrNull(row.periodEndsAt),
    cancelAt: toIsoOrNull(row.cancelAt),
    graceEndsAt: toIsoOrNull(effective.graceEndsAt),
    invoiceDueAt: toIsoOrNull(row.invoiceDueAt),
    scheduled: scheduled && { ...scheduled, at: new Date(scheduled.at).toISOString() },
    details: { ...NO_DETAILS, ...row.details },
    ...{
      meters,
      frozen,
      mayChoose: canChooseRetained(effective.state, scheduled),
      custom: hasCustomPlan(row),
      version,
    },
  }
}
