import { toIso } from '../../lib/iso'
import type { StoreContext } from './store'
import { idOverLimitCondition } from '../../entitlements/limits'
import type { Database } from '../../db/database'
import { VERSIONS_KEPT, VERSIONS_KEPT_CHARS, type InsightSettings, type InsightVersion } from '../../shared/insights'

/** A saved version without what is worked out from it. */
type StoredVersion = Omit<InsightVersion, 'parts'>
type VersionRow = Omit<StoredVersion, 'plan' | 'viz' | 'savedAt'> & { plan: string; viz: string; savedAt: number }
const toStoredVersion = (row: VersionRow): StoredVersion => ({
  ...row,
  plan: JSON.parse(row.plan),
  viz: JSON.parse(row.viz),
  savedAt: toIso(row.savedAt),
})
const VERSION_SELECT = `SELECT v.version, v.name, v.description, v.plan, v.viz, v.saved_by AS savedBy,
    u.name AS savedByName, v.saved_at AS savedAt, v.restored_from AS restoredFrom
  FROM insight_versions v JOIN users u ON u.id = v.saved_by
  WHERE v.workspace_id = ?1 AND v.insight_id = ?2`

/** What belongs to an insight beside its content: history, who vouches for it, who follows it, where it is put. */
export const curationStore = ({ d1 }: Database, { scope, max }: StoreContext) => ({
  /** The newest first. */
  async versions(id: string): Promise<StoredVersion[]> {
    const { results } = await d1
      .prepare(`${VERSION_SELECT} ORDER BY v.version DESC`)
      .bind(scope.workspaceId, id)
      .all<VersionRow>()
    return results.map(toStoredVersion)
  },

  async version(id: string, version: number): Promise<StoredVersion | null> {
    const row = await d1
      .prepare(`${VERSION_SELECT} AND v.version = ?3`)
      .bind(scope.workspaceId, id, version)
      .first<VersionRow>()
    return row && toStoredVersion(row)
  },

  /**
   * Keeps what stands in the insight now, after it was written; and forgets what is older than the newest hundred, or than
   * the newest that have room.
   */
  saveVersion: (id: string, restoredFrom: number | null): D1PreparedStatement[] => [
    d1
      .prepare(
        `INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at,
           restored_from)
         SELECT workspace_id, id, version, name, description, plan, viz, ?3, updated_at, ?4
         FROM insights WHERE workspace_id = ?1 AND id = ?2`,
      )
      .bind(scope.workspaceId, id, scope.actorId, restoredFrom),
    d1
      .prepare(
        `DELETE FROM insight_versions WHERE workspace_id = ?1 AND insight_id = ?2 AND version IN (
           SELECT version FROM (
             SELECT version, count(*) OVER newest AS n, sum(length(plan)) OVER newest AS chars FROM insight_versions
             WHERE insight_id = ?2 WINDOW newest AS (ORDER BY version DESC)
           ) WHERE n > ?3 OR chars > ?4)`,
      )
      .bind(scope.workspaceId, id, VERSIONS_KEPT, VERSIONS_KEPT_CHARS),
  ],

  /** Changes no row when another version is stored. */
  verify: (id: string, at: { version: number; hash: string; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET verified_by = ?4, verified_at = ?5, verified_hash = ?6
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
      )
      .bind(scope.workspaceId, id, at.version, scope.actorId, at.now, at.hash),

  unverify: (id: string): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET verified_by = NULL, verified_at = NULL, verified_hash = NULL
         WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL`,
      )
      .bind(scope.workspaceId, id),

  /** Nobody vouches for another question. */
  clearVerification: (id: string, hash: string): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET verified_by = NULL, verified_at = NULL, verified_hash = NULL
         WHERE workspace_id = ?1 AND id = ?2 AND verified_hash <> ?3`,
      )
      .bind(scope.workspaceId, id, hash),

  /** Changes no row when the insight is deleted. */
  follow: (id: string, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at)
         SELECT workspace_id, id, ?3, ?4 FROM insights WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL
         ON CONFLICT (insight_id, user_id) DO UPDATE SET created_at = created_at`,
      )
      .bind(scope.workspaceId, id, scope.actorId, now),

  unfollow: (id: string): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM insight_follows WHERE workspace_id = ?1 AND insight_id = ?2 AND user_id = ?3')
      .bind(scope.workspaceId, id, scope.actorId),

  /** Changes no row when the category is gone, or the insight is frozen. */
  updateSettings: (id: string, { categoryId, findings }: InsightSettings): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET category_id = ?3, findings = ?4
         WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL
           AND (?3 IS NULL OR EXISTS (SELECT 1 FROM categories c WHERE c.id = ?3 AND c.workspace_id = ?1))
           AND NOT ${idOverLimitCondition('insight', '?2', { workspace: '?1', max: '?5' })}`,
      )
      .bind(scope.workspaceId, id, categoryId, findings, max),
})
