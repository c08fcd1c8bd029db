import { driftFailure, type SyncFailure } from './sync-failure'
import type { Deps } from '../../deps'
import type { LoadFileParams } from '../../shared/data-sources/data-sources'
import type { LoadEnd } from '../../sync/load-in-steps'
import { cleanupScope } from '../../sync/load-steps'
import { runStore } from '../../sync/store'

/** How a load ended that brought no rows. */
export type UnsuccessfulLoad = Exclude<LoadEnd, { kind: 'loaded' }>

/** Ends the run of such a load, whose rows go. @returns whether it would have replaced all rows by none */
export async function endUnsuccessfulLoad(deps: Deps, load: LoadFileParams, done: UnsuccessfulLoad): Promise<boolean> {
  const scope = cleanupScope(load)
  const run = await runStore(deps.db, scope).get(load.runId)
  await deps.warehouse(scope).abortLoad({ runId: load.runId })
  const state = done.kind === 'unchanged' ? 'unchanged' : done.kind === 'halted' ? 'cancelled' : 'failed'
  const error = done.kind === 'refused' ? done.refusal : null
  await runStore(deps.db, scope).end(load.runId, { state, error, now: deps.clock.now() }).run()
  return run?.mode === 'replace' && run.rowsRead === 0 && error?.code === 'file_unreadable'
}

/** Rows that cannot be loaded as they are. */
export const refusedFailure = (table: string, { refusal }: Extract<LoadEnd, { kind: 'refused' }>): SyncFailure =>
  driftFailure(`${table}: ${refusal.message}`, 'Check the data at the source. We’ll try again.', null)
