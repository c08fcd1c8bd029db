import { auditOf, CREDENTIAL_LINKS } from './acting'
import type { Signed } from './acting'
import { passwordChanged } from './reset'
import { credentialStore } from './store'
import { deviceOf } from '../../access/devices'
import { endLinks } from '../../access/links'
import { sessionRows } from '../../access/new-session'
import type { Entered, Entering } from '../../access/new-session'
import { endSession, endSessionsOf, forgetSession } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import type { SessionItem } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../shared/limits'

/** What a session is called outside: the beginning of its hash opens nothing. */
const idOf = (hash: string): string => hash.slice(0, 32)

/** The person's sessions that still let somebody in, the newest first. */
export async function listSessions(deps: Deps, me: Signed): Promise<SessionItem[]> {
  const now = deps.clock.now()
  const rows = await credentialStore(deps.db, me.userId).sessions()
  return rows
    .filter(
      ({ createdAt, lastSeenAt, epoch }) =>
        epoch === me.epoch && now < Math.min(lastSeenAt + SESSION_IDLE_MS, createdAt + SESSION_MAX_MS),
    )
    .map(({ hash, userAgent, country, createdAt, lastSeenAt }) => ({
      id: idOf(hash),
      current: hash === me.sessionHash,
      device: deviceOf(userAgent),
      country,
      signedInAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
    }))
}

/** Ends one session of the person, also the one that asks. @throws ProductError `not_found` */
export async function endOneSession(
  deps: Deps,
  ask: { me: Signed; id: string; reply: (body: { id: string }) => StoredReply | null },
): Promise<{ id: string; current: boolean }> {
  const rows = await credentialStore(deps.db, ask.me.userId).sessions()
  const found = rows.find(({ hash }) => idOf(hash) === ask.id)
  if (!found) throw new ProductError('not_found')
  const ended = { id: ask.id, current: found.hash === ask.me.sessionHash }
  await commit(deps, {
    change: [endSession(deps, found.hash)],
    audit: [auditOf(ask.me.userId, 'session.end', { id: ask.id })],
    reply: ask.reply(ended),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  await forgetSession(deps, found.hash)
  return ended
}

/** Ends every session of the person but the one that asks. */
export async function endOtherSessions(
  deps: Deps,
  ask: { me: Signed; reply: (body: { ended: number }) => StoredReply | null },
): Promise<{ ended: number }> {
  const rows = await credentialStore(deps.db, ask.me.userId).sessions()
  const others = rows.filter(({ hash }) => hash !== ask.me.sessionHash)
  const ended = { ended: others.length }
  await commit(deps, {
    change: [endSessionsOf(deps, ask.me.userId, ask.me.sessionHash)],
    audit: [auditOf(ask.me.userId, 'session.endOthers', ended)],
    reply: ask.reply(ended),
  })
  await Promise.all(others.map(({ hash }) => forgetSession(deps, hash)))
  return ended
}

/** A new password of the person, already proven. Every other session ends; the asking one goes on under a new token. */
export async function changePassword(
  deps: Deps,
  ask: { me: Signed; password: string; entering: Entering },
): Promise<Entered> {
  const { me, entering } = ask
  const hash = await deps.passwords.hash(ask.password)
  const person = { userId: me.userId, epoch: me.epoch + 1 }
  const opened = await entering.open(person)
  await commit(deps, {
    change: [
      credentialStore(deps.db, me.userId).setPassword(hash, me.epoch),
      endSessionsOf(deps, me.userId, null),
      endLinks(deps, { userId: me.userId, kinds: CREDENTIAL_LINKS }),
      ...sessionRows(deps, opened, null),
    ],
    audit: [auditOf(me.userId, 'account.password')],
    outbox: passwordChanged(me, person.epoch),
    expect: { onMissed: () => new ProductError('unauthenticated') },
  })
  return { person, opened }
}
