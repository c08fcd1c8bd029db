import { eq, getTableColumns, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { SubscriptionProjection } from './projection'
import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import { subscriptions, workspaces } from '../../db/schema'
import { ProductError } from '../../shared/errors'
import type { BillingNotice } from './model/notice'
import { subscriptionColumns } from '../../entitlements/subscription-row'
import type { SubscriptionRow } from '../../entitlements/subscription-row'
import { GRACE_MS } from '../../shared/billing/plans'

/**
 * The subscription of one workspace with everything that is known of it, parsed. It is read here only: for a scope, for a
 * customer that a signed event names, or for a round. Instants are epoch ms.
 */
export type BillingAccount = typeof subscriptions.$inferSelect & {
  workspaceName: string
  timeZone: string
  /** Null while the workspace is open; 0 = it is being purged. */
  deletedAt: number | null
}

const readAccount = async ({ orm }: Database, where: SQL | undefined): Promise<BillingAccount | undefined> =>
  orm
    .select({
      ...getTableColumns(subscriptions),
      workspaceName: workspaces.name,
      timeZone: workspaces.timeZone,
      deletedAt: workspaces.deletedAt,
    })
    .from(subscriptions)
    .innerJoin(workspaces, eq(workspaces.id, subscriptions.workspaceId))
    .where(where)
    .get()

/** The subscription of a scope's workspace. */
export const billingStore = (db: Database, { workspaceId }: Scope) => ({
  /** @throws ProductError `not_found` */
  async get(): Promise<BillingAccount> {
    const row = await readAccount(db, eq(subscriptions.workspaceId, workspaceId))
    if (!row) throw new ProductError('not_found')
    return row
  },
})

/** The account of a customer that billing itself named, in a signed event. Null = none of ours. */
export const findAccountByCustomer = async (db: Database, customerId: string): Promise<BillingAccount | null> =>
  (await readAccount(
    db,
    or(eq(subscriptions.customerId, customerId), eq(subscriptions.premiumCustomerId, customerId)),
  )) ?? null

/** The account of a workspace that a round of our own takes up; never of one that a request names. */
export const getAccountByWorkspace = async (db: Database, workspaceId: string): Promise<BillingAccount> => {
  const row = await readAccount(db, eq(subscriptions.workspaceId, workspaceId))
  if (!row) throw new ProductError('not_found')
  return row
}

/** The account as it stands now. */
export const reloadAccount = (db: Database, { workspaceId }: BillingAccount): Promise<BillingAccount> =>
  getAccountByWorkspace(db, workspaceId)

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
      ...[account.workspaceId, account.fetchedAt, row.state, row.planId, row.tier, row.interval],
      ...[JSON.stringify(row.addOns), row.method, row.subscriptionId, row.premiumId, row.periodEndsAt, row.cancelAt],
      ...[row.cancelReason, row.invoiceDueAt, row.pastDueSince, row.scheduled && JSON.stringify(row.scheduled)],
      ...[row.trialRestMs, fetchedAt],
    )

/** A subscription whose owners may have to be told something. */
export interface NoticeRow extends SubscriptionRow {
  workspace_id: string
  name: string
  time_zone: string
  /** What they were told last. */
  told: BillingNotice | null
  /** '' = none was given. */
  billing_email: string
  /** Addresses of those who own the workspace and can sign in. */
  owners: string[]
}

const GRACE_END = '(coalesce(b.past_due_since, b.invoice_due_at) + ?3)'
/** The states in which something may be new; which notice it is, the model decides. `?1` now, `?2` soon, `?3` grace. */
const NOTICE_MAY_BE_DUE = `(
  (b.state = 'trialing' AND b.trial_ends_at <= ?2 AND (b.told IS NOT 'trialEnded' OR b.trial_ends_at > ?1)
    AND (b.told IS NOT 'trialEnding' OR b.trial_ends_at <= ?1))
  OR ((b.state = 'past_due' OR (b.state = 'invoice_pending' AND b.invoice_due_at <= ?1)) AND CASE b.told
    WHEN 'paymentMissing' THEN ${GRACE_END} <= ?1
    WHEN 'workspaceRestricted' THEN ${GRACE_END} > min(?1, b.fetched_at)
    ELSE TRUE END)
  OR (b.state = 'invoice_pending' AND b.invoice_due_at > ?1 AND b.told IS NOT NULL)
  OR (b.state = 'restricted' AND b.told IS NOT 'workspaceRestricted')
  OR (b.state = 'canceled' AND b.told IS NOT 'subscriptionEnded')
  OR (b.state = 'active' AND b.told IS NOT NULL))`

/** Subscriptions of open workspaces in which something may have to be told. A round, not a request: it knows no scope. */
export async function listNoticeCandidates(
  { d1 }: Database,
  at: { now: number; soon: number; max: number },
): Promise<NoticeRow[]> {
  const { results } = await d1
    .prepare(
      `SELECT b.workspace_id, b.told, coalesce(b.details ->> 'billingEmail', '') AS billing_email, w.name, w.time_zone, ${subscriptionColumns('b')},
         (SELECT json_group_array(u.email) FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = b.workspace_id AND m.role = 'owner' AND m.status = 'active'
            AND u.email IS NOT NULL AND u.disabled_at IS NULL) AS owners
       FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id AND w.deleted_at IS NULL
       WHERE ${NOTICE_MAY_BE_DUE} ORDER BY b.workspace_id LIMIT ?4`,
    )
    .bind(at.now, at.soon, GRACE_MS, at.max)
    .all<Omit<NoticeRow, 'owners'> & { owners: string }>()
  return results.map((row) => {
    const owners: string[] = JSON.parse(row.owners)
    return { ...row, owners }
  })
}

/** Changes no row when somebody else has noted something since it was read. */
export const recordNotice = ({ d1 }: Database, row: NoticeRow, notice: BillingNotice | null): D1PreparedStatement =>
  d1
    .prepare('UPDATE subscriptions SET told = ?3 WHERE workspace_id = ?1 AND told IS ?2')
    .bind(row.workspace_id, row.told, notice)
