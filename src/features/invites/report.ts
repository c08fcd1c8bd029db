import { inviteReportStore } from './invite-link-store'
import { commit, tryCommit } from '../../db/commit'
import type { Deps } from '../../deps'
import { linkIdOfToken, verifyReportToken } from '../../mail/email-links'
import type { LinkCheck } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import type { ReportedInvite } from '../../shared/invites'

async function requireReportable(deps: Deps, token: string) {
  const id = linkIdOfToken(token)
  const store = inviteReportStore(deps.db, id)
  const now = deps.clock.now()
  const invite = (await verifyReportToken(deps.settings, token)) ? await store.get(now) : null
  if (!invite) throw new ProductError('expired', { what: 'invite' }, 'Link expired.')
  return { id, store, now, workspaceId: invite.workspaceId }
}

/** Whether an invitation could still be reported; nothing is noted. @throws ProductError as {@link reportInvite} */
export async function checkReportLink(deps: Deps, token: string): Promise<LinkCheck> {
  await requireReportable(deps, token)
  return { state: 'usable' }
}

/**
 * Notes that the reader of an invitation does not know its sender: it is taken back, and the workspace writes to this
 * address no more. Whoever holds the link may say so, signed in or not; once is as good as twice.
 * @throws ProductError `expired` for forged links, and when the invitation is gone, accepted or older than 30 days
 */
export async function reportInvite(deps: Deps, token: string): Promise<ReportedInvite> {
  const { id, store, now, workspaceId } = await requireReportable(deps, token)
  // Also when the address reported one before: nothing stays open to it.
  await commit(deps, { change: [store.revokeOpen()] })
  await tryCommit(deps, {
    change: [store.insert(now)],
    audit: [{ workspaceId, actorId: null, action: 'invite.report', entity: 'invite', entityId: id }],
  })
  return { reported: true }
}
