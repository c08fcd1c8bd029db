import type { Database } from '../../db/database'
import { hasReportedSql } from '../../entitlements/invitations'
import type { StoredEarlierUse } from '../../identity/earlier-use-store'
import { liveSessionSql } from '../../identity/session-store'
import { handOverSql, PERSONAL_TABLES, removeAlertReceiverSql } from '../../identity/ownership'
import type { Role } from '../../shared/permissions'

interface HeldWorkspaceRow {
  id: string
  name: string
  createdAt: number
  dataSources: number
}
interface HeldMemberRow {
  workspaceId: string
  userId: string
  name: string
  email: string | null
  role: Role
}
interface HeldInviteRow {
  workspaceId: string
  id: string
  email: string
  role: Role
}
/** What is held of an account, as the database says now. */
export interface HeldItems {
  workspaces: HeldWorkspaceRow[]
  members: HeldMemberRow[]
  invites: HeldInviteRow[]
}
interface WorkspaceAdministrator {
  workspaceId: string
  userId: string
  email: string
}
interface WorkspaceLoad {
  workspaceId: string
  /** Id of the run. */
  id: string
}
export type HeldMember = StoredEarlierUse['members'][number]

/** A pair of the JSON list `?2` names the row `t` of a table with `workspace_id` and the person in `column`. */
const isListed = (table: string, column: string): string =>
  `EXISTS (SELECT 1 FROM json_each(?2) j WHERE j.value ->> 'workspaceId' = ${table}.workspace_id AND j.value ->> 'userId' = ${table}.${column})
   AND ${isOwned(`${table}.workspace_id`)}`

/** What was held is the person's to settle only where they are still an active owner. `user`: the bound parameter. */
const isOwned = (workspaceId: string, user = '?1'): string =>
  `EXISTS (SELECT 1 FROM members own WHERE own.workspace_id = ${workspaceId} AND own.user_id = ${user}
     AND own.role = 'owner' AND own.status = 'active')`

/** What an account held before its address was proven. Writes are statements for `commit`. */
export const earlierUseStore = ({ d1 }: Database, userId: string) => {
  const listed = (sql: string, list: readonly unknown[]) => d1.prepare(sql).bind(userId, JSON.stringify(list))
  return {
    async heldItems({ workspaces, members, invites }: StoredEarlierUse): Promise<HeldItems> {
      const [first, second, third] = await Promise.all([
        d1
          .prepare(
            `SELECT w.id, w.name, w.created_at AS createdAt,
               (SELECT count(*) FROM data_sources s WHERE s.workspace_id = w.id AND s.deleted_at IS NULL) AS dataSources
             FROM workspaces w WHERE w.deleted_at IS NULL AND w.id IN (SELECT value FROM json_each(?2)) AND ${isOwned('w.id')}
             ORDER BY w.created_at, w.id`,
          )
          .bind(userId, JSON.stringify(workspaces))
          .all<HeldWorkspaceRow>(),
        d1
          .prepare(
            `SELECT m.workspace_id AS workspaceId, m.user_id AS userId, u.name, u.email, m.role
             FROM json_each(?2) j JOIN members m ON m.workspace_id = j.value ->> 'workspaceId' AND m.user_id = j.value ->> 'userId'
             JOIN users u ON u.id = m.user_id WHERE m.status = 'suspended' AND ${isOwned('m.workspace_id')}
             ORDER BY u.name, u.id`,
          )
          .bind(userId, JSON.stringify(members))
          .all<HeldMemberRow>(),
        d1
          .prepare(
            `SELECT workspace_id AS workspaceId, id, email, role FROM invites
             WHERE state = 'revoked' AND id IN (SELECT value FROM json_each(?2)) AND ${isOwned('invites.workspace_id')}
             ORDER BY email, id`,
          )
          .bind(userId, JSON.stringify(invites))
          .all<HeldInviteRow>(),
      ])
      return { workspaces: first.results, members: second.results, invites: third.results }
    },

    /**
     * Nothing waits any more. Changes no row when it was answered meanwhile (`text` is what was read), nor for a session
     * that ended while its call was under way: the first proof ended those of whoever used the account before.
     */
    settle: (text: string, sessionHash: string): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE users SET earlier_use = NULL
           WHERE id = ?1 AND earlier_use = ?2 AND ${liveSessionSql({ hash: '?3', user: '?1' })}`,
        )
        .bind(userId, text, sessionHash),

    /** Who is told that workspaces are deleted, and the loads under way in them. */
    async affectedBy(
      ids: readonly string[],
    ): Promise<{ administrators: WorkspaceAdministrator[]; loads: WorkspaceLoad[] }> {
      const [administrators, loads] = await Promise.all([
        d1
          .prepare(
            `SELECT m.workspace_id AS workspaceId, m.user_id AS userId, u.email FROM members m
             JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.email IS NOT NULL
             WHERE m.status = 'active' AND m.role IN ('owner', 'admin') AND m.workspace_id IN (SELECT value FROM json_each(?))`,
          )
          .bind(JSON.stringify(ids))
          .all<WorkspaceAdministrator>(),
        d1
          .prepare(
            `SELECT workspace_id AS workspaceId, id FROM runs
             WHERE state IN ('queued', 'running') AND workspace_id IN (SELECT value FROM json_each(?))`,
          )
          .bind(JSON.stringify(ids))
          .all<WorkspaceLoad>(),
      ])
      return { administrators: administrators.results, loads: loads.results }
    },

    resumeMembers: (members: readonly HeldMember[]): D1PreparedStatement =>
      listed(
        `UPDATE members SET status = 'active', epoch = epoch + 1
         WHERE status = 'suspended' AND user_id <> ?1 AND ${isListed('members', 'user_id')}`,
        members,
      ),

    /** What they owned is the person's; what they kept for themselves ends. */
    removeMembers: (members: readonly HeldMember[]): D1PreparedStatement[] =>
      [
        ...handOverSql('?1').map(({ table, set }) => `UPDATE ${table} SET ${set} WHERE ${isListed(table, 'owner_id')}`),
        `UPDATE runs SET actor_id = ?1 WHERE state IN ('queued', 'running') AND ${isListed('runs', 'actor_id')}`,
        ...PERSONAL_TABLES.map((table) => `DELETE FROM ${table} WHERE user_id <> ?1 AND ${isListed(table, 'user_id')}`),
        `DELETE FROM group_members WHERE user_id <> ?1 AND EXISTS (SELECT 1 FROM user_groups
           WHERE user_groups.id = group_members.group_id AND EXISTS (SELECT 1 FROM json_each(?2) j
             WHERE j.value ->> 'workspaceId' = user_groups.workspace_id AND j.value ->> 'userId' = group_members.user_id))`,
        `DELETE FROM members WHERE status = 'suspended' AND user_id <> ?1 AND ${isListed('members', 'user_id')}`,
      ].map((sql) => listed(sql, members)),

    /** Alerts tell whoever is removed of nothing any more. */
    stopAlerts: ({ workspaceId, userId: member }: HeldMember): D1PreparedStatement =>
      d1
        .prepare(removeAlertReceiverSql('?1', `workspace_id = ?2 AND ${isOwned('?2', '?3')}`))
        .bind(member, workspaceId, userId),

    /** Their links work again, unless the address was invited anew, or reported an invitation, meanwhile. */
    reopenInvites: (ids: readonly string[]): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE OR IGNORE invites SET state = 'pending'
           WHERE state = 'revoked' AND id IN (SELECT value FROM json_each(?2)) AND ${isOwned('invites.workspace_id')}
             AND NOT ${hasReportedSql('invites.workspace_id', 'invites.email')}`,
        )
        .bind(userId, JSON.stringify(ids)),

    /** Another person may have connected the same provider's account meanwhile: it stays theirs. */
    reconnect: (accounts: StoredEarlierUse['accounts']): D1PreparedStatement =>
      listed(
        `INSERT OR IGNORE INTO accounts (id, provider, issuer, subject, user_id, email, email_proven, created_at, last_used_at)
         SELECT value ->> 'id', value ->> 'provider', value ->> 'issuer', value ->> 'subject', ?1, value ->> 'email',
           value ->> 'emailProven', value ->> 'createdAt', value ->> 'lastUsedAt' FROM json_each(?2)`,
        accounts,
      ),

    /** As an owner deletes them: they can be brought back for 30 days, and their loads end. */
    deleteWorkspaces: (ids: readonly string[], now: number): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE workspaces SET deleted_at = ?3, deleted_by = ?1, version = version + 1
           WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2)) AND ${isOwned('workspaces.id')}`,
        )
        .bind(userId, JSON.stringify(ids), now),
      d1
        .prepare(
          `UPDATE runs SET state = 'cancelled', finished_at = ?3 WHERE state IN ('queued', 'running') AND workspace_id IN (
             SELECT w.id FROM workspaces w WHERE w.deleted_by = ?1 AND w.deleted_at = ?3
               AND w.id IN (SELECT value FROM json_each(?2)))`,
        )
        .bind(userId, JSON.stringify(ids), now),
    ],
  }
}
