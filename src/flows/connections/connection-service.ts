import type { z } from 'zod'
import { checkEntered } from './entered-connection'
import { chosenStreams, sourceAudit } from './connect-source'
import { requireConnection, requireWholeConnection, visibleTables } from './stored-connection'
import { askSource, testInTime } from './test-connection'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { assertNotFrozen, type SourceWriteContext } from '../../features/data-sources/sources'
import type { StoreContext } from '../../features/data-sources/store'
import { decodeCursor, encodeCursor, redactedFailure } from '../../features/data-sources/views'
import { sha256Hex } from '../../lib/hash'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'
import type {
  ConnectionDetails,
  SourceSync,
  TestedSource,
  updateConnectionSchema,
} from '../../shared/data-sources/connections'
import { connectionStore, toSourceSync, type ConnectionRow } from '../../sync/connection-store'
import { contextFor, openConnection, openCredentials, requireConnector, sealCredentials } from '../../sync/credentials'
import { connectionState, effectiveHours, nextSlotAt } from '../../sync/schedule'
import { MANUAL_SYNC_MS, startSync, stopSync } from '../../sync/start-sync'
import { keyFieldsOf } from '../../connectors/push/push-connector'
import { findConnector } from '../../connectors/registry'

const PUSH_TOKEN_BYTES = 32

/** Of the stored secrets, which fields have one. What cannot be read has none. */
async function secretKeys(deps: Deps, row: ConnectionRow): Promise<string[]> {
  try {
    return Object.keys(await openCredentials(deps, row))
  } catch (error) {
    if (error instanceof ProductError) return []
    throw error
  }
}

export async function getConnection(
  deps: Deps,
  ask: StoreContext,
  of: { id: string; planHours: number; mayEdit: boolean },
): Promise<ConnectionDetails> {
  const { source, row } = await requireConnection(deps, ask, of.id)
  const store = connectionStore(deps.db, ask.scope.workspaceId)
  const [seen, streams, tables, [last]] = await Promise.all([
    visibleTables(deps, ask, row.sourceId),
    store.streams(row.sourceId),
    store.tables(row.sourceId),
    store.syncs(row.sourceId, { before: null, limit: 1 }),
  ])
  const registered = findConnector(row.kind)
  if (!registered) throw new ProductError('not_found')
  const description = registered.connector.describe()
  const known = new Set(description.fields.filter(({ secret }) => secret).map(({ key }) => key))
  const syncing = last?.state === 'running'
  return {
    sourceId: row.sourceId,
    kind: row.kind,
    delivery: description.delivery,
    description,
    state: connectionState({ ...row, frozen: source.frozen, syncing, delivery: description.delivery }),
    paused: row.paused,
    failure: redactedFailure(row.failure, seen.isWhole),
    failedSince: toIsoOrNull(row.failedSince),
    nextSyncAt: row.paused ? null : toIsoOrNull(row.nextAt),
    syncedAt: toIsoOrNull(row.syncedAt),
    succeededAt: toIsoOrNull(row.succeededAt),
    settings: of.mayEdit && seen.isWhole ? row.settings : {},
    ...(seen.isWhole ? {} : { partial: true }),
    secretsSet: (await secretKeys(deps, row)).filter((key) => known.has(key)),
    frequencyHours: row.frequencyHours,
    planHours: of.planHours,
    manualSyncAt:
      source.frozen || row.paused ? null : toIso((row.syncedAt ?? 0) + (row.syncedAt === null ? 0 : MANUAL_SYNC_MS)),
    streams: streams.flatMap(({ key, stream, mode }) => {
      const own = tables.filter(({ streamKey }) => streamKey === key).map(({ datasetId }) => datasetId)
      const datasetIds = own.filter((id) => seen.ids.has(id))
      if (!seen.isWhole && datasetIds.length === 0) return []
      return [{ key, label: stream.label, mode, incremental: stream.incrementalColumn !== null, datasetIds }]
    }),
    notices: seen.isWhole ? row.notices : [],
  }
}

export async function listSyncs(
  deps: Deps,
  ask: StoreContext,
  of: { id: string; cursor?: string | undefined; limit: number },
): Promise<ListPage<SourceSync>> {
  const { row } = await requireConnection(deps, ask, of.id)
  const { isWhole } = await visibleTables(deps, ask, row.sourceId)
  const page = { before: decodeCursor(of.cursor), limit: of.limit + 1 }
  const rows = await connectionStore(deps.db, ask.scope.workspaceId).syncs(row.sourceId, page)
  const shown = rows.slice(0, of.limit)
  const last = rows.length > of.limit ? shown.at(-1) : undefined
  return {
    items: shown.map((sync) => toldSync(toSourceSync(sync), isWhole)),
    nextCursor: last ? encodeCursor({ at: last.startedAt, id: last.id }) : null,
  }
}

/** Counts tell of rows that are not seen. */
const toldSync = (sync: SourceSync, isWhole: boolean): SourceSync =>
  isWhole
    ? sync
    : { ...sync, rowsRead: 0, rowsWritten: 0, rowsRejected: 0, bytesRead: 0, error: redactedFailure(sync.error, false) }

type Command = SourceWriteContext & { id: string; planHours: number }

/** @throws ProductError `rate_limited` before the next sync may be asked for, `busy` during one, `read_only` when frozen */
export async function syncNow(deps: Deps, command: Command & { acceptDrift: boolean }): Promise<ConnectionDetails> {
  const { scope, id, planHours, acceptDrift } = command
  const { source, row } = await requireWholeConnection(deps, command, id)
  assertNotFrozen(source)
  if (row.paused) throw new ProductError('bad_request', {}, 'Paused. Resume it first.')
  if (findConnector(row.kind)?.connector.describe().delivery === 'push')
    throw new ProductError('bad_request', {}, 'Programs send to this source.')
  const slot = `by:${deps.ids.token(8)}`
  // Accepting what a sync stopped at is an answer to it, not another try.
  const isAccepting = acceptDrift && row.failure?.acceptable !== undefined
  const notBefore = isAccepting ? null : deps.clock.now() - MANUAL_SYNC_MS
  const wait = notBefore === null ? 0 : (row.syncedAt ?? 0) - notBefore
  if (wait > 0)
    throw new ProductError('rate_limited', { retryAfter: Math.ceil(wait / 1000) }, 'Synced less than 15 minutes ago.')
  const start = { row, slot, trigger: 'person' as const, actorId: scope.actorId, planHours, acceptDrift, notBefore }
  const started = await startSync(deps, start)
  if (started === null) throw new ProductError('busy', { retryAfter: 10 }, 'A sync is in progress. Wait until it ends.')
  return getConnection(deps, command, { id, planHours, mayEdit: true })
}

export async function setPaused(deps: Deps, command: Command & { paused: boolean }): Promise<ConnectionDetails> {
  const { scope, id, planHours, paused } = command
  const { row } = await requireWholeConnection(deps, command, id)
  const store = connectionStore(deps.db, scope.workspaceId)
  const nextAt = paused ? null : nextAfterRest(deps, row, planHours)
  if (row.paused !== paused)
    await commit(deps, {
      change: [store.setPaused(id, paused, nextAt)],
      audit: [sourceAudit({ scope }, { action: paused ? 'source.pause' : 'source.resume', id })],
    })
  if (row.pushTokenHash !== null) await deps.pushInbox.getByName(id).forget()
  const [last] = await store.syncs(id, { before: null, limit: 1 })
  if (paused && last?.state === 'running') await stopSync(deps, last)
  return getConnection(deps, command, { id, planHours, mayEdit: true })
}

/** A rest makes no slot come sooner than the plan has it; a source that failed, or never synced, is tried at once. */
function nextAfterRest(deps: Deps, row: ConnectionRow, planHours: number): number | null {
  if (findConnector(row.kind)?.connector.describe().delivery === 'push') return null
  const now = deps.clock.now()
  if (row.failure !== null || row.syncedAt === null) return now
  const hours = effectiveHours(row.frequencyHours, planHours)
  return Math.max(now, nextSlotAt({ startedAt: row.syncedAt, hours, seed: row.sourceId }))
}

type UpdateInput = z.output<typeof updateConnectionSchema>

/** Settings, credentials, streams and interval. New credentials are proven before they take the place of the old ones. */
export async function updateConnection(
  deps: Deps,
  command: Command & { input: UpdateInput },
): Promise<ConnectionDetails> {
  const { scope, id, planHours, input } = command
  const { source, row } = await requireWholeConnection(deps, command, id)
  assertNotFrozen(source)
  const registered = requireConnector(deps, row.kind)
  const store = connectionStore(deps.db, scope.workspaceId)
  const change: D1PreparedStatement[] = []
  const asks = input.settings !== undefined || input.secrets !== undefined
  let settings = row.settings
  if (asks) {
    const secrets = await openCredentials(deps, row).catch(emptyIfUnreadable)
    const entered = { settings: input.settings ?? row.settings, secrets: input.secrets ?? {} }
    const connection = checkEntered(registered, entered, { settings: row.settings, secrets })
    const context = contextFor(deps, registered, { connection, budgetOf: id })
    await askSource(registered.connector.describe().title, () => testInTime(registered, context))
    // What consent gave beside the fields stays.
    const own = new Set(registered.connector.describe().fields.map(({ key }) => key))
    const issued = Object.fromEntries(Object.entries(row.settings).filter(([key]) => !own.has(key)))
    settings = { ...issued, ...connection.settings }
    if (row.pushTokenHash !== null) assertSameKeys(row.settings, settings)
    const sealed = await sealCredentials(deps, row, connection.secrets)
    if (sealed) change.push(store.setSecrets(id, { ...sealed, version: row.secretsVersion }))
  }
  const frequencyHours = input.frequencyHours ?? row.frequencyHours
  change.push(
    store.setSettings(id, {
      settings,
      frequencyHours,
      nextAt: nextAfterUpdate(deps, row, { asks, frequencyHours, planHours }),
    }),
  )
  if (input.streams) {
    const { registered: known, context } = await openConnection(deps, row)
    const found = await askSource(known.connector.describe().title, () => known.connector.discover(context))
    change.push(...store.replaceStreams(id, chosenStreams(found, input.streams)))
  }
  await commit(deps, {
    change,
    audit: [
      sourceAudit(
        { scope },
        { action: asks ? 'source.credentials' : 'source.schedule', id, after: { frequencyHours } },
      ),
    ],
    expect: { onMissed: () => new ProductError('busy', { retryAfter: 2 }) },
  })
  if (row.pushTokenHash !== null) await deps.pushInbox.getByName(id).forget()
  // What was mended shows at once whether it is: nobody waits for the next round.
  const isMended = asks && row.failure !== null
  if ((isMended || input.streams) && !row.paused)
    await syncChanged(deps, { row: { ...row, frequencyHours }, scope, planHours, isMended })
  return getConnection(deps, command, { id, planHours, mayEdit: true })
}

/** Rows that are there, and those that wait, are told apart by what they were sent by. @throws ProductError `invalid_input` */
function assertSameKeys(before: ConnectionRow['settings'], after: ConnectionRow['settings']): void {
  if (keyFieldsOf(before).join() === keyFieldsOf(after).join()) return
  throw new ProductError('invalid_input', { fields: { key: 'Can’t be changed. Connect another source.' } })
}

/** What is read otherwise from now on is read at once, or as soon as somebody might ask for it. */
async function syncChanged(
  deps: Deps,
  of: { row: ConnectionRow; scope: StoreContext['scope']; planHours: number; isMended: boolean },
): Promise<void> {
  const { row, scope, planHours, isMended } = of
  const slot = `by:${deps.ids.token(8)}`
  const notBefore = isMended ? null : deps.clock.now() - MANUAL_SYNC_MS
  const start = { row, slot, trigger: 'person' as const, actorId: scope.actorId, planHours, notBefore }
  if ((await startSync(deps, start)) !== null) return
  const nextAt = (row.syncedAt ?? deps.clock.now()) + MANUAL_SYNC_MS
  if (row.nextAt === null || nextAt < row.nextAt)
    await connectionStore(deps.db, scope.workspaceId).setNext(row.sourceId, { nextAt }).run()
}

/** A mended source is due now; another interval counts from the last sync. */
function nextAfterUpdate(
  deps: Deps,
  row: ConnectionRow,
  of: { asks: boolean; frequencyHours: number; planHours: number },
): number | null {
  const now = deps.clock.now()
  if (findConnector(row.kind)?.connector.describe().delivery === 'push') return null
  if (of.asks && row.failure !== null) return now
  if (row.nextAt === null || row.failure !== null) return row.nextAt
  const hours = effectiveHours(of.frequencyHours, of.planHours)
  return nextSlotAt({ startedAt: row.syncedAt ?? now, hours, seed: row.sourceId })
}

function emptyIfUnreadable(error: unknown): Record<string, string> {
  if (error instanceof ProductError && error.code === 'credential_unreadable') return {}
  throw error
}

/** Proves that a stored connection still works, and tells what it offers now. */
export async function testStored(deps: Deps, ask: StoreContext, id: string): Promise<TestedSource> {
  const { row } = await requireWholeConnection(deps, ask, id)
  return askSource(row.name, async () => {
    const { registered, context } = await openConnection(deps, row)
    return { ...(await testInTime(registered, context)), streams: await registered.connector.discover(context) }
  })
}

/** A new token of a source that programs send to; the old one is worthless at once. */
export async function renewPushToken(
  deps: Deps,
  command: SourceWriteContext & { id: string },
): Promise<{ token: string }> {
  const { scope, id } = command
  const { source, row } = await requireWholeConnection(deps, command, id)
  assertNotFrozen(source)
  if (row.pushTokenHash === null) throw new ProductError('not_found')
  const token = deps.ids.token(PUSH_TOKEN_BYTES)
  await commit(deps, {
    change: [connectionStore(deps.db, scope.workspaceId).setPushToken(id, await sha256Hex(token))],
    audit: [sourceAudit({ scope }, { action: 'source.token', id })],
  })
  await deps.pushInbox.getByName(id).forget()
  return { token }
}
