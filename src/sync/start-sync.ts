import { connectionStore, type ConnectionRow } from './connection-store'
import { effectiveHours, nextSlotAt } from './schedule'
import { commit, tryCommit } from '../db/commit'
import type { Deps } from '../deps'
import { errorMessage, log } from '../lib/log'
import type { SourceSync } from '../shared/data-sources/connections'

/** People may ask for fresh rows themselves, no more often than this. */
export const MANUAL_SYNC_MS = 15 * 60 * 1000

export interface SyncStart {
  row: Pick<ConnectionRow, 'sourceId' | 'workspaceId' | 'frequencyHours'>
  slot: string
  trigger: SourceSync['trigger']
  actorId: string | null
  /** Hours between two syncs that the plan allows. */
  planHours: number
  acceptDrift?: boolean
  /** Epoch ms: nothing is started when the last sync began after it. Null: whenever that was. */
  notBefore?: number | null
}

/**
 * Writes a sync and starts its workflow.
 * @returns its id; null when the slot ran, another sync is under way, or the source may not be synced now
 */
export async function startSync(deps: Deps, start: SyncStart): Promise<string | null> {
  const { row, slot, trigger, actorId, planHours, acceptDrift = false, notBefore = null } = start
  const { sourceId, workspaceId } = row
  const now = deps.clock.now()
  const id = deps.ids.next('sync')
  const store = connectionStore(deps.db, workspaceId)
  const hours = effectiveHours(row.frequencyHours, planHours)
  const isWritten = await tryCommit(deps, {
    change: [
      store.insertSync({ id, sourceId, slot, trigger, actorId, acceptDrift, startedAt: now }, notBefore),
      store.setNext(sourceId, { nextAt: nextSlotAt({ startedAt: now, hours, seed: sourceId }), syncedAt: now }),
    ],
    ...(actorId === null
      ? {}
      : { audit: [{ workspaceId, actorId, action: 'source.sync', entity: 'source', entityId: sourceId }] }),
  })
  if (!isWritten) return null
  await launchSync(deps, { syncId: id, sourceId, workspaceId })
  return id
}

/** What fails here is woken by the scheduled round. */
export async function launchSync(deps: Deps, params: { syncId: string; sourceId: string; workspaceId: string }) {
  try {
    await deps.syncSource.create({ id: params.syncId, params })
  } catch (error) {
    log('error', 'a sync could not be started', { syncId: params.syncId, error: errorMessage(error) })
    deps.reporter.report(error, { route: 'launch sync-source' })
  }
}

/** Ends the sync of a source that is under way, without its data. */
export async function stopSync(deps: Deps, of: { id: string; workspaceId: string }): Promise<void> {
  const store = connectionStore(deps.db, of.workspaceId)
  const end = store.endSync(of.id, { state: 'cancelled', error: null, now: deps.clock.now() })
  await commit(deps, { change: [end] })
  try {
    await (await deps.syncSource.get(of.id)).terminate()
  } catch {
    // Nothing to stop. If it does come back, its next step finds the sync ended and does nothing.
  }
}
