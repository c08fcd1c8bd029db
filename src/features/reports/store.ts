import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { encodeCursor, toPage, type CursorPosition } from '../../http/pagination'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { nameKey, type ListPage } from '../../shared/field-schemas'
import { contentItems, blocksOf, tokenMetrics } from '../../shared/reports/report-items'
import type { ReportKind } from '../../shared/reports/report-kinds'
import { REPORTS_MAX, type ReportContent, type ReportSummary } from '../../shared/reports/reports'

interface SummaryRow extends Pick<
  ReportSummary,
  'id' | 'kind' | 'name' | 'description' | 'ownerId' | 'ownerName' | 'version'
> {
  publication: number
  changed: number
  createdAt: number
  updatedAt: number
  publishedAt: number | null
  archivedAt: number | null
  deletedAt: number | null
}
interface ReportRow extends SummaryRow {
  draft: string
  published: string | null
}

/** A report as it is stored, with everything in it. */
export interface StoredReport extends ReportSummary {
  draft: ReportContent
  published: ReportContent | null
  publication: number
  /** Epoch ms. */
  deletedAt: number | null
  savedAt: number
}

/** `?1` the workspace. */
const columns = (more = '') => `r.id, r.kind, r.name, r.description, r.owner_id AS ownerId, o.name AS ownerName,
    r.version, r.publication, r.draft IS NOT r.published AS changed, r.created_at AS createdAt, r.updated_at AS updatedAt,
    r.published_at AS publishedAt, r.archived_at AS archivedAt, r.deleted_at AS deletedAt${more}
  FROM reports r JOIN users o ON o.id = r.owner_id WHERE r.workspace_id = ?1`
const ROOM = `(SELECT count(*) FROM reports WHERE workspace_id = ?1 AND deleted_at IS NULL) < ${REPORTS_MAX}`

function toSummary(row: SummaryRow): ReportSummary {
  const { publication, archivedAt, changed, createdAt, updatedAt, publishedAt, deletedAt: _gone, ...rest } = row
  return {
    ...rest,
    status: archivedAt !== null ? 'archived' : publication > 0 ? 'published' : 'draft',
    changed: changed === 1,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    publishedAt: toIsoOrNull(publishedAt),
  }
}

/** Our own writing, read back. */
const parseContent = (text: string): ReportContent => JSON.parse(text)
const toReport = ({ draft, published, ...row }: ReportRow): StoredReport => ({
  ...toSummary(row),
  draft: parseContent(draft),
  published: published === null ? null : parseContent(published),
  publication: row.publication,
  deletedAt: row.deletedAt,
  savedAt: row.updatedAt,
})

export interface ReportListQuery {
  q: string
  /** Id of what they show; empty: whatever they show. Of what does not exist for who asks, none. */
  showing: string
  kind: ReportKind | null
  archived: boolean
  /** Those that were never published are among them. */
  drafts: boolean
  after: CursorPosition | null
  limit: number
}

/** The reports of one workspace. Writes are statements for `commit`. */
export const reportStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    /** Deleted ones, too. */
    async get(id: string): Promise<StoredReport | null> {
      const row = await d1
        .prepare(`SELECT ${columns(', r.draft, r.published')} AND r.id = ?2`)
        .bind(workspaceId, id)
        .first<ReportRow>()
      return row && toReport(row)
    },

    /** The newest first. */
    async list({
      q,
      showing,
      kind,
      archived,
      drafts,
      after,
      limit,
    }: ReportListQuery): Promise<ListPage<ReportSummary>> {
      const { results } = await d1
        .prepare(
          `SELECT ${columns()} AND r.deleted_at IS NULL AND (r.archived_at IS NOT NULL) = ?2
             AND (?3 = 1 OR r.publication > 0) AND (?4 IS NULL OR r.kind = ?4) AND (?5 = '' OR instr(r.name_key, ?5) > 0)
             AND (?9 = '' OR (r.id IN (SELECT report_id FROM report_items WHERE item_id = ?9) AND ${isVisibleSql('?9', '?10')}))
             AND (?6 IS NULL OR r.updated_at < ?6 OR (r.updated_at = ?6 AND r.id < ?7))
           ORDER BY r.updated_at DESC, r.id DESC LIMIT ?8`,
        )
        .bind(
          ...[workspaceId, archived ? 1 : 0, drafts ? 1 : 0, kind, nameKey(q)],
          ...[after?.at ?? null, after?.id ?? '', limit + 1, showing],
          showing === '' ? '[]' : await hiddenThings({ d1 }, scope),
        )
        .all<SummaryRow>()
      return toPage(results, {
        limit,
        item: toSummary,
        cursor: ({ updatedAt, id }) => encodeCursor({ at: updatedAt, id }),
      })
    },

    async count(): Promise<number> {
      const counted = d1.prepare('SELECT count(*) AS n FROM reports WHERE workspace_id = ? AND deleted_at IS NULL')
      return (await counted.bind(workspaceId).first<number>('n')) ?? 0
    },

    /** Names that are taken, in the form under which they are unique. */
    async takenNames(): Promise<Set<string>> {
      const { results } = await d1
        .prepare('SELECT name_key FROM reports WHERE workspace_id = ? AND deleted_at IS NULL')
        .bind(workspaceId)
        .all<{ name_key: string }>()
      return new Set(results.map((row) => row.name_key))
    },

    /** Inserts no row when the workspace holds as many reports as it may. */
    insert: ({ id, kind, name, description, draft, ownerId, savedAt }: StoredReport): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO reports (workspace_id, id, kind, name, name_key, description, draft, owner_id, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9 WHERE ${ROOM}`,
        )
        .bind(workspaceId, id, kind, name, nameKey(name), description, JSON.stringify(draft), ownerId, savedAt),

    /** Changes no row when another version is stored. `version` is that before the change. */
    saveDraft: (
      id: string,
      { name, description, content }: { name: string; description: string; content: ReportContent },
      at: { version: number; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE reports SET name = ?4, name_key = ?5, description = ?6, draft = ?7, version = version + 1, updated_at = ?8
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(workspaceId, id, at.version, name, nameKey(name), description, JSON.stringify(content), at.now),

    /** What a draft and a publication show, in place of what they showed before; metrics in texts by their names. */
    saveItems: (id: string, contents: readonly (ReportContent | null)[]): D1PreparedStatement[] => {
      const given = contents.flatMap((content) => content ?? [])
      const items = [...new Set(given.flatMap(contentItems))]
      const names = [...new Set(given.flatMap((content) => tokenMetrics(blocksOf(content))))]
      return [
        d1.prepare('DELETE FROM report_items WHERE report_id = ?').bind(id),
        d1
          .prepare(
            `INSERT OR IGNORE INTO report_items (report_id, item_id) SELECT ?1, value FROM json_each(?2)
             UNION SELECT ?1, metric_id FROM metric_names
               WHERE workspace_id = ?4 AND name_key IN (SELECT value FROM json_each(?3))`,
          )
          .bind(id, JSON.stringify(items), JSON.stringify(names), workspaceId),
      ]
    },

    setArchived: (id: string, archived: boolean, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE reports SET archived_at = ?4, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(workspaceId, id, at.version, archived ? at.now : null),

    remove: (id: string, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE reports SET deleted_at = ?4, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(workspaceId, id, at.version, at.now),

    /** Changes no row when the limit is reached, or it was deleted at or before `since`. */
    restore: (id: string, at: { since: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE reports SET deleted_at = NULL, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND deleted_at > ?3 AND ${ROOM}`,
        )
        .bind(workspaceId, id, at.since),

    /** Of the names that texts call metrics by, those of metrics that do not exist for who asks. */
    async hiddenMetricNames(names: readonly string[]): Promise<string[]> {
      if (names.length === 0) return []
      const { results } = await d1
        .prepare(
          `SELECT name_key FROM metric_names WHERE workspace_id = ?1 AND name_key IN (SELECT value FROM json_each(?2))
             AND metric_id IN (SELECT value FROM json_each(?3))`,
        )
        .bind(workspaceId, JSON.stringify(names), await hiddenThings({ d1 }, scope))
        .all<{ name_key: string }>()
      return results.map(({ name_key }) => name_key)
    },

    /** Of ids and names of metrics, those that are there for who asks. */
    async known(ask: {
      ids: readonly string[]
      names: readonly string[]
    }): Promise<{ ids: Set<string>; names: Set<string> }> {
      const hidden = await hiddenThings({ d1 }, scope)
      const { results } = await d1
        .prepare(
          `WITH asked AS (SELECT value AS id FROM json_each(?2) WHERE value NOT IN (SELECT value FROM json_each(?4)))
           SELECT id AS found, 0 AS named FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT id FROM asked)
           UNION ALL SELECT id, 0 FROM metrics WHERE workspace_id = ?1 AND id IN (SELECT id FROM asked)
           UNION ALL SELECT id, 0 FROM forecasts WHERE workspace_id = ?1 AND id IN (SELECT id FROM asked)
           UNION ALL SELECT id, 0 FROM data_sources WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT id FROM asked)
           UNION ALL SELECT name_key, 1 FROM metric_names WHERE workspace_id = ?1
             AND name_key IN (SELECT value FROM json_each(?3)) AND metric_id NOT IN (SELECT value FROM json_each(?4))`,
        )
        .bind(workspaceId, JSON.stringify(ask.ids), JSON.stringify(ask.names), hidden)
        .all<{ found: string; named: number }>()
      const of = (named: number) => new Set(results.filter((row) => row.named === named).map(({ found }) => found))
      return { ids: of(0), names: of(1) }
    },
  }
}

/** Reports of all workspaces that were deleted at or before an instant, and where their editions are. */
export async function purgeableReports(
  { d1 }: Database,
  at: { before: number; max: number },
): Promise<{ ids: string[]; editions: { id: string; workspaceId: string }[] }> {
  const { results } = await d1
    .prepare(
      `SELECT r.id, r.workspace_id AS workspaceId, e.id AS edition
       FROM (SELECT id, workspace_id FROM reports WHERE deleted_at <= ? LIMIT ?) r
       LEFT JOIN report_editions e ON e.report_id = r.id`,
    )
    .bind(at.before, at.max)
    .all<{ id: string; workspaceId: string; edition: string | null }>()
  return {
    ids: [...new Set(results.map(({ id }) => id))],
    editions: results.flatMap(({ edition, workspaceId }) => (edition === null ? [] : [{ id: edition, workspaceId }])),
  }
}

/** Removes these for good. */
export const purgeReports = ({ d1 }: Database, ids: readonly string[]): Promise<unknown> =>
  d1.prepare('DELETE FROM reports WHERE id IN (SELECT value FROM json_each(?))').bind(JSON.stringify(ids)).run()
