import { subscriptionAuditEntry } from './customer'
import { getAccount } from './store'
import type { RequestContext } from '../../http/request-context'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { parseSender } from '../../mail/address'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { ContactSalesInput } from '../../shared/billing/subscription'

/** Sends a question about a plan made for the workspace to whoever sells here. */
export async function sendPlanInquiry(
  context: RequestContext,
  { people, message }: ContactSalesInput,
): Promise<{ sent: true }> {
  const { deps, scope, actor } = context
  const { workspaceName, planId } = await getAccount(deps.db, scope)
  const { settings, ids } = deps
  const answer = { sent: true } as const
  await commit(deps, {
    change: [],
    audit: [subscriptionAuditEntry(context, 'subscription.contact', { after: { people } })],
    outbox: [
      mailOutboxEntry(
        {
          template: 'planQuestion',
          to: salesAddress(settings),
          workspace: workspaceName,
          workspaceId: scope.workspaceId,
          planId,
          people,
          message,
          person: actor.name,
          email: actor.email,
        },
        { key: `planQuestion:${ids.token(12)}`, workspaceId: scope.workspaceId },
      ),
    ],
    reply: context.reply(answer),
  })
  return answer
}

/** Where nobody is named to ask, the operator reads what comes to the address that mails come from. */
function salesAddress({ SALES_EMAIL, MAIL_FROM }: Deps['settings']): string {
  const sender = parseSender(MAIL_FROM)?.address
  return SALES_EMAIL ?? (sender ? `${sender.local}@${sender.domain}` : MAIL_FROM)
}
