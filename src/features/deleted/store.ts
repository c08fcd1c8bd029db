import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { CursorPosition } from '../../http/pagination'
import type { DeletedKind } from '../../shared/deleted'

export interface DeletedItemRow {
  kind: DeletedKind
  id: string
  name: string
  deletedAt: number
  deletedBy: string | null
}

// The sample company comes back by adding it again, so its parts are no things to restore.
const DELETED_ITEMS = `
SELECT 'source' AS kind, id, name, deleted_at FROM data_sources
  WHERE workspace_id = ?1 AND deleted_at > ?2 AND sample = 0
UNION ALL SELECT 'insight', id, name, deleted_at FROM insights
  WHERE workspace_id = ?1 AND deleted_at > ?2 AND origin <> 'sample'
UNION ALL SELECT 'group', id, name, deleted_at FROM user_groups WHERE workspace_id = ?1 AND deleted_at > ?2
UNION ALL SELECT 'grouping', id, name, deleted_at FROM groupings WHERE workspace_id = ?1 AND deleted_at > ?2
UNION ALL SELECT 'report', id, name, deleted_at FROM reports WHERE workspace_id = ?1 AND deleted_at > ?2`

/** A deleted thing with who deleted it, as its columns. `?1`: the workspace. */
const DELETED_COLUMNS = `x.kind, x.id, x.name, x.deleted_at AS deletedAt, (
   SELECT u.name FROM audit a JOIN users u ON u.id = a.actor_id
   WHERE a.workspace_id = ?1 AND a.action = x.kind || '.delete' AND a.entity_id = x.id AND a.at >= x.deleted_at
   ORDER BY a.at LIMIT 1) AS deletedBy`

/** What was deleted in one workspace, of every kind. */
export const deletedStore = ({ d1 }: Database, scope: Scope) => ({
  /** Deleted after `since`, the newest first. */
  async list(page: { since: number; after: CursorPosition | null; limit: number }): Promise<DeletedItemRow[]> {
    const { since, after, limit } = page
    const { results } = await d1
      .prepare(
        `SELECT ${DELETED_COLUMNS} FROM (${DELETED_ITEMS}) x
         WHERE (?3 IS NULL OR x.deleted_at < ?3 OR (x.deleted_at = ?3 AND x.id < ?4)) AND ${isVisibleSql('x.id', '?6')}
         ORDER BY x.deleted_at DESC, x.id DESC LIMIT ?5`,
      )
      .bind(scope.workspaceId, since, after?.at ?? null, after?.id ?? null, limit, await hiddenThings({ d1 }, scope))
      .all<DeletedItemRow>()
    return results
  },

  /** One of them; `drafts`: also a report that readers never saw. */
  async find(id: string, { since, drafts }: { since: number; drafts: boolean }): Promise<DeletedItemRow | null> {
    return d1
      .prepare(
        `SELECT ${DELETED_COLUMNS} FROM (${DELETED_ITEMS}) x WHERE x.id = ?3 AND ${isVisibleSql('x.id', '?4')}
           AND (?5 OR x.kind <> 'report' OR (SELECT r.publication FROM reports r WHERE r.id = x.id) > 0)`,
      )
      .bind(scope.workspaceId, since, id, await hiddenThings({ d1 }, scope), drafts ? 1 : 0)
      .first<DeletedItemRow>()
  },
})
