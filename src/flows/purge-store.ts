import type { Database } from '../db/database'

/**
 * Where rows of a workspace lie, leaves first. What hangs on these rows (parts of uploads, fields of insights) goes with
 * them. A test holds this list equal to the tables of the database.
 */
export const WORKSPACE_TABLES = [
  'ai_settings',
  'bot_messages',
  'bot_conversations',
  'bot_settings',
  'bot_terms',
  'bot_verified',
  'access_tokens',
  'connected_apps',
  'metric_names',
  'metrics',
  'access_policies',
  'attribute_values',
  'account_classes',
  'groupings',
  'notes',
  'insight_follows',
  'insight_versions',
  'findings',
  'finding_runs',
  'finding_marks',
  'pilot_enrolments',
  'pilot_feedback',
  'briefing_visits',
  'briefing_marks',
  'briefing_kinds',
  'alert_events',
  'alerts',
  'forecast_runs',
  'forecasts',
  'report_comments',
  'block_subscriptions',
  'report_deliveries',
  'report_recipients',
  'report_schedules',
  'report_bookmarks',
  'report_pictures',
  'report_publications',
  'edition_files',
  'report_signatures',
  'report_editions',
  'report_links',
  'reports',
  'targets',
  'digests',
  'own_rates',
  'currency_settings',
  'insights',
  'categories',
  'connection_drafts',
  'ingest_batches',
  'sync_dead_letters',
  'syncs',
  'connection_tables',
  'connection_streams',
  'connections',
  'runs',
  'datasets',
  'data_sources',
  'uploads',
  'samples',
  'invite_reports',
  'invites',
  'user_groups',
  'ownership_offers',
  'ended_memberships',
  'kept',
  'allowances',
  'outbox',
  'audit',
  'members',
  'subscriptions',
] as const
export type WorkspaceTable = (typeof WORKSPACE_TABLES)[number]
/** Rows that hang on others without going by themselves. */
const CHILD_ROW_DELETES = [
  'DELETE FROM upload_parts WHERE upload_id IN (SELECT id FROM uploads WHERE workspace_id = ?1)',
  'DELETE FROM insight_fields WHERE insight_id IN (SELECT id FROM insights WHERE workspace_id = ?1)',
  'DELETE FROM metric_fields WHERE metric_id IN (SELECT id FROM metrics WHERE workspace_id = ?1)',
  'DELETE FROM report_items WHERE report_id IN (SELECT id FROM reports WHERE workspace_id = ?1)',
  'DELETE FROM group_members WHERE group_id IN (SELECT id FROM user_groups WHERE workspace_id = ?1)',
]

interface StoredUpload {
  id: string
  objectKey: string
}

/** What is left of workspaces that are deleted for good. */
export const purgeStore = ({ d1 }: Database) => ({
  /** Those of which nothing is left but what billing has not ended come last and in turn. */
  async dueWorkspaces(before: number, limit: number): Promise<string[]> {
    const { results } = await d1
      .prepare(
        `SELECT id FROM workspaces w WHERE deleted_at <= ?
         ORDER BY EXISTS (SELECT 1 FROM members WHERE workspace_id = w.id) DESC, deleted_at, random() LIMIT ?`,
      )
      .bind(before, limit)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },

  /** From here on no owner can bring it back: whoever tries in this very moment comes before, or finds nothing. */
  async claim(id: string, before: number): Promise<boolean> {
    const claimed = await d1
      .prepare('UPDATE workspaces SET deleted_at = 0 WHERE id = ? AND deleted_at <= ?')
      .bind(id, before)
      .run()
    return claimed.meta.changes > 0
  },

  async uploads(id: string, limit: number): Promise<StoredUpload[]> {
    const { results } = await d1
      .prepare('SELECT id, object_key AS objectKey FROM uploads WHERE workspace_id = ? LIMIT ?')
      .bind(id, limit)
      .all<StoredUpload>()
    return results
  },

  deleteUploads(uploadIds: string[]): Promise<unknown> {
    const ids = JSON.stringify(uploadIds)
    return d1.batch([
      d1.prepare('DELETE FROM upload_parts WHERE upload_id IN (SELECT value FROM json_each(?))').bind(ids),
      d1.prepare('DELETE FROM uploads WHERE id IN (SELECT value FROM json_each(?))').bind(ids),
    ])
  },

  /** Files that loads were made from. */
  async originals(id: string, limit: number): Promise<string[]> {
    const { results } = await d1
      .prepare('SELECT DISTINCT object_key AS key FROM runs WHERE workspace_id = ? AND object_key IS NOT NULL LIMIT ?')
      .bind(id, limit)
      .all<{ key: string }>()
    return results.map(({ key }) => key)
  },

  forgetOriginals: (id: string, keys: string[]): Promise<unknown> =>
    d1
      .prepare(
        'UPDATE runs SET object_key = NULL WHERE workspace_id = ? AND object_key IN (SELECT value FROM json_each(?))',
      )
      .bind(id, JSON.stringify(keys))
      .run(),

  deleteChildRows: (id: string): Promise<unknown> =>
    d1.batch(CHILD_ROW_DELETES.map((statement) => d1.prepare(statement).bind(id))),

  /** @returns how many rows are gone */
  async deleteRows(table: WorkspaceTable, id: string, limit: number): Promise<number> {
    const gone = await d1
      .prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE workspace_id = ? LIMIT ?)`)
      .bind(id, limit)
      .run()
    return gone.meta.changes
  },

  /** The last rows of a workspace, and the line of the audit log that says so. */
  deleteWorkspace: (id: string, audit: D1PreparedStatement): Promise<unknown> =>
    d1.batch([
      d1.prepare('DELETE FROM subscriptions WHERE workspace_id = ?').bind(id),
      d1.prepare('DELETE FROM workspaces WHERE id = ?').bind(id),
      audit,
    ]),
})
