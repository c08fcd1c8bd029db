import type { Database } from '../db/database'
import type { Clock } from '../shared/ids'
import { DELETED_RETENTION_MS } from '../shared/limits'
import { GROUP_MEMBERS_MAX } from '../shared/groups'

/** Why somebody belongs to a workspace no more. */
export type MembershipEnd = 'removed' | 'left' | 'account_deleted'

/**
 * Memberships that ended. Statements for the `commit` that ends or begins one; those that note an end go before the ones
 * that delete its rows.
 */
export const endedMembershipStore = ({ d1 }: Database, userId: string) => ({
  /** One membership, which is still there or was read before. */
  note: (of: { workspaceId: string; role: string; joinedAt: number; reason: MembershipEnd; now: number }) =>
    d1
      .prepare(
        `INSERT INTO ended_memberships (workspace_id, user_id, role, reason, joined_at, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role, reason = excluded.reason,
           group_ids = excluded.group_ids, joined_at = excluded.joined_at, ended_at = excluded.ended_at`,
      )
      .bind(of.workspaceId, userId, of.role, of.reason, of.joinedAt, of.now),

  /** Every membership in force that `which` (a condition on the row `m` of members, `?1` = the person) names. */
  noteDeletedAccount: (which: string, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT OR REPLACE INTO ended_memberships (workspace_id, user_id, role, reason, group_ids, joined_at, ended_at)
         SELECT m.workspace_id, m.user_id, m.role, 'account_deleted',
           (SELECT json_group_array(g.id) FROM group_members gm JOIN user_groups g ON g.id = gm.group_id
            WHERE g.workspace_id = m.workspace_id AND gm.user_id = m.user_id AND gm.is_member = 1), m.created_at, ?2
         FROM members m WHERE m.user_id = ?1 AND m.status = 'active' AND ${which}`,
      )
      .bind(userId, now),

  /**
   * Takes up again what ended with the account at `deletedAt`: suspended, until an owner or admin lets the person in.
   * Ownership was transferred meanwhile, so that an owner comes back as an admin.
   */
  restore: (deletedAt: number, now: number): D1PreparedStatement[] => {
    const ended = `ended_memberships e WHERE e.user_id = ?1 AND e.reason = 'account_deleted' AND e.ended_at = ?2`
    const wasInGroup = `g.deleted_at IS NULL AND EXISTS (SELECT 1 FROM ${ended} AND e.workspace_id = g.workspace_id
      AND g.id IN (SELECT value FROM json_each(e.group_ids)))`
    return [
      d1
        .prepare(
          `INSERT OR IGNORE INTO members (workspace_id, user_id, role, status, created_at, restored_at)
           SELECT e.workspace_id, e.user_id, CASE e.role WHEN 'owner' THEN 'admin' ELSE e.role END, 'suspended', e.joined_at, ?3
           FROM ${ended}`,
        )
        .bind(userId, deletedAt, now),
      d1
        .prepare(
          `INSERT OR IGNORE INTO group_members (group_id, user_id, is_member)
           SELECT g.id, ?1, 1 FROM user_groups g WHERE ${wasInGroup}
             AND (SELECT count(*) FROM group_members x WHERE x.group_id = g.id AND x.is_member = 1) < ${GROUP_MEMBERS_MAX}`,
        )
        .bind(userId, deletedAt),
      // Whoever edits a group's list meanwhile is told that it has another member.
      d1
        .prepare(
          `UPDATE user_groups AS g SET version = version + 1
           WHERE ${wasInGroup} AND EXISTS (SELECT 1 FROM group_members x WHERE x.group_id = g.id AND x.user_id = ?1)`,
        )
        .bind(userId, deletedAt),
      d1
        .prepare("DELETE FROM ended_memberships WHERE user_id = ?1 AND reason = 'account_deleted' AND ended_at = ?2")
        .bind(userId, deletedAt),
    ]
  },

  /** The person belongs to the workspace again. */
  forget: (workspaceId: string): D1PreparedStatement =>
    d1.prepare('DELETE FROM ended_memberships WHERE workspace_id = ? AND user_id = ?').bind(workspaceId, userId),

  /** Workspaces in which the person will wait to be let in again once an account deleted at `deletedAt` is restored, by name. */
  async endedWithAccount(deletedAt: number): Promise<{ id: string; name: string }[]> {
    const { results } = await d1
      .prepare(
        `SELECT w.id, w.name FROM ended_memberships e JOIN workspaces w ON w.id = e.workspace_id AND w.deleted_at IS NULL
         WHERE e.user_id = ? AND e.reason = 'account_deleted' AND e.ended_at = ? ORDER BY w.name, w.id`,
      )
      .bind(userId, deletedAt)
      .all<{ id: string; name: string }>()
    return results
  },
})

/** Forgets memberships that ended so long ago that nobody is told of them and no account comes back. */
export async function deleteOldEndedMemberships({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await db.d1
    .prepare('DELETE FROM ended_memberships WHERE ended_at <= ?')
    .bind(clock.now() - DELETED_RETENTION_MS)
    .run()
}
