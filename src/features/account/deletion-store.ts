import { OWNABLE_TABLES, PERSONAL_TABLES, removeAlertReceiverSql } from '../../access/owned'
import type { Database } from '../../db/database'

const HAS_OTHER_MEMBERS = 'EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1)'
const HAS_OTHER_OWNER = `EXISTS (SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active')`
const MEMBERSHIPS =
  'FROM members m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL WHERE m.user_id = ?1'
/** Others are in it, and nobody else owns it. */
const SOLE_OWNER_OF_SHARED = `${MEMBERSHIPS} AND m.role = 'owner' AND ${HAS_OTHER_MEMBERS} AND NOT ${HAS_OTHER_OWNER}`
/** Nobody else is in it. */
const SOLE_MEMBER = `${MEMBERSHIPS} AND NOT ${HAS_OTHER_MEMBERS}`
/** Who inherits what the person owned in the workspace of the row `t`: the owner of the longest standing. */
const HEIR = `(SELECT o.user_id FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = t.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active'
  ORDER BY o.created_at, o.user_id LIMIT 1)`

/** Condition on a row: it is of a workspace that goes on without the person. */
const IN_REMAINING_WORKSPACE = `workspace_id IN (SELECT m.workspace_id FROM members m WHERE m.user_id = ?1 AND ${HAS_OTHER_MEMBERS})`

export interface NamedWorkspace {
  id: string
  name: string
}

/** The end of one person's account. Writes are statements for `commit`, in the order given here. */
export const accountDeletionStore = ({ d1 }: Database, userId: string) => {
  const listWorkspaces = async (which: string): Promise<NamedWorkspace[]> => {
    const { results } = await d1
      .prepare(`SELECT w.id, w.name ${which} ORDER BY w.name, w.id`)
      .bind(userId)
      .all<NamedWorkspace>()
    return results
  }
  const statement = (sql: string, ...values: (string | number | null)[]) => d1.prepare(sql).bind(userId, ...values)
  return {
    sharedWorkspacesWithSoleOwner: () => listWorkspaces(SOLE_OWNER_OF_SHARED),
    soleMemberWorkspaces: () => listWorkspaces(SOLE_MEMBER),
    /** Workspaces that go on without the person. */
    remainingWorkspaces: () => listWorkspaces(`${MEMBERSHIPS} AND ${HAS_OTHER_MEMBERS}`),

    /** Closes the account and frees its address. Changes no row while a workspace would be left without an owner. */
    closeAccount: (at: { epoch: number; now: number }): D1PreparedStatement =>
      statement(
        `UPDATE users SET deleted_at = ?3, disabled_at = ?3, email = NULL, email_proven_at = NULL, epoch = epoch + 1
         WHERE id = ?1 AND epoch = ?2 AND disabled_at IS NULL AND NOT EXISTS (SELECT 1 ${SOLE_OWNER_OF_SHARED})`,
        at.epoch,
        at.now,
      ),

    /** Workspaces that nobody else is in are held as deleted ones, and their loads end; everything else is handed over. */
    transferOwnership: (now: number): D1PreparedStatement[] => [
      statement(
        `UPDATE workspaces SET deleted_at = ?2, deleted_by = ?1, version = version + 1
         WHERE id IN (SELECT w.id ${SOLE_MEMBER})`,
        now,
      ),
      statement(
        `UPDATE runs SET state = 'cancelled', finished_at = ?2 WHERE state IN ('queued', 'running')
           AND workspace_id IN (SELECT id FROM workspaces WHERE deleted_by = ?1 AND deleted_at = ?2)`,
        now,
      ),
      ...OWNABLE_TABLES.map((table) =>
        statement(`UPDATE ${table} AS t SET owner_id = ${HEIR} WHERE owner_id = ?1 AND ${HEIR} IS NOT NULL`),
      ),
      // Loads under way go on with the rights of who inherits.
      statement(
        `UPDATE runs AS t SET actor_id = ${HEIR}
         WHERE actor_id = ?1 AND state IN ('queued', 'running') AND ${HEIR} IS NOT NULL`,
      ),
    ],

    /** Leaves every workspace in which somebody stays; those nobody else is in can come back with the person. */
    leaveWorkspaces: (): D1PreparedStatement[] => [
      // Whoever edits a group's list meanwhile is told that it has changed.
      statement(
        `UPDATE user_groups SET version = version + 1 WHERE deleted_at IS NULL
           AND id IN (SELECT group_id FROM group_members WHERE user_id = ?1) AND ${IN_REMAINING_WORKSPACE}`,
      ),
      statement(
        `DELETE FROM group_members WHERE user_id = ?1 AND group_id IN (SELECT g.id FROM user_groups g
           JOIN members m ON m.workspace_id = g.workspace_id AND m.user_id = ?1 WHERE ${HAS_OTHER_MEMBERS})`,
      ),
      ...PERSONAL_TABLES.map((table) =>
        statement(`DELETE FROM ${table} WHERE user_id = ?1 AND ${IN_REMAINING_WORKSPACE}`),
      ),
      statement(removeAlertReceiverSql('?1', IN_REMAINING_WORKSPACE)),
      statement('DELETE FROM ownership_offers WHERE from_user = ?1 OR to_user = ?1'),
      statement(`DELETE FROM members WHERE user_id = ?1 AND ${IN_REMAINING_WORKSPACE}`),
    ],

    /** Uses the link up, unless its address is taken and the person would have no way in. */
    consumeUndeleteLink: (link: { id: string; email: string; now: number }): D1PreparedStatement =>
      statement(
        `UPDATE links SET used_at = ?4 WHERE id = ?2 AND user_id = ?1 AND used_at IS NULL AND expires_at > ?4
           AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND deleted_at IS NOT NULL)
           AND (NOT EXISTS (SELECT 1 FROM users WHERE email = ?3) OR EXISTS (SELECT 1 FROM accounts WHERE user_id = ?1))`,
        link.id,
        link.email,
        link.now,
      ),

    /** Brings back the person, with the address unless somebody else has it, and the workspaces that went along. */
    restoreAccount: (was: { email: string; provenAt: number | null; deletedAt: number }): D1PreparedStatement[] => [
      statement(
        `UPDATE workspaces SET deleted_at = NULL, deleted_by = NULL, version = version + 1
         WHERE deleted_by = ?1 AND deleted_at = ?2`,
        was.deletedAt,
      ),
      // Who was also disabled by the operator meanwhile stays so.
      statement(
        `UPDATE users SET deleted_at = NULL, disabled_at = nullif(disabled_at, deleted_at),
           email = CASE WHEN t.taken THEN NULL ELSE ?2 END, email_proven_at = CASE WHEN t.taken THEN NULL ELSE ?3 END
         FROM (SELECT EXISTS (SELECT 1 FROM users WHERE email = ?2) AS taken) t WHERE id = ?1`,
        was.email,
        was.provenAt,
      ),
    ],
  }
}

/** What a person who is gone is called. */
export const DELETED_PERSON_NAME = 'Deleted person'

/** People deleted at or before `before` of whom something is still known. */
export async function listUsersToAnonymize({ d1 }: Database, before: number, limit: number): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT id FROM users u WHERE deleted_at <= ? AND (name <> ? OR password_hash IS NOT NULL
         OR EXISTS (SELECT 1 FROM accounts WHERE user_id = u.id) OR EXISTS (SELECT 1 FROM devices WHERE user_id = u.id))
       ORDER BY deleted_at LIMIT ?`,
    )
    .bind(before, DELETED_PERSON_NAME, limit)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/**
 * Forgets who somebody was; what they did stays, without a name. The picture goes with its key. The first statement
 * changes no row when the person came back meanwhile.
 */
export const anonymizeStatements = ({ d1 }: Database, userId: string): D1PreparedStatement[] =>
  [
    `UPDATE users SET name = '${DELETED_PERSON_NAME}', email = NULL, email_proven_at = NULL, password_hash = NULL, job = NULL,
       goals = '[]', locale = NULL, avatar_key = NULL, notifications = '{}' WHERE id = ?1 AND deleted_at IS NOT NULL`,
    'DELETE FROM accounts WHERE user_id = ?1',
    'DELETE FROM devices WHERE user_id = ?1',
    'DELETE FROM links WHERE user_id = ?1',
    'DELETE FROM sessions WHERE user_id = ?1',
    'DELETE FROM invites WHERE accepted_by = ?1',
    ...PERSONAL_TABLES.map((table) => `DELETE FROM ${table} WHERE user_id = ?1`),
  ].map((sql) => d1.prepare(sql).bind(userId))
