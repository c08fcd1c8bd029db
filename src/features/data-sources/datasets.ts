import type { z } from 'zod'
import { planLoad } from './model/columns'
import { describedColumn, pairsAnew } from './model/money'
import { audited, frozenSource, refuseFrozen, refuseSample, refuseWhileUsed } from './sources'
import type { Writing } from './sources'
import { sourceStore } from './store'
import type { LiveDataset, Reading } from './store'
import { viewDataset } from './views'
import { calendarOf } from '../../access/calendar'
import type { Membership } from '../../access/actor'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { PREVIEW_ROWS } from '../../shared/limits'
import { requiredPlan } from '../../shared/plans'
import type { QueryResult } from '../../shared/query-result'
import type {
  Column,
  createLoadSchema,
  Dataset,
  DatasetVersion,
  SyncRun,
  UpdateDatasetInput,
} from '../../shared/sources'
import { launch } from '../../sync/settle'
import { newRunRow, runStore, viewRun } from '../../sync/store'
import type { RunRow } from '../../sync/store'

/** @throws ProductError `not_found`, also when its source is deleted */
export async function datasetOf(deps: Deps, ask: Reading, id: string): Promise<LiveDataset> {
  const row = await sourceStore(deps.db, ask).dataset(id)
  if (!row) throw new ProductError('not_found')
  return row
}

/** Names, roles, formats and visibility; a column that is not named stays as it is. */
export async function describeDataset(
  deps: Deps,
  ask: Writing & { id: string; input: UpdateDatasetInput; multiCurrency: boolean },
): Promise<Dataset> {
  const { scope, id, input } = ask
  const row = await datasetOf(deps, ask, id)
  refuseFrozen(row)
  if (!ask.multiCurrency && pairsAnew(row.columns, input.columns))
    throw new ProductError('plan_required', { feature: 'multiCurrency', requiredPlan: requiredPlan('multiCurrency') })
  const columns = described(row.columns, input.columns)
  const after = viewDataset({ ...row, name: input.name, columns, version: input.version + 1 })
  await commit(deps, {
    change: [sourceStore(deps.db, ask).describe(id, { name: input.name, version: input.version, columns })],
    audit: [audited(scope, 'dataset.update', { entity: 'dataset', id, after })],
    reply: ask.reply(after),
    expect: { onMissed: () => describeMissed(deps, ask, id) },
  })
  if (row.dataVersion > 0) await deps.warehouse(scope).describeDataset({ datasetId: id, name: input.name, columns })
  return after
}

/** Why the description of a dataset was not written. */
export async function describeMissed(deps: Deps, ask: Reading, id: string): Promise<ProductError> {
  const row = await datasetOf(deps, ask, id)
  return row.frozen ? frozenSource() : new ProductError('version_conflict', { current: viewDataset(row) })
}

function described(columns: Column[], given: UpdateDatasetInput['columns']): Column[] {
  const known = new Set(columns.map(({ key }) => key))
  const unknown = given.findIndex(({ key }) => !known.has(key))
  if (unknown >= 0)
    throw new ProductError('invalid_input', {
      fields: { [`columns.${unknown}.key`]: 'This dataset has no such column.' },
    })
  return columns.map((column) => {
    const index = given.findIndex(({ key }) => key === column.key)
    const change = given[index]
    return change ? describedColumn(column, change, { columns, index }) : column
  })
}

/** The first rows, asked for as every row is asked for. */
export async function previewDataset(
  deps: Deps,
  ask: Reading & { id: string; membership: Membership },
): Promise<QueryResult> {
  const row = await datasetOf(deps, ask, ask.id)
  return deps.warehouse(ask.scope).query({
    plan: { v: 1, kind: 'rows', dataset: row.id, measures: [], dimensions: [], filters: [], limit: PREVIEW_ROWS },
    calendar: calendarOf(ask.membership, deps.clock),
  })
}

export async function datasetVersions(deps: Deps, ask: Reading, id: string): Promise<DatasetVersion[]> {
  await datasetOf(deps, ask, id)
  const versions = await deps.warehouse(ask.scope).versions(id)
  return versions.map(({ objectKey: _inside, ...version }) => version)
}

/** Another file into the same dataset. Its identity and the keys of its columns stay. */
export async function createLoad(
  deps: Deps,
  ask: Writing & { id: string; input: z.output<typeof createLoadSchema>; sample?: boolean },
): Promise<SyncRun> {
  const { scope, id, input } = ask
  const store = sourceStore(deps.db, ask)
  const dataset = await datasetOf(deps, ask, id)
  refuseFrozen(dataset)
  if (!ask.sample) refuseSample(await store.get(dataset.sourceId))
  const now = deps.clock.now()
  const upload = await store.completeUpload(input.uploadId, now, input.settings)
  if (!upload) throw new ProductError('not_found')
  const { lost, ...plan } = planLoad({
    ...input,
    existing: dataset.columns,
    nextKey: await store.nextKey(dataset),
  })
  if (lost.length > 0 && !input.acceptRemoved)
    await refuseWhileUsed(store.dependents({ sourceId: dataset.sourceId, keys: lost }))
  const run = newRunRow(scope, {
    id: deps.ids.next('run'),
    sourceId: dataset.sourceId,
    datasetId: id,
    trigger: 'upload',
    mode: input.mode,
    uploadId: upload.id,
    objectKey: upload.objectKey,
    fileName: upload.fileName,
    request: { settings: upload.settings, ...plan, fileHash: upload.contentHash },
    bytesTotal: upload.size,
    now,
  })
  const keys = input.mode === 'upsert' ? [store.setKeyColumns(id, input.keyColumns)] : []
  return beginRun(deps, { ...ask, run, also: keys })
}

/**
 * Writes a run and starts its load.
 * @throws ProductError `busy` while another load of the dataset is under way, `read_only` when its source is frozen
 */
export async function beginRun(
  deps: Deps,
  ask: Writing & { run: RunRow; also?: D1PreparedStatement[] },
): Promise<SyncRun> {
  const { scope, run } = ask
  const view = viewRun(run)
  await commit(deps, {
    change: [runStore(deps.db, scope).insert(run, ask.max), ...(ask.also ?? [])],
    audit: [audited(scope, `load.${run.trigger}`, { entity: 'dataset', id: run.datasetId, after: view })],
    reply: ask.reply(view),
    expect: { onMissed: () => runMissed(deps, ask, run.datasetId) },
  })
  await launch(deps, scope, run.id)
  return view
}

/** Why a load was not begun. */
export async function runMissed(deps: Deps, ask: Reading, datasetId: string): Promise<ProductError> {
  const { frozen } = await datasetOf(deps, ask, datasetId)
  if (frozen) return frozenSource()
  return new ProductError('busy', { retryAfter: 10 }, 'Another load of this data is under way. Wait for it to end.')
}
