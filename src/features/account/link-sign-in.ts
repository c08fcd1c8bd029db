import { userAuditEntry, CREDENTIAL_LINK_KINDS } from './acting'
import { expiredLink } from './reset'
import { userContactStore, credentialStore, UNKNOWN_USER_ID } from './store'
import { invalidateEmailLinks, findEmailLink, createEmailLink, consumeEmailLink } from '../../access/links'
import { sessionStartStatements } from '../../access/new-session'
import type { StartedSession, SessionStart } from '../../access/new-session'
import { endOtherSessionsStatement } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/order'

const SIGN_IN_TTL_MS = 15 * 60 * 1000

/** Sends a link that signs in to a known address, and nothing to an unknown one; both make the same round trips. */
export async function requestSignInLink(deps: Deps, request: { email: string; returnTo: string }): Promise<void> {
  const person = await userContactStore(deps.db).byEmail(request.email)
  const end = invalidateEmailLinks(deps, { userId: person?.userId ?? UNKNOWN_USER_ID, kinds: ['sign_in'] })
  if (!person) {
    await commit(deps, { change: [end] })
    return
  }
  const link = createEmailLink(deps, { kind: 'sign_in', userId: person.userId, ttlMs: SIGN_IN_TTL_MS })
  const order = { to: request.email, template: 'signInLink', linkId: link.id, returnTo: request.returnTo } as const
  await commit(deps, {
    change: [end, link.insert],
    audit: [userAuditEntry(person.userId, 'session.link')],
    outbox: [mailOutboxEntry(order, { key: link.id })],
  })
}

/**
 * Signs in by the link of a mail. The first proof of an address by its mailbox ends what let somebody in before.
 * @throws ProductError `expired` for used, replaced, expired and forged links
 */
export async function confirmSignInLink(
  deps: Deps,
  token: string,
  sessionStart: SessionStart,
): Promise<StartedSession> {
  const link = await findEmailLink(deps, token, ['sign_in'])
  const user = link && (await userContactStore(deps.db).byId(link.userId))
  if (!link || !user) throw expiredLink()
  const credentials = credentialStore(deps.db, user.userId)
  const isEmailProven = user.emailProvenAt !== null
  const person = { userId: user.userId, epoch: isEmailProven ? user.epoch : user.epoch + 1 }
  const opened = await sessionStart.open(person)
  await commit(deps, {
    change: [
      consumeEmailLink(deps, link.id, user.epoch),
      ...(isEmailProven
        ? []
        : [
            credentials.clearPassword(),
            ...credentials.markEmailProven(deps.clock.now()),
            endOtherSessionsStatement(deps, person.userId, null),
            invalidateEmailLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINK_KINDS }),
          ]),
      ...sessionStartStatements(deps, opened, sessionStart.replaces),
    ],
    audit: [userAuditEntry(person.userId, 'session.signInByLink')],
    outbox: opened.notices,
    expect: { onMissed: expiredLink },
  })
  return { person, opened }
}
