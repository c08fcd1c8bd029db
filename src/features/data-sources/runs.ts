import { beginRun, datasetOf, runMissed } from './datasets'
import { audited, refuseFrozen } from './sources'
import type { Writing } from './sources'
import { sourceStore } from './store'
import type { Reading, SourceRow } from './store'
import { cursorOf, readCursor } from './views'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Page } from '../../shared/names'
import type { SyncRun } from '../../shared/sources'
import type { LoadRequest } from '../../sync/request'
import { giveUp, settledRun } from '../../sync/settle'
import { projectLoad } from '../../sync/load-steps'
import { isActive, newRunRow, requestOf, runStore, viewRun } from '../../sync/store'
import type { RunRow } from '../../sync/store'

/** A run of a live source. @throws ProductError `not_found` */
async function runOf(deps: Deps, ask: Reading, id: string): Promise<{ run: RunRow; source: SourceRow }> {
  const run = await runStore(deps.db, ask.scope).get(id)
  const source = run && (await sourceStore(deps.db, ask).get(run.sourceId))
  if (!run || !source) throw new ProductError('not_found')
  return { run, source }
}

export async function getRun(deps: Deps, ask: Reading, id: string): Promise<SyncRun> {
  const { run } = await runOf(deps, ask, id)
  return viewRun(await settledRun(deps, ask.scope, run))
}

export async function listRuns(
  deps: Deps,
  ask: Reading & { sourceId: string; cursor?: string | undefined; limit: number },
): Promise<Page<SyncRun>> {
  if (!(await sourceStore(deps.db, ask).get(ask.sourceId))) throw new ProductError('not_found')
  const cursor = readCursor(ask.cursor)
  const before = cursor && { startedAt: cursor.at, id: cursor.id }
  const rows = await runStore(deps.db, ask.scope).list(ask.sourceId, { before, limit: ask.limit + 1 })
  const shown = rows.slice(0, ask.limit)
  const last = rows.length > ask.limit ? shown.at(-1) : undefined
  return { items: shown.map(viewRun), nextCursor: last ? cursorOf({ at: last.startedAt, id: last.id }) : null }
}

/** Stops a load; the data stays as it was. A run that has ended answers as it is. */
export async function cancelRun(deps: Deps, ask: Writing & { id: string }): Promise<SyncRun> {
  const { scope } = ask
  const { run } = await runOf(deps, ask, ask.id)
  if (!isActive(run.state)) return viewRun(run)
  await commit(deps, {
    change: [runStore(deps.db, scope).end(run.id, { state: 'cancelled', error: null, now: deps.clock.now() })],
    audit: [audited(scope, 'load.cancel', { entity: 'dataset', id: run.datasetId })],
  })
  return viewRun(await giveUp(deps, scope, { run, as: 'cancelled' }))
}

/** Starts over with the same file. @throws ProductError `bad_request` for a run that has not failed */
export async function retryRun(deps: Deps, ask: Writing & { id: string }): Promise<SyncRun> {
  const { scope } = ask
  const { run: stored, source } = await runOf(deps, ask, ask.id)
  refuseFrozen(source)
  const run = { ...stored, ...(await settledRun(deps, scope, stored)) }
  if (run.state !== 'failed' && run.state !== 'interrupted' && run.state !== 'cancelled')
    throw new ProductError('bad_request', {}, 'Only a load that did not end well can be repeated.')
  return beginRun(deps, { ...ask, run: await again(deps, ask, { run, trigger: 'retry', mode: run.mode }) })
}

async function again(
  deps: Deps,
  ask: Reading,
  of: { run: RunRow; trigger: SyncRun['trigger']; mode: SyncRun['mode'] },
): Promise<RunRow> {
  const { run, trigger, mode } = of
  if (run.objectKey === null)
    throw new ProductError('expired', { what: 'file' }, 'The file is no longer kept. Upload it again.')
  const dataset = await datasetOf(deps, ask, run.datasetId)
  const request = requestOf(run)
  const keeps = mode === 'append' || mode === 'upsert' || mode === 'replacePart'
  return newRunRow(ask.scope, {
    id: deps.ids.next('run'),
    sourceId: run.sourceId,
    datasetId: run.datasetId,
    trigger,
    mode,
    uploadId: run.uploadId,
    objectKey: run.objectKey,
    fileName: run.fileName,
    request: keeps ? withColumns(request, dataset.columns) : request,
    bytesTotal: run.bytesTotal,
    now: deps.clock.now(),
  })
}

/** Columns that came to the dataset after the first try stay, without values from this file. */
function withColumns(request: LoadRequest, columns: LoadRequest['columns']): LoadRequest {
  const known = new Set(request.columns.map(({ key }) => key))
  const added = columns.filter(({ key }) => !known.has(key))
  return { ...request, columns: [...request.columns, ...added], files: [...request.files, ...added.map(() => null)] }
}

/** Goes back to an earlier version: at once while it is kept beside, else by loading its file again. */
export async function rollback(
  deps: Deps,
  ask: Writing & { datasetId: string; dataVersion: number },
): Promise<SyncRun> {
  const { scope, datasetId, dataVersion } = ask
  refuseFrozen(await datasetOf(deps, ask, datasetId))
  const versions = await deps.warehouse(scope).versions(datasetId)
  const version = versions.find((known) => known.dataVersion === dataVersion)
  if (!version || version.rollback === 'none') throw new ProductError('not_found')
  if (version.current) throw new ProductError('bad_request', {}, 'These rows are shown already.')
  const origin = await runStore(deps.db, scope).get(version.runId)
  if (!origin) throw new ProductError('not_found')
  if (version.rollback === 'reload')
    return beginRun(deps, {
      ...ask,
      run: await again(deps, ask, { run: origin, trigger: 'rollback', mode: 'replace' }),
    })
  return rollbackAtOnce(deps, { ...ask, origin })
}

async function rollbackAtOnce(
  deps: Deps,
  ask: Writing & { datasetId: string; dataVersion: number; origin: RunRow },
): Promise<SyncRun> {
  const { scope, datasetId, dataVersion, origin } = ask
  const { id: _id, ...like } = origin
  const run = newRunRow(scope, {
    ...like,
    id: deps.ids.next('run'),
    trigger: 'rollback',
    mode: 'replace',
    objectKey: origin.objectKey,
    request: requestOf(origin),
    now: deps.clock.now(),
  })
  const store = runStore(deps.db, scope)
  await commit(deps, {
    change: [store.insert(run, ask.max)],
    audit: [audited(scope, 'load.rollback', { entity: 'dataset', id: datasetId, after: { dataVersion } })],
    // How it ends is not known yet: whoever asks again is told which run to look at.
    reply: ask.reply(viewRun(run)),
    expect: { onMissed: () => runMissed(deps, ask, datasetId) },
  })
  try {
    const done = await deps.warehouse(scope).rollback({ datasetId, dataVersion, runId: run.id })
    await projectLoad(deps, scope, { id: run.id, datasetId, done })
  } catch (error) {
    const message = 'The earlier rows could not be brought back. The data is as it was.'
    await store.end(run.id, { state: 'failed', error: { code: 'internal', message }, now: deps.clock.now() }).run()
    throw error
  }
  return getRun(deps, ask, run.id)
}
