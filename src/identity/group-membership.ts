/**
 * Who belongs to which group of a workspace: the only place that says so. Whoever asks joins one of these tables to its
 * own statement. `workspace` names the parameter of the workspace's id, such as `?1`.
 *
 * Suspended members stay in their groups: what ends for them ends by their status.
 */

/** Whether the row `u` of users and `m` of members matches the rule of the group `g`. A mail domain counts when proven. */
const RULE_MATCHES = `(
  (json_extract(g.auto_rule, '$.kind') = 'role' AND m.role = json_extract(g.auto_rule, '$.value'))
  OR (json_extract(g.auto_rule, '$.kind') = 'domain' AND u.email_proven_at IS NOT NULL
    AND substr(lower(u.email), -length('@' || json_extract(g.auto_rule, '$.value'))) = '@' || json_extract(g.auto_rule, '$.value')))`

/** `(group_id, user_id)`: who matches a group's rule. */
export const ruleMembershipSql = (workspace: string): string => `(
  SELECT g.id AS group_id, m.user_id FROM user_groups g
  JOIN members m ON m.workspace_id = g.workspace_id JOIN users u ON u.id = m.user_id
  WHERE g.workspace_id = ${workspace} AND g.deleted_at IS NULL AND g.auto_rule IS NOT NULL AND ${RULE_MATCHES})`

/** `(group_id, user_id)`: who belongs to a group, added by hand or by its rule, each once. */
export const groupMembershipSql = (workspace: string): string => `(
  SELECT gm.group_id, gm.user_id FROM user_groups g JOIN group_members gm ON gm.group_id = g.id
  JOIN members m ON m.workspace_id = g.workspace_id AND m.user_id = gm.user_id
  WHERE g.workspace_id = ${workspace} AND g.deleted_at IS NULL AND gm.is_member = 1
  UNION SELECT group_id, user_id FROM ${ruleMembershipSql(workspace)})`
