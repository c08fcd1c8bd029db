import { auditOf, CREDENTIAL_LINKS } from './acting'
import type { Signed } from './acting'
import { changeOf, emailStore, isTaken } from './email-store'
import type { ChangePayload } from './email-store'
import { linkExpired } from './reset'
import { endLinks, findLink, newLink } from '../../access/links'
import type { Link } from '../../access/links'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import type { EmailChange, EmailConfirmed } from '../../shared/account'
import { ProductError } from '../../shared/errors'

const CHANGE_TTL_MS = 24 * 60 * 60 * 1000
const SIDES = ['email_old', 'email_new'] as const

/** The person's address, and the change of it that waits for its confirmations. */
export async function currentEmail(deps: Deps, me: Pick<Signed, 'userId' | 'email'>): Promise<EmailChange> {
  const pending = await emailStore(deps.db, me.userId).pending(deps.clock.now())
  if (!pending) return { email: me.email, pending: null }
  const { email, oldConfirmed, newConfirmed, expiresAt } = pending
  return {
    email: me.email,
    pending: { email, oldConfirmed, newConfirmed, expiresAt: new Date(expiresAt).toISOString() },
  }
}

/**
 * Asks both addresses whether the account's address is to be the new one. A taken address answers as a free one: only
 * who reads its mail is told. An earlier change that waits is given up.
 * @throws ProductError `invalid_input` for the address that it is already
 */
export async function requestEmail(deps: Deps, ask: { me: Signed; email: string }): Promise<EmailChange> {
  const { me, email } = ask
  if (email === me.email)
    throw new ProductError('invalid_input', { fields: { email: 'This is your address already.' } })
  const payload: ChangePayload = { change: deps.ids.token(8), email, oldEmail: me.email }
  const make = (kind: (typeof SIDES)[number]) =>
    newLink(deps, { kind, userId: me.userId, payload, ttlMs: CHANGE_TTL_MS })
  const fresh = make('email_new')
  const old = me.email === null ? null : { to: me.email, ...make('email_old') }
  const answer: EmailChange = {
    email: me.email,
    pending: {
      email,
      oldConfirmed: old === null,
      newConfirmed: false,
      expiresAt: new Date(deps.clock.now() + CHANGE_TTL_MS).toISOString(),
    },
  }
  await commit(deps, {
    change: [endLinks(deps, { userId: me.userId, kinds: SIDES }), fresh.insert, ...(old === null ? [] : [old.insert])],
    audit: [auditOf(me.userId, 'account.email', { email })],
    outbox: [
      mailEntry({ to: email, template: 'emailNew', linkId: fresh.id, oldEmail: me.email }, { key: fresh.id }),
      ...(old === null
        ? []
        : [mailEntry({ to: old.to, template: 'emailOld', linkId: old.id, newEmail: email }, { key: old.id })]),
    ],
  })
  return answer
}

/** Gives the change up that waits; nothing happens without one. */
export async function cancelEmail(
  deps: Deps,
  ask: { me: Signed; reply: (body: EmailChange) => StoredReply | null },
): Promise<EmailChange> {
  const answer: EmailChange = { email: ask.me.email, pending: null }
  await commit(deps, {
    change: [endLinks(deps, { userId: ask.me.userId, kinds: SIDES })],
    audit: [auditOf(ask.me.userId, 'account.emailCancel')],
    reply: ask.reply(answer),
  })
  return answer
}

/**
 * One side says yes; when the other has said so too, the address is the new one and proven.
 * @throws ProductError `expired`; `account_exists` when the address was taken meanwhile
 */
export async function confirmEmail(deps: Deps, token: string): Promise<EmailConfirmed> {
  // Both sides at once: whoever came second looks again and sees that it is the last one.
  for (let look = 0; look < 3; look++) {
    const link = await findLink(deps, token, SIDES)
    if (!link) throw linkExpired()
    const confirmed = await confirmSide(deps, link)
    if (confirmed) return confirmed
  }
  throw new ProductError('busy', { retryAfter: 1 })
}

async function confirmSide(deps: Deps, link: Link): Promise<EmailConfirmed | null> {
  const store = emailStore(deps.db, link.userId)
  const now = deps.clock.now()
  const payload = changeOf(link.payload)
  const pending = await store.pending(now)
  if (!pending || pending.change !== payload.change) throw linkExpired()
  const last = link.kind === 'email_old' ? pending.newConfirmed : pending.oldConfirmed
  const moved = new ProductError('expired', { what: 'link' })
  try {
    await commit(deps, {
      change: [store.confirm({ id: link.id, last, now }), ...(last ? moves(deps, link, payload) : [])],
      audit: [auditOf(link.userId, last ? 'account.emailChange' : 'account.emailConfirm', payload)],
      outbox: last ? goodbye(link, payload) : [],
      expect: { onMissed: () => moved },
    })
  } catch (error) {
    if (isTaken(error)) throw new ProductError('account_exists', {}, 'This address belongs to another account by now.')
    if (error !== moved) throw error
    return stillOpen(deps, link, payload)
  }
  return { changed: last, email: payload.email }
}

/** Missed: null when the other side was quicker and this one is to be looked at again. @throws ProductError `expired` */
async function stillOpen(deps: Deps, link: Link, payload: ChangePayload): Promise<null> {
  const row = await deps.db.d1
    .prepare('SELECT email FROM users WHERE id = ? AND disabled_at IS NULL')
    .bind(link.userId)
    .first<{ email: string | null }>()
  if (!row || row.email !== payload.oldEmail) throw linkExpired()
  return null
}

/** The address moves, and no link that went to the old one opens anything any more. */
const moves = (deps: Deps, link: Link, { email }: ChangePayload): D1PreparedStatement[] => [
  emailStore(deps.db, link.userId).move(email, deps.clock.now()),
  endLinks(deps, { userId: link.userId, kinds: CREDENTIAL_LINKS }),
]

const goodbye = (link: Link, { email, oldEmail }: ChangePayload) =>
  oldEmail === null
    ? []
    : [mailEntry({ to: oldEmail, template: 'emailChanged', newEmail: email }, { key: `emailChanged:${link.id}` })]
