import type { z } from 'zod'
import { columnsForCreate } from './model/columns'
import { auditEntry, sourceFrozenError, getSource, assertNotFrozen, assertNotSample, sourceLimitError } from './sources'
import type { SourceWriteContext } from './sources'
import { isNameTaken, newSourceRow, sourceStore } from './store'
import type { DatasetRow, StoreContext } from './store'
import { toDataSource } from './views'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { addDatasetsSchema, createSourceSchema, DataSource, newTableSchema } from '../../shared/sources'
import { startLoadWorkflow } from '../../sync/settle'
import { newRunRow, runStore } from '../../sync/store'
import type { RunRow } from '../../sync/store'

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
  try {
    await commit(deps, {
      change: [store.insert(source), ...insertStatements(deps, command, fresh)],
      audit: [auditEntry(scope, 'source.create', { entity: 'source', id: view.id, after: { name: view.name, input } })],
      reply: command.reply(view),
      expect: { onMissed: () => sourceLimitError(deps, command) },
    })
  } catch (error) {
    throw isNameTaken(error) ? new ProductError('name_taken') : error
  }
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
  const message = `A source holds at most ${SOURCE_MAX_DATASETS} datasets. Make another source for the rest.`
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
    return { upload: found, plan: columnsForCreate(table) }
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
    loadedAt: null,
    version: 1,
  }
  const run = newRunRow(ask.scope, {
    id: deps.ids.next('run'),
    sourceId,
    datasetId: dataset.id,
    trigger: 'upload',
    mode: 'create',
    uploadId: upload.id,
    objectKey: upload.objectKey,
    fileName: upload.fileName,
    request: { settings: upload.settings, ...plan, fileHash: upload.contentHash },
    bytesTotal: upload.size,
    now,
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
