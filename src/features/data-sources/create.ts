import type { z } from 'zod'
import { planCreate } from './model/columns'
import { audited, frozenSource, getSource, refuseFrozen, refuseSample, sourcesFull } from './sources'
import type { Writing } from './sources'
import { isNameTaken, sourceRow, sourceStore } from './store'
import type { DatasetRow, Reading } from './store'
import { viewSource } from './views'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { addDatasetsSchema, createSourceSchema, DataSource, newTableSchema } from '../../shared/sources'
import { launch } from '../../sync/settle'
import { newRunRow, runStore } from '../../sync/store'
import type { RunRow } from '../../sync/store'

type NewTable = z.output<typeof newTableSchema>
interface Fresh {
  dataset: DatasetRow
  run: RunRow
}

/** A new source with its datasets and their first loads, in one batch; then the loads start. */
export async function createSource(
  deps: Deps,
  made: Writing & { input: z.output<typeof createSourceSchema>; sample?: boolean },
): Promise<DataSource> {
  const { scope, input, sample = false } = made
  const store = sourceStore(deps.db, made)
  const now = deps.clock.now()
  const source = sourceRow(scope, { id: deps.ids.next('source'), name: input.name, now, sample })
  const fresh = await freshTables(deps, made, { sourceId: source.id, tables: input.tables, now })
  const view = viewSource(source, { datasets: fresh.map(datasetIn), lastRuns: fresh.map(runIn) })
  try {
    await commit(deps, {
      change: [store.insert(source), ...written(deps, made, fresh)],
      audit: [audited(scope, 'source.create', { entity: 'source', id: view.id, after: { name: view.name, input } })],
      reply: made.reply(view),
      expect: { onMissed: () => sourcesFull(deps, made) },
    })
  } catch (error) {
    throw isNameTaken(error) ? new ProductError('name_taken') : error
  }
  await launchAll(deps, scope, fresh)
  return view
}

/** More datasets for a source that is there; it stays one source of the plan. */
export async function addDatasets(
  deps: Deps,
  made: Writing & { id: string; input: z.output<typeof addDatasetsSchema> },
): Promise<DataSource> {
  const { scope, id, input } = made
  const store = sourceStore(deps.db, made)
  const source = await store.get(id)
  if (!source) throw new ProductError('not_found')
  refuseFrozen(source)
  refuseSample(source)
  const [datasets, lastRuns] = await Promise.all([store.datasetsOf([id]), runStore(deps.db, scope).lastOf([id])])
  const fresh = await freshTables(deps, made, { sourceId: id, tables: input.tables, now: deps.clock.now() })
  const view = viewSource(source, {
    datasets: [...datasets, ...fresh.map(datasetIn)],
    lastRuns: [...lastRuns, ...fresh.map(runIn)],
  })
  await commit(deps, {
    change: written(deps, made, fresh),
    audit: [audited(scope, 'source.extend', { entity: 'source', id, after: { input } })],
    reply: made.reply(view),
    expect: { onMissed: () => datasetsFull(deps, made, id) },
  })
  await launchAll(deps, scope, fresh)
  return view
}

const datasetIn = ({ dataset }: Fresh): DatasetRow => dataset
const runIn = ({ run }: Fresh): RunRow => run

const written = (deps: Deps, ask: Reading, fresh: Fresh[]): D1PreparedStatement[] => [
  sourceStore(deps.db, ask).insertDatasets(fresh[0]?.dataset.sourceId ?? '', fresh.map(datasetIn)),
  ...fresh.map(({ run }) => runStore(deps.db, ask.scope).insert(run, ask.max)),
]

async function launchAll(deps: Deps, scope: Scope, fresh: Fresh[]): Promise<void> {
  await Promise.all(fresh.map(({ run }) => launch(deps, scope, run.id)))
}

async function datasetsFull(deps: Deps, ask: Reading, id: string): Promise<ProductError> {
  const source = await getSource(deps, ask, id)
  if (source.frozen) return frozenSource()
  const message = `A source holds at most ${SOURCE_MAX_DATASETS} datasets. Make another source for the rest.`
  return new ProductError(
    'too_large',
    { what: 'datasets', max: SOURCE_MAX_DATASETS, size: source.datasets.length },
    message,
  )
}

const freshTables = (
  deps: Deps,
  ask: Reading,
  { tables, ...to }: { sourceId: string; tables: NewTable[]; now: number },
): Promise<Fresh[]> => Promise.all(tables.map((table, at) => freshTable(deps, ask, { ...to, table, at })))

async function freshTable(
  deps: Deps,
  ask: Reading,
  { table, sourceId, now, at }: { table: NewTable; sourceId: string; now: number; at: number },
): Promise<Fresh> {
  const { upload, plan } = await named(at, async () => {
    const found = await sourceStore(deps.db, ask).completeUpload(table.uploadId, now, table.settings)
    if (!found) throw new ProductError('not_found')
    return { upload: found, plan: planCreate(table) }
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
async function named<T>(at: number, plan: () => Promise<T>): Promise<T> {
  try {
    return await plan()
  } catch (error) {
    const fields: unknown = error instanceof ProductError ? error.details['fields'] : undefined
    if (typeof fields !== 'object' || fields === null) throw error
    const inside = Object.entries(fields).map(([field, problem]) => [`tables.${at}.${field}`, problem])
    throw new ProductError('invalid_input', { fields: Object.fromEntries(inside) }, undefined, { cause: error })
  }
}
