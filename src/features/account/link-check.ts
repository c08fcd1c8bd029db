import { expiredLink } from './credentials'
import { emailChangeStore, parseEmailChangePayload, userContactStore } from './store'
import { findEmailLink, type EmailLink } from '../../identity/email-link-store'
import type { Deps } from '../../deps'
import { LINK_PURPOSES, type LinkCheck, type LinkPurpose } from '../../shared/account'

/**
 * Whether the link of a mail would still do what its page is for. Reading uses nothing up, and says no more than using it
 * would.
 * @param userId of the session that asks; null = nobody is signed in
 * @throws ProductError `expired` for used, replaced, expired and forged links, and for those of another page
 */
export async function checkEmailLink(
  deps: Deps,
  { token, purpose }: { token: string; purpose: LinkPurpose },
  userId: string | null,
): Promise<LinkCheck> {
  const link = await findEmailLink(deps, token, LINK_PURPOSES[purpose])
  if (!link || !(await isUsable(deps, link))) throw expiredLink()
  const needsSession = link.kind === 'email_new' || link.kind === 'email_proof'
  if (!needsSession || link.userId === userId) return { state: 'usable' }
  return { state: userId === null ? 'signIn' : 'otherAccount' }
}

/** What the link hangs on beside its own time: the account, and for a change of address that it still waits. */
async function isUsable({ db, clock }: Deps, { kind, userId, payload }: EmailLink): Promise<boolean> {
  if (kind === 'undelete') return true
  const person = await userContactStore(db).byId(userId)
  if (!person) return false
  if (kind === 'email_proof') return person.emailProvenAt === null
  if (kind !== 'email_old' && kind !== 'email_new') return true
  const store = emailChangeStore(db, userId)
  const change = parseEmailChangePayload(payload)
  const pending = await store.pending(clock.now())
  return pending?.change === change.change && (await store.isOpen(change))
}
