import { endUnsuccessfulLoad, refusedFailure } from './end-load'
import { cancelSync, failSync, succeedSync, type SyncTotals } from './end-sync'
import { planTableLoad } from './plan-table-load'
import { declaredTable } from './stream-tables'
import { failureOf, internalFailure, type SyncFailure } from './sync-failure'
import { planDeps } from './sync-owner'
import { tryCommit } from '../../db/commit'
import type { Deps } from '../../deps'
import { sha256Hex } from '../../lib/hash'
import { errorMessage, log } from '../../lib/log'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import { connectionStore } from '../../sync/connection-store'
import type { DurableSteps } from '../../sync/durable-steps'
import { loadInSteps } from '../../sync/load-in-steps'
import type { WaitingBatch, WaitingBatches } from '../../connectors/push/push-inbox'
import { pushStore } from '../../sync/push-store'

/** Of one load: it is held in memory. Batches are small where many come, and each load costs as much as the next. */
const AT_ONCE = { batches: 2_000, chars: 4_000_000 }
const TURNS_MAX = 50
/** Loads of one source begin so far apart at least: what comes meanwhile is loaded together, and is seen within a second. */
const APART_MS = 400
const SOURCES_AT_ONCE = 50

/** A batch is in its inbox until it is applied: these steps need not outlive the process. */
const inProcess: DurableSteps = {
  do: (_name, work) => work(),
  sleep: (_name, ms) => scheduler.wait(ms),
}

interface WaitingPlace {
  inbox: WaitingBatches
  /** When what follows new rows (findings, alerts) is due for rows loaded now (epoch ms). Absent: at once. */
  followUpAt?: (now: number) => number
}

/**
 * Brings what was sent into the table, many batches in one load, in the order in which they came. One does it at a time for
 * a source: the sync that is under way is its lease. Killed anywhere, the batches are still there; applied twice they are
 * the same rows. What cannot be applied waits, longer after each failure.
 */
export async function drainPushed(
  deps: Deps,
  of: { sourceId: string; workspaceId: string },
  from: WaitingPlace = { inbox: deps.pushInbox.getByName(of.sourceId) },
): Promise<void> {
  const { inbox } = from
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const began = deps.clock.now()
    if (!(await inbox.hasWaiting()) || !(await pushStore(deps.db).isFree(of.sourceId, deps.clock.now()))) return
    const params = await takeLease(deps, of)
    if (!params || !(await applyBatches(deps, params, from))) return
    if (await inbox.hasWaiting()) await scheduler.wait(Math.max(0, began + APART_MS - deps.clock.now()))
  }
}

async function takeLease(deps: Deps, of: { sourceId: string; workspaceId: string }): Promise<SyncSourceParams | null> {
  const id = deps.ids.next('sync')
  const store = connectionStore(deps.db, of.workspaceId)
  const row = {
    id,
    sourceId: of.sourceId,
    slot: `push:${id}`,
    trigger: 'push' as const,
    actorId: null,
    acceptDrift: false,
  }
  const isMine = await tryCommit(deps, { change: [store.insertSync({ ...row, startedAt: deps.clock.now() }, null)] })
  return isMine ? { syncId: id, ...of } : null
}

/** @returns whether there may be more to do */
async function applyBatches(deps: Deps, params: SyncSourceParams, from: WaitingPlace): Promise<boolean> {
  const { inbox } = from
  const batches = await inbox.waiting(AT_ONCE)
  const totals: SyncTotals = { written: 0, rejected: 0, notices: [], isUnchanged: batches.length === 0 }
  try {
    const end = batches.length === 0 ? null : await loadBatches(deps, params, { batches, totals, ...from })
    if (end === null) await inbox.applied(batches.map(({ seq }) => seq))
    if (end === null) await succeedSync(deps, params, totals)
    else if (end === 'stopped') await cancelSync(deps, params)
    else await failSync(deps, params, end)
    return end === null
  } catch (error) {
    log('error', 'rows that were sent could not be applied', { syncId: params.syncId, error: errorMessage(error) })
    deps.reporter.report(error, { route: 'push' })
    await failSync(deps, params, failureOf(error, 'Push') ?? internalFailure())
    return false
  }
}

/** Null: all of them are in the table. `stopped`: nothing may come in now, and they wait. */
async function loadBatches(
  deps: Deps,
  params: SyncSourceParams,
  of: WaitingPlace & { batches: WaitingBatch[]; totals: SyncTotals },
): Promise<SyncFailure | 'stopped' | null> {
  const { batches, totals } = of
  const { sourceId, workspaceId, syncId } = params
  const store = connectionStore(deps.db, workspaceId)
  const [row, [stream]] = await Promise.all([store.get(sourceId), store.streams(sourceId)])
  const owner = row && (await planDeps(deps, { workspaceId, ownerId: row.ownerId }))
  if (!row || !stream || !owner) return 'stopped'
  const text = batches.map(({ body }) => body).join('')
  const objectKey = `syncs/${workspaceId}/${syncId}/pushed`
  const bytes = new TextEncoder().encode(text)
  await deps.files.put(objectKey, bytes)
  const part = { objectKey, size: bytes.byteLength, hash: await sha256Hex(text), name: row.name }
  const label = stream.stream.label
  const planned = await planTableLoad(deps, owner.ask, {
    ...{ sourceId, streamKey: stream.key, label, mode: 'upsert', table: declaredTable(stream.stream, part) },
    ...{ loadKey: syncId, accepts: 'columns', multiCurrency: owner.multiCurrency },
  })
  if (!planned.ok) return 'failure' in planned ? planned.failure : 'stopped'
  const load = { runId: planned.runId, workspaceId, userId: row.ownerId, epoch: '' }
  const followUpAt = of.followUpAt?.(deps.clock.now())
  const gathered = followUpAt === undefined ? {} : { followUpAt }
  const done = await loadInSteps(inProcess, () => deps, { params: load, prefix: 'push', ...gathered })
  if (done.kind !== 'loaded') {
    await endUnsuccessfulLoad(deps, load, done)
    if (done.kind !== 'unchanged') return done.kind === 'halted' ? 'stopped' : refusedFailure(row.name, done)
  } else {
    totals.written += done.done.rowsWritten
    totals.rejected += done.done.rowsRejected
  }
  const rowCount = batches.reduce((sum, batch) => sum + batch.rowCount, 0)
  await store.beat(syncId, { now: deps.clock.now(), rowsRead: rowCount, bytesRead: bytes.byteLength })
  return null
}

/** Batches that an earlier release kept in the database go to the inboxes of their sources. */
export async function sweepPushed(deps: Deps): Promise<void> {
  for (const sourceId of await pushStore(deps.db).earlierSources(SOURCES_AT_ONCE))
    await deps.pushInbox.getByName(sourceId).wake(sourceId)
}
