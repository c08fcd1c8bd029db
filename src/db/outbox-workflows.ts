import type { OutboxEntry } from './commit'
import type { Database } from './database'
import { outboxStore } from './outbox-store'
import { log } from '../lib/log'
import type { Clock, Ids } from '../shared/ids'

/** What something else follows: new rows of a dataset stand. */
export interface FollowUpParams {
  workspaceId: string
  datasetId: string
  dataVersion: number
}

/** The same of rules of access, or of who is in a group that they are about: members may see other things from now on. */
export interface RightsChangedParams {
  workspaceId: string
  rights: 'changed'
}

/** What durable follow-ups begin with. */
export type FollowUpEvent = FollowUpParams | RightsChangedParams

/** The outbox row of changed rights: what is kept under those that somebody had is looked at again. */
export const rightsChangedEntry = (workspaceId: string, ids: Pick<Ids, 'token'>): OutboxEntry => ({
  workspaceId,
  kind: 'swapped',
  key: `rights:${ids.token(16)}`,
  payload: { workspaceId, rights: 'changed' } satisfies RightsChangedParams,
})

/**
 * The outbox row of new rows, for the `outbox` of a `commit`: findings, alerts and what else follows them, once.
 * @param dueAt of rows that come in many small loads: the same instant for those that are followed up together
 */
export const rowsReplacedEntry = (loaded: FollowUpParams, dueAt?: number): OutboxEntry => ({
  workspaceId: loaded.workspaceId,
  kind: 'swapped',
  key: `swapped:${loaded.datasetId}:${dueAt === undefined ? loaded.dataVersion : `at:${dueAt}`}`,
  payload: loaded,
  ...(dueAt === undefined ? {} : { dueAt }),
})

const WORKFLOW_STARTS_MAX = 50
/** How long a start has to itself before another round tries it. */
const LEASE_MS = 60_000

export interface WorkflowStartDeps {
  db: Database
  clock: Clock
}
export interface FollowUpDeps extends WorkflowStartDeps {
  followUp: Workflow<FollowUpEvent>
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
  const outbox = outboxStore(db)
  const claimed = await outbox.claimDue({ kind, now: clock.now(), leaseMs: LEASE_MS, limit: WORKFLOW_STARTS_MAX })
  for (const { id, payload } of claimed) {
    const params: T = JSON.parse(payload)
    await workflow.create({ id, params }).catch((error: unknown) => {
      // Started before, by a round that ended before it could say so.
      if (!/already exists/i.test(String(error))) throw error
    })
    await outbox.markDelivered(id, clock.now())
  }
  if (claimed.length > 0) log('info', 'durable work started', { kind, count: claimed.length })
}
