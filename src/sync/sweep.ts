import { reconcileRun } from './run-recovery'
import { runStore } from './store'
import { sweepStore } from './sweep-store'
import { Scope } from '../scope'
import type { Deps } from '../deps'
import { deleteObjects } from '../lib/object-parts'
import { ProductError } from '../shared/errors'
import { DELETED_RETENTION_MS, ORIGINAL_FILES_RETAINED } from '../shared/limits'

const BATCH = 50
/** How long after a change the warehouse is told again, in case it was not there to hear it. */
const RESEND_WINDOW_MS = 5 * 60 * 1000
/** A step of a sync that was ended may still write what it read. */
const SYNC_OBJECTS_KEPT_MS = 60 * 60 * 1000
/** An original that no version needs stays this long, for a retry. */
const UNNEEDED_KEPT_MS = 24 * 60 * 60 * 1000

/** The system's own scope over one workspace: it cleans, and shows nothing to anybody. */
const systemScope = (workspaceId: string, userId: string): Scope =>
  Scope.forJob({ workspaceId, userId, epoch: 'sweep' })

/** Unfinished runs, looked at as a person who waits for them would: those that nobody works on become interrupted. */
export async function reconcileRuns(deps: Deps): Promise<void> {
  for (const { id, workspaceId, actorId } of await sweepStore(deps.db).activeRuns(BATCH)) {
    const scope = systemScope(workspaceId, actorId)
    const run = await runStore(deps.db, scope).get(id)
    if (run) await reconcileRun(deps, scope, run)
  }
}

/** Tells the warehouse again what was deleted or restored lately: the two writes cannot be one. */
export async function resendChangedDatasets(deps: Deps): Promise<void> {
  const since = deps.clock.now() - RESEND_WINDOW_MS
  for (const { id, workspaceId, ownerId, deletedAt } of await sweepStore(deps.db).changedDatasets(since, BATCH)) {
    const warehouse = deps.warehouse(systemScope(workspaceId, ownerId))
    await ignoreNotFound(
      deletedAt === null ? warehouse.restoreDataset(id) : warehouse.deleteDataset({ datasetId: id, purge: false }),
    )
  }
}

/** Removes for good what was deleted 30 days ago: rows, originals, then the entries. */
export async function purgeDeletedDatasets(deps: Deps): Promise<void> {
  const store = sweepStore(deps.db)
  for (const dataset of await store.deletedDatasets(deps.clock.now() - DELETED_RETENTION_MS, BATCH)) {
    const { id, workspaceId, ownerId } = dataset
    await ignoreNotFound(
      deps.warehouse(systemScope(workspaceId, ownerId)).deleteDataset({ datasetId: id, purge: true }),
    )
    const exclusive = await store.exclusiveObjects(id)
    await deleteObjects(
      deps.files,
      exclusive.map(({ key }) => key),
    )
    await store.deleteDataset(dataset)
  }
}

/** Lets go of originals that no rollback and no retry needs any more. */
export async function purgeUnneededOriginals(deps: Deps): Promise<void> {
  const store = sweepStore(deps.db)
  const before = deps.clock.now() - UNNEEDED_KEPT_MS
  const unneeded = await store.unneededObjects(before, { retained: ORIGINAL_FILES_RETAINED, limit: BATCH })
  for (const { key } of unneeded) {
    await deleteObjects(deps.files, [key])
    await store.forgetObject(key)
  }
}

/**
 * Lets go of what syncs read and no load was made from: pages of one that failed or was killed, files that tables were taken
 * out of. What was loaded stays, as originals of loads do.
 */
export async function purgeSyncObjects(deps: Deps): Promise<void> {
  const store = sweepStore(deps.db)
  for (const { id, workspaceId } of await store.syncsWithObjects(deps.clock.now() - SYNC_OBJECTS_KEPT_MS, BATCH)) {
    const { objects, truncated } = await deps.files.list({ prefix: `syncs/${workspaceId}/${id}/` })
    const keys = objects.map(({ key }) => key)
    const loaded = await store.loadedObjects(workspaceId, keys)
    const left = keys.filter((key) => !loaded.has(key))
    if (left.length > 0) await deps.files.delete(left)
    // A long one has more than a list holds: what is left of it comes with the next round.
    if (!truncated || left.length === 0) await store.setObjectsGone(id)
  }
}

async function ignoreNotFound(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ProductError && error.code === 'not_found')) throw error
  }
}
