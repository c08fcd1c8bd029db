import { subscriptionStore } from './delivery-store'
import { linkedBlockSubscription } from '../subscriptions/store'
import { commit } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { linkIdOfToken, verifySubscriptionToken } from '../../../mail/email-links'
import { ProductError } from '../../../shared/errors'
import { isId } from '../../../shared/ids'
import type { ReportSubscription } from '../../../shared/reports/schedules'

async function requireSubscription(deps: Deps, token: string) {
  const id = linkIdOfToken(token)
  // To a report that is sent, or to a block of one.
  const store = isId('subscription', id) ? linkedBlockSubscription(deps.db, id) : subscriptionStore(deps.db, id)
  const found = (await verifySubscriptionToken(deps.settings, token)) ? await store.get() : null
  if (!found) throw new ProductError('expired', { what: 'link' }, 'Link expired.')
  return { store, found }
}

/** What the link in a mail is about; nothing is changed. @throws ProductError `expired` for forged and old links */
export async function readSubscription(deps: Deps, token: string): Promise<ReportSubscription> {
  const { workspaceId: _place, ...shown } = (await requireSubscription(deps, token)).found
  return shown
}

/** Ends or renews it, by whoever holds the link; once is as good as twice. */
export async function changeSubscription(
  deps: Deps,
  { token, subscribed }: { token: string; subscribed: boolean },
): Promise<ReportSubscription> {
  const { store, found } = await requireSubscription(deps, token)
  await commit(deps, { change: [store.set(subscribed ? null : deps.clock.now())] })
  return { report: found.report, workspace: found.workspace, subscribed }
}
