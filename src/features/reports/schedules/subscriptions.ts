import { subscriptionStore } from './delivery-store'
import { linkedBlockSubscription } from '../subscriptions/store'
import { commit } from '../../../db/commit'
import type { Deps } from '../../../deps'
import {
  linkIdOfToken,
  signSubscriptionToken,
  verifySubscriptionToken,
  verifyUnsubscribeToken,
} from '../../../mail/email-links'
import { ProductError } from '../../../shared/errors'
import { isId } from '../../../shared/ids'
import type { ReportSubscription } from '../../../shared/reports/schedules'

async function requireSubscription(deps: Deps, token: string, verify = verifySubscriptionToken) {
  const id = linkIdOfToken(token)
  // To a report that is sent, or to a block of one.
  const store = isId('subscription', id) ? linkedBlockSubscription(deps.db, id) : subscriptionStore(deps.db, id)
  const found = (await verify(deps.settings, token)) ? await store.get() : null
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

/** Ends it for a mail program, at its reader's one click. @throws ProductError `expired` for forged and old links */
export async function unsubscribeByMail(deps: Deps, token: string): Promise<void> {
  const { store, found } = await requireSubscription(deps, token, verifyUnsubscribeToken)
  if (found.subscribed) await commit(deps, { change: [store.set(deps.clock.now())] })
}

/** The page that says what a mail program's link is about, for people who open it: it asks before it ends anything. */
export const unsubscribePage = async ({ settings }: Deps, token: string): Promise<string> =>
  (await verifyUnsubscribeToken(settings, token))
    ? `/reports/unsubscribe#${await signSubscriptionToken(settings, linkIdOfToken(token))}`
    : '/reports/unsubscribe'
