import type { SubscriptionProjection } from './projection'
import { eq, getTableColumns, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { subscriptions, workspaces } from '../../db/schema'
import { ProductError } from '../../shared/errors'

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
