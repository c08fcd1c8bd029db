import { loadFailureMails } from './load-failure-mail'
import { cleanupScope, projectFinishedLoad, runError, type AbortReason } from './load-steps'
import { runStore, type RunSummary } from './store'
import { tryCommit } from '../db/commit'
import type { Deps } from '../deps'
import type { Scope } from '../scope'
import { ProductError } from '../shared/errors'
import type { LoadFileParams, RunError } from '../shared/data-sources/data-sources'

/**
 * Ends a run without its data: staging dropped, lease free, the old table as it was. Whoever is to know of a failure is
 * mailed; a load that was stopped, or that brought nothing new, concerns nobody.
 */
export async function endRun(
  deps: Deps,
  params: LoadFileParams,
  end: RunError | AbortReason | 'unchanged',
): Promise<void> {
  const scope = cleanupScope(params)
  await deps.warehouse(scope).abortLoad({ runId: params.runId })
  const run = await runStore(deps.db, scope).get(params.runId)
  if (!run) return
  if (end === 'unchanged' || end === 'stopped') {
    const as = end === 'stopped' ? 'cancelled' : 'unchanged'
    await runStore(deps.db, scope).end(run.id, { state: as, error: null, now: deps.clock.now() }).run()
  } else {
    const error = end === 'not_allowed' ? runError(new ProductError('forbidden')) : end
    await failRun(deps, scope, { run, state: 'failed', error })
  }
  await deps.live(scope).publish({ kind: 'changed', noun: 'source', id: null })
}

/**
 * Ends a run that failed and mails of it, both or neither. If its rows were swapped in by then, it says so instead: the
 * warehouse is right. May be repeated: a run ends once, and is told of once.
 */
export async function failRun(
  deps: Deps,
  scope: Scope,
  { run, state, error }: { run: RunSummary; state: 'failed' | 'interrupted'; error: RunError },
): Promise<void> {
  await deps.warehouse(scope).abortLoad({ runId: run.id })
  if (await projectIfSwapped(deps, scope, run)) return
  await tryCommit(deps, {
    change: [runStore(deps.db, scope).end(run.id, { state, error, now: deps.clock.now() })],
    outbox: await loadFailureMails(deps, scope, { ...run, state, error }),
  })
}

/** A load whose swap was done, and whose process ended before it could tell. */
export async function projectIfSwapped(deps: Deps, scope: Scope, run: RunSummary): Promise<boolean> {
  const warehouse = deps.warehouse(scope)
  const version = await undefinedIfNotFound(async () => {
    const versions = await warehouse.versions(run.datasetId)
    return versions.find(({ runId, current }) => current && runId === run.id)
  })
  if (!version) return false
  const dataset = await warehouse.dataset(run.datasetId)
  const { rowCount, bytes, dataVersion, columns } = dataset
  const done = { rowCount, bytes, dataVersion, columns, ...version.counts }
  await projectFinishedLoad(deps, scope, { id: run.id, datasetId: run.datasetId, done })
  return true
}

async function undefinedIfNotFound<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return undefined
    throw error
  }
}
