import type { BillingNotice } from './model/notice'
import { TRIAL_EXTENSION_LEAD_MS } from './stripe-subscriptions'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'
import { subscriptionColumns, type SubscriptionRow } from '../../entitlements/subscription-row'
import { GRACE_MS } from '../../shared/billing/plans'
import { DAY_MS, HOUR_MS } from '../../shared/dates'

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
  /** Of them, those who want to be reminded of a trial's end. */
  trialReaders: string[]
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
            AND u.email IS NOT NULL AND u.disabled_at IS NULL) AS owners,
         (SELECT json_group_array(u.email) FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = b.workspace_id AND m.role = 'owner' AND m.status = 'active'
            AND u.email IS NOT NULL AND u.disabled_at IS NULL
            AND coalesce(json_extract(u.notifications, '$.billing'), 1)) AS trialReaders
       FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id AND w.deleted_at IS NULL
       WHERE ${NOTICE_MAY_BE_DUE} ORDER BY b.workspace_id LIMIT ?4`,
    )
    .bind(at.now, at.soon, GRACE_MS, at.max)
    .all<Omit<NoticeRow, 'owners' | 'trialReaders'> & { owners: string; trialReaders: string }>()
  return results.map((row) => {
    const owners: string[] = JSON.parse(row.owners)
    const trialReaders: string[] = JSON.parse(row.trialReaders)
    return { ...row, owners, trialReaders }
  })
}

/** Changes no row when somebody else has noted something since it was read. */
export const recordNotice = ({ d1 }: Database, row: NoticeRow, notice: BillingNotice | null): D1PreparedStatement =>
  d1
    .prepare('UPDATE subscriptions SET told = ?3 WHERE workspace_id = ?1 AND told IS ?2')
    .bind(row.workspace_id, row.told, notice)

/** What was not heard of for so long is asked for, in case an event was lost. */
const STALE_AFTER_MS = DAY_MS
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
  OR (b.state IN ('past_due', 'restricted') AND b.fetched_at <= ?1 - ${RETRY_AFTER_MS})
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
export async function claimBatch({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<string[]> {
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
