import type { ImportSnapshot } from './model/member-import'
import { groupMembershipSql } from '../../identity/group-membership'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { GROUP_MEMBERS_MAX, USER_GROUPS_MAX } from '../../shared/groups'
import { nameKey } from '../../shared/field-schemas'

export interface NewGroup {
  id: string
  name: string
}
export interface GroupAdditions {
  id: string
  userIds: string[]
}

/** Whether the groups of the JSON list are there and have room for those they would get. */
const HAVE_CAPACITY = (list: string): string => `NOT EXISTS (
  SELECT 1 FROM json_each(${list}) e LEFT JOIN user_groups g
    ON g.id = e.value ->> 'id' AND g.workspace_id = ?1 AND g.deleted_at IS NULL
  WHERE g.id IS NULL OR (SELECT count(*) FROM group_members x WHERE x.group_id = g.id AND x.is_member = 1)
    + json_array_length(e.value, '$.userIds') > ${GROUP_MEMBERS_MAX})`

/** What an import reads and writes in one workspace. */
export const memberImportStore = ({ d1 }: Database, { workspaceId }: Scope) => ({
  /** The people are those of the given addresses. */
  async readState(emails: string[]): Promise<ImportSnapshot> {
    const [groups, people, rows] = await d1.batch<Record<string, string | number>>([
      d1
        .prepare(
          `SELECT g.id, g.name, g.name_key,
             (SELECT count(*) FROM group_members x WHERE x.group_id = g.id AND x.is_member = 1) AS by_hand
           FROM user_groups g WHERE g.workspace_id = ?1 AND g.deleted_at IS NULL`,
        )
        .bind(workspaceId),
      d1
        .prepare(
          `SELECT u.id, u.email FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.workspace_id = ?1 AND u.email IN (SELECT value FROM json_each(?2))`,
        )
        .bind(workspaceId, JSON.stringify(emails)),
      d1.prepare(`SELECT group_id, user_id FROM ${groupMembershipSql('?1')}`).bind(workspaceId),
    ])
    return {
      groups: new Map(
        groups?.results.map((row) => [
          String(row['name_key']),
          { id: String(row['id']), name: String(row['name']), byHand: Number(row['by_hand']) },
        ]),
      ),
      people: new Map(people?.results.map((row) => [String(row['email']), String(row['id'])])),
      memberships: new Set(rows?.results.map((row) => `${row['group_id']} ${row['user_id']}`)),
    }
  },

  /** Inserts no row when there would be too many groups, or one of the others is not ready for what it would get. */
  insertGroups: (groups: NewGroup[], at: { others: GroupAdditions[]; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO user_groups (workspace_id, id, name, name_key, color, created_at)
         SELECT ?1, value ->> 'id', value ->> 'name', value ->> 'key', 'blue', ?3 FROM json_each(?2)
         WHERE (SELECT count(*) FROM user_groups WHERE workspace_id = ?1 AND deleted_at IS NULL)
           + json_array_length(?2) <= ${USER_GROUPS_MAX} AND ${HAVE_CAPACITY('?4')}`,
      )
      .bind(
        workspaceId,
        JSON.stringify(groups.map(({ id, name }) => ({ id, name, key: nameKey(name) }))),
        at.now,
        JSON.stringify(at.others),
      ),

  /** The next version of each. Changes no row when one is gone or has no room for those it would get. */
  advanceVersions: (groups: GroupAdditions[]): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE user_groups SET version = version + 1
         WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value ->> 'id' FROM json_each(?2))
           AND ${HAVE_CAPACITY('?2')}`,
      )
      .bind(workspaceId, JSON.stringify(groups)),

  /** Only who still is a member of the workspace. */
  addMembers: (groups: GroupAdditions[]): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO group_members (group_id, user_id, is_member)
         SELECT e.value ->> 'id', p.value, 1 FROM json_each(?2) e JOIN json_each(e.value, '$.userIds') p
         JOIN members m ON m.workspace_id = ?1 AND m.user_id = p.value
         WHERE true ON CONFLICT (group_id, user_id) DO UPDATE SET is_member = 1`,
      )
      .bind(workspaceId, JSON.stringify(groups)),
})
