import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import type { ReportContent, ReportPublication } from '../../shared/reports/reports'

/** So many publications of a report can be gone back to. */
const PUBLICATIONS_KEPT = 100
/** A picture that no content names may still be about to be saved. */
const PICTURE_UNUSED_MS = 60 * 60 * 1000

/** What was published of reports, and the pictures in them. */
export const publicationStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    /** Readers see the draft from now on. Changes no row when another version is stored. */
    publish: (id: string, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE reports SET published = draft, publication = publication + 1, published_at = ?4, updated_at = ?4,
             version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(workspaceId, id, at.version, at.now),

    /** Keeps what a report has just become, in the place of the oldest. */
    record: (id: string, { note, now }: { note: string; now: number }): D1PreparedStatement[] => [
      d1
        .prepare(
          `INSERT INTO report_publications (workspace_id, report_id, n, content, note, published_by, published_at)
           SELECT ?1, id, publication, published, ?3, ?4, ?5 FROM reports WHERE workspace_id = ?1 AND id = ?2`,
        )
        .bind(workspaceId, id, note, scope.actorId, now),
      d1
        .prepare(
          `DELETE FROM report_publications WHERE report_id = ?1
             AND n <= (SELECT publication FROM reports WHERE id = ?1) - ${PUBLICATIONS_KEPT}`,
        )
        .bind(id),
      d1
        .prepare(
          `DELETE FROM report_pictures WHERE report_id = ?1 AND created_at < ?2
             AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.id = ?1 AND instr(r.draft, key) > 0)
             AND NOT EXISTS (SELECT 1 FROM report_publications p WHERE p.report_id = ?1 AND instr(p.content, key) > 0)`,
        )
        .bind(id, now - PICTURE_UNUSED_MS),
    ],

    /** The newest first. */
    async list(id: string): Promise<ReportPublication[]> {
      const { results } = await d1
        .prepare(
          `SELECT p.n, p.note, p.published_by AS publishedBy, u.name AS publishedByName, p.published_at AS at
           FROM report_publications p JOIN users u ON u.id = p.published_by
           WHERE p.workspace_id = ? AND p.report_id = ? ORDER BY p.n DESC`,
        )
        .bind(workspaceId, id)
        .all<Omit<ReportPublication, 'publishedAt'> & { at: number }>()
      return results.map(({ at, ...row }) => ({ ...row, publishedAt: toIso(at) }))
    },

    async content(id: string, n: number): Promise<ReportContent | null> {
      const text = await d1
        .prepare('SELECT content FROM report_publications WHERE workspace_id = ? AND report_id = ? AND n = ?')
        .bind(workspaceId, id, n)
        .first<string>('content')
      return text === null ? null : JSON.parse(text)
    },

    /** The report has a picture; adds no row when it has as many as it may. */
    addPicture: (id: string, picture: { key: string; now: number; max: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO report_pictures (workspace_id, report_id, key, created_at)
           SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM report_pictures WHERE report_id = ?2) < ?5`,
        )
        .bind(workspaceId, id, picture.key, picture.now, picture.max),

    /** A copy of a report has its pictures. */
    copyPictures: (from: string, { to, now }: { to: string; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO report_pictures (workspace_id, report_id, key, created_at)
           SELECT workspace_id, ?3, key, ?4 FROM report_pictures WHERE workspace_id = ?1 AND report_id = ?2`,
        )
        .bind(workspaceId, from, to, now),
  }
}
