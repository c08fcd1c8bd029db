import { CREDENTIAL_LINK_KINDS, expiredLink, type SignedInUser } from './credentials'
import { parseEmailChangePayload, emailChangeStore, isEmailTaken, type EmailChangePayload } from './store'
import { invalidateEmailLinks, findEmailLink, createEmailLink, type EmailLink } from '../../identity/email-link-store'
import { userAuditEntry } from '../../db/audit'
import { commit, tryCommit, type StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { EmailChange, EmailConfirmation } from '../../shared/account'
import { DAY_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import { toIso } from '../../lib/iso'

const CHANGE_TTL_MS = DAY_MS
const EMAIL_CHANGE_LINK_KINDS = ['email_old', 'email_new'] as const

/** The person's address, and the change of it that waits for its confirmations. */
export async function getEmailStatus(deps: Deps, me: Pick<SignedInUser, 'userId' | 'email'>): Promise<EmailChange> {
  const pending = await emailChangeStore(deps.db, me.userId).pending(deps.clock.now())
  if (!pending) return { email: me.email, pending: null }
  const { email, oldConfirmed, newConfirmed, expiresAt } = pending
  return { email: me.email, pending: { email, oldConfirmed, newConfirmed, expiresAt: toIso(expiresAt) } }
}

/**
 * Asks both addresses whether the account's address is to be the new one; only the new one while the old one is
 * unproven. A taken address answers as a free one: only
 * who reads its mail is told. An earlier change that waits is given up.
 * @throws ProductError `invalid_input` for the address that it is already; `unauthenticated` when the session ended
 * meanwhile
 */
export async function requestEmailChange(
  deps: Deps,
  request: { me: SignedInUser & { emailProven: boolean }; email: string },
): Promise<EmailChange> {
  const { me, email } = request
  if (email === me.email) throw new ProductError('invalid_input', { fields: { email: 'This is already your email.' } })
  // Whoever reads the mail of an unproven address may have nothing to do with this account.
  const asksOld = me.email !== null && me.emailProven
  const payload: EmailChangePayload = { change: deps.ids.token(8), email, oldEmail: me.email, asksOld }
  const make = (kind: (typeof EMAIL_CHANGE_LINK_KINDS)[number]) =>
    createEmailLink(deps, { kind, userId: me.userId, payload, ttlMs: CHANGE_TTL_MS })
  const fresh = make('email_new')
  const old = me.email === null || !asksOld ? null : { to: me.email, ...make('email_old') }
  const answer: EmailChange = {
    email: me.email,
    pending: {
      email,
      oldConfirmed: old === null,
      newConfirmed: false,
      expiresAt: toIso(deps.clock.now() + CHANGE_TTL_MS),
    },
  }
  await commit(deps, {
    change: [
      emailChangeStore(deps.db, me.userId).begin(me),
      invalidateEmailLinks(deps, { userId: me.userId, kinds: EMAIL_CHANGE_LINK_KINDS }),
      fresh.insert,
      ...(old === null ? [] : [old.insert]),
    ],
    audit: [userAuditEntry(me.userId, 'account.email', { after: { email } })],
    outbox: [
      mailOutboxEntry(
        { to: email, template: 'emailNew', linkId: fresh.id, oldEmail: asksOld ? me.email : null },
        { key: fresh.id },
      ),
      ...(old === null
        ? []
        : [mailOutboxEntry({ to: old.to, template: 'emailOld', linkId: old.id, newEmail: email }, { key: old.id })]),
    ],
    expect: { onMissed: () => new ProductError('unauthenticated') },
  })
  return answer
}

/** Gives the change up that waits; nothing happens without one. */
export async function cancelEmailChange(
  deps: Deps,
  cancellation: { me: SignedInUser; reply: (body: EmailChange) => StoredReply | null },
): Promise<EmailChange> {
  const answer: EmailChange = { email: cancellation.me.email, pending: null }
  await commit(deps, {
    change: [invalidateEmailLinks(deps, { userId: cancellation.me.userId, kinds: EMAIL_CHANGE_LINK_KINDS })],
    audit: [userAuditEntry(cancellation.me.userId, 'account.emailCancel')],
    reply: cancellation.reply(answer),
  })
  return answer
}

/**
 * One side says yes; when the other has said so too, the address is the new one and proven. The new side counts in a
 * session of the account alone (`userId`; null = nobody is signed in): its reader and the account are one person.
 * @throws ProductError `expired`; `account_exists` when the address was taken meanwhile; for the new side
 * `unauthenticated` without a session, `forbidden` in one of another account
 */
export async function confirmEmailChange(deps: Deps, token: string, userId: string | null): Promise<EmailConfirmation> {
  // Both sides at once: whoever came second looks again and sees that it is the last one.
  for (let attempt = 0; attempt < 3; attempt++) {
    const link = await findEmailLink(deps, token, EMAIL_CHANGE_LINK_KINDS)
    if (!link) throw expiredLink()
    if (link.kind === 'email_new') assertSameAccount(link, userId)
    const confirmed = await confirmLink(deps, link)
    if (confirmed) return confirmed
  }
  throw new ProductError('busy', { retryAfter: 1 })
}

/** @throws ProductError `unauthenticated`, `forbidden` with the reason `other_account` */
export function assertSameAccount(link: Pick<EmailLink, 'userId'>, userId: string | null): void {
  if (userId === null) throw new ProductError('unauthenticated', {}, 'Sign in to confirm.')
  if (link.userId !== userId)
    throw new ProductError('forbidden', { reason: 'other_account' }, 'This link belongs to another account.')
}

/** Null: missed, look again. @throws ProductError `expired` */
async function confirmLink(deps: Deps, emailLink: EmailLink): Promise<EmailConfirmation | null> {
  const store = emailChangeStore(deps.db, emailLink.userId)
  const now = deps.clock.now()
  const payload = parseEmailChangePayload(emailLink.payload)
  const pending = await store.pending(now)
  if (!pending || pending.change !== payload.change) throw expiredLink()
  const last = emailLink.kind === 'email_old' ? pending.newConfirmed : pending.oldConfirmed
  const action = last ? 'account.emailChange' : 'account.emailConfirm'
  const confirmed = await tryCommit(deps, {
    change: [
      store.confirm({ id: emailLink.id, last, now }),
      ...(last ? applyEmailChange(deps, emailLink, payload) : []),
    ],
    audit: [userAuditEntry(emailLink.userId, action, { after: payload })],
    outbox: last ? oldAddressMail(emailLink, payload) : [],
  }).catch((error: unknown) => {
    if (!isEmailTaken(error)) throw error
    throw new ProductError('account_exists', {}, 'Another account uses this email.')
  })
  if (confirmed) return { changed: last, email: payload.email }
  // The other side was quicker, and this one is to be looked at again: unless the address is another one by now.
  if (!(await store.isOpen(payload))) throw expiredLink()
  return null
}

/** The address moves, and no link that went to the old one opens anything any more. */
const applyEmailChange = (deps: Deps, emailLink: EmailLink, { email }: EmailChangePayload): D1PreparedStatement[] => [
  emailChangeStore(deps.db, emailLink.userId).setEmail(email, deps.clock.now()),
  invalidateEmailLinks(deps, { userId: emailLink.userId, kinds: CREDENTIAL_LINK_KINDS }),
]

const oldAddressMail = (emailLink: EmailLink, { email, oldEmail, asksOld }: EmailChangePayload) =>
  oldEmail === null || !asksOld
    ? []
    : [
        mailOutboxEntry(
          { to: oldEmail, template: 'emailChanged', newEmail: email },
          { key: `emailChanged:${emailLink.id}` },
        ),
      ]
