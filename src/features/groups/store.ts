import { picturePath } from '../../shared/pictures'
import { USER_GROUPS_MAX } from '../../shared/groups'
import type { GroupMembershipRule, UserGroup, GroupColor, UserGroupMember, UserGroupDetail } from '../../shared/groups'
import { decidesAccessSql, isGroupInRulesSql, rulesOfGroup } from '../../identity/access/group-rules-store'
import { ruleMembershipSql, groupMembershipSql } from '../../identity/group-membership'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { nameKey } from '../../shared/field-schemas'

/** A live group as its store reads it. */
export interface StoredGroup extends Omit<UserGroup, 'mayManage'> {
  /** Whether who asks manages it. */
  managed: boolean
}
interface GroupRow {
  id: string
  name: string
  description: string
  color: GroupColor
  auto_rule: string | null
  version: number
  member_count: number
  managed: number
  decides_access: number
}
interface GroupMemberRow {
  user_id: string
  name: string
  avatar_key: string | null
  is_member: number
  is_manager: number
  automatic: number
}

const toStoredGroup = (row: GroupRow): StoredGroup => ({
  id: row.id,
  name: row.name,
  description: row.description,
  color: row.color,
  autoRule: parseRule(row.auto_rule),
  memberCount: row.member_count,
  managed: row.managed === 1,
  decidesAccess: row.decides_access === 1,
  version: row.version,
})

/** Rules are written by us alone, so that what is stored is one. */
const parseRule = (json: string | null): GroupMembershipRule | null => {
  const rule: GroupMembershipRule | null = json === null ? null : JSON.parse(json)
  return rule
}

const toGroupMember = (row: GroupMemberRow): UserGroupMember => ({
  userId: row.user_id,
  name: row.name,
  avatar: picturePath(row.avatar_key),
  isMember: row.is_member === 1,
  isManager: row.is_manager === 1,
  automatic: row.automatic === 1,
})

export type GroupContent = Pick<UserGroup, 'id' | 'name' | 'description' | 'color' | 'autoRule'>
const ACTIVE_COUNT = '(SELECT count(*) FROM user_groups WHERE workspace_id = ?1 AND deleted_at IS NULL)'
const HAS_CAPACITY = `${ACTIVE_COUNT} < ${USER_GROUPS_MAX}`
/** Invitations that wait and name the group `?2`. */
const INVITES_NAMING_GROUP = `SELECT id FROM invites WHERE workspace_id = ?1 AND state = 'pending'
  AND EXISTS (SELECT 1 FROM json_each(group_ids) WHERE value = ?2)`

/** The groups of one workspace, as one of its members sees them. Writes are statements for `commit`. */
export const groupStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const select = `SELECT g.id, g.name, g.description, g.color, g.auto_rule, g.version, coalesce(n.count, 0) AS member_count,
      EXISTS (SELECT 1 FROM group_members x WHERE x.group_id = g.id AND x.user_id = ?2 AND x.is_manager = 1) AS managed,
      ${decidesAccessSql('g.id')} AS decides_access
    FROM user_groups g
    LEFT JOIN (SELECT group_id, count(*) AS count FROM ${groupMembershipSql('?1')} GROUP BY group_id) n ON n.group_id = g.id
    WHERE g.workspace_id = ?1 AND g.deleted_at IS NULL`
  return {
    /** By name. */
    async list(): Promise<StoredGroup[]> {
      const { results } = await d1
        .prepare(`${select} ORDER BY g.name_key, g.id`)
        .bind(workspaceId, actorId)
        .all<GroupRow>()
      return results.map(toStoredGroup)
    },

    async get(id: string): Promise<StoredGroup | null> {
      const row = await d1.prepare(`${select} AND g.id = ?3`).bind(workspaceId, actorId, id).first<GroupRow>()
      return row ? toStoredGroup(row) : null
    },

    /** Members and managers, by name. */
    async members(id: string): Promise<UserGroupMember[]> {
      const { results } = await d1
        .prepare(
          `SELECT u.id AS user_id, u.name, u.avatar_key, coalesce(gm.is_member, 0) AS is_member,
             coalesce(gm.is_manager, 0) AS is_manager, a.user_id IS NOT NULL AS automatic
           FROM members m JOIN users u ON u.id = m.user_id
           LEFT JOIN group_members gm ON gm.group_id = ?2 AND gm.user_id = m.user_id
           LEFT JOIN ${ruleMembershipSql('?1')} a ON a.group_id = ?2 AND a.user_id = m.user_id
           WHERE m.workspace_id = ?1 AND (gm.user_id IS NOT NULL OR a.user_id IS NOT NULL)
           ORDER BY u.name COLLATE NOCASE, u.id`,
        )
        .bind(workspaceId, id)
        .all<GroupMemberRow>()
      return results.map(toGroupMember)
    },

    /** Everything that names the group. */
    async listDependents(id: string): Promise<UserGroupDetail['unlocks']> {
      const { results } = await d1
        .prepare(`SELECT id, email FROM invites WHERE id IN (${INVITES_NAMING_GROUP}) ORDER BY email`)
        .bind(workspaceId, id)
        .all<{ id: string; email: string }>()
      const rules = await rulesOfGroup({ d1 }, scope, id)
      return [
        ...rules.map((rule) => ({ kind: 'accessRule' as const, id: rule.id, label: rule.name })),
        ...results.map((row) => ({ kind: 'invite' as const, id: row.id, label: row.email })),
      ]
    },

    async count(): Promise<number> {
      return (await d1.prepare(`SELECT ${ACTIVE_COUNT} AS n`).bind(workspaceId).first<number>('n')) ?? 0
    },

    /** A deleted one, that was deleted after `since`. */
    async deleted(id: string, since: number): Promise<{ version: number } | null> {
      return d1
        .prepare('SELECT version FROM user_groups WHERE workspace_id = ? AND id = ? AND deleted_at > ?')
        .bind(workspaceId, id, since)
        .first<{ version: number }>()
    },

    /** Inserts no row when the workspace holds all the groups it may. */
    insert: (group: GroupContent, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO user_groups (workspace_id, id, name, name_key, description, color, auto_rule, created_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE ${HAS_CAPACITY}`,
        )
        .bind(workspaceId, ...contentColumns(group), now),

    /** Changes no row when another version is stored. */
    update: (group: GroupContent, version: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE user_groups SET name = ?3, name_key = ?4, description = ?5, color = ?6, auto_rule = ?7, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?8 AND deleted_at IS NULL`,
        )
        .bind(workspaceId, ...contentColumns(group), version),

    /**
     * To "Recently deleted". Changes no row when another version is stored, when invitations or rules of access name it and
     * nothing is said about them, or when the replacement is gone.
     */
    remove: (id: string, at: { version: number; now: number; replacement: string | null | undefined }) =>
      d1
        .prepare(
          `UPDATE user_groups SET deleted_at = ?4, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL
             AND (?5 = 1 OR NOT (EXISTS (${INVITES_NAMING_GROUP}) OR ${isGroupInRulesSql('?2')}))
             AND (?6 IS NULL OR EXISTS (SELECT 1 FROM user_groups o
               WHERE o.workspace_id = ?1 AND o.id = ?6 AND o.id <> ?2 AND o.deleted_at IS NULL))`,
        )
        .bind(workspaceId, id, at.version, at.now, at.replacement === undefined ? 0 : 1, at.replacement ?? null),

    /** Invitations that wait name the other group instead, each once, or one group less. */
    replaceInInvites: (id: string, replacement: string | null): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE invites SET group_ids = (SELECT json_group_array(value) FROM (
             SELECT DISTINCT CASE WHEN value = ?2 THEN ?3 ELSE value END AS value FROM json_each(invites.group_ids))
             WHERE value IS NOT NULL)
           WHERE id IN (${INVITES_NAMING_GROUP})`,
        )
        .bind(workspaceId, id, replacement),

    /** Changes no row when there is no room for one more, or it was deleted at or before `since`. */
    restore: (id: string, since: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE user_groups SET deleted_at = NULL, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND deleted_at > ?3 AND ${HAS_CAPACITY}`,
        )
        .bind(workspaceId, id, since),
  }
}

/** Removes for good, of all workspaces, what was deleted at or before an instant. */
export const purgeGroups = ({ d1 }: Database, at: { before: number; max: number }): Promise<unknown> => {
  const expired = 'SELECT id FROM user_groups WHERE deleted_at <= ? ORDER BY deleted_at, id LIMIT ?'
  return d1.batch([
    d1.prepare(`DELETE FROM group_members WHERE group_id IN (${expired})`).bind(at.before, at.max),
    d1.prepare(`DELETE FROM user_groups WHERE id IN (${expired})`).bind(at.before, at.max),
  ])
}

const contentColumns = (group: GroupContent): (string | null)[] => [
  group.id,
  group.name,
  nameKey(group.name),
  group.description,
  group.color,
  group.autoRule && JSON.stringify(group.autoRule),
]

interface GroupMemberIds {
  memberIds: string[]
  managerIds: string[]
}
/** Whether every id of the JSON list `ids` is a member of the workspace `?1`. */
const ALL_MEMBERS = (ids: string): string =>
  `NOT EXISTS (SELECT 1 FROM json_each(${ids}) WHERE value NOT IN (SELECT user_id FROM members WHERE workspace_id = ?1))`
/** Whether `?5` holds the managers of the group `?2` as they are, neither more nor fewer. */
const SAME_MANAGERS = `(SELECT count(*) FROM group_members WHERE group_id = ?2 AND is_manager = 1) = json_array_length(?5)
  AND NOT EXISTS (SELECT 1 FROM json_each(?5) WHERE value NOT IN (
    SELECT user_id FROM group_members WHERE group_id = ?2 AND is_manager = 1))`
const IS_MANAGER = 'EXISTS (SELECT 1 FROM group_members WHERE group_id = ?2 AND user_id = ?6 AND is_manager = 1)'

/** The lists of a group's members and managers. Writes are statements for `commit`. */
export const groupMemberStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    /**
     * The next version. Changes no row when another is stored, when somebody named is no member of the workspace, or
     * when one without `whole` rights does not manage the group, names other managers, or would change who sees what.
     */
    advanceVersion: (id: string, to: GroupMemberIds & { version: number; mayEditAny: boolean }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE user_groups SET version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL
             AND ${ALL_MEMBERS('?4')} AND ${ALL_MEMBERS('?5')}
             AND (?7 = 1 OR (${IS_MANAGER} AND ${SAME_MANAGERS} AND NOT ${decidesAccessSql('?2')}))`,
        )
        .bind(
          workspaceId,
          id,
          to.version,
          JSON.stringify(to.memberIds),
          JSON.stringify(to.managerIds),
          actorId,
          to.mayEditAny ? 1 : 0,
        ),

    /** Who belongs to it by its rule is not written, unless that one was added by hand before. */
    replaceMembers: (id: string, { memberIds, managerIds }: GroupMemberIds): D1PreparedStatement[] => {
      const [members, managers] = [JSON.stringify(memberIds), JSON.stringify(managerIds)]
      return [
        d1
          .prepare(
            `DELETE FROM group_members WHERE group_id = ?1 AND user_id NOT IN (SELECT value FROM json_each(?2))
               AND user_id NOT IN (SELECT value FROM json_each(?3))`,
          )
          .bind(id, members, managers),
        d1
          .prepare(
            `WITH named AS (
               SELECT value AS user_id, 1 AS member, 0 AS manager FROM json_each(?3)
               UNION ALL SELECT value, 0, 1 FROM json_each(?4)),
             lists AS (SELECT user_id, max(member) AS member, max(manager) AS manager FROM named GROUP BY user_id),
             kept AS (SELECT user_id, manager, member = 1 AND (
                 user_id NOT IN (SELECT user_id FROM ${ruleMembershipSql('?1')} WHERE group_id = ?2)
                 OR user_id IN (SELECT user_id FROM group_members WHERE group_id = ?2 AND is_member = 1)) AS member FROM lists)
             INSERT INTO group_members (group_id, user_id, is_member, is_manager)
             SELECT ?2, user_id, member, manager FROM kept WHERE member = 1 OR manager = 1
             ON CONFLICT (group_id, user_id) DO UPDATE SET is_member = excluded.is_member, is_manager = excluded.is_manager`,
          )
          .bind(workspaceId, id, members, managers),
      ]
    },

    /** Of these, who is no member of the workspace. */
    async findNonMembers(ids: string[]): Promise<string[]> {
      const { results } = await d1
        .prepare(
          'SELECT value AS id FROM json_each(?2) WHERE value NOT IN (SELECT user_id FROM members WHERE workspace_id = ?1)',
        )
        .bind(workspaceId, JSON.stringify(ids))
        .all<{ id: string }>()
      return results.map((row) => row.id)
    },
  }
}
