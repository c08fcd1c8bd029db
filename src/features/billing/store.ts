import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { ProductError } from '../../shared/errors'
import type { BillingDetails } from '../../shared/billing/subscription'
import type { OpenCheckout, BillingAccount, SubscriptionProjection, PurchaseKind } from './billing-account'
type JsonColumn = 'override' | 'addOns' | 'scheduled' | 'checkout' | 'details'
type AccountRow = Omit<BillingAccount, JsonColumn> & Record<JsonColumn, string | null>

async function readAccount({ d1 }: Database, where: string, value: string): Promise<BillingAccount | null> {
  const row = await d1
    .prepare(
      `SELECT b.workspace_id AS workspaceId, b.state, b.plan_id AS planId, b.trial_ends_at AS trialEndsAt, b.override,
         b.interval, b.add_ons AS addOns, b.tier, b.method, b.customer_id AS customerId, b.subscription_id AS subscriptionId,
         b.premium_id AS premiumId, b.premium_customer_id AS premiumCustomerId, b.period_ends_at AS periodEndsAt,
         b.cancel_at AS cancelAt, b.trial_rest_ms AS trialRestMs, b.invoice_due_at AS invoiceDueAt,
         b.past_due_since AS pastDueSince, b.scheduled, b.checkout, b.checkout_serial AS checkoutSerial, b.details,
         b.cancel_reason AS cancelReason, b.fetched_at AS fetchedAt, b.version, w.name AS workspaceName,
         w.deleted_at AS deletedAt
       FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id WHERE ${where}`,
    )
    .bind(value)
    .first<AccountRow>()
  return (
    row && {
      ...row,
      override: JSON.parse(row.override ?? 'null'),
      addOns: JSON.parse(row.addOns ?? '{}'),
      scheduled: JSON.parse(row.scheduled ?? 'null'),
      checkout: JSON.parse(row.checkout ?? 'null'),
      details: JSON.parse(row.details ?? '{}'),
    }
  )
}

/** The account of a customer that billing itself named, in a signed event. Null = none of ours. */
export const findAccountByCustomer = (db: Database, customerId: string): Promise<BillingAccount | null> =>
  readAccount(db, 'b.customer_id = ?1 OR b.premium_customer_id = ?1', customerId)

/**
 * The account as it stands now: of a scope, of one that was read before, or that a round takes up; never of a workspace that
 * a request names.
 * @throws ProductError `not_found`
 */
export async function getAccount(
  db: Database,
  { workspaceId }: Pick<Scope | BillingAccount, 'workspaceId'>,
): Promise<BillingAccount> {
  const row = await readAccount(db, 'b.workspace_id = ?', workspaceId)
  if (!row) throw new ProductError('not_found')
  return row
}

/**
 * Makes the row equal to what billing said. Changes no row when somebody else has written an answer since the account was
 * read: every answer that is written was asked for after the one before it.
 */
export const writeProjection = (
  { d1 }: Database,
  account: BillingAccount,
  { row, fetchedAt }: { row: SubscriptionProjection; fetchedAt: number },
): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE subscriptions SET state = ?3, plan_id = ?4, tier = ?5, interval = ?6, add_ons = ?7, method = ?8, subscription_id = ?9,
         premium_id = ?10, period_ends_at = ?11, cancel_at = ?12, cancel_reason = ?13, invoice_due_at = ?14,
         past_due_since = ?15, scheduled = ?16, trial_rest_ms = ?17, fetched_at = ?18
       WHERE workspace_id = ?1 AND fetched_at = ?2`,
    )
    .bind(
      account.workspaceId,
      account.fetchedAt,
      row.state,
      row.planId,
      row.tier,
      row.interval,
      JSON.stringify(row.addOns),
      row.method,
      row.subscriptionId,
      row.premiumId,
      row.periodEndsAt,
      row.cancelAt,
      row.cancelReason,
      row.invoiceDueAt,
      row.pastDueSince,
      row.scheduled && JSON.stringify(row.scheduled),
      row.trialRestMs,
      fetchedAt,
    )

/** Takes the turn of a workspace. Changes no row when somebody was first since the account was read. */
export const takeLock = (
  { d1 }: Database,
  { workspaceId, checkoutSerial, version }: BillingAccount,
  lockPage: OpenCheckout,
): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE subscriptions SET checkout = ?, checkout_serial = checkout_serial + 1
       WHERE workspace_id = ? AND checkout_serial = ? AND version = ?`,
    )
    .bind(JSON.stringify(lockPage), workspaceId, checkoutSerial, version)

/** Ends the turn of this serial. What people saw is out of date then. */
export const clearLock = ({ d1 }: Database, workspaceId: string, serial: number): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE subscriptions SET checkout = NULL, version = version + 1
       WHERE workspace_id = ? AND checkout_serial = ? AND checkout IS NOT NULL`,
    )
    .bind(workspaceId, serial)

/** Ends a turn in which nothing was changed. */
export const clearUnusedLock = ({ d1 }: Database, workspaceId: string, serial: number): D1PreparedStatement =>
  d1
    .prepare(
      "UPDATE subscriptions SET checkout = NULL WHERE workspace_id = ? AND checkout_serial = ? AND checkout ->> 'url' = ''",
    )
    .bind(workspaceId, serial)

const NOT_YET_PURCHASED: Record<PurchaseKind, string> = {
  plan: 'subscription_id IS NULL',
  premium: 'subscription_id IS NOT NULL AND premium_id IS NULL',
}
/** Keeps the page on which one thing is sold. Changes no row when somebody was first, or it has been bought. */
export const storeCheckout = (
  { d1 }: Database,
  { workspaceId, checkoutSerial }: BillingAccount,
  { page, of }: { page: OpenCheckout; of: PurchaseKind },
): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE subscriptions SET checkout = ?, checkout_serial = checkout_serial + 1
       WHERE workspace_id = ? AND checkout_serial = ? AND ${NOT_YET_PURCHASED[of]}`,
    )
    .bind(JSON.stringify(page), workspaceId, checkoutSerial)

/** Keeps the id of a customer at Stripe. Changes no row where one is known. */
export const storeCustomer = (
  { d1 }: Database,
  column: 'customer_id' | 'premium_customer_id',
  { workspaceId, id }: { workspaceId: string; id: string },
): D1PreparedStatement =>
  d1
    .prepare(`UPDATE subscriptions SET ${column} = ? WHERE workspace_id = ? AND ${column} IS NULL`)
    .bind(id, workspaceId)

export const storeDetails = ({ d1 }: Database, workspaceId: string, details: BillingDetails): D1PreparedStatement =>
  d1.prepare('UPDATE subscriptions SET details = ? WHERE workspace_id = ?').bind(JSON.stringify(details), workspaceId)

/** What a workspace has at billing; null for one that is gone. */
export const findStripeIds = ({ d1 }: Database, workspaceId: string) =>
  d1
    .prepare(
      `SELECT customer_id AS customerId, premium_customer_id AS premiumCustomerId, subscription_id AS subscriptionId
       FROM subscriptions WHERE workspace_id = ?`,
    )
    .bind(workspaceId)
    .first<Pick<BillingAccount, 'customerId' | 'premiumCustomerId' | 'subscriptionId'>>()
