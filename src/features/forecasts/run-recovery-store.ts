import { OPEN_STATES, outboxKeySql } from './run-store'
import type { Database } from '../../db/database'
import type { RunFailure } from '../../shared/forecasts/forecasts'

export interface StalledRun {
  runId: string
  workspaceId: string
  /** How often it was started. */
  tries: number
}

/** Runs of all workspaces, for the scheduled round only. */
export const runRecoveryStore = ({ d1 }: Database) => ({
  /**
   * Open runs without a heartbeat for `heartbeatMaxAgeMs`, four times as long after each further start, that were started fewer than
   * `triesMax` times. A run whose start still waits in the outbox is not among them.
   */
  async stalled(at: {
    now: number
    heartbeatMaxAgeMs: number
    triesMax: number
    limit: number
  }): Promise<StalledRun[]> {
    const { results } = await d1
      .prepare(
        `SELECT r.id AS runId, r.workspace_id AS workspaceId, r.tries FROM forecast_runs r INDEXED BY forecast_runs_waiting
         WHERE r.created_at <= ?1 - ?2 AND r.state IN ${OPEN_STATES} AND r.tries < ?3
           AND coalesce(r.alive_at, r.created_at) <= ?1 - (?2 << (2 * (r.tries - 1)))
           AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.delivered_at IS NULL
             AND o.key = ${outboxKeySql('r')})
         ORDER BY r.created_at LIMIT ?4`,
      )
      .bind(at.now, at.heartbeatMaxAgeMs, at.triesMax, at.limit)
      .all<StalledRun>()
    return results
  },

  /** Counts another start. Changes no row when the run has ended, or another round was first. */
  restart: ({ runId, tries }: StalledRun, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE forecast_runs SET tries = tries + 1, alive_at = ?3 WHERE id = ?1 AND tries = ?2 AND state IN ${OPEN_STATES}`,
      )
      .bind(runId, tries, now),

  /** Ends runs that began before `startedBefore`, and those that wait since before `queuedBefore`. */
  failAbandoned: (at: {
    now: number
    startedBefore: number
    queuedBefore: number
    trouble: RunFailure
    limit: number
  }): Promise<unknown> =>
    d1
      .prepare(
        `UPDATE forecast_runs SET state = 'failed', claim = NULL, finished_at = ?1, trouble = ?2
         WHERE id IN (SELECT id FROM forecast_runs INDEXED BY forecast_runs_waiting WHERE created_at <= ?3
           AND ((state = 'running' AND started_at <= ?3) OR (state = 'queued' AND created_at <= ?4))
           AND state IN ${OPEN_STATES} LIMIT ?5)`,
      )
      .bind(at.now, JSON.stringify(at.trouble), at.startedBefore, at.queuedBefore, at.limit)
      .run(),

  /** Forecasts that were to run again after a run that died: asked for once. */
  async takeRerunRequests(limit: number): Promise<{ id: string; workspaceId: string; userId: string }[]> {
    const { results } = await d1
      .prepare(
        `UPDATE forecasts SET again = 0 WHERE id IN (SELECT f.id FROM forecasts f INDEXED BY forecasts_again
           WHERE f.again = 1 AND NOT EXISTS (SELECT 1 FROM forecast_runs r WHERE r.forecast_id = f.id
             AND r.state IN ${OPEN_STATES}) LIMIT ?)
         RETURNING id, workspace_id AS workspaceId, owner_id AS userId`,
      )
      .bind(limit)
      .all<{ id: string; workspaceId: string; userId: string }>()
    return results
  },
})
