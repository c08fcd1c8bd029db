import { describeDevice } from './devices'
import { endSessionStatement } from './sessions'
import type { SessionDeps } from './sessions'
import type { OutboxEntry } from '../db/commit'
import { sha256Hex } from '../lib/digest'
import { mailOutboxEntry } from '../mail/order'

export interface SessionUser {
  userId: string
  epoch: number
}

export interface CreatedSession {
  token: string
  hash: string
  /** The row to write, in the caller's batch. */
  insert: D1PreparedStatement
  /** Remembers what the person came from; in the same batch. */
  rememberDevice: D1PreparedStatement
  /** The mail about a sign-in from something new, for the `outbox` of the same batch; mostly empty. */
  notices: OutboxEntry[]
}

/** How somebody comes in: the plumbing knows about browsers, features do not. */
export interface SessionStart {
  /** Makes the session of a person. */
  open: (sessionUser: SessionUser) => Promise<CreatedSession>
  /** Hash of the session this browser came with, if any. */
  replaces: string | null
}
export interface StartedSession {
  person: SessionUser
  opened: CreatedSession
}

/**
 * The rows of a session that begins, for the caller's batch. The one the browser came with (`replaces`) ends, so that a
 * planted cookie never becomes anyone's.
 */
export const sessionStartStatements = (
  deps: SessionDeps,
  opened: CreatedSession,
  replaces: SessionStart['replaces'],
): D1PreparedStatement[] => [
  opened.insert,
  opened.rememberDevice,
  ...(replaces === null ? [] : [endSessionStatement(deps, replaces)]),
]

/** What a request says about where it comes from. */
interface ClientInfo {
  userAgent: string | null
  country: string | null
}

/**
 * A new session for a person: a random token of which only the hash is ever stored. The caller writes `insert`,
 * `remember` and `notices` in one batch.
 */
export async function createSession(
  deps: SessionDeps,
  sessionUser: SessionUser,
  clientInfo: ClientInfo,
): Promise<CreatedSession> {
  const token = deps.ids.token(32)
  const hash = await sha256Hex(token)
  const now = deps.clock.now()
  const device = describeDevice(clientInfo.userAgent)
  const insert = deps.db.d1
    .prepare(
      'INSERT INTO sessions (hash, user_id, created_at, last_seen_at, user_agent, country, epoch) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .bind(
      hash,
      sessionUser.userId,
      now,
      now,
      clientInfo.userAgent?.slice(0, 300) ?? null,
      clientInfo.country,
      sessionUser.epoch,
    )
  const rememberDevice = deps.db.d1
    .prepare(
      `INSERT INTO devices (user_id, device, country, signed_in_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET signed_in_at = excluded.signed_in_at`,
    )
    .bind(sessionUser.userId, device, clientInfo.country ?? '', now)
  const notices = await newDeviceNotices(deps, {
    userId: sessionUser.userId,
    hash,
    device,
    country: clientInfo.country,
  })
  return { token, hash, insert, rememberDevice, notices }
}

/** How long a device and country stay known after a sign-in. */
const KNOWN_DEVICE_MS = 30 * 24 * 60 * 60 * 1000

/** The mail about an entry from a device and country not seen for 30 days; none at the first entry of all. */
async function newDeviceNotices(
  deps: SessionDeps,
  entry: { userId: string; hash: string; device: string; country: string | null },
): Promise<OutboxEntry[]> {
  const { userId, hash, device, country } = entry
  const now = deps.clock.now()
  const row = await deps.db.d1
    .prepare(
      `SELECT u.email FROM users u
       WHERE u.id = ?1 AND u.email IS NOT NULL AND coalesce(json_extract(u.notifications, '$.newSignIn'), 1)
         AND EXISTS (SELECT 1 FROM devices WHERE user_id = ?1)
         AND NOT EXISTS (SELECT 1 FROM devices WHERE user_id = ?1 AND device = ?2 AND country = ?3 AND signed_in_at > ?4)`,
    )
    .bind(userId, device, country ?? '', now - KNOWN_DEVICE_MS)
    .first<{ email: string }>()
  if (!row) return []
  const order = { to: row.email, template: 'newSignIn', device, country, at: now } as const
  return [mailOutboxEntry(order, { key: `newSignIn:${hash}` })]
}
