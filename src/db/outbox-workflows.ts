import type { OutboxEntry } from './commit'
import type { Database } from './database'
import { log } from '../lib/log'
import type { Clock } from '../shared/ids'

/** What something else follows: new rows of a dataset stand. */
export interface FollowUpParams {
  workspaceId: string
  datasetId: string
  dataVersion: number
}

/** The outbox row of new rows, for the `outbox` of a `commit`: findings, alerts and what else follows them, once. */
export const rowsReplacedEntry = (loaded: FollowUpParams): OutboxEntry => ({
  workspaceId: loaded.workspaceId,
  kind: 'swapped',
  key: `swapped:${loaded.datasetId}:${loaded.dataVersion}`,
  payload: loaded,
})

const WORKFLOW_STARTS_MAX = 50
/** How long a start has to itself before another round tries it. */
const LEASE_MS = 60_000

export interface WorkflowStartDeps {
  db: Database
  clock: Clock
}
export interface FollowUpDeps extends WorkflowStartDeps {
  followUp: Workflow<FollowUpParams>
}

/** Starts the durable follow-up of all new rows that wait for it. */
export const startFollowUps = (deps: FollowUpDeps): Promise<void> =>
  startPendingWorkflows(deps, 'swapped', deps.followUp)

/**
 * Starts the durable work of every event of a kind that waits, with what the event holds. Any number may do so at once:
 * each row is claimed by one.
 */
export async function startPendingWorkflows<T>(
  { db, clock }: WorkflowStartDeps,
  kind: string,
  workflow: Workflow<T>,
): Promise<void> {
  const { results } = await db.d1
    .prepare(
      `UPDATE outbox SET next_attempt_at = ?1 + ?2, attempts = attempts + 1
       WHERE id IN (SELECT id FROM outbox INDEXED BY outbox_due
         WHERE delivered_at IS NULL AND failed_at IS NULL AND next_attempt_at <= ?1 AND kind = ?4
         ORDER BY next_attempt_at LIMIT ?3)
       RETURNING id, payload`,
    )
    .bind(clock.now(), LEASE_MS, WORKFLOW_STARTS_MAX, kind)
    .all<{ id: string; payload: string }>()
  for (const { id, payload } of results) {
    const params: T = JSON.parse(payload)
    await workflow.create({ id, params }).catch((error: unknown) => {
      // Started before, by a round that ended before it could say so.
      if (!/already exists/i.test(String(error))) throw error
    })
    await db.d1.prepare('UPDATE outbox SET delivered_at = ? WHERE id = ?').bind(clock.now(), id).run()
  }
  if (results.length > 0) log('info', 'durable work started', { kind, count: results.length })
}
