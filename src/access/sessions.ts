import { z } from 'zod'
import type { Actor, Membership } from './actor'
import { rankColumns, standingUnder } from './frozen'
import { subscriptionColumns, subscriptionFrom } from './subscription-row'
import type { SubscriptionRow } from './subscription-row'
import type { Database } from '../db/database'
import type { Clock, Ids } from '../shared/ids'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'
import { picturePath } from '../shared/pictures'
import { ROLES } from '../shared/permissions'
import { entitlements } from '../shared/entitlements'
import type { OnboardingStep } from '../shared/session'
import type { WeekStart } from '../shared/workspaces'

/** `last_seen_at` moves at most this often. */
const TOUCH_MS = 60 * 60 * 1000
/** Clock of the store's own expiry: a little later than the session's, which D1 decides. */
const KV_TTL_SECONDS = SESSION_MAX_MS / 1000 + 60

export interface SessionDeps {
  db: Database
  sessions: KVNamespace
  clock: Clock
  ids: Ids
}

/** An earlier answer to the same write, found by its idempotency key. */
export interface EarlierReply {
  bodyHash: string
  status: number
  body: string
}

export interface SessionQuestion {
  hash: string
  /** The workspace this request names. */
  workspaceId: string | null
  /** True: when none (or a foreign one) is named, the person's preferred or first workspace is taken. */
  fallback: boolean
  preferredId: string | null
  /** Where an earlier reply would be stored, without the person's id. */
  reply: { key: string; route: string } | null
}

const kvRecordSchema = z.object({ userId: z.string(), epoch: z.number() })
const summariesSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    logo: z.string().nullable().transform(picturePath),
  }),
)

interface Row extends SubscriptionRow {
  user_id: string
  created_at: number
  last_seen_at: number
  name: string
  email: string | null
  avatar_key: string | null
  locale: string | null
  staff_role: string | null
  onboarding: OnboardingStep
  epoch: number
  workspaces: string
  workspace_id: string | null
  workspace_name: string
  role: Membership['role']
  member_epoch: number
  member_seen_at: number
  user_rank: number
  analyst_rank: number
  country: string
  currency: string
  number_locale: string
  time_zone: string
  fiscal_year_start: number
  week_start: WeekStart
  version: number
  logo_key: string | null
  reply_hash: string | null
  reply_status: number
  reply_body: string
}

// Everything a request must know about who asks, in one statement: D1 round trips are the latency of every page.
const READ = `
WITH mine AS (
  SELECT m.user_id, m.role, m.epoch, m.created_at, coalesce(m.last_seen_at, m.created_at) AS member_seen_at, w.*
  FROM sessions s
  JOIN members m ON m.user_id = s.user_id AND m.status = 'active'
  JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE s.hash = ?1
)
SELECT s.user_id, s.created_at, s.last_seen_at, u.name, u.email, u.avatar_key, u.locale, u.staff_role, u.onboarding, u.epoch,
  (SELECT json_group_array(json_object('id', id, 'name', name, 'role', role, 'logo', logo_key)) FROM (SELECT * FROM mine ORDER BY name, id)) AS workspaces,
  w.id AS workspace_id, w.name AS workspace_name, w.role, w.epoch AS member_epoch, w.member_seen_at, w.country, w.currency, w.number_locale,
  w.time_zone, w.fiscal_year_start, w.week_start, w.version, w.logo_key,
  ${rankColumns('w', 'w.id')},
  ${subscriptionColumns('b')},
  i.body_hash AS reply_hash, i.status AS reply_status, i.body AS reply_body
FROM sessions s
JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL AND u.epoch = s.epoch
LEFT JOIN mine w ON w.id = (
  SELECT id FROM mine WHERE id = ?2 OR ?3 = 1
  ORDER BY id = ?2 DESC, id = ?4 DESC, created_at, id LIMIT 1)
LEFT JOIN subscriptions b ON b.workspace_id = w.id
LEFT JOIN idempotency i ON i.scope = s.user_id || ' ' || ?5 AND i.key = ?6
WHERE s.hash = ?1`

/**
 * Who holds this session, by one D1 read. The record in KV is read beside it and can only refuse: a record that
 * speaks of another person or epoch is a forgery or a mix-up. Unknown, expired and revoked sessions answer `null`.
 */
export async function readSession(
  deps: SessionDeps,
  question: SessionQuestion,
): Promise<{ actor: Actor; reply: EarlierReply | null; touch: Touch | null } | null> {
  const { hash, workspaceId, fallback, preferredId, reply } = question
  const [row, record] = await Promise.all([
    deps.db.d1
      .prepare(READ)
      .bind(hash, workspaceId, fallback ? 1 : 0, preferredId, reply?.route ?? null, reply?.key ?? null)
      .first<Row>(),
    // KV can only refuse: while it cannot be read, the row alone decides.
    deps.sessions.get(kvKey(hash), 'json').catch(() => null),
  ])
  if (!row) return null
  const known = kvRecordSchema.safeParse(record)
  if (record !== null && !(known.success && known.data.userId === row.user_id && known.data.epoch === row.epoch))
    return null
  const now = deps.clock.now()
  const expiresAt = Math.min(row.last_seen_at + SESSION_IDLE_MS, row.created_at + SESSION_MAX_MS)
  if (now >= expiresAt) return null
  return {
    actor: actorFrom(row, hash, { now, expiresAt }),
    reply:
      row.reply_hash === null ? null : { bodyHash: row.reply_hash, status: row.reply_status, body: row.reply_body },
    touch: touchOf(row, hash, now),
  }
}

/** What a request moves after its answer: the session, and the membership in the workspace at hand. */
export interface Touch {
  hash: string
  userId: string
  workspaceId: string | null
}
function touchOf(row: Row, hash: string, now: number): Touch | null {
  const member = row.workspace_id !== null && now - row.member_seen_at >= TOUCH_MS
  if (!member && now - row.last_seen_at < TOUCH_MS) return null
  return { hash, userId: row.user_id, workspaceId: row.workspace_id }
}

function actorFrom(row: Row, hash: string, at: { now: number; expiresAt: number }): Actor {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    avatarKey: row.avatar_key,
    locale: row.locale,
    onboarding: row.onboarding,
    sessionHash: hash,
    sessionExpiresAt: at.expiresAt,
    epoch: row.epoch,
    staff: row.staff_role !== null,
    signedInAt: row.created_at,
    workspaces: summariesSchema.parse(JSON.parse(row.workspaces)),
    membership: membershipFrom(row, at.now),
  }
}

function membershipFrom(row: Row, now: number): Membership | null {
  if (row.workspace_id === null) return null
  const granted = entitlements(subscriptionFrom(row), now)
  return {
    workspaceId: row.workspace_id,
    workspaceName: row.workspace_name,
    workspaceVersion: row.version,
    logoKey: row.logo_key,
    ...standingUnder(row, granted.features),
    givenRole: row.role,
    epoch: row.member_epoch,
    settings: {
      country: row.country,
      currency: row.currency,
      numberLocale: row.number_locale,
      timeZone: row.time_zone,
      fiscalYearStart: row.fiscal_year_start,
      weekStart: row.week_start,
    },
    entitlements: granted,
  }
}

const kvKey = (hash: string): string => `session:${hash}`

/** Keeps the record beside the row. After the row: a record without a row lets nobody in. */
export async function recordSession(
  deps: SessionDeps,
  hash: string,
  person: { userId: string; epoch: number },
): Promise<void> {
  await deps.sessions.put(kvKey(hash), JSON.stringify(person), { expirationTtl: KV_TTL_SECONDS })
}

/** The statement that ends a session; the row is the authority, so it goes first. */
export const endSession = (deps: SessionDeps, hash: string): D1PreparedStatement =>
  deps.db.d1.prepare('DELETE FROM sessions WHERE hash = ?').bind(hash)

export const forgetSession = (deps: SessionDeps, hash: string): Promise<void> => deps.sessions.delete(kvKey(hash))

/** Ends every session of a person but this one (null: all). */
export const endSessionsOf = (deps: SessionDeps, userId: string, except: string | null): D1PreparedStatement =>
  deps.db.d1.prepare("DELETE FROM sessions WHERE user_id = ? AND hash <> coalesce(?, '')").bind(userId, except)

/** Moves the idle expiry. Parallel requests all say the same, and the conditions let one of them write. */
export async function touchSession(deps: SessionDeps, { hash, userId, workspaceId }: Touch): Promise<void> {
  const now = deps.clock.now()
  await deps.db.d1.batch([
    deps.db.d1
      .prepare('UPDATE sessions SET last_seen_at = ?2 WHERE hash = ?1 AND last_seen_at <= ?3')
      .bind(hash, now, now - TOUCH_MS),
    deps.db.d1
      .prepare(
        `UPDATE members SET last_seen_at = ?3
         WHERE workspace_id = ?1 AND user_id = ?2 AND coalesce(last_seen_at, created_at) <= ?4`,
      )
      .bind(workspaceId, userId, now, now - TOUCH_MS),
  ])
}
