import { definedOnly } from '../../lib/defined'
import { toIso } from '../../lib/iso'
import type { z } from 'zod'
import { assertWhole } from './whole-datasets'
import { seenInPart } from '../../identity/access/visible-dataset'
import { sourceStore, newSourceRow } from './store'
import type { StoreContext, SourceRow, SourcesWithRuns, DatasetRow } from './store'
import { encodeCursor, decodeCursor, toDataSource } from './views'
import { overLimit } from '../../entitlements/limits'
import type { Scope } from '../../scope'
import { auditEntryFactory, commit, rethrowNameTaken, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import { DELETED_RETENTION_MS, SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ListPage } from '../../shared/field-schemas'
import type {
  DataSource,
  listSourcesSchema,
  addDatasetsSchema,
  createSourceSchema,
  newTableSchema,
} from '../../shared/data-sources/data-sources'
import { reconcileRun, terminateLoadWorkflow, startLoadWorkflow } from '../../sync/run-recovery'
import { runStore, newRunRow, type RunRow } from '../../sync/store'
import { columnsForCreate } from './model/columns'
import { cleaningForLoad } from './model/load-cleaning'

/** A write to sources: by whom, in a workspace of so many. */
export type SourceWriteContext = WriteContext & StoreContext

export const auditEntry = (
  scope: Scope,
  action: string,
  of: { entity: string; id: string; before?: unknown; after?: unknown },
): AuditEntry => auditEntryFactory(of.entity)({ scope }, { action, id: of.id, before: of.before, after: of.after })

const toSourceWithRuns = (row: SourceRow, whole: Pick<SourcesWithRuns, 'datasets' | 'lastRuns'>): DataSource =>
  toDataSource(row, {
    datasets: whole.datasets.filter(({ sourceId }) => sourceId === row.id),
    lastRuns: whole.lastRuns.filter(({ sourceId }) => sourceId === row.id),
  })

export async function listSources(
  deps: Deps,
  ask: StoreContext,
  listQuery: z.output<typeof listSourcesSchema>,
): Promise<ListPage<DataSource>> {
  const deleted = listQuery.deleted === '1'
  const page = { search: listQuery.search, deleted, before: decodeCursor(listQuery.cursor), limit: listQuery.limit + 1 }
  const whole = await sourceStore(deps.db, ask).list(page)
  const shown = whole.rows.slice(0, listQuery.limit)
  const last = whole.rows.length > listQuery.limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => toSourceWithRuns(row, whole)),
    nextCursor: last ? encodeCursor({ at: (deleted ? last.deletedAt : null) ?? last.createdAt, id: last.id }) : null,
  }
}

/** @throws ProductError `not_found` */
export async function getSource(deps: Deps, ask: StoreContext, id: string): Promise<DataSource> {
  const { rows, datasets, lastRuns } = await sourceStore(deps.db, ask).getWithRuns(id)
  const [row] = rows
  if (!row) throw new ProductError('not_found')
  const settled = await Promise.all(lastRuns.map((run) => reconcileRun(deps, ask.scope, run)))
  const projected = settled.some(({ state }, at) => state !== lastRuns[at]?.state)
  return toDataSource(row, {
    datasets: projected ? await sourceStore(deps.db, ask).datasetsOf([id]) : datasets,
    lastRuns: settled,
  })
}

async function sourceLimitError(deps: Deps, ask: StoreContext): Promise<ProductError> {
  const used = await sourceStore(deps.db, ask).countLive()
  return new ProductError('limit_reached', { limit: 'dataSources', used, max: ask.max, addOn: 'extra_source' })
}

async function sourceConflictError(deps: Deps, ask: StoreContext, id: string): Promise<ProductError> {
  return new ProductError('version_conflict', { current: await getSource(deps, ask, id) })
}

export async function renameSource(
  deps: Deps,
  command: SourceWriteContext & { id: string; input: { name: string; version: number } },
): Promise<DataSource> {
  const { scope, id, input } = command
  const before = await getSource(deps, command, id)
  const now = deps.clock.now()
  const after: DataSource = {
    ...before,
    name: input.name,
    version: input.version + 1,
    updatedAt: toIso(now),
  }
  const write = commit(deps, {
    change: [sourceStore(deps.db, command).rename(id, { ...input, now })],
    audit: [
      auditEntry(scope, 'source.update', {
        entity: 'source',
        id,
        before: { name: before.name },
        after: { name: input.name },
      }),
    ],
    reply: command.reply(after),
    expect: { onMissed: () => sourceConflictError(deps, command, id) },
  })
  await rethrowNameTaken('data_sources.workspace_id', write)
  return after
}

/** @throws ProductError `forbidden` where rules of access leave out a part of it: what is done with it would be done with that too, or not */
async function assertWholeSource(deps: Deps, ask: StoreContext, { id, datasets }: DataSource): Promise<void> {
  for (const dataset of datasets) assertWhole(ask.scope, dataset)
  if ((await sourceStore(deps.db, ask).countDatasets(id)) !== datasets.length) throw seenInPart()
}
/** The same by id. @throws ProductError `forbidden` */
export const requireWholeSource = async (deps: Deps, ask: StoreContext, id: string): Promise<void> =>
  assertWholeSource(deps, ask, await getSource(deps, ask, id))

/** Hides a source and its rows for 30 days; its loads stop. Dependents are named first unless `force`. */
export async function removeSource(
  deps: Deps,
  command: SourceWriteContext & { id: string; version: number; force: boolean },
): Promise<{ id: string }> {
  const { scope, id } = command
  const store = sourceStore(deps.db, command)
  const source = await getSource(deps, command, id)
  await assertWholeSource(deps, command, source)
  if (!command.force) await assertUnused(store.dependents({ sourceId: id }))
  const runs = runStore(deps.db, scope)
  const [active, datasets] = await Promise.all([runs.activeForSource(id), store.datasetsOf([id])])
  const now = deps.clock.now()
  const answer = { id }
  await commit(deps, {
    change: [store.remove(id, { version: command.version, now }), runs.cancelForSource(id, now)],
    audit: [auditEntry(scope, 'source.delete', { entity: 'source', id })],
    reply: command.reply(answer),
    expect: { onMissed: () => sourceConflictError(deps, command, id) },
  })
  if (source.type === 'push') await deps.pushInbox.getByName(id).forget()
  for (const dataset of datasets)
    await deps.warehouse(scope).deleteDataset({ datasetId: dataset.id, purge: false }).catch(ignoreNotFound)
  // Said by the commit already, when the rows could still be asked for: pages that asked at once ask again.
  await deps.live(scope).publish({ kind: 'changed', noun: 'source', id })
  for (const run of active) await terminateLoadWorkflow(deps, run.id)
  return answer
}

/** A dataset whose first load never came to its end is unknown to the warehouse. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ProductError && error.code === 'not_found')) throw error
}

/** A person's own rows would go when the sample company goes, and would count against nothing until then. */
export function assertNotSample(source: Pick<SourceRow, 'sample'> | null): void {
  if (source?.sample)
    throw new ProductError('bad_request', {}, 'You can’t import into sample data. Create a new source.')
}

/** Nothing comes into a source that the plan has no room for. */
export function assertNotFrozen(row: { frozen: boolean }): void {
  if (row.frozen) throw sourceFrozenError()
}
export const sourceFrozenError = (): ProductError =>
  overLimit('Source over plan limit. You can view its data but not import.')

export async function assertUnused(dependentsPromise: Promise<unknown[]>): Promise<void> {
  const dependents = await dependentsPromise
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
}

/** Brings a source back within 30 days of its deletion, if the plan has room and its name is still free. */
export async function restoreSource(deps: Deps, command: SourceWriteContext & { id: string }): Promise<DataSource> {
  const { scope, id } = command
  const store = sourceStore(deps.db, command)
  const row = await store.get(id, 'deleted')
  const now = deps.clock.now()
  // From then on the sweep may be taking its rows away: half of a source must not come back.
  const since = now - DELETED_RETENTION_MS
  if (!row || (row.deletedAt ?? 0) <= since) throw new ProductError('not_found')
  const restored = { ...row, deletedAt: null, version: row.version + 1, updatedAt: now }
  const [datasets, lastRuns] = await Promise.all([store.datasetsOf([id]), runStore(deps.db, scope).lastRuns([id])])
  const view = toSourceWithRuns(restored, { datasets, lastRuns })
  // Tables that who asks does not see would stay away.
  await assertWholeSource(deps, command, view)
  const write = commit(deps, {
    change: [store.restore(id, { now, since })],
    audit: [auditEntry(scope, 'source.restore', { entity: 'source', id })],
    reply: command.reply(view),
    expect: { onMissed: () => sourceLimitError(deps, command) },
  })
  await rethrowNameTaken('data_sources.workspace_id', write)
  if (row.type === 'push') await deps.pushInbox.getByName(id).forget()
  for (const dataset of await store.datasetsOf([id]))
    await deps.warehouse(scope).restoreDataset(dataset.id).catch(ignoreNotFound)
  await deps.live(scope).publish({ kind: 'changed', noun: 'source', id })
  return getSource(deps, command, id)
}

type NewTableInput = z.output<typeof newTableSchema>
interface NewDataset {
  dataset: DatasetRow
  run: RunRow
}

/** A new source with its datasets and their first loads, in one batch; then the loads start. */
export async function createSource(
  deps: Deps,
  command: SourceWriteContext & { input: z.output<typeof createSourceSchema>; sample?: boolean },
): Promise<DataSource> {
  const { scope, input, sample = false } = command
  const store = sourceStore(deps.db, command)
  const now = deps.clock.now()
  const source = newSourceRow(scope, { id: deps.ids.next('source'), name: input.name, now, sample })
  const fresh = await prepareDatasets(deps, command, { sourceId: source.id, tables: input.tables, now })
  const view = toDataSource(source, { datasets: fresh.map(datasetOfNew), lastRuns: fresh.map(runOfNew) })
  const write = commit(deps, {
    change: [store.insert(source), ...insertStatements(deps, command, fresh)],
    audit: [auditEntry(scope, 'source.create', { entity: 'source', id: view.id, after: { name: view.name, input } })],
    reply: command.reply(view),
    expect: { onMissed: () => sourceLimitError(deps, command) },
  })
  await rethrowNameTaken('data_sources.workspace_id', write)
  await launchLoads(deps, scope, fresh)
  return view
}

/** More datasets for a source that is there; it stays one source of the plan. */
export async function addDatasets(
  deps: Deps,
  command: SourceWriteContext & { id: string; input: z.output<typeof addDatasetsSchema> },
): Promise<DataSource> {
  const { scope, id, input } = command
  const store = sourceStore(deps.db, command)
  const source = await store.get(id)
  if (!source) throw new ProductError('not_found')
  assertNotFrozen(source)
  assertNotSample(source)
  const [datasets, lastRuns] = await Promise.all([store.datasetsOf([id]), runStore(deps.db, scope).lastRuns([id])])
  const fresh = await prepareDatasets(deps, command, { sourceId: id, tables: input.tables, now: deps.clock.now() })
  const view = toDataSource(source, {
    datasets: [...datasets, ...fresh.map(datasetOfNew)],
    lastRuns: [...lastRuns, ...fresh.map(runOfNew)],
  })
  await commit(deps, {
    change: insertStatements(deps, command, fresh),
    audit: [auditEntry(scope, 'source.extend', { entity: 'source', id, after: { input } })],
    reply: command.reply(view),
    expect: { onMissed: () => datasetLimitError(deps, command, id) },
  })
  await launchLoads(deps, scope, fresh)
  return view
}

const datasetOfNew = ({ dataset }: NewDataset): DatasetRow => dataset
const runOfNew = ({ run }: NewDataset): RunRow => run

const insertStatements = (deps: Deps, ask: StoreContext, fresh: NewDataset[]): D1PreparedStatement[] => [
  sourceStore(deps.db, ask).insertDatasets(fresh[0]?.dataset.sourceId ?? '', fresh.map(datasetOfNew)),
  ...fresh.map(({ run }) => runStore(deps.db, ask.scope).insert(run, ask.max)),
]

async function launchLoads(deps: Deps, scope: Scope, fresh: NewDataset[]): Promise<void> {
  await Promise.all(fresh.map(({ run }) => startLoadWorkflow(deps, scope, run.id)))
}

async function datasetLimitError(deps: Deps, ask: StoreContext, id: string): Promise<ProductError> {
  const source = await getSource(deps, ask, id)
  if (source.frozen) return sourceFrozenError()
  const message = `A source holds at most ${SOURCE_MAX_DATASETS} tables. Create another source for the rest.`
  return new ProductError(
    'too_large',
    { what: 'datasets', max: SOURCE_MAX_DATASETS, size: source.datasets.length },
    message,
  )
}

const prepareDatasets = (
  deps: Deps,
  ask: StoreContext,
  { tables, ...to }: { sourceId: string; tables: NewTableInput[]; now: number },
): Promise<NewDataset[]> => Promise.all(tables.map((table, at) => prepareDataset(deps, ask, { ...to, table, at })))

async function prepareDataset(
  deps: Deps,
  ask: StoreContext,
  { table, sourceId, now, at }: { table: NewTableInput; sourceId: string; now: number; at: number },
): Promise<NewDataset> {
  const { upload, plan } = await withTableFieldPaths(at, async () => {
    const found = await sourceStore(deps.db, ask).findLoadableUpload(table.uploadId, now, table.settings)
    if (!found) throw new ProductError('not_found')
    return { upload: found, plan: { ...columnsForCreate(table), ...cleaningForLoad(table.cleaning, table.columns) } }
  })
  const dataset: DatasetRow = {
    id: deps.ids.next('dataset'),
    workspaceId: ask.scope.workspaceId,
    sourceId,
    name: table.name,
    rowCount: 0,
    bytes: 0,
    dataVersion: 0,
    columns: plan.columns,
    keyColumns: plan.keyColumns,
    cleaning: table.cleaning?.steps ?? [],
    loadedAt: null,
    rowsRejected: 0,
    rowsDuplicate: 0,
    version: 1,
  }
  const run = newRunRow(deps, ask.scope, {
    sourceId,
    datasetId: dataset.id,
    trigger: 'upload',
    mode: 'create',
    uploadId: upload.id,
    objectKey: upload.objectKey,
    fileName: upload.fileName,
    request: {
      ...{ settings: upload.settings, ...plan, fileHash: upload.contentHash },
      ...definedOnly({ choices: table.choices }),
      ...upload.origin,
    },
    bytesTotal: upload.size,
  })
  return { dataset, run }
}

/** Fields of a table are named by its place among the tables. */
async function withTableFieldPaths<T>(at: number, plan: () => Promise<T>): Promise<T> {
  try {
    return await plan()
  } catch (error) {
    const fields: unknown = error instanceof ProductError ? error.details['fields'] : undefined
    if (typeof fields !== 'object' || fields === null) throw error
    const inside = Object.entries(fields).map(([field, problem]) => [`tables.${at}.${field}`, problem])
    throw new ProductError('invalid_input', { fields: Object.fromEntries(inside) }, undefined, { cause: error })
  }
}
