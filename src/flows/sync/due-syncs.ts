import { cancelSync, failSync } from './end-sync'
import { internalFailure } from './sync-failure'
import type { Deps } from '../../deps'
import { readMemberContext, type MemberContext } from '../../identity/member-context-store'
import { FREQUENCIES } from '../../shared/data-sources/connections'
import { allowedHours } from '../../sync/allowed-hours'
import { connectionStore, type ConnectionRow, type SyncRow } from '../../sync/connection-store'
import { dueConnectionStore } from '../../sync/due-connection-store'
import { effectiveHours, isDue, slotOf } from '../../sync/schedule'
import { startSync } from '../../sync/start-sync'

const HOUR_MS = 60 * 60 * 1000
/** Of one round; the rest is due in the next. */
const STARTED_AT_ONCE = 200
/** No schedule puts the next sync further ahead. */
const FARTHEST_MS = Math.max(...FREQUENCIES) * HOUR_MS + HOUR_MS
/** A sync that is not heard of for so long may have lost its process, and is given up after the second. */
const SILENT_MS = 5 * 60_000
/** Of one that applies rows which were sent: it has no process that could be woken. */
const PUSH_SILENT_MS = 2 * 60_000
const LOST_MS = 60 * 60_000
const LOOKED_AT = 100
/** Of a source whose owner may not sync at the moment: looked at again then. */
const REST_MS = HOUR_MS
const SYNCS_KEPT_MS = 180 * 24 * HOUR_MS
const DELETED_AT_ONCE = 500

/** Starts what is due by the plan of each workspace. Twice at once it starts nothing twice. */
export async function startDueSyncs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const due = await dueConnectionStore(deps.db).due({ now, far: now + FARTHEST_MS, limit: STARTED_AT_ONCE })
  const owners = new Map<string, Promise<MemberContext | null>>()
  const ownerOf = ({ workspaceId, ownerId }: ConnectionRow): Promise<MemberContext | null> => {
    const key = `${workspaceId} ${ownerId}`
    const known = owners.get(key) ?? readMemberContext(deps, { workspaceId, userId: ownerId })
    owners.set(key, known)
    return known
  }
  for (const row of due) await startIfDue(deps, row, await ownerOf(row))
}

async function startIfDue(deps: Deps, row: ConnectionRow, owner: MemberContext | null): Promise<void> {
  const now = deps.clock.now()
  const store = connectionStore(deps.db, row.workspaceId)
  if (!owner || owner.entitlements.readOnly !== null) {
    await store.setNext(row.sourceId, { nextAt: now + REST_MS }).run()
    return
  }
  const { workspaceId, sourceId } = row
  const planHours = await allowedHours(deps, { workspaceId, sourceId, entitlements: owner.entitlements })
  const hours = effectiveHours(row.frequencyHours, planHours)
  if (row.nextAt === null || !isDue({ nextAt: row.nextAt, hours, now })) return
  const start = { row, slot: slotOf(row.nextAt), trigger: 'schedule' as const, actorId: null, planHours }
  // The slot ran, by a round that ended before it could say when the next one is.
  if ((await startSync(deps, start)) === null)
    await store.setNext(row.sourceId, { nextAt: now + hours * HOUR_MS }).run()
}

/** Wakes syncs whose process ended, and gives up those that nobody can wake. */
export async function reconcileSyncs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const sync of await dueConnectionStore(deps.db).silent(now - PUSH_SILENT_MS, LOOKED_AT)) {
    const silentMs = now - sync.beatAt
    if (sync.trigger === 'push') await letGo(deps, sync)
    else if (silentMs < SILENT_MS) continue
    else if (silentMs >= LOST_MS) await giveUp(deps, sync)
    else await wake(deps, sync)
  }
  await dueConnectionStore(deps.db).deleteOldSyncs(now - SYNCS_KEPT_MS, DELETED_AT_ONCE)
}

/** Rows that were sent are still there, and are applied by whoever comes next. */
const letGo = (deps: Deps, { id: syncId, sourceId, workspaceId }: SyncRow): Promise<void> =>
  cancelSync(deps, { syncId, sourceId, workspaceId })

async function giveUp(deps: Deps, sync: SyncRow): Promise<void> {
  const { id: syncId, sourceId, workspaceId } = sync
  await failSync(deps, { syncId, sourceId, workspaceId }, internalFailure())
}

/** Platforms resume by themselves; a local one goes on from its last finished step when it is paused and resumed. */
async function wake(deps: Deps, { id, sourceId, workspaceId }: SyncRow): Promise<void> {
  try {
    const instance = await deps.syncSource.get(id)
    await instance.pause()
    await instance.resume()
  } catch {
    await deps.syncSource.create({ id, params: { syncId: id, sourceId, workspaceId } }).catch(() => undefined)
  }
}
