import { failRun, projectIfSwapped } from './end-run'
import { loadParamsFor } from './load-steps'
import { isActive, runStore, type RunSummary } from './store'
import type { Scope } from '../scope'
import type { Deps } from '../deps'
import { log } from '../lib/log'
import { ProductError } from '../shared/errors'
import { LOAD_LEASE_MS } from '../shared/limits'

/** A load that shows no progress for this long may have lost its process. */
const STALL_MS = 8_000
const PROGRESS_MARKS_MAX = 500

interface ProgressMark {
  mark: string
  since: number
}

/**
 * Notices loads that stand still, as far as this isolate has looked at them. Only a hint: a wrong one is harmless,
 * and without one the lease's expiry ends the load anyway.
 */
class StallDetector {
  readonly #seen = new Map<string, ProgressMark>()

  /** True once per stretch of standing still. `mark` changes whenever the load moves. */
  hasStalled(runId: string, mark: string, now: number): boolean {
    const before = this.#seen.get(runId)
    if (before?.mark !== mark) {
      this.#remember(runId, { mark, since: now })
      return false
    }
    if (now - before.since < STALL_MS) return false
    before.since = now
    return true
  }

  #remember(runId: string, mark: ProgressMark): void {
    this.#seen.delete(runId)
    this.#seen.set(runId, mark)
    const oldest = this.#seen.keys().next().value
    if (this.#seen.size > PROGRESS_MARKS_MAX && oldest !== undefined) this.#seen.delete(oldest)
  }
}

/** Starts the durable load of a run that is written already. What fails here is seen as interrupted, with Retry. */
export async function startLoadWorkflow(deps: Deps, scope: Scope, runId: string): Promise<void> {
  try {
    await deps.loadFile.create({ id: runId, params: loadParamsFor(scope, runId) })
  } catch (error) {
    log('error', 'a load could not be started', { runId })
    deps.reporter.report(error, { route: 'launch load-file' })
  }
}

/** Stops the durable instance of a run; it may be gone, done or never started. */
export async function terminateLoadWorkflow(deps: Pick<Deps, 'loadFile'>, runId: string): Promise<void> {
  try {
    const instance = await deps.loadFile.get(runId)
    await instance.terminate()
  } catch {
    // Nothing to stop. If it does come back, its next step finds the run ended and does nothing.
  }
}

const INTERRUPTED = 'Import interrupted.'

/** Ends a run that somebody stopped. If its rows were swapped in by then, it says so instead: the warehouse is right. */
export async function stopRun(deps: Deps, scope: Scope, run: RunSummary): Promise<RunSummary> {
  const store = runStore(deps.db, scope)
  await store.end(run.id, { state: 'cancelled', error: null, now: deps.clock.now() }).run()
  await deps.live(scope).publish({ kind: 'changed', noun: 'source', id: null })
  await terminateLoadWorkflow(deps, run.id)
  await deps.warehouse(scope).abortLoad({ runId: run.id })
  await projectIfSwapped(deps, scope, run)
  return (await store.get(run.id)) ?? run
}

const stallDetector = new StallDetector()

/**
 * Wakes an instance whose process ended: platforms resume by themselves, a local one goes on from its last finished
 * step when it is paused and resumed. For a load that is only slow this changes nothing.
 */
async function resumeStalledWorkflow(deps: Pick<Deps, 'loadFile'>, runId: string): Promise<void> {
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
export async function reconcileRun(deps: Deps, scope: Scope, run: RunSummary): Promise<RunSummary> {
  if (!isActive(run.state)) return run
  const progress = await deps.warehouse(scope).loadProgress(run.id)
  const now = deps.clock.now()
  // Before it takes the lease, and between giving it back and saying so, a load is young.
  const young = now - run.startedAt < LOAD_LEASE_MS
  if (!progress?.alive && !young) return interruptRun(deps, scope, run.id)
  const staged = progress?.staged ?? 0
  const rejected = progress?.rejected ?? 0
  if (stallDetector.hasStalled(run.id, `${staged}.${rejected}.${run.bytesRead}`, now))
    await resumeStalledWorkflow(deps, run.id)
  const rowsRead = Math.max(run.rowsRead, staged + rejected)
  return {
    ...run,
    rowsRead,
    bytesRead: estimatedBytesRead(run, rowsRead),
    rowsRejected: Math.max(run.rowsRejected, rejected),
  }
}

/** Bytes are counted per stretch and rows as they are staged: pages need both of the same moment. */
const estimatedBytesRead = (run: Pick<RunSummary, 'rowsRead' | 'bytesRead' | 'bytesTotal'>, rowsNow: number): number =>
  run.rowsRead === 0 ? run.bytesRead : Math.min(run.bytesTotal, Math.round((run.bytesRead * rowsNow) / run.rowsRead))

async function interruptRun(deps: Deps, scope: Scope, id: string): Promise<RunSummary> {
  const fresh = await runStore(deps.db, scope).get(id)
  if (!fresh) throw new ProductError('not_found')
  if (!isActive(fresh.state)) return fresh
  await terminateLoadWorkflow(deps, id)
  await failRun(deps, scope, { run: fresh, state: 'interrupted', error: { code: 'busy', message: INTERRUPTED } })
  await deps.live(scope).publish({ kind: 'changed', noun: 'source', id: null })
  return (await runStore(deps.db, scope).get(id)) ?? fresh
}
