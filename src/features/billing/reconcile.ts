import {
  fetchStripeSnapshot,
  isForeignStripeAccount,
  reportToOperator,
  cancelAtPeriodEnd,
  cancelImmediately,
  isPaymentRestored,
  revertCancellation,
  applyTrialExtension,
  isTrialExtensionDue,
} from './stripe-subscriptions'
import { projectSubscription } from './projection'
import { claimBatch } from './round-store'
import { findStripeIds, getAccount } from './store'
import { stripeClient } from './stripe'
import { syncAccount } from './sync'
import { isLocked } from './checkout-lock'
import type { Deps } from '../../deps'
import { billingMode } from '../../settings'
import { ProductError } from '../../shared/errors'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { PREMIUM_SYNC_IDS } from '../../shared/billing/plans'
import type { BillingAccount, CancelReason } from './billing-account'

/**
 * Asks billing again wherever a date has passed or nothing was heard for a day, prolongs a period by what was left of the
 * trial, lets unpaid subscriptions and those of deleted workspaces end with their period, and takes that back once there is
 * no reason for it. While billing is away nothing changes: the round ends, and a later one goes on.
 */
export async function reconcileSubscriptions(deps: Deps): Promise<void> {
  if (billingMode(deps.settings) === 'off') return
  for (const id of await claimBatch(deps)) {
    try {
      await reconcile(deps, await getAccount(deps.db, { workspaceId: id }))
    } catch (error) {
      if (isBillingUnavailable(error)) return
      // Another account's key was reported where it was noticed.
      if (!isForeignStripeAccount(error)) deps.reporter.report(error, { route: 'scheduled billing' })
    }
  }
}

const isBillingUnavailable = (error: unknown): boolean =>
  error instanceof ProductError && error.code === 'billing_unavailable' && !isForeignStripeAccount(error)

async function reconcile(deps: Deps, account: BillingAccount): Promise<void> {
  const row = await syncAccount(deps, account)
  const now = deps.clock.now()
  const cancellation = desiredCancellation(row, now)
  // Somebody who changes the subscription right now goes first.
  const extendsTrial = isTrialExtensionDue(row, now) && !isLocked(row, now)
  const isOrphanedPremium = row.premiumId !== null && (row.subscriptionId === null || !hasPremiumSync(row))
  if ((cancellation === null && !extendsTrial && !isOrphanedPremium) || row.customerId === null) return
  const stripe = stripeClient(deps)
  const { objects, classified } = await fetchStripeSnapshot(stripe, row)
  if (extendsTrial && classified.main && isTrialExtensionDue(projectSubscription(objects, row, now), now))
    await applyTrialExtension(stripe, classified.main)
  // Premium sync does nothing without the tier that it was bought beside, and nobody could end it any more. A plan stays.
  if (isOrphanedPremium) await cancelAtPeriodEnd(stripe, { ...classified, main: null }, null)
  if (cancellation === null) return void (await syncAccount(deps, row))
  if (cancellation === 'undo') await revertCancellation(stripe, classified)
  else await cancelAtPeriodEnd(stripe, classified, cancellation)
  await syncAccount(deps, row)
}

const hasPremiumSync = ({ addOns }: BillingAccount): boolean => PREMIUM_SYNC_IDS.some((id) => (addOns[id] ?? 0) > 0)

/** What is to be set at billing about the end of a subscription. */
function desiredCancellation(row: BillingAccount, now: number): CancelReason | 'undo' | null {
  if (row.subscriptionId === null) return null
  if (row.deletedAt !== null) return row.cancelAt === null ? 'deleted' : null
  if (row.cancelReason === 'deleted' || isPaymentRestored(row)) return 'undo'
  return row.cancelAt === null && computeEntitlements(row, now).state === 'restricted' ? 'unpaid' : null
}

/**
 * Ends everything that a workspace pays for, at once: it is being removed for good.
 * @returns false while billing is away: the row must stay, because it names the customer
 */
export async function cancelAllSubscriptions(deps: Deps, workspaceId: string): Promise<boolean> {
  const row = await findStripeIds(deps.db, workspaceId)
  if (!row || row.customerId === null) return true
  if (billingMode(deps.settings) === 'off') {
    // Without a key nobody can end it from here, and what was deleted is not kept for that: the operator is told.
    const { subscriptionId } = row
    if (subscriptionId !== null)
      reportToOperator(deps, workspaceId, `Removed while billing is off, so not ended: ${subscriptionId}`)
    return true
  }
  const stripe = stripeClient(deps)
  try {
    const { objects } = await fetchStripeSnapshot(stripe, row)
    await cancelImmediately(stripe, objects.subscriptions)
    return true
  } catch (error) {
    if (isBillingUnavailable(error)) return false
    deps.reporter.report(error, { route: 'purge billing' })
    return isForeignStripeAccount(error)
  }
}
