import { ruleMembershipSql } from '../../access/group-members'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'

export interface GroupMemberIds {
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
     * when one without `whole` rights does not manage the group or names other managers.
     */
    advanceVersion: (id: string, to: GroupMemberIds & { version: number; mayEditAny: boolean }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE user_groups SET version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL
             AND ${ALL_MEMBERS('?4')} AND ${ALL_MEMBERS('?5')}
             AND (?7 = 1 OR (${IS_MANAGER} AND ${SAME_MANAGERS}))`,
        )
        .bind(
          ...[workspaceId, id, to.version, JSON.stringify(to.memberIds), JSON.stringify(to.managerIds)],
          ...[actorId, to.mayEditAny ? 1 : 0],
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
