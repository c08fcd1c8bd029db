import type { z } from 'zod'
import { userAuditEntry } from '../../db/audit'
import { commit, type AuditEntry, type StoredReply } from '../../db/commit'
import type { EmailLinkKind, resetConfirmSchema, SessionItem } from '../../shared/account'
import { userContactStore, credentialStore, UNKNOWN_USER_ID, type UserContact } from './store'
import { invalidateEmailLinks, findEmailLink, createEmailLink, consumeEmailLink } from '../../identity/email-link-store'
import { assertUnguessable } from '../../identity/guessable-password'
import { personStore } from '../../identity/person-store'
import { uncacheSession } from '../../identity/session-record'
import { sessionStartStatements, endOtherSessionsStatement, endSessionStatement } from '../../identity/session-store'
import type { StartedSession, SessionStart } from '../../identity/session-store'
import {
  firstProofStatements,
  markEmailProvenStatements,
  suspendedMemberEntries,
} from '../../identity/earlier-use-store'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import { toIso } from '../../lib/iso'
import { describeDevice } from '../../identity/device-name'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../shared/limits'

/** Who is signed in. */
export interface SignedInUser {
  userId: string
  epoch: number
  email: string | null
  sessionHash: string
}

/** Links that stop working when somebody's password or address changes. */
export const CREDENTIAL_LINK_KINDS: readonly EmailLinkKind[] = [
  'reset',
  'sign_in',
  'email_old',
  'email_new',
  'email_proof',
]

const RESET_TTL_MS = HOUR_MS

/**
 * Sends the link to a new password to a known address, and nothing to an unknown one. Both make the same round trips,
 * so that neither the answer nor its duration tells them apart.
 */
export async function requestPasswordReset(deps: Deps, email: string): Promise<void> {
  const person = await userContactStore(deps.db).byEmail(email)
  const providers = await credentialStore(deps.db, person?.userId ?? UNKNOWN_USER_ID).providers()
  const end = invalidateEmailLinks(deps, { userId: person?.userId ?? UNKNOWN_USER_ID, kinds: ['reset'] })
  if (!person) return void (await commit(deps, { change: [end] }))
  const audit = [userAuditEntry(person.userId, 'account.reset')]
  // A reset must be no second door beside the provider that somebody signs in with.
  if (!person.hasPassword && providers.length > 0) {
    const mail = mailOutboxEntry(
      { to: email, template: 'resetWithoutPassword', providers },
      { key: `resetWithoutPassword:${deps.ids.token(16)}` },
    )
    return void (await commit(deps, { change: [end], audit, outbox: [mail] }))
  }
  const link = createEmailLink(deps, { kind: 'reset', userId: person.userId, ttlMs: RESET_TTL_MS })
  const mail = mailOutboxEntry({ to: email, template: 'reset', linkId: link.id }, { key: link.id })
  await commit(deps, { change: [end, link.insert], audit, outbox: [mail] })
}

/**
 * A new password by the link of a mail, signed in. Every session and every other link of the person ends.
 * @throws ProductError `expired` for used, replaced, expired and forged links
 */
export async function confirmPasswordReset(
  deps: Deps,
  input: z.output<typeof resetConfirmSchema>,
  start: SessionStart,
): Promise<StartedSession> {
  const { link, person } = await requireLinkedUser(deps, input.token, 'reset')
  await assertOwnPassword(deps, person.userId, { password: input.password, field: 'password' })
  const hash = await deps.passwords.hash(input.password)
  const credentials = credentialStore(deps.db, person.userId)
  const entered = { userId: person.userId, epoch: person.epoch + 1 }
  const opened = await start.open(entered)
  await commit(deps, {
    change: [
      consumeEmailLink(deps, link.id, person.epoch),
      credentials.setPassword(hash, person.epoch),
      ...proveByMailbox(deps, person),
      endOtherSessionsStatement(deps, person.userId, null),
      invalidateEmailLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINK_KINDS }),
      ...sessionStartStatements(deps, opened, start.replaces),
    ],
    audit: [userAuditEntry(person.userId, 'account.resetConfirm'), ...(await suspendedBy(deps, person))],
    outbox: passwordChangedMail(person, entered.epoch),
    expect: { onMissed: expiredLink },
  })
  return { person: entered, opened }
}

/** @throws ProductError `invalid_input` for a password that is common, or made of the person's own names */
async function assertOwnPassword(
  { db, settings }: Deps,
  userId: string,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const about = { appName: settings.APP_NAME, ...(await personStore(db, userId).names()) }
  await assertUnguessable(password, { about, field })
}

/** The mailbox proves the address; at the first proof whatever the account held is detached, for it may be another's. */
function proveByMailbox(deps: Deps, { userId, email }: UserContact): D1PreparedStatement[] {
  if (email === null) return []
  const now = deps.clock.now()
  const proof = { userId, email, now, sessionHash: null, accountId: null }
  return [...firstProofStatements(deps.db, proof), ...markEmailProvenStatements(deps.db, userId, now)]
}

const suspendedBy = async ({ db }: Deps, { userId, email }: UserContact): Promise<AuditEntry[]> =>
  email === null ? [] : suspendedMemberEntries(db, { userId, email })

async function requireLinkedUser(deps: Deps, token: string, kind: EmailLinkKind) {
  const link = await findEmailLink(deps, token, [kind])
  const person = link && (await userContactStore(deps.db).byId(link.userId))
  if (!link || !person) throw expiredLink()
  return { link, person }
}

export const expiredLink = (): ProductError => new ProductError('expired', { what: 'link' })

/** Says to the person's address that the password is another one. */
const passwordChangedMail = ({ userId, email }: Pick<UserContact, 'userId' | 'email'>, epoch: number) =>
  email === null
    ? []
    : [mailOutboxEntry({ to: email, template: 'passwordChanged' }, { key: `passwordChanged:${userId}:${epoch}` })]

const SIGN_IN_TTL_MS = 15 * MINUTE_MS

/** Sends a link that signs in to a known address, and nothing to an unknown one; both make the same round trips. */
export async function requestSignInLink(deps: Deps, request: { email: string; returnTo: string }): Promise<void> {
  const person = await userContactStore(deps.db).byEmail(request.email)
  const end = invalidateEmailLinks(deps, { userId: person?.userId ?? UNKNOWN_USER_ID, kinds: ['sign_in'] })
  if (!person) return void (await commit(deps, { change: [end] }))
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
export async function confirmSignInLink(deps: Deps, token: string, start: SessionStart): Promise<StartedSession> {
  const { link, person: user } = await requireLinkedUser(deps, token, 'sign_in')
  const credentials = credentialStore(deps.db, user.userId)
  const isEmailProven = user.emailProvenAt !== null
  const person = { userId: user.userId, epoch: isEmailProven ? user.epoch : user.epoch + 1 }
  const opened = await start.open(person)
  await commit(deps, {
    change: [
      consumeEmailLink(deps, link.id, user.epoch),
      ...(isEmailProven
        ? []
        : [
            credentials.clearPassword(),
            ...proveByMailbox(deps, user),
            endOtherSessionsStatement(deps, person.userId, null),
            invalidateEmailLinks(deps, { userId: person.userId, kinds: CREDENTIAL_LINK_KINDS }),
          ]),
      ...sessionStartStatements(deps, opened, start.replaces),
    ],
    audit: [userAuditEntry(person.userId, 'session.signInByLink'), ...(await suspendedBy(deps, user))],
    outbox: opened.notices,
    expect: { onMissed: expiredLink },
  })
  return { person, opened }
}

/** What a session is called outside: the beginning of its hash opens nothing. */
const publicSessionId = (hash: string): string => hash.slice(0, 32)

/** The person's sessions that still let somebody in, the newest first. */
export async function listSessions(deps: Deps, me: SignedInUser): Promise<SessionItem[]> {
  const now = deps.clock.now()
  const rows = await credentialStore(deps.db, me.userId).sessions()
  return rows
    .filter(
      ({ createdAt, lastSeenAt, epoch }) =>
        epoch === me.epoch && now < Math.min(lastSeenAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_MS),
    )
    .map(({ hash, userAgent, country, createdAt, lastSeenAt }) => ({
      id: publicSessionId(hash),
      current: hash === me.sessionHash,
      device: describeDevice(userAgent),
      country,
      signedInAt: toIso(createdAt),
      lastSeenAt: toIso(lastSeenAt),
    }))
}

/** Ends one session of the person, also the one that asks. @throws ProductError `not_found` */
export async function revokeSession(
  deps: Deps,
  revocation: { me: SignedInUser; id: string; reply: (body: { id: string }) => StoredReply | null },
): Promise<{ id: string; current: boolean }> {
  const rows = await credentialStore(deps.db, revocation.me.userId).sessions()
  const found = rows.find(({ hash }) => publicSessionId(hash) === revocation.id)
  if (!found) throw new ProductError('not_found')
  const ended = { id: revocation.id, current: found.hash === revocation.me.sessionHash }
  await commit(deps, {
    change: [endSessionStatement(deps, found.hash)],
    audit: [userAuditEntry(revocation.me.userId, 'session.end', { after: { id: revocation.id } })],
    reply: revocation.reply(ended),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  await uncacheSession(deps, found.hash)
  return ended
}

/** Ends every session of the person but the one that asks. */
export async function revokeOtherSessions(
  deps: Deps,
  request: { me: SignedInUser; reply: (body: { ended: number }) => StoredReply | null },
): Promise<{ ended: number }> {
  const rows = await credentialStore(deps.db, request.me.userId).sessions()
  const others = rows.filter(({ hash }) => hash !== request.me.sessionHash)
  const ended = { ended: others.length }
  await commit(deps, {
    change: [endOtherSessionsStatement(deps, request.me.userId, request.me.sessionHash)],
    audit: [userAuditEntry(request.me.userId, 'session.endOthers', { after: ended })],
    reply: request.reply(ended),
  })
  await Promise.all(others.map(({ hash }) => uncacheSession(deps, hash)))
  return ended
}

/** A new password of the person, already proven. Every other session ends; the asking one goes on under a new token. */
export async function changePassword(
  deps: Deps,
  passwordChange: { me: SignedInUser; password: string; entering: SessionStart },
): Promise<StartedSession> {
  const { me, entering } = passwordChange
  await assertOwnPassword(deps, me.userId, { password: passwordChange.password, field: 'next' })
  const hash = await deps.passwords.hash(passwordChange.password)
  const person = { userId: me.userId, epoch: me.epoch + 1 }
  const opened = await entering.open(person)
  await commit(deps, {
    change: [
      credentialStore(deps.db, me.userId).setPassword(hash, me.epoch),
      endOtherSessionsStatement(deps, me.userId, null),
      invalidateEmailLinks(deps, { userId: me.userId, kinds: CREDENTIAL_LINK_KINDS }),
      ...sessionStartStatements(deps, opened, null),
    ],
    audit: [userAuditEntry(me.userId, 'account.password')],
    outbox: passwordChangedMail(me, person.epoch),
    expect: { onMissed: () => new ProductError('unauthenticated') },
  })
  return { person, opened }
}
