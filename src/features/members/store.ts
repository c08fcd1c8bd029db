import type { Scope } from '../../scope'
import type { MemberStatus, OwnedItems, Member } from '../../shared/members'
import type { Role } from '../../shared/permissions'
import { ProductError } from '../../shared/errors'
import { isId } from '../../shared/ids'
import { groupMembershipSql } from '../../identity/group-membership'
import { handOverSql, OWNABLE, PERSONAL_TABLES, removeAlertReceiverSql } from '../../identity/ownership'
import { hasFreeSeatSql, seatBindings, type SeatKind, type SeatLimits } from '../../entitlements/seats'
import type { Database } from '../../db/database'

/** One member as stored. */
export interface MemberRow {
  userId: string
  name: string
  avatarKey: string | null
  email: string | null
  role: Role
  status: MemberStatus
  joinedAt: number
  seenAt: number
  version: number
  /** Whether emails about the own membership are wanted. */
  wantsMail: number
  /** Nobody else owns the workspace who can sign in. */
  soleOwner: number
  /** Waits to be let in again after restoring their account. */
  restored: number
}

/** Columns of a {@link MemberRow}, of `m` (members) and `u` (users). Whoever joined was there at that moment. */
const MEMBER_COLUMNS = `m.user_id AS userId, u.name, u.avatar_key AS avatarKey, u.email, m.role, m.status,
  m.created_at AS joinedAt, coalesce(m.last_seen_at, m.created_at) AS seenAt, m.epoch AS version,
  coalesce(json_extract(u.notifications, '$.membershipChanged'), 1) AS wantsMail, m.restored_at IS NOT NULL AS restored,
  m.role = 'owner' AND m.status = 'active' AND NOT EXISTS (SELECT 1 FROM members o JOIN users p ON p.id = o.user_id
    AND p.disabled_at IS NULL WHERE o.workspace_id = m.workspace_id AND o.user_id <> m.user_id AND o.role = 'owner'
    AND o.status = 'active') AS soleOwner`

/** What a change says of the audit log. */
export const auditedMembership = ({ role, status }: Pick<MemberRow, 'role' | 'status'>) => ({ role, status })

/** Where a page ends: by name, then by id. */
export interface MemberPosition {
  name: string
  userId: string
}
const NAME_MAX = 120

export const encodeMemberCursor = ({ name, userId }: MemberPosition): string => `${userId}.${name.slice(0, NAME_MAX)}`

/** @throws ProductError `invalid_input` for what we did not write ourselves */
export function decodeMemberCursor(cursor: string | undefined): MemberPosition | null {
  if (cursor === undefined) return null
  const dot = cursor.indexOf('.')
  const [userId, name] = [cursor.slice(0, Math.max(0, dot)), cursor.slice(dot + 1)]
  if (!isId('user', userId) || name.length > NAME_MAX)
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { name, userId }
}

export type GroupTag = Member['groups'][number]

/** A member beside the groups they belong to. */
export interface MemberListRow extends MemberRow {
  groups: GroupTag[]
}

/** One page of rows, after a place in the order of names. */
interface MemberPageQuery {
  role?: Role | undefined
  status?: MemberStatus | undefined
  group?: string | undefined
  after: MemberPosition | null
  limit: number
}

/** Another owner stays, who can sign in. `row` is the member about to lose the role. */
const OTHER_OWNER = `EXISTS (SELECT 1 FROM members o JOIN users p ON p.id = o.user_id AND p.disabled_at IS NULL
  WHERE o.workspace_id = ?1 AND o.user_id <> ?2 AND o.role = 'owner' AND o.status = 'active')`
/** Who acts may still do so at this moment: an owner with everybody, an administrator with everybody but owners. */
const ACTOR_MAY_EDIT = `EXISTS (SELECT 1 FROM members a WHERE a.workspace_id = ?1 AND a.user_id = ?4 AND a.status = 'active'
  AND (a.role = 'owner' OR (a.role = 'admin' AND members.role <> 'owner')))`
/** Who inherits is a member who may hold it; `?5` NULL = nobody does. */
const HEIR_IS_ELIGIBLE = `(?5 IS NULL OR EXISTS (SELECT 1 FROM members h WHERE h.workspace_id = ?1 AND h.user_id = ?5
  AND h.user_id <> ?2 AND h.status = 'active' AND h.role IN ('owner', 'admin', 'analyst')))`

/** How much of each kind a person (`?2`) owns. */
const OWNED_COUNTS = Object.entries(OWNABLE)
  .map(
    ([kind, { table, there }]) =>
      `(SELECT count(*) FROM ${table} WHERE workspace_id = ?1 AND owner_id = ?2 AND ${there}) AS ${kind}`,
  )
  .join(', ')

export interface MembershipTarget {
  /** Whose membership. */
  userId: string
  /** As it was read; another one stored = nothing happens. */
  version: number
  heir: string | null
}
interface MembershipUpdate extends MembershipTarget {
  role: Role
  status: MemberStatus
  /** Seats it takes that it did not hold. */
  takes: readonly SeatKind[]
  limits: SeatLimits
  now: number
}

/** The members of a scope's workspace. Writes are statements for `commit`. */
export const membersStore = ({ d1 }: Database, scope: Scope) => ({
  async get(userId: string): Promise<MemberRow | null> {
    return d1
      .prepare(
        `SELECT ${MEMBER_COLUMNS} FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ? AND m.user_id = ?`,
      )
      .bind(scope.workspaceId, userId)
      .first<MemberRow>()
  },

  /** With the groups of each, by name. */
  async listPage({ role, status, group, after, limit }: MemberPageQuery): Promise<MemberListRow[]> {
    const { results } = await d1
      .prepare(
        `WITH page AS MATERIALIZED (SELECT ${MEMBER_COLUMNS} FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.workspace_id = ?1 AND (?2 IS NULL OR m.role = ?2) AND (?3 IS NULL OR m.status = ?3)
           AND (?4 IS NULL OR m.user_id IN (SELECT r.user_id FROM ${groupMembershipSql('?1')} r WHERE r.group_id = ?4))
           AND (?5 IS NULL OR u.name > ?5 COLLATE NOCASE OR (u.name = ?5 COLLATE NOCASE AND m.user_id > ?6))
         ORDER BY u.name COLLATE NOCASE, m.user_id LIMIT ?7),
         tags AS MATERIALIZED (SELECT r.user_id, g.id, g.name, g.color FROM ${groupMembershipSql('?1')} r
           JOIN user_groups g ON g.id = r.group_id WHERE r.user_id IN (SELECT userId FROM page) ORDER BY g.name_key)
         SELECT page.*, (SELECT json_group_array(json_object('id', t.id, 'name', t.name, 'color', t.color))
           FROM tags t WHERE t.user_id = page.userId) AS tags
         FROM page ORDER BY name COLLATE NOCASE, userId`,
      )
      .bind(
        scope.workspaceId,
        role ?? null,
        status ?? null,
        group ?? null,
        after?.name ?? null,
        after?.userId ?? null,
        limit,
      )
      .all<MemberRow & { tags: string }>()
    return results.map(({ tags, ...row }) => {
      const groups: GroupTag[] = JSON.parse(tags)
      return { ...row, groups }
    })
  },

  /** The groups of one person, by name. */
  async groupsOf(userId: string): Promise<GroupTag[]> {
    const { results } = await d1
      .prepare(
        `SELECT g.id, g.name, g.color FROM ${groupMembershipSql('?1')} r JOIN user_groups g ON g.id = r.group_id
         WHERE r.user_id = ?2 ORDER BY g.name_key`,
      )
      .bind(scope.workspaceId, userId)
      .all<GroupTag>()
    return results
  },

  async countOwnedItems(userId: string): Promise<Omit<OwnedItems, 'heirs'>> {
    const row = await d1
      .prepare(`SELECT ${OWNED_COUNTS}`)
      .bind(scope.workspaceId, userId)
      .first<Omit<OwnedItems, 'heirs'>>()
    return (
      row ?? { sources: 0, insights: 0, metrics: 0, groupings: 0, alerts: 0, forecasts: 0, reports: 0, schedules: 0 }
    )
  },

  /** Members who may hold what somebody leaves, by name. */
  async listHeirs(userId: string): Promise<OwnedItems['heirs']> {
    const { results } = await d1
      .prepare(
        `SELECT m.user_id AS userId, u.name FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.workspace_id = ?1 AND m.user_id <> ?2 AND m.status = 'active' AND m.role IN ('owner', 'admin', 'analyst')
         ORDER BY u.name COLLATE NOCASE, m.user_id`,
      )
      .bind(scope.workspaceId, userId)
      .all<OwnedItems['heirs'][number]>()
    return results
  },

  async hasOtherOwner(userId: string): Promise<boolean> {
    const row = await d1.prepare(`SELECT ${OTHER_OWNER} AS found`).bind(scope.workspaceId, userId).first('found')
    return row === 1
  },

  /**
   * Changes no row when another version is stored, when it would leave no owner, when there is no seat, when the heir may
   * not hold it, or when who acts may no longer do so.
   */
  update: (update: MembershipUpdate): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE members SET role = ?6, status = ?7, restored_at = NULL, epoch = epoch + 1
         WHERE workspace_id = ?1 AND user_id = ?2 AND epoch = ?3 AND ${ACTOR_MAY_EDIT} AND ${HEIR_IS_ELIGIBLE}
           AND (role <> 'owner' OR (?6 = 'owner' AND ?7 = 'active') OR ${OTHER_OWNER})
           AND ${hasFreeSeatSql('users', { workspace: '?1', now: '?8', takes: '?9', max: '?10' })}
           AND ${hasFreeSeatSql('analysts', { workspace: '?1', now: '?8', takes: '?11', max: '?12' })}`,
      )
      .bind(
        scope.workspaceId,
        update.userId,
        update.version,
        scope.actorId,
        update.heir,
        update.role,
        update.status,
        update.now,
        ...seatBindings(update.takes, update.limits),
      ),

  /** Everybody may leave; otherwise as {@link update}. */
  remove: ({ userId, version, heir }: MembershipTarget): D1PreparedStatement =>
    d1
      .prepare(
        `DELETE FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND epoch = ?3
           AND (?2 = ?4 OR ${ACTOR_MAY_EDIT}) AND ${HEIR_IS_ELIGIBLE} AND (role <> 'owner' OR ${OTHER_OWNER})`,
      )
      .bind(scope.workspaceId, userId, version, scope.actorId, heir),

  /** What somebody owns becomes another's, and so does what runs in their name. */
  transferOwnedItems: (from: string, to: string): D1PreparedStatement[] =>
    [
      ...handOverSql('?3').map(
        ({ table, set }) => `UPDATE ${table} SET ${set} WHERE workspace_id = ?1 AND owner_id = ?2`,
      ),
      "UPDATE runs SET actor_id = ?3 WHERE workspace_id = ?1 AND actor_id = ?2 AND state IN ('queued', 'running')",
    ].map((sql) => d1.prepare(sql).bind(scope.workspaceId, from, to)),

  /** Offers of ownership to or by somebody who can no longer take or give it. */
  deleteOffers: (userId: string): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM ownership_offers WHERE workspace_id = ?1 AND ?2 IN (from_user, to_user)')
      .bind(scope.workspaceId, userId),

  /** Open invitations to somebody's address: no second door for whoever was shut out. */
  revokeInvitesTo: (userId: string): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET state = 'revoked' WHERE workspace_id = ?1 AND state = 'pending'
           AND email = (SELECT email FROM users WHERE id = ?2)`,
      )
      .bind(scope.workspaceId, userId),

  /** Open invitations of new administrators by somebody who may invite no more: they would outlive their sender's rights. */
  revokeAdminInvitesBy: (userId: string): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE invites SET state = 'revoked' WHERE workspace_id = ?1 AND state = 'pending'
           AND invited_by = ?2 AND role = 'admin'`,
      )
      .bind(scope.workspaceId, userId),

  /** What somebody kept for themselves ends, and alerts tell them of nothing any more. */
  deletePersonalData: (userId: string): D1PreparedStatement[] =>
    [
      ...PERSONAL_TABLES.map((table) => `DELETE FROM ${table} WHERE workspace_id = ?1 AND user_id = ?2`),
      removeAlertReceiverSql('?2', 'workspace_id = ?1'),
    ].map((sql) => d1.prepare(sql).bind(scope.workspaceId, userId)),

  /** Whoever edits a group's list meanwhile is told that it has changed. */
  leaveGroups: (userId: string): D1PreparedStatement[] =>
    [
      `UPDATE user_groups SET version = version + 1 WHERE workspace_id = ?1 AND deleted_at IS NULL
         AND id IN (SELECT group_id FROM group_members WHERE user_id = ?2)`,
      'DELETE FROM group_members WHERE user_id = ?2 AND group_id IN (SELECT id FROM user_groups WHERE workspace_id = ?1)',
    ].map((sql) => d1.prepare(sql).bind(scope.workspaceId, userId)),
})
