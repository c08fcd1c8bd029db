import { toStoredGroup, toGroupMember } from './rows'
import type { GroupRow, GroupMemberRow, StoredGroup } from './rows'
import { ruleMembershipSql, groupMembershipSql } from '../../access/group-members'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { USER_GROUPS_MAX } from '../../shared/groups'
import type { UserGroup, UserGroupDetail, UserGroupMember } from '../../shared/groups'
import { nameKey } from '../../shared/names'

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
      EXISTS (SELECT 1 FROM group_members x WHERE x.group_id = g.id AND x.user_id = ?2 AND x.is_manager = 1) AS managed
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
      return results.map((row) => ({ kind: 'invite', id: row.id, label: row.email }))
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
     * To "Recently deleted". Changes no row when another version is stored, when invitations name it and nothing is said
     * about them, or when the replacement is gone.
     */
    remove: (id: string, at: { version: number; now: number; replacement: string | null | undefined }) =>
      d1
        .prepare(
          `UPDATE user_groups SET deleted_at = ?4, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL
             AND (?5 = 1 OR NOT EXISTS (${INVITES_NAMING_GROUP}))
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
export const purgeGroups = ({ d1 }: Database, at: { before: number; max: number }): D1PreparedStatement[] => {
  const expired = 'SELECT id FROM user_groups WHERE deleted_at <= ? ORDER BY deleted_at, id LIMIT ?'
  return [
    d1.prepare(`DELETE FROM group_members WHERE group_id IN (${expired})`).bind(at.before, at.max),
    d1.prepare(`DELETE FROM user_groups WHERE id IN (${expired})`).bind(at.before, at.max),
  ]
}

const contentColumns = (group: GroupContent): (string | null)[] => [
  group.id,
  group.name,
  nameKey(group.name),
  group.description,
  group.color,
  group.autoRule && JSON.stringify(group.autoRule),
]
