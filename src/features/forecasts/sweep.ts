import { INTERRUPTED_FAILURE, queueRuns } from './run'
import { Scope } from '../../access/scope'
import { startPendingWorkflows } from '../../db/follow-ups'
import type { Deps } from '../../deps'

/** A run that has not ended so long after it began, and one that waits so long, is given up: its Workflow is gone. */
const RUNNING_MAX_MS = 30 * 60 * 1000
const QUEUED_MAX_MS = 2 * 60 * 60 * 1000
const SWEEP_BATCH_MAX = 50

/** Starts runs that wait, after what became of those that nobody works on any more. */
export async function sweepForecasts(deps: Deps): Promise<void> {
  await failStalledRuns(deps)
  await startPendingWorkflows(deps, 'forecastRun', deps.forecastRun)
}

/** Ends runs that nobody works on, and queues those that were to follow one that died. */
export async function failStalledRuns(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { d1 } = deps.db
  await d1
    .prepare(
      `UPDATE forecast_runs SET state = 'failed', claim = NULL, finished_at = ?1, trouble = ?2
       WHERE id IN (SELECT id FROM forecast_runs INDEXED BY forecast_runs_waiting WHERE created_at <= ?1 - ?3
         AND ((state = 'running' AND started_at <= ?1 - ?3) OR (state = 'queued' AND created_at <= ?1 - ?4))
         AND state IN ('queued', 'running') LIMIT ?5)`,
    )
    .bind(now, JSON.stringify(INTERRUPTED_FAILURE), RUNNING_MAX_MS, QUEUED_MAX_MS, SWEEP_BATCH_MAX)
    .run()
  const { results } = await d1
    .prepare(
      `UPDATE forecasts SET again = 0 WHERE id IN (SELECT f.id FROM forecasts f INDEXED BY forecasts_again
         WHERE f.again = 1 AND NOT EXISTS (SELECT 1 FROM forecast_runs r WHERE r.forecast_id = f.id
           AND r.state IN ('queued', 'running')) LIMIT ?)
       RETURNING id, workspace_id AS workspaceId, owner_id AS userId`,
    )
    .bind(SWEEP_BATCH_MAX)
    .all<{ id: string; workspaceId: string; userId: string }>()
  for (const { id, workspaceId, userId } of results)
    await queueRuns(deps, Scope.forJob({ workspaceId, userId, epoch: '' }), [id])
}
