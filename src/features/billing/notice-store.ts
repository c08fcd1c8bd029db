import type { BillingNotice } from './model/notice'
import { subscriptionColumns } from '../../access/subscription-row'
import type { SubscriptionRow } from '../../access/subscription-row'
import type { Database } from '../../db/database'
import { GRACE_MS } from '../../shared/plans'

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
