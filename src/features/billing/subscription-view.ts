import { hasCustomPlan } from './projection'
import { getAccount } from './store'
import type { RequestContext } from '../../http/request-context'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { readOverLimitSummary } from '../../entitlements/limits'
import { readUsage } from '../../entitlements/usage'
import { computeEntitlements } from '../../shared/billing/entitlements'
import type { SubscriptionState } from '../../shared/billing/entitlements'
import type { BillingDetails, SubscriptionView } from '../../shared/billing/subscription'
import type { BillingAccount } from './billing-account'

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
  { deps: { db, clock }, scope, membership: { settings } }: RequestContext,
  preloaded?: BillingAccount,
): Promise<SubscriptionView> {
  const row = preloaded ?? (await getAccount(db, scope))
  const now = clock.now()
  const effective = computeEntitlements(row, now)
  const [meters, frozen] = await Promise.all([
    readUsage(db, scope, { entitlements: effective, settings, now }),
    readOverLimitSummary(db, scope, effective.features),
  ])
  const { planId, tier, interval, addOns, method, scheduled, version } = row
  return {
    state: effective.state,
    planId,
    tier,
    interval,
    addOns,
    method,
    trialEndsAt: toIsoOrNull(row.trialEndsAt),
    periodEndsAt: toIsoOrNull(row.periodEndsAt),
    cancelAt: toIsoOrNull(row.cancelAt),
    graceEndsAt: toIsoOrNull(effective.graceEndsAt),
    invoiceDueAt: toIsoOrNull(row.invoiceDueAt),
    scheduled: scheduled && { ...scheduled, at: toIso(scheduled.at) },
    details: { ...NO_DETAILS, ...row.details },
    meters,
    frozen,
    mayChoose: canChooseRetained(effective.state, scheduled),
    custom: hasCustomPlan(row),
    version,
  }
}
