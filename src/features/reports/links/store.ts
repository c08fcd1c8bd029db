import type { ShownContent } from './shown'
import type { DataRights, Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import { toIso, toIsoOrNull } from '../../../lib/iso'
import { LINKS_PER_REPORT_MAX, type LinkTerms, type ReportLink } from '../../../shared/reports/links'
import type { ReportKind } from '../../../shared/reports/report-kinds'
import type { ReportContent } from '../../../shared/reports/reports'

interface LinkRow extends Pick<
  ReportLink,
  'id' | 'reportId' | 'reportName' | 'reportKind' | 'name' | 'createdBy' | 'createdByName' | 'views'
> {
  passcode: number
  terms: string
  createdAt: number
  expiresAt: number
  endedAt: number | null
  lastViewedAt: number | null
  /** Whether the report can be seen by its readers. */
  isShown: number
  content: string | null
}
/** A link as its list needs it. */
export interface ListedLink extends Omit<LinkRow, 'terms' | 'passcode' | 'isShown' | 'content'> {
  passcode: boolean
  terms: LinkTerms
  isShown: boolean
  /** What was shared; null for links from before it was kept. */
  content: ShownContent | null
}

/** `?1` the workspace. */
const SELECT = `SELECT l.id, l.report_id AS reportId, r.name AS reportName, r.kind AS reportKind, l.name,
    l.created_by AS createdBy, u.name AS createdByName, l.views, l.passcode_hash IS NOT NULL AS passcode, l.terms,
    l.created_at AS createdAt, l.expires_at AS expiresAt, l.ended_at AS endedAt, l.last_viewed_at AS lastViewedAt,
    r.archived_at IS NULL AND r.publication > 0 AS isShown, l.shown AS content
  FROM report_links l JOIN reports r ON r.id = l.report_id AND r.deleted_at IS NULL JOIN users u ON u.id = l.created_by
  WHERE l.workspace_id = ?1`

/** Our own writing, read back. */
const parseTerms = (text: string): LinkTerms => JSON.parse(text)
const parseShown = (text: string | null): ShownContent | null => (text === null ? null : JSON.parse(text))
const toListed = ({ passcode, terms, isShown, content, ...row }: LinkRow): ListedLink => ({
  ...row,
  passcode: passcode === 1,
  terms: parseTerms(terms),
  isShown: isShown === 1,
  content: parseShown(content),
})

/** Without what depends on who made it, and on the plan. */
export const toReportLink = (
  { terms, isShown: _shown, content: _content, createdAt, expiresAt, endedAt, lastViewedAt, ...row }: ListedLink,
  { state, changed = false }: { state: ReportLink['state']; changed?: boolean },
): ReportLink => ({
  ...row,
  state,
  changed,
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
  endedAt: toIsoOrNull(endedAt),
  lastViewedAt: toIsoOrNull(lastViewedAt),
  download: terms.download,
  origins: terms.origins,
  edition: terms.edition,
  narrowed: terms.filters.some(({ filter }) => filter !== null),
})

export interface NewLink {
  id: string
  reportId: string
  name: string
  tokenHash: string
  passcodeHash: string | null
  terms: LinkTerms
  rights: DataRights
  /** Null for an edition: it never changes. */
  shown: ShownContent | null
  now: number
  expiresAt: number
}

/** Links to reports of one workspace. Writes are statements for `commit`. */
export const reportLinkStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /** Of one report or of all, the newest first; those that ended long ago are gone. */
  async list(report: string | null): Promise<ListedLink[]> {
    const { results } = await d1
      .prepare(`${SELECT} AND (?2 IS NULL OR l.report_id = ?2) ORDER BY l.created_at DESC, l.id LIMIT 500`)
      .bind(workspaceId, report)
      .all<LinkRow>()
    return results.map(toListed)
  },

  async get(id: string): Promise<ListedLink | null> {
    const row = await d1.prepare(`${SELECT} AND l.id = ?2`).bind(workspaceId, id).first<LinkRow>()
    return row && toListed(row)
  },

  /** Adds no row when the report has as many as it may, or is not there for its readers. */
  insert: (link: NewLink): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO report_links (workspace_id, id, report_id, name, token_hash, passcode_hash, terms, rights, created_by,
           created_at, expires_at, shown)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12
         WHERE (SELECT count(*) FROM report_links WHERE report_id = ?3 AND ended_at IS NULL AND expires_at > ?10)
             < ${LINKS_PER_REPORT_MAX}
           AND EXISTS (SELECT 1 FROM reports WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL
             AND archived_at IS NULL AND publication > 0)`,
      )
      .bind(
        ...[workspaceId, link.id, link.reportId, link.name, link.tokenHash, link.passcodeHash],
        ...[JSON.stringify(link.terms), JSON.stringify(link.rights), actorId, link.now, link.expiresAt],
        link.shown && JSON.stringify(link.shown),
      ),

  /** Changes no row when it has ended. */
  end: (id: string, now: number): D1PreparedStatement =>
    d1
      .prepare('UPDATE report_links SET ended_at = ?3 WHERE workspace_id = ?1 AND id = ?2 AND ended_at IS NULL')
      .bind(workspaceId, id, now),

  /** What it shows is what is there now: its maker says so. Changes no row when it has ended. */
  confirm: (id: string, shown: ShownContent): D1PreparedStatement =>
    d1
      .prepare('UPDATE report_links SET shown = ?3 WHERE workspace_id = ?1 AND id = ?2 AND ended_at IS NULL')
      .bind(workspaceId, id, JSON.stringify(shown)),

  /** The same of all links to a report that the actor made, as they publish it. */
  confirmOwn: (report: string, shown: ShownContent): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_links SET shown = ?4
         WHERE workspace_id = ?1 AND report_id = ?2 AND created_by = ?3 AND ended_at IS NULL`,
      )
      .bind(workspaceId, report, actorId, JSON.stringify(shown)),

  /** @param shown what is there now, where everybody who might have changed it sees what it shows */
  async countView(id: string, { now, shown }: { now: number; shown: ShownContent | null }): Promise<void> {
    await d1
      .prepare(
        `UPDATE report_links SET views = views + 1, last_viewed_at = ?3,
           shown = CASE WHEN (SELECT access_epoch FROM workspaces WHERE id = ?1) = 0 THEN coalesce(?4, shown) ELSE shown END
         WHERE workspace_id = ?1 AND id = ?2`,
      )
      .bind(workspaceId, id, now, shown && JSON.stringify(shown))
      .run()
  },
})

/** What a token opens, before it is known whether it still may. */
export interface FoundLink {
  id: string
  workspaceId: string
  createdBy: string
  passcodeHash: string | null
  terms: LinkTerms
  rights: DataRights
  /** What was shared; null for links from before it was kept. */
  shown: ShownContent | null
  /** Nobody ever wrote a rule of access: everybody who edits sees what it shows, and it follows what they do. */
  isFollowing: boolean
  report: { id: string; kind: ReportKind; name: string; description: string; published: ReportContent }
}

/** Null for a token that never was, or whose link or report is over. */
export async function findLink(
  { d1 }: Database,
  { tokenHash, now }: { tokenHash: string; now: number },
): Promise<FoundLink | null> {
  const row = await d1
    .prepare(
      `SELECT l.id, l.workspace_id AS workspaceId, l.created_by AS createdBy, l.passcode_hash AS passcodeHash, l.terms,
         l.rights, l.shown, w.access_epoch AS accessEpoch, r.id AS reportId, r.kind, r.name, r.description, r.published
       FROM report_links l JOIN reports r ON r.id = l.report_id JOIN workspaces w ON w.id = l.workspace_id
       WHERE l.token_hash = ?1 AND l.ended_at IS NULL AND l.expires_at > ?2
         AND r.deleted_at IS NULL AND r.archived_at IS NULL AND r.publication > 0`,
    )
    .bind(tokenHash, now)
    .first<{
      id: string
      workspaceId: string
      createdBy: string
      passcodeHash: string | null
      terms: string
      rights: string
      shown: string | null
      accessEpoch: number
      reportId: string
      kind: ReportKind
      name: string
      description: string
      published: string
    }>()
  if (!row) return null
  const { id, workspaceId, createdBy, passcodeHash, kind, name, description } = row
  const rights: DataRights = JSON.parse(row.rights)
  const published: ReportContent = JSON.parse(row.published)
  const report = { id: row.reportId, kind, name, description, published }
  const follows = { shown: parseShown(row.shown), isFollowing: row.accessEpoch === 0 }
  return { ...follows, id, workspaceId, createdBy, passcodeHash, terms: parseTerms(row.terms), rights, report }
}

/** Removes links of all workspaces that opened nothing since an instant. */
export const purgeLinks = ({ d1 }: Database, at: { before: number; max: number }): Promise<unknown> =>
  d1
    .prepare('DELETE FROM report_links WHERE rowid IN (SELECT rowid FROM report_links WHERE expires_at <= ? LIMIT ?)')
    .bind(at.before, at.max)
    .run()
