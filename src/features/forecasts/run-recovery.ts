import { runOutboxEntry } from './run-store'
import { runRecoveryStore } from './run-recovery-store'
import { INTERRUPTED_FAILURE, queueRuns } from './runner'
import { tryCommit } from '../../db/commit'
import { startPendingWorkflows } from '../../db/outbox-workflows'
import { Scope } from '../../scope'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates'
import type { Deps } from '../../deps'

/**
 * A run without a heartbeat for so long is started again: with a round every minute, within two minutes. Longer than
 * computing takes, which cannot give any; and a run that is only slow has four times as long at its next start.
 */
const HEARTBEAT_MAX_AGE_MS = 50_000
const STARTS_MAX = 4
/** A run that has not ended so long after it began, and one that waits so long, is given up. */
const RUNNING_MAX_MS = 30 * MINUTE_MS
const QUEUED_MAX_MS = 2 * HOUR_MS
const SWEEP_BATCH_MAX = 50

/** Starts runs that wait, after what became of those that nobody works on any more. */
export async function sweepForecasts(deps: Deps): Promise<void> {
  await restartStalledRuns(deps)
  await failAbandonedRuns(deps)
  await startPendingWorkflows(deps, 'forecastRun', deps.forecastRun)
}

/** Asks for another start of runs whose process was killed. Whoever claims a run last writes it: two starts do no harm. */
export async function restartStalledRuns(deps: Deps): Promise<void> {
  const store = runRecoveryStore(deps.db)
  const now = deps.clock.now()
  const of = { now, heartbeatMaxAgeMs: HEARTBEAT_MAX_AGE_MS, triesMax: STARTS_MAX, limit: SWEEP_BATCH_MAX }
  for (const run of await store.stalled(of)) {
    const { workspaceId, runId, tries } = run
    await tryCommit(deps, {
      change: [store.restart(run, now)],
      outbox: [runOutboxEntry({ workspaceId, runId }, tries + 1)],
    })
  }
}

/** Ends runs that no start helped, and queues those that were to follow one that died. */
export async function failAbandonedRuns(deps: Deps): Promise<void> {
  const store = runRecoveryStore(deps.db)
  const now = deps.clock.now()
  await store.failAbandoned({
    now,
    startedBefore: now - RUNNING_MAX_MS,
    queuedBefore: now - QUEUED_MAX_MS,
    trouble: INTERRUPTED_FAILURE,
    limit: SWEEP_BATCH_MAX,
  })
  for (const { id, workspaceId, userId } of await store.takeRerunRequests(SWEEP_BATCH_MAX))
    await queueRuns(deps, Scope.forJob({ workspaceId, userId, epoch: '' }), [id])
}
