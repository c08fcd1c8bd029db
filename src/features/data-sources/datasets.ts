import type { z } from 'zod'
import { definedOnly } from '../../lib/defined'
import { keptYears } from './kept-years'
import { columnsForLoad } from './model/columns'
import { assertCleaningGiven, changesCleaning, cleaningForLoad } from './model/load-cleaning'
import { applyColumnChange, addsCurrencyColumn } from './model/currency-columns'
import { auditEntry, sourceFrozenError, assertNotFrozen, assertNotSample, assertUnused } from './sources'
import type { SourceWriteContext } from './sources'
import { sourceStore, type LiveDataset, type StoreContext } from './store'
import { toDataset } from './views'
import { calendarOf } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { assertWhole } from './whole-datasets'
import type { Membership } from '../../scope'
import { commit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { PREVIEW_ROWS } from '../../shared/limits'
import { requiredPlan } from '../../shared/billing/plans'
import type { QueryResult } from '../../shared/query/result'
import type {
  Column,
  createLoadSchema,
  Dataset,
  DatasetVersion,
  SyncRun,
  UpdateDatasetInput,
} from '../../shared/data-sources/data-sources'
import { startLoadWorkflow } from '../../sync/run-recovery'
import { newRunRow, runStore, toSyncRun, type RunRow } from '../../sync/store'

/** @throws ProductError `not_found`, also when its source is deleted */
export async function requireDataset(deps: Deps, ask: StoreContext, id: string): Promise<LiveDataset> {
  const row = await sourceStore(deps.db, ask).dataset(id)
  if (!row) throw new ProductError('not_found')
  return row
}

/**
 * One of which who asks may see everything: its files, loads and versions tell of all its rows.
 * @throws ProductError `not_found`; `forbidden` where rules of access leave out a part
 */
export async function requireWholeDataset(deps: Deps, ask: StoreContext, id: string): Promise<LiveDataset> {
  const row = await requireDataset(deps, ask, id)
  assertWhole(ask.scope, row)
  return row
}

/** Names, roles, formats and visibility; a column that is not named stays as it is. */
export async function updateDataset(
  deps: Deps,
  command: SourceWriteContext & { id: string; input: UpdateDatasetInput; multiCurrency: boolean },
): Promise<Dataset> {
  const { scope, id, input } = command
  const row = await requireWholeDataset(deps, command, id)
  assertNotFrozen(row)
  if (!command.multiCurrency && addsCurrencyColumn(row.columns, input.columns))
    throw new ProductError('plan_required', { feature: 'multiCurrency', requiredPlan: requiredPlan('multiCurrency') })
  const columns = applyColumnChanges(row.columns, input.columns)
  const after = toDataset({ ...row, name: input.name, columns, version: input.version + 1 })
  await commit(deps, {
    change: [sourceStore(deps.db, command).updateDataset(id, { name: input.name, version: input.version, columns })],
    audit: [auditEntry(scope, 'dataset.update', { entity: 'dataset', id, after })],
    reply: command.reply(after),
    expect: { onMissed: () => datasetConflictError(deps, command, id) },
  })
  if (row.dataVersion > 0) await deps.warehouse(scope).describeDataset({ datasetId: id, name: input.name, columns })
  return after
}

/** Why the description of a dataset was not written. */
export async function datasetConflictError(deps: Deps, ask: StoreContext, id: string): Promise<ProductError> {
  const row = await requireDataset(deps, ask, id)
  return row.frozen ? sourceFrozenError() : new ProductError('version_conflict', { current: toDataset(row) })
}

function applyColumnChanges(columns: Column[], given: UpdateDatasetInput['columns']): Column[] {
  const known = new Set(columns.map(({ key }) => key))
  const unknown = given.findIndex(({ key }) => !known.has(key))
  if (unknown >= 0)
    throw new ProductError('invalid_input', {
      fields: { [`columns.${unknown}.key`]: 'This dataset has no such column.' },
    })
  return columns.map((column) => {
    const index = given.findIndex(({ key }) => key === column.key)
    const change = given[index]
    return change ? applyColumnChange(column, change, { columns, index }) : column
  })
}

/** The first rows, asked for as every row is asked for. */
export async function previewDataset(
  deps: Deps,
  options: StoreContext & { id: string; membership: Membership },
): Promise<QueryResult> {
  const row = await requireDataset(deps, options, options.id)
  const calendar = calendarOf(options.membership, deps.clock)
  return queryService(deps, { scope: options.scope, calendar }).answer({
    ...{ v: 1, kind: 'rows', dataset: row.id, measures: [], dimensions: [], filters: [], limit: PREVIEW_ROWS },
  })
}

export async function listDatasetVersions(deps: Deps, ask: StoreContext, id: string): Promise<DatasetVersion[]> {
  await requireWholeDataset(deps, ask, id)
  const versions = await deps.warehouse(ask.scope).versions(id)
  const origins = await runStore(deps.db, ask.scope).origins(versions.map(({ runId }) => runId))
  return versions.map(({ objectKey: _inside, counts: _counts, ...version }) => {
    const { restoredFrom = null, startedBy = null, cleaning = [] } = origins.get(version.runId) ?? {}
    return { ...version, restoredFrom, startedBy, cleaning }
  })
}

/** Another file into the same dataset. Its identity and the keys of its columns stay. */
export async function createLoad(
  deps: Deps,
  command: SourceWriteContext & { id: string; input: z.output<typeof createLoadSchema>; sample?: boolean },
): Promise<SyncRun> {
  const { scope, id, input } = command
  const store = sourceStore(deps.db, command)
  const dataset = await requireWholeDataset(deps, command, id)
  assertNotFrozen(dataset)
  if (!command.sample) assertNotSample(await store.get(dataset.sourceId))
  const upload = await store.findLoadableUpload(input.uploadId, deps.clock.now(), input.settings)
  if (!upload) throw new ProductError('not_found')
  assertCleaningGiven(input.cleaning, dataset.cleaning)
  const { lost, ...plan } = columnsForLoad({
    ...input,
    existing: dataset.columns,
    nextKey: await store.nextColumnNumber(dataset),
  })
  if (lost.length > 0 && !input.acceptRemoved)
    await assertUnused(store.dependents({ sourceId: dataset.sourceId, keys: lost }))
  const replacesYears = input.mode === 'replacePart' && !input.replaceComparison
  const keptParts = replacesYears ? await keptYears(deps, command, { dataset, upload }) : null
  const run = newRunRow(deps, scope, {
    sourceId: dataset.sourceId,
    datasetId: id,
    trigger: 'upload',
    mode: input.mode,
    uploadId: upload.id,
    objectKey: upload.objectKey,
    fileName: upload.fileName,
    request: {
      ...{ settings: upload.settings, ...plan, fileHash: upload.contentHash },
      ...cleaningForLoad(input.cleaning, input.columns),
      ...definedOnly({ choices: input.choices, keptParts: keptParts ?? undefined }),
      ...upload.origin,
    },
    bytesTotal: upload.size,
  })
  const keys = input.mode === 'upsert' ? [store.setKeyColumns(id, input.keyColumns)] : []
  const { steps = [] } = input.cleaning ?? {}
  const audit = changesCleaning(input.cleaning, dataset.cleaning)
    ? [auditEntry(scope, 'dataset.clean', { entity: 'dataset', id, before: dataset.cleaning, after: steps })]
    : []
  return startRun(deps, { ...command, run, also: keys, audit })
}

/**
 * Writes a run and starts its load.
 * @throws ProductError `busy` while another load of the dataset is under way, `read_only` when its source is frozen
 */
export async function startRun(
  deps: Deps,
  command: SourceWriteContext & { run: RunRow; also?: D1PreparedStatement[]; audit?: AuditEntry[] },
): Promise<SyncRun> {
  const { scope, run } = command
  const view = toSyncRun(run)
  await commit(deps, {
    change: [runStore(deps.db, scope).insert(run, command.max), ...(command.also ?? [])],
    audit: [
      ...(command.audit ?? []),
      auditEntry(scope, `load.${run.trigger}`, { entity: 'dataset', id: run.datasetId, after: view }),
    ],
    reply: command.reply(view),
    expect: { onMissed: () => startRunError(deps, command, run.datasetId) },
  })
  await startLoadWorkflow(deps, scope, run.id)
  return view
}

/** Why a load was not begun. */
export async function startRunError(deps: Deps, ask: StoreContext, datasetId: string): Promise<ProductError> {
  const { frozen } = await requireDataset(deps, ask, datasetId)
  if (frozen) return sourceFrozenError()
  return new ProductError(
    'busy',
    { retryAfter: 10 },
    'Another import into this table is in progress. Wait until it ends.',
  )
}
