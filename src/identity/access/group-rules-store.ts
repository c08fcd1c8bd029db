import type { Scope } from '../../scope'
import type { Database } from '../../db/database'

const NEWEST = `p.workspace_id = ?1 AND p.revision = (SELECT max(revision) FROM access_policies WHERE workspace_id = ?1)`

/** Condition: a rule of access names the group. `?1` is the workspace, `group` a parameter or column with its id. */
export const isGroupInRulesSql = (group: string): string =>
  `EXISTS (SELECT 1 FROM access_policies p WHERE ${NEWEST} AND instr(p.policy, ${group}) > 0)`

/** The same of what decides who sees what: a rule of access, or a value of an attribute that its members have. */
export const decidesAccessSql = (group: string): string =>
  `(${isGroupInRulesSql(group)} OR EXISTS (SELECT 1 FROM attribute_values v
    WHERE v.workspace_id = ?1 AND v.holder_kind = 'group' AND v.holder_id = ${group}))`

/** Rules of access about a group, by name. */
export async function rulesOfGroup(
  { d1 }: Database,
  { workspaceId }: Scope,
  groupId: string,
): Promise<{ id: string; name: string }[]> {
  const { results } = await d1
    .prepare(
      `SELECT r.value ->> 'id' AS id, r.value ->> 'name' AS name FROM access_policies p, json_each(p.policy, '$.rules') r
       WHERE ${NEWEST} AND r.value ->> '$.subject.id' = ?2 ORDER BY name`,
    )
    .bind(workspaceId, groupId)
    .all<{ id: string; name: string }>()
  return results
}

/** Another group in the place of one in all rules and tests, as a revision of its own. */
export const replaceGroupInRules = (
  { d1 }: Database,
  { workspaceId, actorId }: Scope,
  { from, to, now }: { from: string; to: string; now: number },
): D1PreparedStatement[] => [
  d1
    .prepare(
      `INSERT INTO access_policies (workspace_id, revision, policy, change, actor_id, at)
       SELECT p.workspace_id, p.revision + 1, replace(p.policy, ?2, ?3), '["Replaced a deleted group"]', ?4, ?5
       FROM access_policies p WHERE ${NEWEST} AND instr(p.policy, ?2) > 0`,
    )
    .bind(workspaceId, from, to, actorId, now),
  d1
    .prepare('UPDATE workspaces SET access_epoch = access_epoch + 1 WHERE id = ? AND access_epoch > 0')
    .bind(workspaceId),
]
