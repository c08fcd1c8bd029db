import { watchRights } from '../../identity/access/rights-watch'
import { startRun, requireDataset, requireWholeDataset, startRunError } from './datasets'
import { auditEntry, assertNotFrozen, type SourceWriteContext } from './sources'
import { sourceStore, type StoreContext, type SourceRow } from './store'
import { encodeCursor, decodeCursor } from './views'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'
import type { SyncRun } from '../../shared/data-sources/data-sources'
import type { LoadRequest } from '../../sync/load-request'
import { reconcileRun, stopRun } from '../../sync/run-recovery'
import { projectFinishedLoad } from '../../sync/load-steps'
import { isActive, newRunRow, loadRequestOf, runStore, toSyncRun, type RunRow } from '../../sync/store'
import type { Scope } from '../../scope'
import { canRead, isPartial } from '../../identity/access/visible-dataset'
import { csvLine } from '../../shared/csv-line'

/** A run of a live source. @throws ProductError `not_found` */
async function requireRun(deps: Deps, ask: StoreContext, id: string): Promise<{ run: RunRow; source: SourceRow }> {
  const run = await runStore(deps.db, ask.scope).get(id)
  const source = run && (await sourceStore(deps.db, ask).get(run.sourceId))
  if (!run || !source) throw new ProductError('not_found')
  await requireWholeDataset(deps, ask, run.datasetId)
  return { run, source }
}

export async function getRun(deps: Deps, ask: StoreContext, id: string): Promise<SyncRun> {
  const { run } = await requireRun(deps, ask, id)
  return toSyncRun(await reconcileRun(deps, ask.scope, run))
}

export async function listRuns(
  deps: Deps,
  options: StoreContext & { sourceId: string; cursor?: string | undefined; limit: number },
): Promise<ListPage<SyncRun>> {
  if (!(await sourceStore(deps.db, options).get(options.sourceId))) throw new ProductError('not_found')
  const before = decodeCursor(options.cursor)
  const rows = await runStore(deps.db, options.scope).list(options.sourceId, { before, limit: options.limit + 1 })
  const shown = rows.slice(0, options.limit)
  const last = rows.length > options.limit ? shown.at(-1) : undefined
  return {
    items: shown.filter(isWhole(options.scope)).map(toSyncRun),
    nextCursor: last ? encodeCursor({ at: last.startedAt, id: last.id }) : null,
  }
}

/** Loads of datasets that are seen in part, or not at all, are not told of. */
const isWhole =
  (scope: Scope) =>
  ({ datasetId: id, sourceId }: Pick<RunRow, 'datasetId' | 'sourceId'>): boolean =>
    canRead(scope.wire(), { id, sourceId }) && !isPartial(scope.wire(), { id })

/** Stops a load; the data stays as it was. A run that has ended answers as it is. */
export async function cancelRun(deps: Deps, command: SourceWriteContext & { id: string }): Promise<SyncRun> {
  const { scope } = command
  const { run } = await requireRun(deps, command, command.id)
  if (!isActive(run.state)) return toSyncRun(run)
  await commit(deps, {
    change: [runStore(deps.db, scope).end(run.id, { state: 'cancelled', error: null, now: deps.clock.now() })],
    audit: [auditEntry(scope, 'load.cancel', { entity: 'dataset', id: run.datasetId })],
  })
  return toSyncRun(await stopRun(deps, scope, run))
}

/** Starts over with the same file. @throws ProductError `bad_request` for a run that has not failed */
export async function retryRun(deps: Deps, command: SourceWriteContext & { id: string }): Promise<SyncRun> {
  const { scope } = command
  const { run: stored, source } = await requireRun(deps, command, command.id)
  assertNotFrozen(source)
  const run = { ...stored, ...(await reconcileRun(deps, scope, stored)) }
  if (run.state !== 'failed' && run.state !== 'interrupted' && run.state !== 'cancelled')
    throw new ProductError('bad_request', {}, 'Only a failed import can be retried.')
  return startRun(deps, {
    ...command,
    run: await repeatedRun(deps, command, { ...run, run, trigger: 'retry' }),
  })
}

async function repeatedRun(
  deps: Deps,
  ask: StoreContext,
  of: { run: RunRow; trigger: SyncRun['trigger']; mode: SyncRun['mode']; restoredVersion: number | null },
): Promise<RunRow> {
  const { run, trigger, mode, restoredVersion } = of
  if (run.objectKey === null)
    throw new ProductError('expired', { what: 'file' }, 'The file is no longer stored. Upload it again.')
  const dataset = await requireDataset(deps, ask, run.datasetId)
  const request = loadRequestOf(run)
  const keeps = mode === 'append' || mode === 'upsert' || mode === 'replacePart'
  return newRunRow(deps, ask.scope, {
    ...run,
    trigger,
    mode,
    restoredVersion,
    request: keeps ? withNewColumns(request, dataset.columns) : request,
  })
}

/** Columns that came to the dataset after the first try stay, without values from this file. */
function withNewColumns(request: LoadRequest, columns: LoadRequest['columns']): LoadRequest {
  const known = new Set(request.columns.map(({ key }) => key))
  const added = columns.filter(({ key }) => !known.has(key))
  return { ...request, columns: [...request.columns, ...added], files: [...request.files, ...added.map(() => null)] }
}

/** Goes back to an earlier version: at once while it is kept beside, else by loading its file again. */
export async function rollback(
  deps: Deps,
  command: SourceWriteContext & { datasetId: string; dataVersion: number },
): Promise<SyncRun> {
  const { scope, datasetId, dataVersion } = command
  assertNotFrozen(await requireWholeDataset(deps, command, datasetId))
  const versions = await deps.warehouse(scope).versions(datasetId)
  const version = versions.find((known) => known.dataVersion === dataVersion)
  if (!version || version.rollback === 'none') throw new ProductError('not_found')
  if (version.current) throw new ProductError('bad_request', {}, 'This version is already current.')
  const origin = await runStore(deps.db, scope).get(version.runId)
  if (!origin) throw new ProductError('not_found')
  if (version.rollback === 'reload')
    return startRun(deps, {
      ...command,
      run: await repeatedRun(deps, command, {
        run: origin,
        trigger: 'rollback',
        mode: 'replace',
        restoredVersion: dataVersion,
      }),
    })
  return rollbackInPlace(deps, { ...command, origin })
}

async function rollbackInPlace(
  deps: Deps,
  command: SourceWriteContext & { datasetId: string; dataVersion: number; origin: RunRow },
): Promise<SyncRun> {
  const { scope, datasetId, dataVersion, origin } = command
  const run = newRunRow(deps, scope, {
    ...origin,
    trigger: 'rollback',
    mode: 'replace',
    restoredVersion: dataVersion,
    request: loadRequestOf(origin),
  })
  const store = runStore(deps.db, scope)
  await commit(deps, {
    change: [store.insert(run, command.max)],
    audit: [auditEntry(scope, 'load.rollback', { entity: 'dataset', id: datasetId, after: { dataVersion } })],
    // How it ends is not known yet: whoever asks again is told which run to look at.
    reply: command.reply(toSyncRun(run)),
    expect: { onMissed: () => startRunError(deps, command, datasetId) },
  })
  try {
    const done = await deps.warehouse(scope).rollback({ datasetId, dataVersion, runId: run.id })
    await projectFinishedLoad(deps, scope, { id: run.id, datasetId, done })
  } catch (error) {
    const message = 'Couldn’t restore the version. Existing data is unchanged.'
    await store.end(run.id, { state: 'failed', error: { code: 'internal', message }, now: deps.clock.now() }).run()
    throw error
  }
  return getRun(deps, command, run.id)
}

const PAGE_ROWS = 1000
/** So that spreadsheets read the text as UTF-8. */
const BOM = '\ufeff'

/** The rows a load could not read, as a CSV that is written while it is sent. */
export async function rejectedRowsCsv(deps: Deps, scope: Scope, runId: string): Promise<ReadableStream<Uint8Array>> {
  const run = await runStore(deps.db, scope).get(runId)
  if (!run || !isWhole(scope)(run)) throw new ProductError('not_found')
  const warehouse = deps.warehouse(scope)
  const rowsAfter = (line: number) => warehouse.rejects({ runId, after: line, limit: PAGE_ROWS })
  const encoder = new TextEncoder()
  const stillAllowed = await watchRights(deps, scope)
  // Before the answer begins: what is refused is an error then, and no file that breaks off.
  let rows = await rowsAfter(0)
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BOM + csvLine(['line', 'reason', 'text'])))
    },
    async pull(controller) {
      const last = rows.at(-1)
      const isEnd = last === undefined || rows.length < PAGE_ROWS
      // A line that was unpivoted has several rejects, and the page may end among them: it is asked for again.
      const whole = isEnd ? rows : rows.filter(({ line }) => line !== last.line)
      if (whole.length > 0)
        controller.enqueue(
          encoder.encode(whole.map(({ line, reason, text }) => csvLine([line, reason, text])).join('')),
        )
      if (isEnd) return controller.close()
      await stillAllowed()
      rows = await rowsAfter(whole.at(-1)?.line ?? last.line)
    },
  })
}
