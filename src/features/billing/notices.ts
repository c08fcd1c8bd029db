import { dueNotice, TRIAL_NOTICE_LEAD_MS, type BillingNotice } from './model/notice'
import { listNoticeCandidates, recordNotice, type NoticeRow } from './round-store'
import { subscriptionFromRow } from '../../entitlements/subscription-row'
import { tryCommit, type OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry, type QueuedMail } from '../../mail/queued-mail'
import { computeEntitlements, type Subscription } from '../../shared/billing/entitlements'

const BATCH_SIZE = 100

/**
 * Tells owners, and the address that invoices go to, what has become of their subscription: each notice once, and of
 * several that were slept through only the newest.
 */
export async function sendDueNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const row of await listNoticeCandidates(deps.db, { now, soon: now + TRIAL_NOTICE_LEAD_MS, max: BATCH_SIZE })) {
    const subscription = subscriptionFromRow(row)
    const notice = dueNotice(subscription, now)
    if (notice === row.told) continue
    // Missed: another round told them in the same moment.
    await tryCommit(deps, {
      change: [recordNotice(deps.db, row, notice)],
      outbox: notice === null ? [] : noticeMails(row, { notice, subscription, now }),
    })
  }
}

function noticeMails(
  row: NoticeRow,
  at: { notice: BillingNotice; subscription: Subscription; now: number },
): OutboxEntry[] {
  const { notice, subscription, now } = at
  const { trialEndsAt, graceEndsAt } = computeEntitlements(subscription, now)
  const isTrial = notice === 'trialEnding' || notice === 'trialEnded'
  const since = isTrial ? trialEndsAt : (subscription.pastDueSince ?? subscription.invoiceDueAt)
  const receivers = new Set(
    isTrial ? row.trialReaders : [...row.owners, ...(row.billing_email === '' ? [] : [row.billing_email])],
  )
  return [...receivers].map((to) =>
    mailOutboxEntry(
      noticeMailOrder(notice, {
        to,
        workspace: row.name,
        timeZone: row.time_zone,
        endsAt: trialEndsAt ?? now,
        readOnlyAt: graceEndsAt ?? now,
      }),
      { key: `${notice}:${row.workspace_id}:${since ?? now}:${to}`, workspaceId: row.workspace_id },
    ),
  )
}

interface NoticeMailData {
  to: string
  workspace: string
  timeZone: string
  endsAt: number
  readOnlyAt: number
}
function noticeMailOrder(
  notice: BillingNotice,
  { endsAt, readOnlyAt, timeZone, ...known }: NoticeMailData,
): QueuedMail {
  if (notice === 'trialEnding') return { template: notice, endsAt, timeZone, ...known }
  if (notice === 'paymentMissing') return { template: notice, readOnlyAt, timeZone, ...known }
  return { template: notice, ...known }
}
