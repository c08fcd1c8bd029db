import { askFor, isOtherAccount, reportTrouble } from './ask'
import { cancelAtPeriodEnd, endNow, isPaidAgain, undoCancel } from './cancelling'
import { project } from './projection'
import type { CancelReason } from './projection'
import { accountOfWorkspace } from './store'
import type { BillingRow } from './store'
import { stripeOf } from './stripe'
import { syncAccount } from './sync'
import { addTrialRest, isRestDue, REST_AHEAD_MS } from './trial-rest'
import { isTurn } from './turn'
import type { Deps } from '../../deps'
import { billingMode } from '../../env'
import { ProductError } from '../../shared/errors'
import { entitlements } from '../../shared/entitlements'
import { GRACE_MS } from '../../shared/plans'

const HOUR_MS = 60 * 60 * 1000
/** What was not heard of for so long is asked for, in case an event was lost. */
const UNHEARD_MS = 24 * HOUR_MS
/** A row that was taken up is left alone so long, whatever came of it. */
const RETRY_MS = HOUR_MS / 4
/** Rows that one round takes up. */
const ROWS_MAX = 20

const OWED_SINCE = 'coalesce(b.past_due_since, b.invoice_due_at)'
const GRACE_ENDS = `(${OWED_SINCE} + ${GRACE_MS})`
const CHECKOUT_ENDS = "json_extract(b.checkout, '$.expiresAt')"
/** Whether billing has to be asked at `?1`: a date has passed since the last answer, or something is to be set there. */
const DUE = `b.customer_id IS NOT NULL AND (
  (b.state = 'invoice_pending' AND b.invoice_due_at <= ?1 AND b.fetched_at < b.invoice_due_at)
  OR (b.state IN ('past_due', 'invoice_pending') AND ${GRACE_ENDS} <= ?1 AND b.fetched_at < ${GRACE_ENDS})
  OR (${CHECKOUT_ENDS} <= ?1 AND b.fetched_at < ${CHECKOUT_ENDS})
  OR (b.premium_id IS NOT NULL AND b.subscription_id IS NULL AND b.fetched_at <= ?1 - ${UNHEARD_MS})
  OR (b.subscription_id IS NOT NULL AND (
    b.cancel_at <= ?1
    OR b.fetched_at <= ?1 - ${UNHEARD_MS}
    OR (b.trial_rest_ms > 0 AND b.period_ends_at - b.trial_rest_ms <= ?1 + ${REST_AHEAD_MS})
    OR (b.cancel_at IS NULL AND (
      w.deleted_at IS NOT NULL OR b.state = 'restricted' OR (b.state = 'past_due' AND ${GRACE_ENDS} <= b.fetched_at)))
    OR (b.cancel_reason = 'unpaid' AND b.state IN ('active', 'invoice_pending'))
    OR (b.cancel_reason = 'deleted' AND w.deleted_at IS NULL))))`

/** Rows whose turn it is, taken up by this round alone. */
async function takeUp({ db, clock }: Deps): Promise<string[]> {
  const { results } = await db.d1
    .prepare(
      `UPDATE subscriptions SET tried_at = ?1 WHERE tried_at <= ?1 - ${RETRY_MS} AND workspace_id IN (
         SELECT b.workspace_id FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id
         WHERE b.tried_at <= ?1 - ${RETRY_MS} AND (w.deleted_at IS NULL OR w.deleted_at > 0) AND ${DUE}
         ORDER BY b.tried_at, b.fetched_at LIMIT ${ROWS_MAX})
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
export async function refreshSubscriptions(deps: Deps): Promise<void> {
  if (billingMode(deps.settings) === 'off') return
  for (const id of await takeUp(deps)) {
    try {
      await bringUpToDate(deps, await accountOfWorkspace(deps.db, id))
    } catch (error) {
      if (isAway(error)) return
      // Another account's key was reported where it was noticed.
      if (!isOtherAccount(error)) deps.reporter.report(error, { route: 'scheduled billing' })
    }
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof ProductError && error.code === 'billing_unavailable' && !isOtherAccount(error)

async function bringUpToDate(deps: Deps, account: BillingRow): Promise<void> {
  const row = await syncAccount(deps, account)
  const now = deps.clock.now()
  const wish = wishFor(row, now)
  // Somebody who changes the subscription right now goes first.
  const prolongs = isRestDue(row, now) && !isTurn(row, now)
  const isLeft = row.subscriptionId === null && row.premiumId !== null
  if ((wish === null && !prolongs && !isLeft) || row.customerId === null) return
  const stripe = stripeOf(deps)
  const { answer, sorted } = await askFor(stripe, row)
  if (prolongs && sorted.main && isRestDue(project(answer, row, now), now)) await addTrialRest(stripe, sorted.main)
  // Premium sync does nothing without the tier that it was bought beside, and nobody could end it any more.
  if (isLeft) await cancelAtPeriodEnd(stripe, sorted, null)
  if (wish === null) return void (await syncAccount(deps, row))
  if (wish === 'undo') await undoCancel(stripe, sorted)
  else await cancelAtPeriodEnd(stripe, sorted, wish)
  await syncAccount(deps, row)
}

/** What is to be set at billing about the end of a subscription. */
function wishFor(row: BillingRow, now: number): CancelReason | 'undo' | null {
  if (row.subscriptionId === null) return null
  if (row.deletedAt !== null) return row.cancelAt === null ? 'deleted' : null
  if (row.cancelReason === 'deleted' || isPaidAgain(row)) return 'undo'
  return row.cancelAt === null && entitlements(row, now).state === 'restricted' ? 'unpaid' : null
}

/**
 * Ends everything that a workspace pays for, at once: it is being removed for good.
 * @returns false while billing is away: the row must stay, because it names the customer
 */
export async function endSubscriptions(deps: Deps, workspaceId: string): Promise<boolean> {
  const row = await deps.db.d1
    .prepare(
      `SELECT customer_id AS customerId, premium_customer_id AS premiumCustomerId, subscription_id AS subscriptionId
       FROM subscriptions WHERE workspace_id = ?`,
    )
    .bind(workspaceId)
    .first<Pick<BillingRow, 'customerId' | 'premiumCustomerId' | 'subscriptionId'>>()
  if (!row || row.customerId === null) return true
  if (billingMode(deps.settings) === 'off') {
    // Without a key nobody can end it from here, and what was deleted is not kept for that: the operator is told.
    const { subscriptionId } = row
    if (subscriptionId !== null)
      reportTrouble(deps, workspaceId, `Removed while billing is off, so not ended: ${subscriptionId}`)
    return true
  }
  const stripe = stripeOf(deps)
  try {
    const { answer } = await askFor(stripe, row)
    await endNow(stripe, answer.subscriptions)
    return true
  } catch (error) {
    if (isAway(error)) return false
    deps.reporter.report(error, { route: 'purge billing' })
    return isOtherAccount(error)
  }
}
