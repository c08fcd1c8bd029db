import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import { BOOKMARKS_MAX, type ReportBookmark } from '../../shared/reports/reports'

/** A person's own views of reports. */
export const bookmarkStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /** By name. */
  async list(report: string): Promise<ReportBookmark[]> {
    const { results } = await d1
      .prepare(
        `SELECT id, name, search, created_at AS at FROM report_bookmarks
         WHERE workspace_id = ? AND user_id = ? AND report_id = ? ORDER BY name COLLATE NOCASE, id`,
      )
      .bind(workspaceId, actorId, report)
      .all<Omit<ReportBookmark, 'createdAt'> & { at: number }>()
    return results.map(({ at, ...row }) => ({ ...row, createdAt: toIso(at) }))
  },

  /** Inserts no row when the person has as many of this report as they may. */
  insert: (report: string, { id, name, search, createdAt }: ReportBookmark): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO report_bookmarks (workspace_id, user_id, report_id, id, name, search, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
         WHERE (SELECT count(*) FROM report_bookmarks WHERE report_id = ?3 AND user_id = ?2) < ${BOOKMARKS_MAX}`,
      )
      .bind(workspaceId, actorId, report, id, name, search, Date.parse(createdAt)),

  remove: (report: string, id: string): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM report_bookmarks WHERE workspace_id = ? AND user_id = ? AND report_id = ? AND id = ?')
      .bind(workspaceId, actorId, report, id),
})
