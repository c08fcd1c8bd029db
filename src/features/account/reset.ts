import type { z } from 'zod'
import { userAuditEntry, CREDENTIAL_LINK_KINDS } from './acting'
import { userContactStore, credentialStore, UNKNOWN_USER_ID } from './store'
import type { UserContact } from './store'
import { invalidateEmailLinks, findEmailLink, createEmailLink, consumeEmailLink } from '../../access/links'
import { sessionStartStatements } from '../../access/new-session'
import type { StartedSession, SessionStart } from '../../access/new-session'
import { endOtherSessionsStatement } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { Commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/order'
import type { resetConfirmSchema } from '../../shared/account'
import { ProductError } from '../../shared/errors'

const RESET_TTL_MS = 60 * 60 * 1000

/**
 * Sends the link to a new password to a known address, and nothing to an unknown one. Both make the same round trips,
 * so that neither the answer nor its duration tells them apart.
 */
export async function requestPasswordReset(deps: Deps, email: string): Promise<void> {
  const person = await userContactStore(deps.db).byEmail(email)
  const providers = await credentialStore(deps.db, person?.userId ?? UNKNOWN_USER_ID).providers()
  const commitWrites = async (work: Commit): Promise<void> => {
    await commit(deps, work)
  }
  const end = invalidateEmailLinks(deps, { userId: person?.userId ?? UNKNOWN_USER_ID, kinds: ['reset'] })
  if (!person) return commitWrites({ change: [end] })
  const audit = [userAuditEntry(person.userId, 'account.reset')]
  // A reset must be no second door beside the provider that somebody signs in with.
  if (!person.hasPassword && providers.length > 0) {
    const mail = mailOutboxEntry(
      { to: email, template: 'resetWithoutPassword', providers },
      { key: `resetWithoutPassword:${deps.ids.token(16)}` },
    )
    return commitWrites({ change: [end], audit, outbox: [mail] })
  }
  const link = createEmailLink(deps, { kind: 'reset', userId: person.userId, ttlMs: RESET_TTL_MS })
  const mail = mailOutboxEntry({ to: email, template: 'reset', linkId: link.id }, { key: link.id })
  await commitWrites({ change: [end, link.insert], audit, outbox: [mail] })
}

/**
 * A new password by the link of a mail, signed in. Every session and every other link of the person ends.
 * @throws ProductError `expired` for used, replaced, expired and forged links
 */
export async function confirmPasswordReset(
  deps: Deps,
  input: z.output<typeof resetConfirmSchema>,
  sessionStart: SessionStart,
): Promise<StartedSession> {
  const { link, person } = await requireLinkedUser(deps, input.token)
  const hash = await deps.passwords.hash(input.password)
  const credentials = credentialStore(deps.db, person.userId)
  const entered = { userId: person.userId, epoch: person.epoch + 1 }
  const opened = await sessionStart.open(entered)
  await commit(deps, {
    change: [
      consumeEmailLink(deps, link.id, person.epoch),
      credentials.setPassword(hash, person.epoch),
      ...credentials.markEmailProven(deps.clock.now()),
      endOtherSessionsStatement(deps, person.userId, null),
      invalidateEmailLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINK_KINDS }),
      ...sessionStartStatements(deps, opened, sessionStart.replaces),
    ],
    audit: [userAuditEntry(person.userId, 'account.resetConfirm')],
    outbox: passwordChangedMail(person, entered.epoch),
    expect: { onMissed: expiredLink },
  })
  return { person: entered, opened }
}

async function requireLinkedUser(deps: Deps, token: string) {
  const link = await findEmailLink(deps, token, ['reset'])
  const person = link && (await userContactStore(deps.db).byId(link.userId))
  if (!link || !person) throw expiredLink()
  return { link, person }
}

export const expiredLink = (): ProductError => new ProductError('expired', { what: 'link' })

/** Says to the person's address that the password is another one. */
export const passwordChangedMail = ({ userId, email }: Pick<UserContact, 'userId' | 'email'>, epoch: number) =>
  email === null
    ? []
    : [mailOutboxEntry({ to: email, template: 'passwordChanged' }, { key: `passwordChanged:${userId}:${epoch}` })]
