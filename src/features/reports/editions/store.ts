import { accessFingerprint, hasFullAccess, type Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import { toIso, toIsoOrNull } from '../../../lib/iso'
import { EDITIONS_MAX, type Edition, type EditionSignature } from '../../../shared/reports/editions'

type EditionRow = Omit<Edition, 'publishedAt' | 'dataAsOf' | 'signatures'> & {
  publishedAt: number
  dataAsOf: number | null
  signatures: string
}
/** `?1` the workspace, `?2` the report, `?3` the rights of who asks, `?4` 1: they see everything. */
const SELECT = `SELECT e.id, e.report_id AS reportId, e.n, e.period, e.note, e.audience, e.hash,
    e.published_by AS publishedBy, u.name AS publishedByName, e.published_at AS publishedAt, e.data_as_of AS dataAsOf,
    (SELECT json_group_array(json_object('userId', s.user_id, 'name', p.name, 'at', s.signed_at))
      FROM report_signatures s JOIN users p ON p.id = s.user_id WHERE s.edition_id = e.id) AS signatures
  FROM report_editions e JOIN users u ON u.id = e.published_by
  WHERE e.workspace_id = ?1 AND e.report_id = ?2 AND (?4 = 1 OR e.audience = 'everyone' OR e.rights = ?3)`

function toEdition({ signatures, publishedAt, dataAsOf, ...row }: EditionRow): Edition {
  const signed: (Omit<EditionSignature, 'at'> & { at: number })[] = JSON.parse(signatures)
  return {
    ...row,
    publishedAt: toIso(publishedAt),
    dataAsOf: toIsoOrNull(dataAsOf),
    signatures: signed.toSorted((a, b) => a.at - b.at).map((one) => ({ ...one, at: toIso(one.at) })),
  }
}

/** Editions that who asks may open. Writes are statements for `commit`. */
export const editionStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const reader = (report: string) => [workspaceId, report, accessFingerprint(scope), hasFullAccess(scope) ? 1 : 0]
  return {
    /** The newest first. */
    async list(report: string): Promise<Edition[]> {
      const { results } = await d1
        .prepare(`${SELECT} ORDER BY e.n DESC`)
        .bind(...reader(report))
        .all<EditionRow>()
      return results.map(toEdition)
    },

    async get(report: string, n: number): Promise<Edition | null> {
      const row = await d1
        .prepare(`${SELECT} AND e.n = ?5`)
        .bind(...reader(report), n)
        .first<EditionRow>()
      return row && toEdition(row)
    },

    /** Editions of a report, whoever may open them: the number of the newest, and whether one is of this period. */
    async last(report: string, period: string | null): Promise<{ n: number; samePeriod: boolean }> {
      const row = await d1
        .prepare(
          `SELECT coalesce(max(n), 0) AS n, coalesce(max(period IS ?3), 0) AS same FROM report_editions
           WHERE workspace_id = ?1 AND report_id = ?2`,
        )
        .bind(workspaceId, report, period)
        .first<{ n: number; same: number }>()
      return { n: row?.n ?? 0, samePeriod: row?.same === 1 }
    },

    /** Adds no row when another edition took the number, the report was published again, or there are too many. */
    insert: (edition: Edition & { publication: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO report_editions (id, workspace_id, report_id, n, publication, period, note, hash, rights, audience,
             data_as_of, published_by, published_at)
           SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
           WHERE EXISTS (SELECT 1 FROM reports WHERE id = ?3 AND workspace_id = ?1 AND publication = ?5 AND deleted_at IS NULL)
             AND NOT EXISTS (SELECT 1 FROM report_editions WHERE report_id = ?3 AND n >= ?4)
             AND (SELECT count(*) FROM report_editions WHERE workspace_id = ?1) < ${EDITIONS_MAX}`,
        )
        .bind(
          ...[workspaceId, edition.id, edition.reportId, edition.n, edition.publication, edition.period, edition.note],
          ...[edition.hash, accessFingerprint(scope), edition.audience],
          ...[
            edition.dataAsOf === null ? null : Date.parse(edition.dataAsOf),
            actorId,
            Date.parse(edition.publishedAt),
          ],
        ),

    sign: (editionId: string, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT OR IGNORE INTO report_signatures (workspace_id, edition_id, user_id, signed_at)
           SELECT workspace_id, id, ?3, ?4 FROM report_editions WHERE id = ?2 AND workspace_id = ?1`,
        )
        .bind(workspaceId, editionId, actorId, now),
  }
}
