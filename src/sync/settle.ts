import { paramsFor } from './job'
import { projectLoad } from './load-steps'
import { StallWatch } from './stall'
import { isActive, runStore } from './store'
import type { RunHead } from './store'
import type { Scope } from '../access/scope'
import type { Deps } from '../deps'
import { log } from '../lib/log'
import { ProductError } from '../shared/errors'
import { LOAD_LEASE_MS } from '../shared/limits'
import type { RunState } from '../shared/sources'

/** Starts the durable load of a run that is written already. What fails here is seen as interrupted, with Retry. */
export async function launch(deps: Deps, scope: Scope, runId: string): Promise<void> {
  try {
    await deps.loadFile.create({ id: runId, params: paramsFor(scope, runId) })
  } catch (error) {
    log('error', 'a load could not be started', { runId })
    deps.reporter.report(error, { route: 'launch load-file' })
  }
}

/** Stops the durable instance of a run; it may be gone, done or never started. */
export async function terminate(deps: Pick<Deps, 'loadFile'>, runId: string): Promise<void> {
  try {
    const instance = await deps.loadFile.get(runId)
    await instance.terminate()
  } catch {
    // Nothing to stop. If it does come back, its next step finds the run ended and does nothing.
  }
}

const INTERRUPTED = 'The load was interrupted. The data is as it was before. Try again.'

/** Ends a run before its time. If its rows were swapped in by then, it says so instead: the warehouse is right. */
export async function giveUp(
  deps: Deps,
  scope: Scope,
  end: { run: RunHead; as: Extract<RunState, 'cancelled' | 'interrupted'> },
): Promise<RunHead> {
  const { run, as } = end
  const store = runStore(deps.db, scope)
  const error = as === 'interrupted' ? { code: 'busy' as const, message: INTERRUPTED } : null
  await store.end(run.id, { state: as, error, now: deps.clock.now() }).run()
  await deps.live(scope).tell({ kind: 'changed', noun: 'source', id: null })
  await terminate(deps, run.id)
  await deps.warehouse(scope).abortLoad({ runId: run.id })
  await projectIfSwapped(deps, scope, run)
  return (await store.get(run.id)) ?? run
}

/** A load whose swap was done, and whose process ended before it could tell. */
async function projectIfSwapped(deps: Deps, scope: Scope, run: RunHead): Promise<void> {
  const warehouse = deps.warehouse(scope)
  const version = await quiet(async () => {
    const versions = await warehouse.versions(run.datasetId)
    return versions.find(({ runId, current }) => current && runId === run.id)
  })
  if (!version) return
  const dataset = await warehouse.dataset(run.datasetId)
  const { rowCount, bytes, dataVersion, columns } = dataset
  const done = { rowCount, bytes, dataVersion, columns, rowsWritten: version.rowCount, rowsRejected: run.rowsRejected }
  await projectLoad(deps, scope, { id: run.id, datasetId: run.datasetId, done })
}

async function quiet<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return undefined
    throw error
  }
}

const watch = new StallWatch()

/**
 * Wakes an instance whose process ended: platforms resume by themselves, a local one goes on from its last finished
 * step when it is paused and resumed. For a load that is only slow this changes nothing.
 */
async function wake(deps: Pick<Deps, 'loadFile'>, runId: string): Promise<void> {
  try {
    const instance = await deps.loadFile.get(runId)
    await instance.pause()
    await instance.resume()
    log('info', 'a load that stood still was woken', { runId })
  } catch {
    // It has ended, or was never started: then its lease runs out and it shows as interrupted.
  }
}

/** The run as it really stands: live while its lease holds, interrupted when nobody renews it any more. */
export async function settledRun(deps: Deps, scope: Scope, run: RunHead): Promise<RunHead> {
  if (!isActive(run.state)) return run
  const progress = await deps.warehouse(scope).loadProgress(run.id)
  const now = deps.clock.now()
  // Before it takes the lease, and between giving it back and saying so, a load is young.
  const young = now - run.startedAt < LOAD_LEASE_MS
  if (!progress?.alive && !young) return interrupt(deps, scope, run.id)
  const staged = progress?.staged ?? 0
  const rejected = progress?.rejected ?? 0
  if (watch.stands(run.id, `${staged}.${rejected}.${run.bytesRead}`, now)) await wake(deps, run.id)
  const rowsRead = Math.max(run.rowsRead, staged + rejected)
  return { ...run, rowsRead, bytesRead: bytesBehind(run, rowsRead), rowsRejected: Math.max(run.rowsRejected, rejected) }
}

/** Bytes are counted per stretch and rows as they are staged: pages need both of the same moment. */
const bytesBehind = (run: Pick<RunHead, 'rowsRead' | 'bytesRead' | 'bytesTotal'>, rowsNow: number): number =>
  run.rowsRead === 0 ? run.bytesRead : Math.min(run.bytesTotal, Math.round((run.bytesRead * rowsNow) / run.rowsRead))

async function interrupt(deps: Deps, scope: Scope, id: string): Promise<RunHead> {
  const fresh = await runStore(deps.db, scope).get(id)
  if (!fresh) throw new ProductError('not_found')
  return isActive(fresh.state) ? giveUp(deps, scope, { run: fresh, as: 'interrupted' }) : fresh
}
