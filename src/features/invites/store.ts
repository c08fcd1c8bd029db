import type { Membership, Scope } from '../../scope'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { auditEntryFactory, type OutboxEntry } from '../../db/commit'
import type { Invite, InviteRole, InviteState } from '../../shared/invites'
import { hasFreeSeatSql, hasFreeSeatsSql, seatBindings } from '../../entitlements/seats'
import type { SeatKind, SeatLimits } from '../../entitlements/seats'
import {
  countInvitations,
  hasInvitationRoomSql,
  hasReportedSql,
  invitationBindings,
  type InvitationAllowance,
} from '../../entitlements/invitations'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import type { CursorPosition } from '../../http/pagination'

/** One invitation as stored. */
export interface InviteRow {
  id: string
  email: string
  role: InviteRole
  groupIds: string[]
  landing: string | null
  state: Exclude<InviteState, 'expired'>
  serial: number
  inviter: string
  sentAt: number
  expiresAt: number
}
export type InviteGroup = Invite['groups'][number]

/** What the stored state means at this moment. */
export const inviteStateAt = ({ state, expiresAt }: Pick<InviteRow, 'state' | 'expiresAt'>, now: number): InviteState =>
  state === 'pending' && expiresAt <= now ? 'expired' : state

export const toInvite = (row: InviteRow, groups: readonly InviteGroup[], now: number): Invite => ({
  id: row.id,
  email: row.email,
  role: row.role,
  groups: groups.filter(({ id }) => row.groupIds.includes(id)),
  landing: row.landing,
  state: inviteStateAt(row, now),
  invitedBy: row.inviter,
  sentAt: toIso(row.sentAt),
  expiresAt: toIso(row.expiresAt),
})

export const inviteAuditEntry = auditEntryFactory('invite')

/** What an invitation says: hashed by the audit log. */
export const auditedTerms = ({ email, role, groupIds, landing, expiresAt }: InviteRow) => ({
  email,
  role,
  groupIds,
  landing,
  expiresAt,
})

/** The mail of an invitation; a renewed one is another mail. */
export const invitationMail = (
  { id, serial, email, inviter, role, expiresAt }: InviteRow,
  { workspaceId, workspaceName: workspace }: Pick<Membership, 'workspaceId' | 'workspaceName'>,
): OutboxEntry =>
  mailOutboxEntry(
    { to: email, template: 'invitation', inviteId: id, serial, workspace, inviter, role, expiresAt },
    { key: `invite:${id}:${serial}`, workspaceId },
  )

interface InviteRecord extends Omit<InviteRow, 'groupIds'> {
  groups: string
}
const COLUMNS = `i.id, i.email, i.role, i.group_ids AS groups, i.landing, i.state, i.serial, coalesce(u.name, '') AS inviter,
  i.sent_at AS sentAt, i.expires_at AS expiresAt`
const FROM = 'FROM invites i LEFT JOIN users u ON u.id = i.invited_by'
function parseInvite({ groups, ...row }: InviteRecord): InviteRow {
  const groupIds: string[] = JSON.parse(groups)
  return { ...row, groupIds }
}

interface InvitePageQuery {
  state: InviteState | undefined
  after: CursorPosition | null
  limit: number
  now: number
}
/** What is known of the addresses of one call. */
export interface KnownAddresses {
  pending: InviteRow[]
  members: Set<string>
  /** Whose readers reported an invitation of this workspace. */
  reported: Set<string>
}
export interface SeatDemand {
  /** What the workspace may mail today. */
  allowance: InvitationAllowance
  limits: SeatLimits
  /** The seats that the role of these invitations takes. */
  takes: readonly SeatKind[]
  now: number
}

// `?2` holds the invitations as they shall be. Each must still be what it was read as: new, or one step behind.
const UNCHANGED_SINCE_READ = `NOT EXISTS (
  SELECT 1 FROM json_each(?2) j LEFT JOIN invites o
    ON o.workspace_id = ?1 AND o.state = 'pending' AND o.email = j.value ->> 'email'
  WHERE coalesce(o.serial, 0) <> (j.value ->> 'serial') - 1 OR coalesce(o.id, j.value ->> 'id') <> j.value ->> 'id')`
const NOT_YET_MEMBERS = `NOT EXISTS (
  SELECT 1 FROM json_each(?2) j JOIN users u ON u.email = j.value ->> 'email'
  JOIN members m ON m.workspace_id = ?1 AND m.user_id = u.id)`
const NONE_REPORTED = `NOT EXISTS (
  SELECT 1 FROM json_each(?2) j WHERE ${hasReportedSql('?1', "j.value ->> 'email'")})`
const DAILY_PARAMS = { workspace: '?1', day: '?9', perDay: '?10', bouncesPerDay: '?11', reportedSince: '?12' }
/** Room for all of them at once, beside everybody else. */
const hasSeatsForAll = (kind: SeatKind, takes: string, max: string): string =>
  hasFreeSeatsSql(kind, {
    workspace: '?1',
    now: '?3',
    takes,
    max,
    added: 'json_array_length(?2)',
    but: "s.email IN (SELECT value ->> 'email' FROM json_each(?2))",
  })

/** The invitations of a scope's workspace. Writes are statements for `commit`. */
export const invitesStore = (db: Database, scope: Scope, { d1 } = db) => ({
  async get(id: string): Promise<InviteRow | null> {
    const row = await d1
      .prepare(`SELECT ${COLUMNS} ${FROM} WHERE i.workspace_id = ? AND i.id = ?`)
      .bind(scope.workspaceId, id)
      .first<InviteRecord>()
    return row && parseInvite(row)
  },

  /** The newest mail first. */
  async listPage({ state, after, limit, now }: InvitePageQuery): Promise<InviteRow[]> {
    const { results } = await d1
      .prepare(
        `SELECT ${COLUMNS} ${FROM} WHERE i.workspace_id = ?1
           AND (?2 IS NULL OR ?2 = CASE WHEN i.state = 'pending' AND i.expires_at <= ?3 THEN 'expired' ELSE i.state END)
           AND (?4 IS NULL OR i.sent_at < ?4 OR (i.sent_at = ?4 AND i.id < ?5))
         ORDER BY i.sent_at DESC, i.id DESC LIMIT ?6`,
      )
      .bind(scope.workspaceId, state ?? null, now, after?.at ?? null, after?.id ?? null, limit)
      .all<InviteRecord>()
    return results.map(parseInvite)
  },

  async groups(): Promise<InviteGroup[]> {
    const { results } = await d1
      .prepare(
        'SELECT id, name, color FROM user_groups WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY name_key, id',
      )
      .bind(scope.workspaceId)
      .all<InviteGroup>()
    return results
  },

  async mailDomains(): Promise<string[]> {
    const text = await d1
      .prepare('SELECT mail_domains FROM workspaces WHERE id = ?')
      .bind(scope.workspaceId)
      .first<string>('mail_domains')
    const domains: string[] = JSON.parse(text ?? '[]')
    return domains
  },

  /** Open invitations to these addresses, whether or not their time is over, and who of them belongs to the workspace. */
  async findKnown(emails: string[]): Promise<KnownAddresses> {
    const list = JSON.stringify(emails)
    const [pending, members, reported] = await d1.batch<InviteRecord & { email: string }>([
      d1
        .prepare(
          `SELECT ${COLUMNS} ${FROM} WHERE i.workspace_id = ?1 AND i.state = 'pending'
             AND i.email IN (SELECT value FROM json_each(?2))`,
        )
        .bind(scope.workspaceId, list),
      d1
        .prepare(
          `SELECT u.email FROM json_each(?2) j JOIN users u ON u.email = j.value
           JOIN members m ON m.workspace_id = ?1 AND m.user_id = u.id`,
        )
        .bind(scope.workspaceId, list),
      d1
        .prepare(`SELECT j.value AS email FROM json_each(?2) j WHERE ${hasReportedSql('?1', 'j.value')}`)
        .bind(scope.workspaceId, list),
    ])
    return {
      pending: (pending?.results ?? []).map(parseInvite),
      members: new Set((members?.results ?? []).map(({ email }) => email)),
      reported: new Set((reported?.results ?? []).map(({ email }) => email)),
    }
  },

  /** Whether somebody with this address belongs to the workspace. */
  async hasMember(email: string): Promise<boolean> {
    const found = await d1
      .prepare('SELECT 1 AS n FROM users u JOIN members m ON m.workspace_id = ? AND m.user_id = u.id WHERE u.email = ?')
      .bind(scope.workspaceId, email)
      .first()
    return found !== null
  },

  /** Writes all of these or none: none when one of them is not as it was read any more, or when they do not all fit. */
  upsert: (rows: readonly InviteRow[], { allowance, limits, takes, now }: SeatDemand): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO invites (id, workspace_id, email, role, group_ids, landing, serial, invited_by, created_at, sent_at, expires_at)
         SELECT j.value ->> 'id', ?1, j.value ->> 'email', j.value ->> 'role', j.value -> 'groupIds', j.value ->> 'landing',
           1, ?4, ?3, ?3, j.value ->> 'expiresAt'
         FROM json_each(?2) j
         WHERE ${UNCHANGED_SINCE_READ} AND ${NOT_YET_MEMBERS} AND ${hasSeatsForAll('users', '?5', '?6')} AND ${hasSeatsForAll('analysts', '?7', '?8')}
           AND ${NONE_REPORTED} AND ${hasInvitationRoomSql({ ...DAILY_PARAMS, added: 'json_array_length(?2)' })}
         ON CONFLICT (workspace_id, email) WHERE state = 'pending' DO UPDATE SET role = excluded.role,
           group_ids = excluded.group_ids, landing = excluded.landing, serial = serial + 1, invited_by = excluded.invited_by,
           sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
      )
      .bind(
        ...[scope.workspaceId, JSON.stringify(rows), now, scope.actorId, ...seatBindings(takes, limits)],
        ...invitationBindings(allowance, now),
      ),

  /** Counts the mails that go out with the same batch. */
  countMails: (added: number, now: number): D1PreparedStatement =>
    countInvitations(db, { workspaceId: scope.workspaceId, added, now }),

  /** A new mail, by who asks for it: the link of the earlier one is worthless. `takes`: seats it does not hold, because its time was over. */
  resend: (row: InviteRow, { allowance, limits, takes, now }: SeatDemand): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET serial = ?3, sent_at = ?4, expires_at = ?5, invited_by = ?10
         WHERE workspace_id = ?1 AND id = ?2 AND state = 'pending' AND serial = ?3 - 1
           AND ${hasFreeSeatSql('users', { workspace: '?1', now: '?4', takes: '?6', max: '?7' })}
           AND ${hasFreeSeatSql('analysts', { workspace: '?1', now: '?4', takes: '?8', max: '?9' })}
           AND NOT ${hasReportedSql('?1', 'email')}
           AND ${hasInvitationRoomSql({ workspace: '?1', day: '?11', perDay: '?12', bouncesPerDay: '?13', reportedSince: '?14', added: '1' })}`,
      )
      .bind(
        ...[scope.workspaceId, row.id, row.serial, now, row.expiresAt, ...seatBindings(takes, limits), scope.actorId],
        ...invitationBindings(allowance, now),
      ),

  revoke: (id: string): D1PreparedStatement =>
    d1
      .prepare("UPDATE invites SET state = 'revoked' WHERE workspace_id = ? AND id = ? AND state = 'pending'")
      .bind(scope.workspaceId, id),
})

/** Whether the page that a newcomer shall see is one of the workspace. Lists always are. */
export async function landingExists({ d1 }: Database, workspaceId: string, landing: string): Promise<boolean> {
  const [, list, id] = landing.split('/')
  if (id === undefined) return true
  const table = list === 'insights' ? 'insights' : 'data_sources'
  const row = await d1
    .prepare(`SELECT 1 AS n FROM ${table} WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL`)
    .bind(workspaceId, id)
    .first()
  return row !== null
}
