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
  TRIAL_EXTENSION_LEAD_MS,
} from './stripe-subscriptions'
import { projectSubscription } from './projection'
import type { CancelReason } from './projection'
import { getAccountByWorkspace } from './store'
import type { BillingAccount } from './store'
import { stripeClient } from './stripe'
import { syncAccount } from './sync'
import { isLocked } from './checkout-lock'
import type { Deps } from '../../deps'
import { billingMode } from '../../settings'
import { ProductError } from '../../shared/errors'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { GRACE_MS } from '../../shared/billing/plans'

const HOUR_MS = 60 * 60 * 1000
/** What was not heard of for so long is asked for, in case an event was lost. */
const STALE_AFTER_MS = 24 * HOUR_MS
/** A row that was taken up is left alone so long, whatever came of it. */
const RETRY_AFTER_MS = HOUR_MS / 4
/** Rows that one round takes up. */
const BATCH_SIZE = 20

const OVERDUE_SINCE = 'coalesce(b.past_due_since, b.invoice_due_at)'
const GRACE_ENDS = `(${OVERDUE_SINCE} + ${GRACE_MS})`
const CHECKOUT_ENDS = "json_extract(b.checkout, '$.expiresAt')"
/** Whether billing has to be asked at `?1`: a date has passed since the last answer, or something is to be set there. */
const NEEDS_RECONCILING = `b.customer_id IS NOT NULL AND (
  (b.state = 'invoice_pending' AND b.invoice_due_at <= ?1 AND b.fetched_at < b.invoice_due_at)
  OR (b.state IN ('past_due', 'invoice_pending') AND ${GRACE_ENDS} <= ?1 AND b.fetched_at < ${GRACE_ENDS})
  OR (${CHECKOUT_ENDS} <= ?1 AND b.fetched_at < ${CHECKOUT_ENDS})
  OR (b.premium_id IS NOT NULL AND b.subscription_id IS NULL AND b.fetched_at <= ?1 - ${STALE_AFTER_MS})
  OR (b.subscription_id IS NOT NULL AND (
    b.cancel_at <= ?1
    OR b.fetched_at <= ?1 - ${STALE_AFTER_MS}
    OR (b.trial_rest_ms > 0 AND b.period_ends_at - b.trial_rest_ms <= ?1 + ${TRIAL_EXTENSION_LEAD_MS})
    OR (b.cancel_at IS NULL AND (
      w.deleted_at IS NOT NULL OR b.state = 'restricted' OR (b.state = 'past_due' AND ${GRACE_ENDS} <= b.fetched_at)))
    OR (b.cancel_reason = 'unpaid' AND b.state IN ('active', 'invoice_pending'))
    OR (b.cancel_reason = 'deleted' AND w.deleted_at IS NULL))))`

/** Rows whose turn it is, taken up by this round alone. */
async function claimBatch({ db, clock }: Deps): Promise<string[]> {
  const { results } = await db.d1
    .prepare(
      `UPDATE subscriptions SET tried_at = ?1 WHERE tried_at <= ?1 - ${RETRY_AFTER_MS} AND workspace_id IN (
         SELECT b.workspace_id FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id
         WHERE b.tried_at <= ?1 - ${RETRY_AFTER_MS} AND (w.deleted_at IS NULL OR w.deleted_at > 0) AND ${NEEDS_RECONCILING}
         ORDER BY b.tried_at, b.fetched_at LIMIT ${BATCH_SIZE})
       RETURNING workspace_id AS id`,
    )
    .bind(clock.now())
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/**
 * Asks billing again wherever a date has passed or nothing was heard for a day, prolongs a period by what was left of the
 * trial, lets unpaid subscriptions and those of deleted workspaces end with their period, and takes that back once there is
 * no reason for it. While billing is away nothing
 * changes: the round ends, and a later one goes on.
 */
export async function reconcileSubscriptions(deps: Deps): Promise<void> {
  if (billingMode(deps.settings) === 'off') return
  for (const id of await claimBatch(deps)) {
    try {
      await reconcile(deps, await getAccountByWorkspace(deps.db, id))
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
  const isOrphanedPremium = row.subscriptionId === null && row.premiumId !== null
  if ((cancellation === null && !extendsTrial && !isOrphanedPremium) || row.customerId === null) return
  const stripe = stripeClient(deps)
  const { objects, classified } = await fetchStripeSnapshot(stripe, row)
  if (extendsTrial && classified.main && isTrialExtensionDue(projectSubscription(objects, row, now), now))
    await applyTrialExtension(stripe, classified.main)
  // Premium sync does nothing without the tier that it was bought beside, and nobody could end it any more.
  if (isOrphanedPremium) await cancelAtPeriodEnd(stripe, classified, null)
  if (cancellation === null) return void (await syncAccount(deps, row))
  if (cancellation === 'undo') await revertCancellation(stripe, classified)
  else await cancelAtPeriodEnd(stripe, classified, cancellation)
  await syncAccount(deps, row)
}

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
  const row = await deps.db.d1
    .prepare(
      `SELECT customer_id AS customerId, premium_customer_id AS premiumCustomerId, subscription_id AS subscriptionId
       FROM subscriptions WHERE workspace_id = ?`,
    )
    .bind(workspaceId)
    .first<Pick<BillingAccount, 'customerId' | 'premiumCustomerId' | 'subscriptionId'>>()
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
