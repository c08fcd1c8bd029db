import { OWNED_TABLES, PERSONAL_TABLES, withoutReceiver } from '../../access/owned'
import type { Database } from '../../db/database'

const OTHERS = 'EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1)'
const OTHER_OWNER = `EXISTS (SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active')`
const MINE = 'FROM members m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL WHERE m.user_id = ?1'
/** Others are in it, and nobody else owns it. */
const BLOCKED = `${MINE} AND m.role = 'owner' AND ${OTHERS} AND NOT ${OTHER_OWNER}`
/** Nobody else is in it. */
const GOING = `${MINE} AND NOT ${OTHERS}`
/** Who inherits what the person owned in the workspace of the row `t`: the owner of the longest standing. */
const HEIR = `(SELECT o.user_id FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = t.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active'
  ORDER BY o.created_at, o.user_id LIMIT 1)`

/** Condition on a row: it is of a workspace that goes on without the person. */
const LEFT = `workspace_id IN (SELECT m.workspace_id FROM members m WHERE m.user_id = ?1 AND ${OTHERS})`

export interface Place {
  id: string
  name: string
}

/** The end of one person's account. Writes are statements for `commit`, in the order given here. */
export const deletionStore = ({ d1 }: Database, userId: string) => {
  const places = async (which: string): Promise<Place[]> => {
    const { results } = await d1.prepare(`SELECT w.id, w.name ${which} ORDER BY w.name, w.id`).bind(userId).all<Place>()
    return results
  }
  const of = (sql: string, ...values: (string | number | null)[]) => d1.prepare(sql).bind(userId, ...values)
  return {
    blocked: () => places(BLOCKED),
    going: () => places(GOING),
    /** Workspaces that go on without the person. */
    left: () => places(`${MINE} AND ${OTHERS}`),

    /** Closes the account and frees its address. Changes no row while a workspace would be left without an owner. */
    close: (at: { epoch: number; now: number }): D1PreparedStatement =>
      of(
        `UPDATE users SET deleted_at = ?3, disabled_at = ?3, email = NULL, email_proven_at = NULL, epoch = epoch + 1
         WHERE id = ?1 AND epoch = ?2 AND disabled_at IS NULL AND NOT EXISTS (SELECT 1 ${BLOCKED})`,
        at.epoch,
        at.now,
      ),

    /** Workspaces that nobody else is in are held as deleted ones, and their loads end; everything else is handed over. */
    handOver: (now: number): D1PreparedStatement[] => [
      of(
        `UPDATE workspaces SET deleted_at = ?2, deleted_by = ?1, version = version + 1
         WHERE id IN (SELECT w.id ${GOING})`,
        now,
      ),
      of(
        `UPDATE runs SET state = 'cancelled', finished_at = ?2 WHERE state IN ('queued', 'running')
           AND workspace_id IN (SELECT id FROM workspaces WHERE deleted_by = ?1 AND deleted_at = ?2)`,
        now,
      ),
      ...OWNED_TABLES.map((table) =>
        of(`UPDATE ${table} AS t SET owner_id = ${HEIR} WHERE owner_id = ?1 AND ${HEIR} IS NOT NULL`),
      ),
      // Loads under way go on with the rights of who inherits.
      of(
        `UPDATE runs AS t SET actor_id = ${HEIR}
         WHERE actor_id = ?1 AND state IN ('queued', 'running') AND ${HEIR} IS NOT NULL`,
      ),
    ],

    /** Leaves every workspace in which somebody stays; those nobody else is in can come back with the person. */
    leave: (): D1PreparedStatement[] => [
      // Whoever edits a group's list meanwhile is told that it has changed.
      of(
        `UPDATE user_groups SET version = version + 1 WHERE deleted_at IS NULL
           AND id IN (SELECT group_id FROM group_members WHERE user_id = ?1) AND ${LEFT}`,
      ),
      of(
        `DELETE FROM group_members WHERE user_id = ?1 AND group_id IN (SELECT g.id FROM user_groups g
           JOIN members m ON m.workspace_id = g.workspace_id AND m.user_id = ?1 WHERE ${OTHERS})`,
      ),
      ...PERSONAL_TABLES.map((table) => of(`DELETE FROM ${table} WHERE user_id = ?1 AND ${LEFT}`)),
      of(withoutReceiver('?1', LEFT)),
      of('DELETE FROM ownership_offers WHERE from_user = ?1 OR to_user = ?1'),
      of(`DELETE FROM members WHERE user_id = ?1 AND ${LEFT}`),
    ],

    /** Uses the link up, unless its address is taken and the person would have no way in. */
    spendUndelete: (link: { id: string; email: string; now: number }): D1PreparedStatement =>
      of(
        `UPDATE links SET used_at = ?4 WHERE id = ?2 AND user_id = ?1 AND used_at IS NULL AND expires_at > ?4
           AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND deleted_at IS NOT NULL)
           AND (NOT EXISTS (SELECT 1 FROM users WHERE email = ?3) OR EXISTS (SELECT 1 FROM accounts WHERE user_id = ?1))`,
        link.id,
        link.email,
        link.now,
      ),

    /** Brings back the person, with the address unless somebody else has it, and the workspaces that went along. */
    reopen: (was: { email: string; provenAt: number | null; deletedAt: number }): D1PreparedStatement[] => [
      of(
        `UPDATE workspaces SET deleted_at = NULL, deleted_by = NULL, version = version + 1
         WHERE deleted_by = ?1 AND deleted_at = ?2`,
        was.deletedAt,
      ),
      // Who was also disabled by the operator meanwhile stays so.
      of(
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
export const NAMELESS = 'Deleted person'

/** People deleted at or before `before` of whom something is still known. */
export async function stillNamed({ d1 }: Database, before: number, limit: number): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT id FROM users u WHERE deleted_at <= ? AND (name <> ? OR password_hash IS NOT NULL
         OR EXISTS (SELECT 1 FROM accounts WHERE user_id = u.id) OR EXISTS (SELECT 1 FROM devices WHERE user_id = u.id))
       ORDER BY deleted_at LIMIT ?`,
    )
    .bind(before, NAMELESS, limit)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/**
 * Forgets who somebody was; what they did stays, without a name. The picture goes with its key. The first statement
 * changes no row when the person came back meanwhile.
 */
export const forget = ({ d1 }: Database, userId: string): D1PreparedStatement[] =>
  [
    `UPDATE users SET name = '${NAMELESS}', email = NULL, email_proven_at = NULL, password_hash = NULL, job = NULL,
       goals = '[]', locale = NULL, avatar_key = NULL, notifications = '{}' WHERE id = ?1 AND deleted_at IS NOT NULL`,
    'DELETE FROM accounts WHERE user_id = ?1',
    'DELETE FROM devices WHERE user_id = ?1',
    'DELETE FROM links WHERE user_id = ?1',
    'DELETE FROM sessions WHERE user_id = ?1',
    'DELETE FROM invites WHERE accepted_by = ?1',
    ...PERSONAL_TABLES.map((table) => `DELETE FROM ${table} WHERE user_id = ?1`),
  ].map((sql) => d1.prepare(sql).bind(userId))
