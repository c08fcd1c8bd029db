import { noticeAt, TRIAL_NOTICE_MS } from './model/notice'
import type { Notice } from './model/notice'
import { noticesDue, toldOf } from './notice-store'
import type { NoticeRow } from './notice-store'
import { subscriptionFrom } from '../../access/subscription-row'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import type { MailOrder } from '../../mail/order'
import { entitlements } from '../../shared/entitlements'
import type { Subscription } from '../../shared/entitlements'
import { ProductError } from '../../shared/errors'

const SWEEP_MAX = 100

/**
 * Tells owners, and the address that invoices go to, what has become of their subscription: each notice once, and of
 * several that were slept through only the newest.
 */
export async function sweepNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const row of await noticesDue(deps.db, { now, soon: now + TRIAL_NOTICE_MS, max: SWEEP_MAX })) {
    const subscription = subscriptionFrom(row)
    const notice = noticeAt(subscription, now)
    if (notice === row.told) continue
    const taken = new ProductError('busy')
    await commit(deps, {
      change: [toldOf(deps.db, row, notice)],
      outbox: notice === null ? [] : mailsOf(row, { notice, subscription, now }),
      expect: { onMissed: () => taken },
    }).catch((error: unknown) => {
      // Another round told them in the same moment.
      if (error !== taken) throw error
    })
  }
}

function mailsOf(row: NoticeRow, at: { notice: Notice; subscription: Subscription; now: number }): OutboxEntry[] {
  const { notice, subscription, now } = at
  const { trialEndsAt, graceEndsAt } = entitlements(subscription, now)
  const isTrial = notice === 'trialEnding' || notice === 'trialEnded'
  const since = isTrial ? trialEndsAt : (subscription.pastDueSince ?? subscription.invoiceDueAt)
  const receivers = new Set([...row.owners, ...(isTrial || row.billing_email === '' ? [] : [row.billing_email])])
  return [...receivers].map((to) =>
    mailEntry(
      orderOf(notice, {
        ...{ to, workspace: row.name, timeZone: row.time_zone },
        ...{ endsAt: trialEndsAt ?? now, readOnlyAt: graceEndsAt ?? now },
      }),
      { key: `${notice}:${row.workspace_id}:${since ?? now}:${to}`, workspaceId: row.workspace_id },
    ),
  )
}

interface Facts {
  to: string
  workspace: string
  timeZone: string
  endsAt: number
  readOnlyAt: number
}
function orderOf(notice: Notice, { endsAt, readOnlyAt, timeZone, ...known }: Facts): MailOrder {
  if (notice === 'trialEnding') return { template: notice, endsAt, timeZone, ...known }
  if (notice === 'paymentMissing') return { template: notice, readOnlyAt, timeZone, ...known }
  return { template: notice, ...known }
}
