import { reconcileRun } from './run-recovery'
import { runStore } from './store'
import { Scope } from '../identity/scope'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import { DELETED_RETENTION_MS, ORIGINAL_FILES_RETAINED } from '../shared/limits'

const BATCH = 50
/** How long after a change the warehouse is told again, in case it was not there to hear it. */
const RESEND_WINDOW_MS = 5 * 60 * 1000
/** An original that no version needs stays this long, for a retry. */
const UNNEEDED_KEPT_MS = 24 * 60 * 60 * 1000

/** The system's own scope over one workspace: it cleans, and shows nothing to anybody. */
const systemScope = (workspaceId: string, userId: string): Scope =>
  Scope.forJob({ workspaceId, userId, epoch: 'sweep' })

/** Unfinished runs, looked at as a person who waits for them would: those that nobody works on become interrupted. */
export async function reconcileRuns(deps: Deps): Promise<void> {
  const { results } = await deps.db.d1
    .prepare(
      "SELECT id, workspace_id, actor_id FROM runs WHERE state IN ('queued', 'running') ORDER BY started_at LIMIT ?",
    )
    .bind(BATCH)
    .all<{ id: string; workspace_id: string; actor_id: string }>()
  for (const { id, workspace_id, actor_id } of results) {
    const scope = systemScope(workspace_id, actor_id)
    const run = await runStore(deps.db, scope).get(id)
    if (run) await reconcileRun(deps, scope, run)
  }
}

interface ChangedDataset {
  id: string
  workspace_id: string
  owner_id: string
  deleted_at: number | null
}

/** Tells the warehouse again what was deleted or restored lately: the two writes cannot be one. */
export async function resendChangedDatasets(deps: Deps): Promise<void> {
  const since = deps.clock.now() - RESEND_WINDOW_MS
  const { results } = await deps.db.d1
    .prepare(
      `SELECT d.id, d.workspace_id, s.owner_id, s.deleted_at FROM data_sources s JOIN datasets d ON d.source_id = s.id
       WHERE s.updated_at >= ? AND s.version > 1 LIMIT ?`,
    )
    .bind(since, BATCH)
    .all<ChangedDataset>()
  for (const dataset of results) {
    const warehouse = deps.warehouse(systemScope(dataset.workspace_id, dataset.owner_id))
    await ignoreNotFound(
      dataset.deleted_at === null
        ? warehouse.restoreDataset(dataset.id)
        : warehouse.deleteDataset({ datasetId: dataset.id, purge: false }),
    )
  }
}

// One file may have been loaded into several datasets.
const EXCLUSIVE_OBJECT_KEYS = `
SELECT DISTINCT object_key AS key FROM runs WHERE dataset_id = ?1 AND object_key IS NOT NULL
  AND object_key NOT IN (SELECT object_key FROM runs WHERE dataset_id <> ?1 AND object_key IS NOT NULL)`

/** Removes for good what was deleted 30 days ago: rows, originals, then the entries. */
export async function purgeDeletedDatasets(deps: Deps): Promise<void> {
  const { d1 } = deps.db
  const { results } = await d1
    .prepare(
      `SELECT d.id, s.id AS source_id, d.workspace_id, s.owner_id, s.deleted_at
       FROM data_sources s JOIN datasets d ON d.source_id = s.id WHERE s.deleted_at <= ? LIMIT ?`,
    )
    .bind(deps.clock.now() - DELETED_RETENTION_MS, BATCH)
    .all<ChangedDataset & { source_id: string }>()
  for (const { id, source_id, workspace_id, owner_id } of results) {
    await ignoreNotFound(
      deps.warehouse(systemScope(workspace_id, owner_id)).deleteDataset({ datasetId: id, purge: true }),
    )
    const { results: kept } = await d1.prepare(EXCLUSIVE_OBJECT_KEYS).bind(id).all<{ key: string }>()
    for (const { key } of kept) await deps.files.delete(key)
    await d1.batch([
      d1.prepare('DELETE FROM runs WHERE dataset_id = ?').bind(id),
      d1.prepare('DELETE FROM datasets WHERE id = ?').bind(id),
      d1
        .prepare('DELETE FROM data_sources WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM datasets WHERE source_id = ?1)')
        .bind(source_id),
    ])
  }
}

// The newest successful loads keep their file for rollback, every other run for a day in case it is tried again.
const UNNEEDED_ORIGINALS = `
SELECT DISTINCT r.object_key AS key FROM runs r
WHERE r.object_key IS NOT NULL AND r.started_at <= ?1 AND r.state NOT IN ('queued', 'running')
  AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.object_key = r.object_key)
  AND NOT EXISTS (
    SELECT 1 FROM runs k WHERE k.object_key = r.object_key AND (
      k.started_at > ?1 OR k.state IN ('queued', 'running') OR (k.state = 'succeeded' AND (
        SELECT count(*) FROM runs n
        WHERE n.dataset_id = k.dataset_id AND n.state = 'succeeded' AND n.data_version > k.data_version) < ?2)))
LIMIT ?3`

/** Lets go of originals that no rollback and no retry needs any more. */
export async function purgeUnneededOriginals(deps: Deps): Promise<void> {
  const { d1 } = deps.db
  const { results } = await d1
    .prepare(UNNEEDED_ORIGINALS)
    .bind(deps.clock.now() - UNNEEDED_KEPT_MS, ORIGINAL_FILES_RETAINED, BATCH)
    .all<{ key: string }>()
  for (const { key } of results) {
    await deps.files.delete(key)
    await d1.prepare('UPDATE runs SET object_key = NULL WHERE object_key = ?').bind(key).run()
  }
}

async function ignoreNotFound(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ProductError && error.code === 'not_found')) throw error
  }
}
