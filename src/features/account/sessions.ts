import { userAuditEntry, CREDENTIAL_LINK_KINDS } from './acting'
import type { SignedInUser } from './acting'
import { passwordChangedMail } from './reset'
import { credentialStore } from './store'
import { describeDevice } from '../../access/devices'
import { invalidateEmailLinks } from '../../access/links'
import { sessionStartStatements } from '../../access/new-session'
import type { StartedSession, SessionStart } from '../../access/new-session'
import { endSessionStatement, endOtherSessionsStatement, uncacheSession } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import type { SessionItem } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../shared/limits'

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
      signedInAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
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
    audit: [userAuditEntry(revocation.me.userId, 'session.end', { id: revocation.id })],
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
    audit: [userAuditEntry(request.me.userId, 'session.endOthers', ended)],
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
