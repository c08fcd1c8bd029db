import { createEmailLink } from './email-link-store'
import type { Actor } from '../scope'
import type { OutboxEntry } from '../db/commit'
import type { Database } from '../db/database'
import { mailOutboxEntry } from '../mail/queued-mail'
import { DAY_MS } from '../shared/dates'
import { ProductError } from '../shared/errors'
import type { Clock, Ids } from '../shared/ids'

const PROOF_TTL_MS = 7 * DAY_MS

/**
 * What reaches other people asks for a proven address: until then nobody knows who writes.
 * @throws ProductError `forbidden` with the reason `email_unverified`
 */
export function assertProvenEmail({ emailProven }: Pick<Actor, 'emailProven'>): void {
  if (!emailProven) throw new ProductError('forbidden', { reason: 'email_unverified' }, 'Confirm your email first.')
}

/** The mail whose link proves an address, and the link's row: both for the caller's batch. The link names the address it went to. */
export function emailProofMail(
  deps: { db: Database; clock: Clock; ids: Ids },
  { userId, email }: { userId: string; email: string },
): { insert: D1PreparedStatement; mail: OutboxEntry } {
  const link = createEmailLink(deps, { kind: 'email_proof', userId, payload: { email }, ttlMs: PROOF_TTL_MS })
  return {
    insert: link.insert,
    mail: mailOutboxEntry({ to: email, template: 'confirmEmail', linkId: link.id }, { key: link.id }),
  }
}
