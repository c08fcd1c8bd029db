import { expiredLink, type SignedInUser } from './credentials'
import { assertSameAccount } from './email-change'
import { emailProofStore } from './store'
import { findEmailLink, invalidateEmailLinks } from '../../identity/email-link-store'
import { emailProofMail } from '../../identity/email-proof'
import { userAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/**
 * Sends another proof mail; the link of the one before is worthless.
 * @throws ProductError `invalid_input` for people without an address, or with a proven one
 */
export async function resendEmailProof(deps: Deps, me: SignedInUser & { emailProven: boolean }): Promise<void> {
  if (me.email === null) throw new ProductError('invalid_input', { fields: { email: 'Add an email first.' } })
  if (me.emailProven) throw new ProductError('invalid_input', { fields: { email: 'Already confirmed.' } })
  const { insert, mail } = emailProofMail(deps, { userId: me.userId, email: me.email })
  await commit(deps, {
    change: [invalidateEmailLinks(deps, { userId: me.userId, kinds: ['email_proof'] }), insert],
    audit: [userAuditEntry(me.userId, 'account.emailProof')],
    outbox: [mail],
  })
}

/**
 * Proves the address by the link of the mail that went there, opened by who is signed in to the account: mailbox and
 * password are of one person, so that nothing else changes. Whoever only reads the mailbox may not have registered.
 * @throws ProductError `expired` for used, replaced, expired and forged links, and when the address is another one by
 * now; `forbidden` for the link of another account
 */
export async function confirmEmailProof(deps: Deps, token: string, me: SignedInUser): Promise<void> {
  const link = await findEmailLink(deps, token, ['email_proof'])
  if (!link) throw expiredLink()
  assertSameAccount(link, me.userId)
  const store = emailProofStore(deps.db, me.userId)
  const now = deps.clock.now()
  await commit(deps, {
    change: [store.consume(link.id, now), ...store.markProven(now)],
    audit: [userAuditEntry(me.userId, 'account.emailProven')],
    expect: { onMissed: expiredLink },
  })
}
