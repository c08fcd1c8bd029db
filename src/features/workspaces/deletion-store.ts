import type { Actor } from '../../access/actor'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { ROLES } from '../../shared/permissions'
import type { Role } from '../../shared/permissions'

export interface Administrator {
  userId: string
  email: string
}

/** Taking the workspace of a scope away. Writes are statements for `commit`. */
export const workspaceDeletionStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /** Changes no row when another version is stored, or when the person owns it no more. Members stay, and cannot enter. */
  remove: (at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET deleted_at = ?4, deleted_by = ?2, version = version + 1
         WHERE id = ?1 AND version = ?3 AND deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = 'owner' AND status = 'active')`,
      )
      .bind(workspaceId, actorId, at.version, at.now),

  /** Ends every load under way: whoever works on one finds it ended at the next step. */
  cancelLoads: (now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE runs SET state = 'cancelled', finished_at = ?2 WHERE workspace_id = ?1 AND state IN ('queued', 'running')`,
      )
      .bind(workspaceId, now),

  async activeLoads(): Promise<string[]> {
    const { results } = await d1
      .prepare("SELECT id FROM runs WHERE workspace_id = ? AND state IN ('queued', 'running')")
      .bind(workspaceId)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },

  /** Who is told: owners and administrators who can be written to. */
  async administrators(): Promise<Administrator[]> {
    const { results } = await d1
      .prepare(
        `SELECT u.id AS userId, u.email FROM members m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
         WHERE m.workspace_id = ? AND m.status = 'active' AND m.role IN ('owner', 'admin') AND u.email IS NOT NULL`,
      )
      .bind(workspaceId)
      .all<Administrator>()
    return results
  },
})

export interface DeletedWorkspaceRow {
  id: string
  name: string
  deletedAt: number
  logoKey: string | null
  role: Role
}

/** Deleted workspaces that a person owned: the person is the key, there is no scope of what nobody may enter. */
export const deletedWorkspaceStore = ({ d1 }: Database, { userId }: Pick<Actor, 'userId'>) => ({
  /** Deleted after `since`, the newest first. */
  async list(since: number): Promise<DeletedWorkspaceRow[]> {
    const { results } = await d1
      .prepare(
        `SELECT w.id, w.name, w.deleted_at AS deletedAt, w.logo_key AS logoKey, m.role
         FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE m.user_id = ?1 AND m.role = 'owner' AND m.status = 'active' AND w.deleted_at > ?2
         ORDER BY w.deleted_at DESC, w.id LIMIT 100`,
      )
      .bind(userId, since)
      .all<DeletedWorkspaceRow>()
    return results.filter(({ role }) => ROLES.includes(role))
  },

  /** Changes no row when it is not theirs, not deleted, or was deleted at or before `since`. */
  restore: (id: string, since: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET deleted_at = NULL, deleted_by = NULL, version = version + 1
         WHERE id = ?1 AND deleted_at > ?3 AND EXISTS (
           SELECT 1 FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = 'owner' AND status = 'active')`,
      )
      .bind(id, userId, since),
})
