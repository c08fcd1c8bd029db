import { accessFingerprint, hasFullAccess, type Scope } from '../../scope'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import type { ValidityPeriod } from '../../shared/groupings/groupings'

/** A stored file that a load was made from. */
export interface OriginalFile {
  key: string
  fileName: string
  sourceName: string
  datasetName: string
  startedAt: number
}
export interface ExportedSource {
  id: string
  name: string
  type: string
  datasets: { id: string; name: string }[]
}
export interface ExportedGrouping {
  name: string
  periods: ValidityPeriod[]
  [more: string]: unknown
}
export type ExportRow = Record<string, unknown>

interface ExportQuery {
  /** `?1` is the workspace, followed by what `by` names. The columns are the exported properties, in this order. */
  sql: string
  /** The person who exports; the fingerprint of what they may read. */
  by?: ('actor' | 'rights' | 'all')[]
  /** Columns that hold JSON. */
  json?: string[]
}
interface PagedQuery extends ExportQuery {
  /** Its last parameter is the `cursor` of the row before; the order and the limit are added. */
  pageSize: number
}
/** Columns of instants, which are exported as ISO text. */
const INSTANT_COLUMN = /(At|Until)$/

const SUBJECT_NAME = `CASE t.subject_kind
  WHEN 'metric' THEN (SELECT name FROM metrics WHERE id = t.subject_id AND workspace_id = t.workspace_id)
  ELSE (SELECT name FROM insights WHERE id = t.subject_id AND workspace_id = t.workspace_id) END`

const QUERIES = {
  members: {
    sql: `SELECT u.id, u.name, u.email, m.role, m.status, m.created_at AS joinedAt, m.last_seen_at AS lastSeenAt
      FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ?1 ORDER BY m.created_at, u.id`,
  },
  groups: {
    sql: `SELECT g.id, g.name, g.description, g.color, g.auto_rule AS autoRule,
        (SELECT json_group_array(user_id) FROM group_members WHERE group_id = g.id AND is_member = 1) AS memberIds,
        (SELECT json_group_array(user_id) FROM group_members WHERE group_id = g.id AND is_manager = 1) AS managerIds,
        g.created_at AS createdAt
      FROM user_groups g WHERE g.workspace_id = ?1 AND g.deleted_at IS NULL ORDER BY g.name_key`,
    json: ['autoRule', 'memberIds', 'managerIds'],
  },
  invitations: {
    sql: `SELECT email, role, group_ids AS groupIds, landing, state, invited_by AS invitedBy, created_at AS createdAt,
        expires_at AS expiresAt, accepted_at AS acceptedAt
      FROM invites WHERE workspace_id = ?1 ORDER BY created_at, id`,
    json: ['groupIds'],
  },
  /** What was bought, and what stands on invoices. The invoices themselves are with billing. */
  subscription: {
    sql: `SELECT state, plan_id AS planId, interval, tier, override AS ownLimits, add_ons AS addOns, method,
        trial_ends_at AS trialEndsAt, period_ends_at AS periodEndsAt, cancel_at AS cancelAt, details
      FROM subscriptions WHERE workspace_id = ?1`,
    json: ['ownLimits', 'addOns', 'details'],
  },
  insights: {
    sql: `SELECT i.id, i.name, i.description, i.category_id AS categoryId, i.findings, i.verified_by AS verifiedById,
        i.verified_at AS verifiedAt, i.plan, i.viz AS chart, i.owner_id AS ownerId, u.name AS ownerName,
        i.created_at AS createdAt, i.updated_at AS updatedAt
      FROM insights i JOIN users u ON u.id = i.owner_id
      WHERE i.workspace_id = ?1 AND i.deleted_at IS NULL ORDER BY i.name_key`,
    json: ['plan', 'chart'],
  },
  metrics: {
    sql: `SELECT m.id, m.name, m.description, m.dataset_id AS dataset, m.formula, m.direction, m.currency_mode AS currencyMode,
        m.owner_id AS ownerId, u.name AS ownerName, m.verified_by AS verifiedById, m.synonyms, m.measure, m.filters,
        m.time_field AS time, m.format, m.verified_at AS verifiedAt, m.created_at AS createdAt, m.updated_at AS updatedAt
      FROM metrics m JOIN users u ON u.id = m.owner_id WHERE m.workspace_id = ?1 ORDER BY m.name COLLATE NOCASE, m.id`,
    json: ['synonyms', 'measure', 'filters', 'time', 'format'],
  },
  categories: {
    sql: 'SELECT id, name, icon, position FROM categories WHERE workspace_id = ?1 ORDER BY position, name_key',
  },
  /** What was found by the asker's rights, with what the asker said of it; also of what is found no more. */
  findings: {
    sql: `SELECT f.id, coalesce(f.key, m.key) AS key, f.dataset_id AS dataset, f.about, f.effect,
        f.first_found_at AS firstFoundAt, f.found_at AS foundAt, m.pinned_at AS pinnedAt, m.hidden_at AS hiddenAt, m.rating
      FROM (SELECT * FROM findings WHERE workspace_id = ?1 AND rights = ?2) f
      FULL JOIN (SELECT * FROM finding_marks WHERE workspace_id = ?1 AND user_id = ?3) m ON m.key = f.key
      ORDER BY f.found_at DESC, coalesce(f.key, m.key)`,
    by: ['rights', 'actor'],
    json: ['about', 'effect'],
  },
  alerts: {
    sql: `SELECT t.id, t.name, ${SUBJECT_NAME} AS subjectName, t.owner_id AS ownerId, u.name AS ownerName, t.rules,
        t.receivers AS receiverIds, iif(t.active = 1, 'true', 'false') AS active, t.trouble, t.muted_until AS mutedUntil,
        t.evaluated_at AS evaluatedAt, t.created_at AS createdAt, t.updated_at AS updatedAt
      FROM alerts t JOIN users u ON u.id = t.owner_id WHERE t.workspace_id = ?1 ORDER BY t.name_key`,
    json: ['rules', 'receiverIds', 'active', 'trouble'],
  },
  forecasts: {
    sql: `SELECT f.id, f.name, f.owner_id AS ownerId, u.name AS ownerName, f.settings, f.scenarios, f.thresholds,
        f.created_at AS createdAt, f.updated_at AS updatedAt
      FROM forecasts f JOIN users u ON u.id = f.owner_id WHERE f.workspace_id = ?1 ORDER BY f.name_key`,
    json: ['settings', 'scenarios', 'thresholds'],
  },
  followedInsights: {
    sql: `SELECT i.id, i.name FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
      WHERE f.workspace_id = ?1 AND f.user_id = ?2 ORDER BY i.name_key`,
    by: ['actor'],
  },
  reportBookmarks: {
    sql: `SELECT r.name AS report, b.name, b.search, b.created_at AS createdAt
      FROM report_bookmarks b JOIN reports r ON r.id = b.report_id AND r.deleted_at IS NULL
      WHERE b.workspace_id = ?1 AND b.user_id = ?2 ORDER BY r.name_key, b.name COLLATE NOCASE`,
    by: ['actor'],
  },
  blockSubscriptions: {
    sql: `SELECT r.name AS report, s.block_id AS block, s.cadence, s.created_at AS createdAt
      FROM block_subscriptions s JOIN reports r ON r.id = s.report_id AND r.deleted_at IS NULL
      WHERE s.workspace_id = ?1 AND s.user_id = ?2 ORDER BY r.name_key, s.block_id`,
    by: ['actor'],
  },
  /** One's own, and the workspace's. */
  earlyAccess: {
    sql: `SELECT feature, state, iif(user_id IS NULL, 'workspace', 'you') AS "for", updated_at AS changedAt
      FROM pilot_enrolments WHERE workspace_id = ?1 AND (user_id IS NULL OR user_id = ?2) ORDER BY feature, "for"`,
    by: ['actor'],
  },
  pilotFeedback: {
    sql: 'SELECT feature, score, body AS text FROM pilot_feedback WHERE workspace_id = ?1 AND user_id = ?2 ORDER BY feature',
    by: ['actor'],
  },
  briefingMarks: {
    sql: `SELECT key, read_at AS readAt, snoozed_until AS snoozedUntil FROM briefing_marks
      WHERE workspace_id = ?1 AND user_id = ?2 ORDER BY key`,
    by: ['actor'],
  },
  briefingKinds: {
    sql: 'SELECT kind FROM briefing_kinds WHERE workspace_id = ?1 AND user_id = ?2 ORDER BY kind',
    by: ['actor'],
  },
  botTerms: {
    sql: `SELECT t.term, t.synonyms, t.definition, t.means, t.measure, t.filters, t.updated_at AS updatedAt
      FROM bot_terms t WHERE t.workspace_id = ?1 ORDER BY t.term_key`,
    json: ['synonyms', 'measure', 'filters'],
  },
  botVerified: {
    sql: `SELECT v.question, v.plan, v.viz AS chart, v.verified_by AS verifiedById, v.verified_at AS verifiedAt
      FROM bot_verified v WHERE v.workspace_id = ?1 ORDER BY v.question_key`,
    json: ['plan', 'chart'],
  },
  botSettings: { sql: 'SELECT retention_days AS retentionDays FROM bot_settings WHERE workspace_id = ?1' },
  languageModel: {
    sql: `SELECT iif(model = 1, 'true', 'false') AS languageModel, iif(row_values = 1, 'true', 'false') AS languageModelReadsValues,
        endpoint AS languageModelEndpoint
      FROM ai_settings WHERE workspace_id = ?1`,
    json: ['languageModel', 'languageModelReadsValues', 'languageModelEndpoint'],
  },
  /** Where rows come from. What lets us in is no part of it. */
  connections: {
    sql: `SELECT c.source_id AS sourceId, s.name AS source, c.kind, c.settings, c.frequency_hours AS frequencyHours,
        iif(c.paused = 1, 'true', 'false') AS paused, c.failure, c.synced_at AS syncedAt, c.succeeded_at AS succeededAt,
        (SELECT json_group_array(json_object('key', t.key, 'label', t.stream ->> 'label', 'mode', t.mode))
          FROM connection_streams t WHERE t.source_id = c.source_id) AS streams,
        (SELECT json_group_array(json_object('stream', d.stream_key, 'name', d.name, 'dataset', d.dataset_id))
          FROM connection_tables d WHERE d.source_id = c.source_id) AS tables
      FROM connections c JOIN data_sources s ON s.id = c.source_id AND s.deleted_at IS NULL
      WHERE c.workspace_id = ?1 ORDER BY s.name_key`,
    json: ['settings', 'paused', 'failure', 'streams', 'tables'],
  },
  digests: { sql: 'SELECT cadence FROM digests WHERE workspace_id = ?1 AND user_id = ?2', by: ['actor'] },
} satisfies Record<string, ExportQuery>

const PAGED_QUERIES = {
  notes: {
    sql: `SELECT n.rowid AS cursor, n.id, n.insight_id AS insightId, i.name AS insight, n.bucket, n.grain, n.body,
        n.author_id AS authorId, u.name AS author, n.mentions AS mentionedIds, n.created_at AS createdAt, n.edited_at AS editedAt
      FROM notes n JOIN users u ON u.id = n.author_id JOIN insights i ON i.id = n.insight_id AND i.deleted_at IS NULL
      WHERE n.workspace_id = ?1 AND n.rowid > ?2`,
    json: ['mentionedIds'],
    pageSize: 500,
  },
  /** Those that were written by other rights than the asker's are left out. */
  reportComments: {
    sql: `SELECT c.rowid AS cursor, c.id, c.report_id AS reportId, r.name AS report, c.block_id AS block, c.body,
        c.author_id AS authorId, u.name AS author, c.mentions AS mentionedIds, c.created_at AS createdAt,
        c.edited_at AS editedAt, c.resolved_at AS resolvedAt
      FROM report_comments c JOIN users u ON u.id = c.author_id JOIN reports r ON r.id = c.report_id AND r.deleted_at IS NULL
      WHERE c.workspace_id = ?1 AND (c.rights = ?2 OR ?3 = '1') AND c.rowid > ?4`,
    by: ['rights', 'all'],
    json: ['mentionedIds'],
    pageSize: 500,
  },
  insightVersions: {
    sql: `SELECT v.rowid AS cursor, v.insight_id AS insightId, v.version, v.name, v.description, v.saved_by AS savedById,
        u.name AS savedBy, v.restored_from AS restoredFrom, v.plan, v.viz AS chart, v.saved_at AS savedAt
      FROM insight_versions v JOIN users u ON u.id = v.saved_by
      JOIN insights i ON i.id = v.insight_id AND i.deleted_at IS NULL WHERE v.workspace_id = ?1 AND v.rowid > ?2`,
    json: ['plan', 'chart'],
    pageSize: 50,
  },
  reports: {
    sql: `SELECT r.rowid AS cursor, r.id, r.kind, r.name, r.description, r.owner_id AS ownerId, u.name AS ownerName, r.draft,
        r.published, r.publication, r.published_at AS publishedAt, r.archived_at AS archivedAt, r.created_at AS createdAt,
        r.updated_at AS updatedAt
      FROM reports r JOIN users u ON u.id = r.owner_id
      WHERE r.workspace_id = ?1 AND r.deleted_at IS NULL AND r.rowid > ?2`,
    json: ['draft', 'published'],
    // Each may be some hundred kilobytes.
    pageSize: 10,
  },
  // What they hold is exported by those who may open them; this says that they are there.
  reportEditions: {
    sql: `SELECT e.rowid AS cursor, e.report_id AS reportId, e.n, e.period, e.note, e.audience, e.hash,
        e.published_by AS publishedById, u.name AS publishedBy, e.published_at AS publishedAt,
        (SELECT json_group_array(json_object('userId', s.user_id, 'signedAt', s.signed_at))
          FROM report_signatures s WHERE s.edition_id = e.id) AS signatures
      FROM report_editions e JOIN users u ON u.id = e.published_by
      JOIN reports r ON r.id = e.report_id AND r.deleted_at IS NULL WHERE e.workspace_id = ?1 AND e.rowid > ?2`,
    json: ['signatures'],
    pageSize: 200,
  },
  // Whom they were given to; nothing that opens them.
  reportLinks: {
    sql: `SELECT l.rowid AS cursor, l.id, l.report_id AS reportId, l.name, json_remove(l.terms, '$.filters') AS terms, u.name AS createdBy,
        l.created_at AS createdAt, l.expires_at AS expiresAt, l.ended_at AS endedAt, l.views,
        l.last_viewed_at AS lastViewedAt, l.passcode_hash IS NOT NULL AS passcode
      FROM report_links l JOIN users u ON u.id = l.created_by
      JOIN reports r ON r.id = l.report_id AND r.deleted_at IS NULL WHERE l.workspace_id = ?1 AND l.rowid > ?2`,
    json: ['terms'],
    pageSize: 200,
  },
  syncs: {
    sql: `SELECT y.rowid AS cursor, y.source_id AS sourceId, y."trigger", y.state, y.started_at AS startedAt,
        y.finished_at AS finishedAt, y.rows_read AS rowsRead, y.rows_written AS rowsWritten,
        y.rows_rejected AS rowsRejected, y.bytes_read AS bytesRead, y.error
      FROM syncs y JOIN data_sources s ON s.id = y.source_id AND s.deleted_at IS NULL
      WHERE y.workspace_id = ?1 AND y.rowid > ?2`,
    json: ['error'],
    pageSize: 500,
  },
  reportSchedules: {
    sql: `SELECT s.rowid AS cursor, s.report_id AS reportId, s.content, s.owner_id AS ownerId, u.name AS owner, s.paused,
        s.next_at AS nextAt FROM report_schedules s JOIN users u ON u.id = s.owner_id
      JOIN reports r ON r.id = s.report_id AND r.deleted_at IS NULL WHERE s.workspace_id = ?1 AND s.rowid > ?2`,
    json: ['content'],
    pageSize: 200,
  },
  reportPublications: {
    sql: `SELECT p.rowid AS cursor, p.report_id AS reportId, p.n, p.note, p.published_by AS publishedById,
        u.name AS publishedBy, p.content, p.published_at AS publishedAt
      FROM report_publications p JOIN users u ON u.id = p.published_by
      JOIN reports r ON r.id = p.report_id AND r.deleted_at IS NULL WHERE p.workspace_id = ?1 AND p.rowid > ?2`,
    json: ['content'],
    pageSize: 10,
  },
  targets: {
    sql: `SELECT t.rowid AS cursor, json_object('kind', t.subject_kind, 'id', t.subject_id, 'name', ${SUBJECT_NAME}) AS subject,
        t.grain, u.name AS updatedBy, t.by_field AS "by", t.lines, t.updated_at AS updatedAt
      FROM targets t LEFT JOIN users u ON u.id = t.updated_by WHERE t.workspace_id = ?1 AND t.rowid > ?2`,
    json: ['subject', 'by', 'lines'],
    pageSize: 50,
  },
  /** Labels and values that were read by other rights than the asker's are left out. */
  alertEvents: {
    sql: `SELECT e.rowid AS cursor, e.at, a.name AS alert, e.kind, u.name AS "by",
        iif(e.rights IN ('', ?2), e.label, NULL) AS label, e.period, iif(e.rights = ?2, e.value, NULL) AS value
      FROM alert_events e JOIN alerts a ON a.id = e.alert_id LEFT JOIN users u ON u.id = e.actor_id
      WHERE e.workspace_id = ?1 AND e.rowid > ?3`,
    by: ['rights'],
    pageSize: 1_000,
  },
  forecastRuns: {
    sql: `SELECT r.rowid AS cursor, f.name, r.number, r.finished_at, r.said FROM forecast_runs r
      JOIN forecasts f ON f.id = r.forecast_id
      WHERE r.workspace_id = ?1 AND r.rights = ?2 AND r.said IS NOT NULL AND r.rowid > ?3`,
    by: ['rights'],
    // Each is some kilobytes.
    pageSize: 100,
  },
} satisfies Record<string, PagedQuery>

/** A row as it is exported: instants as ISO text, JSON as values. */
const exportedRow = (row: ExportRow, json: readonly string[]): ExportRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]): [string, unknown] => {
      if (typeof value === 'number' && INSTANT_COLUMN.test(column)) return [column, toIso(value)]
      return [column, typeof value === 'string' && json.includes(column) ? JSON.parse(value) : value]
    }),
  )

/** What one workspace is, beside its rows: as plain data to be written down. Nothing here opens anything. */
export const exportStore = ({ d1 }: Database, scope: Scope) => {
  const known = { actor: scope.actorId, rights: accessFingerprint(scope), all: hasFullAccess(scope) ? '1' : '0' }
  const parametersOf = ({ by = [] }: ExportQuery): string[] => [scope.workspaceId, ...by.map((name) => known[name])]

  async function rows(name: keyof typeof QUERIES): Promise<ExportRow[]> {
    const query: ExportQuery = QUERIES[name]
    const statement = d1.prepare(query.sql).bind(...parametersOf(query))
    const { results } = await statement.all<ExportRow>()
    return results.map((row) => exportedRow(row, query.json ?? []))
  }

  /** Everything as it is stored, a page at a time. */
  async function* pages<T>(name: keyof typeof PAGED_QUERIES): AsyncGenerator<T[], undefined> {
    const query: PagedQuery = PAGED_QUERIES[name]
    const statement = d1.prepare(`${query.sql} ORDER BY cursor LIMIT ${query.pageSize}`)
    for (let after = 0; ;) {
      const { results } = await statement.bind(...parametersOf(query), after).all<T & { cursor: number }>()
      yield results
      const last = results.at(-1)
      if (!last || results.length < query.pageSize) return undefined
      after = last.cursor
    }
  }

  return {
    rows,
    pages,

    /** The rows of a paged query as they are exported. */
    async *exportedPages(name: keyof typeof PAGED_QUERIES): AsyncGenerator<ExportRow[]> {
      const { json = [] }: PagedQuery = PAGED_QUERIES[name]
      for await (const page of pages<ExportRow>(name))
        yield page.map(({ cursor: _cursor, ...row }) => exportedRow(row, json))
    },

    async sources(): Promise<ExportedSource[]> {
      const { results } = await d1
        .prepare(
          `SELECT s.id, s.name, s.type,
             (SELECT json_group_array(json_object('id', d.id, 'name', d.name)) FROM datasets d WHERE d.source_id = s.id) AS datasets
           FROM data_sources s WHERE s.workspace_id = ? AND s.deleted_at IS NULL ORDER BY s.name_key`,
        )
        .bind(scope.workspaceId)
        .all<{ id: string; name: string; type: string; datasets: string }>()
      return results.map((row) => ({ ...row, datasets: JSON.parse(row.datasets) }))
    },

    async groupings(): Promise<ExportedGrouping[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, description, kind, name, target, fallback, eras, created_at AS createdAt
           FROM groupings WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY name_key`,
        )
        .bind(scope.workspaceId)
        .all<{ name: string; eras: string; createdAt: number }>()
      return results.map(({ eras, createdAt, ...row }) => ({
        ...exportedRow(row, ['target', 'fallback']),
        name: row.name,
        periods: JSON.parse(eras),
        createdAt: toIso(createdAt),
      }))
    },

    /** Files that are still kept, each once, the newest first within a source. */
    async originals(): Promise<OriginalFile[]> {
      const { results } = await d1
        .prepare(
          `SELECT r.object_key AS key, r.file_name AS fileName, s.name AS sourceName, d.name AS datasetName,
             max(r.started_at) AS startedAt
           FROM runs r JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
           JOIN datasets d ON d.id = r.dataset_id
           WHERE r.workspace_id = ? AND r.object_key IS NOT NULL AND r.state = 'succeeded'
           GROUP BY r.object_key ORDER BY s.name_key, startedAt DESC`,
        )
        .bind(scope.workspaceId)
        .all<OriginalFile>()
      return results
    },

    /** Whether the person holds what they held when it began, and still runs the workspace. */
    async isStillAdmin(): Promise<boolean> {
      const [person = '', member = ''] = scope.wire().epoch.split('.')
      const row = await d1
        .prepare(
          `SELECT 1 AS found FROM members m
           JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.epoch = ?3
           JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
           WHERE m.workspace_id = ?1 AND m.user_id = ?2 AND m.epoch = ?4 AND m.status = 'active'
             AND m.role IN ('owner', 'admin')`,
        )
        .bind(scope.workspaceId, scope.actorId, Number(person), Number(member))
        .first()
      return row !== null
    },
  }
}
