import { inviteReportStore } from './invite-link-store'
import { commit, tryCommit } from '../../db/commit'
import type { Deps } from '../../deps'
import { linkIdOfToken, verifyReportToken } from '../../mail/email-links'
import { ProductError } from '../../shared/errors'
import type { ReportedInvite } from '../../shared/invites'

/**
 * Notes that the reader of an invitation does not know its sender: it is taken back, and the workspace writes to this
 * address no more. Whoever holds the link may say so, signed in or not; once is as good as twice.
 * @throws ProductError `expired` for forged links, and when the invitation is gone, accepted or older than 30 days
 */
export async function reportInvite(deps: Deps, token: string): Promise<ReportedInvite> {
  const id = linkIdOfToken(token)
  const store = inviteReportStore(deps.db, id)
  const now = deps.clock.now()
  const invite = (await verifyReportToken(deps.settings, token)) ? await store.get(now) : null
  if (!invite) throw new ProductError('expired', { what: 'invite' }, 'This link doesn’t work any more.')
  const { workspaceId } = invite
  // Also when the address reported one before: nothing stays open to it.
  await commit(deps, { change: [store.revokeOpen()] })
  await tryCommit(deps, {
    change: [store.insert(now)],
    audit: [{ workspaceId, actorId: null, action: 'invite.report', entity: 'invite', entityId: id }],
  })
  return { reported: true }
}
