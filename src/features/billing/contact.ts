import { audited } from './customer'
import type { Buying } from './customer'
import { billingStore } from './store'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { senderOf } from '../../mail/address'
import { mailEntry } from '../../mail/order'
import type { ContactInput } from '../../shared/subscription'

/** Sends a question about a plan made for the workspace to whoever sells here. */
export async function askForPlan(
  deps: Deps,
  buying: Buying,
  { people, message }: ContactInput,
): Promise<{ sent: true }> {
  const { scope, person } = buying
  const { workspaceName, planId } = await billingStore(deps.db, scope).get()
  const { settings, ids } = deps
  const answer = { sent: true } as const
  await commit(deps, {
    change: [],
    audit: [audited(buying, 'subscription.contact', { after: { people } })],
    outbox: [
      mailEntry(
        {
          template: 'planQuestion',
          to: sellerOf(settings),
          ...{ workspace: workspaceName, workspaceId: scope.workspaceId, planId, people, message },
          ...{ person: person.name, email: person.email },
        },
        { key: `planQuestion:${ids.token(12)}`, workspaceId: scope.workspaceId },
      ),
    ],
    reply: buying.reply(answer),
  })
  return answer
}

/** Where nobody is named to ask, the operator reads what comes to the address that mails come from. */
function sellerOf({ SALES_EMAIL, MAIL_FROM }: Deps['settings']): string {
  const sender = senderOf(MAIL_FROM)?.address
  return SALES_EMAIL ?? (sender ? `${sender.local}@${sender.domain}` : MAIL_FROM)
}
