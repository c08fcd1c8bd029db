import { z } from 'zod'
import { accessColumns, readDataRights, type AccessColumns, type AccessHolder } from './access/access-store'
import { currentViewAs, rightsOfView } from './access/view-as'
import type { Actor, Membership } from '../scope'
import { memberRankColumns, effectiveMembership } from '../entitlements/limits'
import { subscriptionColumns, subscriptionFromRow, type SubscriptionRow } from '../entitlements/subscription-row'
import type { Database } from '../db/database'
import { DAY_MS, MINUTE_MS } from '../shared/dates'
import type { Clock, Ids } from '../shared/ids'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'
import { picturePath } from '../shared/pictures'
import { ROLES } from '../shared/permissions'
import type { PlanFeatures } from '../shared/billing/plans'
import { computeEntitlements } from '../shared/billing/entitlements'
import type { OnboardingStep } from '../shared/session'
import type { WeekStart } from '../shared/workspaces/workspaces'
import { readSessionRecord } from './session-record'
import { describeDevice } from './device-name'
import type { OutboxEntry } from '../db/commit'
import { sha256Hex } from '../lib/hash'
import { mailOutboxEntry } from '../mail/queued-mail'

/** `last_seen_at` moves at most this often: so exact is what members are told of each other. */
const LAST_SEEN_INTERVAL_MS = 5 * MINUTE_MS

export interface SessionDeps {
  db: Database
  sessions: KVNamespace
  clock: Clock
  ids: Ids
}

/** An earlier answer to the same write, found by its idempotency key. */
export interface PreviousReply {
  bodyHash: string
  status: number
  body: string
}

export interface SessionLookup {
  hash: string
  /** The workspace this request names. */
  workspaceId: string | null
  /** True: when none (or a foreign one) is named, the workspace that the person opened last, or their first, is taken. */
  fallback: boolean
  /** Whether the request opens the workspace, so that it is the last one opened. */
  opens: boolean
  /** Where an earlier reply would be stored, without the person's id. */
  reply: { key: string; route: string } | null
}

const workspaceSummariesSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    logo: z.string().nullable().transform(picturePath),
  }),
)

interface SessionRow extends SubscriptionRow, AccessColumns {
  user_id: string
  created_at: number
  last_seen_at: number
  view_as: string | null
  name: string
  email: string | null
  email_proven: number
  earlier_use: number
  avatar_key: string | null
  locale: string | null
  staff_role: string | null
  onboarding: OnboardingStep
  epoch: number
  last_workspace_id: string | null
  workspace_count: number
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
const SELECT_SESSION = `
WITH mine AS (
  SELECT m.user_id, m.role, m.epoch, m.created_at, coalesce(m.last_seen_at, m.created_at) AS member_seen_at, w.*
  FROM sessions s
  JOIN members m ON m.user_id = s.user_id AND m.status = 'active'
  JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE s.hash = ?1
)
SELECT s.user_id, s.created_at, s.last_seen_at, s.view_as, u.name, u.email, u.email_proven_at IS NOT NULL AS email_proven,
  u.earlier_use IS NOT NULL AS earlier_use, u.avatar_key, u.locale, u.staff_role, u.onboarding, u.epoch, u.last_workspace_id,
  (SELECT count(*) FROM mine) AS workspace_count,
  (SELECT json_group_array(json_object('id', id, 'name', name, 'role', role, 'logo', logo_key)) FROM (SELECT * FROM mine ORDER BY name, id)) AS workspaces,
  w.id AS workspace_id, w.name AS workspace_name, w.role, w.epoch AS member_epoch, w.member_seen_at, w.country, w.currency, w.number_locale,
  w.time_zone, w.fiscal_year_start, w.week_start, w.version, w.logo_key,
  ${memberRankColumns('w', 'w.id')},
  ${subscriptionColumns('b')},
  ${accessColumns({ epoch: 'w.access_epoch', workspace: 'w.id', user: 's.user_id' })},
  i.body_hash AS reply_hash, i.status AS reply_status, i.body AS reply_body
FROM sessions s
JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL AND u.epoch = s.epoch
LEFT JOIN mine w ON w.id = (
  SELECT id FROM mine WHERE id = ?2 OR ?3 = 1
  ORDER BY id = ?2 DESC, id = u.last_workspace_id DESC, created_at, id LIMIT 1)
LEFT JOIN subscriptions b ON b.workspace_id = w.id
LEFT JOIN idempotency i ON i.scope = s.user_id || ' ' || ?4 AND i.key = ?5
WHERE s.hash = ?1`

/**
 * Who holds this session, by one D1 read. The record in KV is read beside it and can only refuse. Unknown, expired and revoked sessions answer `null`.
 */
export async function readSession(
  deps: SessionDeps,
  lookup: SessionLookup,
): Promise<{ actor: Actor; reply: PreviousReply | null; touch: LastSeenUpdate | null } | null> {
  const { hash, workspaceId, fallback, reply } = lookup
  const agreesWith = readSessionRecord(deps, hash)
  const row = await deps.db.d1
    .prepare(SELECT_SESSION)
    .bind(hash, workspaceId, fallback ? 1 : 0, reply?.route ?? null, reply?.key ?? null)
    .first<SessionRow>()
  if (!row || !(await agreesWith({ userId: row.user_id, epoch: row.epoch }))) return null
  const now = deps.clock.now()
  const expiresAt = Math.min(row.last_seen_at + SESSION_IDLE_MS, row.created_at + SESSION_MAX_MS)
  if (now >= expiresAt) return null
  return {
    actor: await actorFromRow(deps.db, row, { hash, now, expiresAt }),
    reply:
      row.reply_hash === null ? null : { bodyHash: row.reply_hash, status: row.reply_status, body: row.reply_body },
    touch: lastSeenUpdateOf(row, lookup, now),
  }
}

/** What a request moves after its answer: the session, the membership in the workspace at hand, and which one was opened last. */
export interface LastSeenUpdate {
  hash: string
  userId: string
  workspaceId: string | null
  opened: boolean
}
function lastSeenUpdateOf(sessionRow: SessionRow, { hash, opens }: SessionLookup, now: number): LastSeenUpdate | null {
  const member = sessionRow.workspace_id !== null && now - sessionRow.member_seen_at >= LAST_SEEN_INTERVAL_MS
  const { user_id: userId, workspace_id: workspaceId } = sessionRow
  // Whoever has one workspace is led to it anyway.
  const opened = opens && sessionRow.workspace_count > 1 && workspaceId !== sessionRow.last_workspace_id
  if (!member && !opened && now - sessionRow.last_seen_at < LAST_SEEN_INTERVAL_MS) return null
  return { hash, userId, workspaceId, opened }
}

async function actorFromRow(
  db: Database,
  sessionRow: SessionRow,
  at: { hash: string; now: number; expiresAt: number },
): Promise<Actor> {
  return {
    userId: sessionRow.user_id,
    name: sessionRow.name,
    email: sessionRow.email,
    emailProven: sessionRow.email_proven === 1,
    earlierUse: sessionRow.earlier_use === 1,
    avatarKey: sessionRow.avatar_key,
    locale: sessionRow.locale,
    onboarding: sessionRow.onboarding,
    sessionHash: at.hash,
    sessionExpiresAt: at.expiresAt,
    epoch: sessionRow.epoch,
    staff: sessionRow.staff_role !== null,
    signedInAt: sessionRow.created_at,
    workspaces: workspaceSummariesSchema.parse(JSON.parse(sessionRow.workspaces)),
    membership: await membershipFromRow(db, sessionRow, at.now),
  }
}

async function membershipFromRow(db: Database, sessionRow: SessionRow, now: number): Promise<Membership | null> {
  if (sessionRow.workspace_id === null) return null
  const entitled = computeEntitlements(subscriptionFromRow(sessionRow), now)
  const { seat, role } = effectiveMembership(sessionRow, entitled.features)
  const email = sessionRow.email_proven === 1 ? sessionRow.email : null
  const holder = { workspaceId: sessionRow.workspace_id, userId: sessionRow.user_id, role, email }
  return {
    workspaceId: sessionRow.workspace_id,
    workspaceName: sessionRow.workspace_name,
    workspaceVersion: sessionRow.version,
    logoKey: sessionRow.logo_key,
    seat,
    givenRole: sessionRow.role,
    epoch: sessionRow.member_epoch,
    settings: {
      country: sessionRow.country,
      currency: sessionRow.currency,
      numberLocale: sessionRow.number_locale,
      timeZone: sessionRow.time_zone,
      fiscalYearStart: sessionRow.fiscal_year_start,
      weekStart: sessionRow.week_start,
    },
    entitlements: entitled,
    ...(await rightsAndView(db, { sessionRow, holder, features: entitled.features, now })),
  }
}

/** The person's own rights, or those of whom they look at the data as. */
async function rightsAndView(
  db: Database,
  at: { sessionRow: SessionRow; holder: AccessHolder; features: PlanFeatures; now: number },
): Promise<Pick<Membership, 'rights' | 'viewAs' | 'role'>> {
  const { sessionRow, holder, features, now } = at
  const view = currentViewAs(sessionRow.view_as, { ...holder, now })
  const own = { role: holder.role, rights: await readDataRights(db, holder, sessionRow) }
  if (!view) return { ...own, viewAs: null }
  const { rights, viewAs } = await rightsOfView(db, view, { features, own })
  return { rights, viewAs, role: viewAs.role }
}

/**
 * Condition: the session (SHA-256 of its token) still lets this person in. Writes that follow from who asked take it along:
 * a body may arrive long after the session was read. Both are SQL parameters or columns.
 */
export const liveSessionSql = ({ hash, user }: { hash: string; user: string }): string =>
  `EXISTS (SELECT 1 FROM sessions live JOIN users lu ON lu.id = live.user_id AND lu.epoch = live.epoch
     WHERE live.hash = ${hash} AND live.user_id = ${user} AND lu.disabled_at IS NULL)`

/** The statement that ends a session; the row is the authority, so it goes first. */
export const endSessionStatement = (deps: SessionDeps, hash: string): D1PreparedStatement =>
  deps.db.d1.prepare('DELETE FROM sessions WHERE hash = ?').bind(hash)

/** Ends every session of a person but this one (null: all). */
export const endOtherSessionsStatement = (
  deps: SessionDeps,
  userId: string,
  except: string | null,
): D1PreparedStatement =>
  deps.db.d1.prepare("DELETE FROM sessions WHERE user_id = ? AND hash <> coalesce(?, '')").bind(userId, except)

/** Moves the idle expiry. Parallel requests all say the same, and the conditions let one of them write. */
export async function updateLastSeen(deps: SessionDeps, update: LastSeenUpdate): Promise<void> {
  const { hash, userId, workspaceId, opened } = update
  const now = deps.clock.now()
  await deps.db.d1.batch([
    deps.db.d1
      .prepare('UPDATE sessions SET last_seen_at = ?2 WHERE hash = ?1 AND last_seen_at <= ?3')
      .bind(hash, now, now - LAST_SEEN_INTERVAL_MS),
    deps.db.d1
      .prepare(
        `UPDATE members SET last_seen_at = ?3
         WHERE workspace_id = ?1 AND user_id = ?2 AND coalesce(last_seen_at, created_at) <= ?4`,
      )
      .bind(workspaceId, userId, now, now - LAST_SEEN_INTERVAL_MS),
    ...(opened
      ? [deps.db.d1.prepare('UPDATE users SET last_workspace_id = ?2 WHERE id = ?1').bind(userId, workspaceId)]
      : []),
  ])
}

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
const KNOWN_DEVICE_MS = 30 * DAY_MS

/** The mail about an entry from a device and country not seen for 30 days; none at the first entry of all, or to an unproven address. */
async function newDeviceNotices(
  deps: SessionDeps,
  entry: { userId: string; hash: string; device: string; country: string | null },
): Promise<OutboxEntry[]> {
  const { userId, hash, device, country } = entry
  const now = deps.clock.now()
  const row = await deps.db.d1
    .prepare(
      `SELECT u.email FROM users u
       WHERE u.id = ?1 AND u.email IS NOT NULL AND u.email_proven_at IS NOT NULL AND coalesce(json_extract(u.notifications, '$.newSignIn'), 1)
         AND EXISTS (SELECT 1 FROM devices WHERE user_id = ?1)
         AND NOT EXISTS (SELECT 1 FROM devices WHERE user_id = ?1 AND device = ?2 AND country = ?3 AND signed_in_at > ?4)`,
    )
    .bind(userId, device, country ?? '', now - KNOWN_DEVICE_MS)
    .first<{ email: string }>()
  if (!row) return []
  const order = { to: row.email, template: 'newSignIn', device, country, at: now } as const
  return [mailOutboxEntry(order, { key: `newSignIn:${hash}` })]
}
