import { auditOf, CREDENTIAL_LINKS } from './acting'
import { linkExpired } from './reset'
import { addresseeStore, credentialStore, NOBODY } from './store'
import { endLinks, findLink, newLink, spendLink } from '../../access/links'
import { sessionRows } from '../../access/new-session'
import type { Entered, Entering } from '../../access/new-session'
import { endSessionsOf } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'

const SIGN_IN_TTL_MS = 15 * 60 * 1000

/** Sends a link that signs in to a known address, and nothing to an unknown one; both make the same round trips. */
export async function requestSignInLink(deps: Deps, ask: { email: string; returnTo: string }): Promise<void> {
  const person = await addresseeStore(deps.db).byEmail(ask.email)
  const end = endLinks(deps, { userId: person?.userId ?? NOBODY, kinds: ['sign_in'] })
  if (!person) {
    await commit(deps, { change: [end] })
    return
  }
  const link = newLink(deps, { kind: 'sign_in', userId: person.userId, ttlMs: SIGN_IN_TTL_MS })
  const order = { to: ask.email, template: 'signInLink', linkId: link.id, returnTo: ask.returnTo } as const
  await commit(deps, {
    change: [end, link.insert],
    audit: [auditOf(person.userId, 'session.link')],
    outbox: [mailEntry(order, { key: link.id })],
  })
}

/**
 * Signs in by the link of a mail. The first proof of an address by its mailbox ends what let somebody in before.
 * @throws ProductError `expired` for used, replaced, expired and forged links
 */
export async function confirmSignInLink(deps: Deps, token: string, entering: Entering): Promise<Entered> {
  const link = await findLink(deps, token, ['sign_in'])
  const found = link && (await addresseeStore(deps.db).byId(link.userId))
  if (!link || !found) throw linkExpired()
  const credentials = credentialStore(deps.db, found.userId)
  const proven = found.emailProvenAt !== null
  const person = { userId: found.userId, epoch: proven ? found.epoch : found.epoch + 1 }
  const opened = await entering.open(person)
  await commit(deps, {
    change: [
      spendLink(deps, link.id, found.epoch),
      ...(proven
        ? []
        : [
            credentials.forgetPassword(),
            ...credentials.firstProof(deps.clock.now()),
            endSessionsOf(deps, person.userId, null),
            endLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINKS }),
          ]),
      ...sessionRows(deps, opened, entering.replaces),
    ],
    audit: [auditOf(person.userId, 'session.signInByLink')],
    outbox: opened.notices,
    expect: { onMissed: linkExpired },
  })
  return { person, opened }
}
