import { Scope } from '../identity/scope'
import { auditStatement } from '../db/commit'
import type { Deps } from '../deps'
import { cancelAllSubscriptions } from '../features/billing/reconcile'
import { DELETED_RETENTION_MS } from '../shared/limits'

/** Workspaces that one round begins or goes on with. */
const WORKSPACES_MAX = 3
const OBJECTS_PER_SLICE = 100
const ROWS_PER_SLICE = 500
/** A round stops after so many slices; the next one goes on. */
const SLICES_MAX = 200

/**
 * Where rows of a workspace lie, leaves first. What hangs on these rows (parts of uploads, fields of insights) goes with
 * them. A test holds this list equal to the tables of the database.
 */
export const WORKSPACE_TABLES = [
  'metric_names',
  'metrics',
  'account_classes',
  'groupings',
  'notes',
  'insight_follows',
  'insight_versions',
  'findings',
  'finding_runs',
  'finding_marks',
  'alert_events',
  'alerts',
  'forecast_runs',
  'forecasts',
  'targets',
  'digests',
  'own_rates',
  'currency_settings',
  'insights',
  'categories',
  'runs',
  'datasets',
  'data_sources',
  'uploads',
  'samples',
  'invites',
  'user_groups',
  'ownership_offers',
  'kept',
  'allowances',
  'outbox',
  'audit',
  'members',
  'subscriptions',
] as const
const BEFORE_BILLING = WORKSPACE_TABLES.filter((table) => table !== 'subscriptions')
/** Rows that hang on others without going by themselves. */
const CHILD_ROW_DELETES = [
  'DELETE FROM upload_parts WHERE upload_id IN (SELECT id FROM uploads WHERE workspace_id = ?1)',
  'DELETE FROM insight_fields WHERE insight_id IN (SELECT id FROM insights WHERE workspace_id = ?1)',
  'DELETE FROM metric_fields WHERE metric_id IN (SELECT id FROM metrics WHERE workspace_id = ?1)',
  'DELETE FROM group_members WHERE group_id IN (SELECT id FROM user_groups WHERE workspace_id = ?1)',
]

/**
 * Removes for good what was deleted 30 days ago: files, then the rows of the warehouse, then every entry. In slices, each
 * of which may be done twice: a round that dies is gone on with by the next. Those of which nothing is left but what billing
 * has not ended come last and in turn, so that they hold up no other.
 */
export async function purgeWorkspaces(deps: Deps): Promise<void> {
  const before = deps.clock.now() - DELETED_RETENTION_MS
  const { results } = await deps.db.d1
    .prepare(
      `SELECT id FROM workspaces w WHERE deleted_at <= ?
       ORDER BY EXISTS (SELECT 1 FROM members WHERE workspace_id = w.id) DESC, deleted_at, random() LIMIT ?`,
    )
    .bind(before, WORKSPACES_MAX)
    .all<{ id: string }>()
  const budget = { slices: SLICES_MAX }
  for (const { id } of results) if (await claimForPurge(deps, id, before)) await purgeWorkspace(deps, id, budget)
}

/** From here on no owner can bring it back: whoever tries in this very moment comes before, or finds nothing. */
async function claimForPurge(deps: Deps, id: string, before: number): Promise<boolean> {
  const claimed = await deps.db.d1
    .prepare('UPDATE workspaces SET deleted_at = 0 WHERE id = ? AND deleted_at <= ?')
    .bind(id, before)
    .run()
  return claimed.meta.changes > 0
}

interface PurgeBudget {
  slices: number
}
type PurgeSlice = (deps: Deps, id: string) => Promise<boolean>

/** Each part is repeated until it says that nothing is left. */
async function purgeWorkspace(deps: Deps, id: string, purgeBudget: PurgeBudget): Promise<void> {
  const parts: PurgeSlice[] = [dropUploads, dropOriginals, eraseRows, dropChildRows, ...BEFORE_BILLING.map(dropRows)]
  for (const part of parts) {
    let more = true
    while (more) {
      if (purgeBudget.slices-- <= 0) return
      more = await part(deps, id)
    }
  }
  // Its row names the customer: it goes last, once nobody is charged any more.
  if (!(await cancelAllSubscriptions(deps, id))) return
  await deps.db.d1.batch([
    deps.db.d1.prepare('DELETE FROM subscriptions WHERE workspace_id = ?').bind(id),
    deps.db.d1.prepare('DELETE FROM workspaces WHERE id = ?').bind(id),
    await auditStatement(
      deps,
      { workspaceId: null, actorId: null, action: 'workspace.purge', entity: 'workspace', entityId: id },
      deps.clock.now(),
    ),
  ])
}

interface Upload {
  id: string
  objectKey: string
  multipartId: string | null
}

/** Files on their way, and what was taken out of them. */
async function dropUploads(deps: Deps, id: string): Promise<boolean> {
  const { d1 } = deps.db
  const { results } = await d1
    .prepare(
      'SELECT id, object_key AS objectKey, multipart_id AS multipartId FROM uploads WHERE workspace_id = ? LIMIT ?',
    )
    .bind(id, OBJECTS_PER_SLICE)
    .all<Upload>()
  for (const { objectKey, multipartId } of results) {
    // Joined or given up before: there is nothing to abort.
    if (multipartId !== null)
      await deps.files
        .resumeMultipartUpload(objectKey, multipartId)
        .abort()
        .catch(() => undefined)
    const { objects } = await deps.files.list({ prefix: `${objectKey}/` })
    await deps.files.delete([objectKey, ...objects.map(({ key }) => key)])
  }
  const ids = JSON.stringify(results.map((upload) => upload.id))
  await d1.batch([
    d1.prepare('DELETE FROM upload_parts WHERE upload_id IN (SELECT value FROM json_each(?))').bind(ids),
    d1.prepare('DELETE FROM uploads WHERE id IN (SELECT value FROM json_each(?))').bind(ids),
  ])
  return results.length === OBJECTS_PER_SLICE
}

/** Files that loads were made from. */
async function dropOriginals(deps: Deps, id: string): Promise<boolean> {
  const { d1 } = deps.db
  const { results } = await d1
    .prepare('SELECT DISTINCT object_key AS key FROM runs WHERE workspace_id = ? AND object_key IS NOT NULL LIMIT ?')
    .bind(id, OBJECTS_PER_SLICE)
    .all<{ key: string }>()
  if (results.length === 0) return false
  const keys = results.map(({ key }) => key)
  await deps.files.delete(keys)
  await d1
    .prepare(
      'UPDATE runs SET object_key = NULL WHERE workspace_id = ? AND object_key IN (SELECT value FROM json_each(?))',
    )
    .bind(id, JSON.stringify(keys))
    .run()
  return results.length === OBJECTS_PER_SLICE
}

async function eraseRows(deps: Deps, id: string): Promise<boolean> {
  await deps.warehouse(Scope.forSystem(id)).erase()
  return false
}

async function dropChildRows(deps: Deps, id: string): Promise<boolean> {
  await deps.db.d1.batch(CHILD_ROW_DELETES.map((statement) => deps.db.d1.prepare(statement).bind(id)))
  return false
}

const dropRows =
  (table: (typeof WORKSPACE_TABLES)[number]): PurgeSlice =>
  async (deps, id) => {
    const gone = await deps.db.d1
      .prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE workspace_id = ? LIMIT ?)`)
      .bind(id, ROWS_PER_SLICE)
      .run()
    return gone.meta.changes >= ROWS_PER_SLICE
  }
