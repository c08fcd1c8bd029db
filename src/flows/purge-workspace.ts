import { purgeStore, WORKSPACE_TABLES, type WorkspaceTable } from './purge-store'
import { Scope } from '../scope'
import { auditStatement } from '../db/commit'
import type { Deps } from '../deps'
import { dropEditionFiles } from '../features/reports/editions/edition-files'
import { cancelAllSubscriptions } from '../features/billing/reconcile'
import { deleteObjects } from '../lib/object-parts'
import { DELETED_RETENTION_MS } from '../shared/limits'
import { pushStore } from '../sync/push-store'

/** Workspaces that one round begins or goes on with. */
const WORKSPACES_MAX = 3
const OBJECTS_PER_SLICE = 100
const ROWS_PER_SLICE = 500
/** A round stops after so many slices; the next one goes on. There is room for every table of each of its workspaces. */
const SLICES_MAX = 400

const BEFORE_BILLING = WORKSPACE_TABLES.filter((table) => table !== 'subscriptions')

/**
 * Removes for good what was deleted 30 days ago: files, then the rows of the warehouse, then every entry. In slices, each
 * of which may be done twice: a round that dies is gone on with by the next. Those of which nothing is left but what billing
 * has not ended come last and in turn, so that they hold up no other.
 */
export async function purgeWorkspaces(deps: Deps): Promise<void> {
  const before = deps.clock.now() - DELETED_RETENTION_MS
  const store = purgeStore(deps.db)
  const budget = { slices: SLICES_MAX }
  for (const id of await store.dueWorkspaces(before, WORKSPACES_MAX))
    if (await store.claim(id, before)) await purgeWorkspace(deps, id, budget)
}

interface PurgeBudget {
  slices: number
}
type PurgeSlice = (deps: Deps, id: string) => Promise<boolean>

/** Each part is repeated until it says that nothing is left. */
async function purgeWorkspace(deps: Deps, id: string, purgeBudget: PurgeBudget): Promise<void> {
  const parts: PurgeSlice[] = [
    dropUploads,
    dropOriginals,
    dropSyncFiles,
    dropEditions,
    eraseRows,
    eraseInboxes,
    dropChildRows,
    ...BEFORE_BILLING.map(dropRows),
  ]
  for (const part of parts) {
    let more = true
    while (more) {
      if (purgeBudget.slices-- <= 0) return
      more = await part(deps, id)
    }
  }
  // Its row names the customer: it goes last, once nobody is charged any more.
  if (!(await cancelAllSubscriptions(deps, id))) return
  const entry = { workspaceId: null, actorId: null, action: 'workspace.purge', entity: 'workspace', entityId: id }
  await purgeStore(deps.db).deleteWorkspace(id, await auditStatement(deps, entry, deps.clock.now()))
}

/** Files on their way, and what was taken out of them. */
async function dropUploads(deps: Deps, id: string): Promise<boolean> {
  const store = purgeStore(deps.db)
  const uploads = await store.uploads(id, OBJECTS_PER_SLICE)
  for (const { objectKey } of uploads) {
    const { objects } = await deps.files.list({ prefix: `${objectKey}/` })
    await deleteObjects(deps.files, [objectKey, ...objects.map(({ key }) => key)])
  }
  await store.deleteUploads(uploads.map((upload) => upload.id))
  return uploads.length === OBJECTS_PER_SLICE
}

/** Files that loads were made from. */
async function dropOriginals(deps: Deps, id: string): Promise<boolean> {
  const store = purgeStore(deps.db)
  const keys = await store.originals(id, OBJECTS_PER_SLICE)
  if (keys.length === 0) return false
  await deleteObjects(deps.files, keys)
  await store.forgetOriginals(id, keys)
  return keys.length === OBJECTS_PER_SLICE
}

/** What syncs read and no run names: pieces of one that was on its way. */
async function dropSyncFiles(deps: Deps, id: string): Promise<boolean> {
  const { objects } = await deps.files.list({ prefix: `syncs/${id}/`, limit: OBJECTS_PER_SLICE })
  if (objects.length > 0) await deps.files.delete(objects.map(({ key }) => key))
  return objects.length === OBJECTS_PER_SLICE
}

/** Frozen reports. */
const dropEditions = (deps: Deps, id: string): Promise<boolean> => dropEditionFiles(deps, id, OBJECTS_PER_SLICE)

async function eraseRows(deps: Deps, id: string): Promise<boolean> {
  await deps.warehouse(Scope.forSystem(id)).erase()
  return false
}

/** What programs sent and no load took. */
async function eraseInboxes(deps: Deps, id: string): Promise<boolean> {
  for (const sourceId of await pushStore(deps.db).pushSourcesOf(id)) await deps.pushInbox.getByName(sourceId).erase()
  return false
}

async function dropChildRows(deps: Deps, id: string): Promise<boolean> {
  await purgeStore(deps.db).deleteChildRows(id)
  return false
}

const dropRows =
  (table: WorkspaceTable): PurgeSlice =>
  async (deps, id) =>
    (await purgeStore(deps.db).deleteRows(table, id, ROWS_PER_SLICE)) >= ROWS_PER_SLICE
