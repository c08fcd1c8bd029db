import { endUnsuccessfulLoad, refusedFailure } from './end-load'
import { cancelSync, failSync, succeedSync, type SyncTotals } from './end-sync'
import { openSync, type OpenedSync } from './open-sync'
import { planTableLoad, type PlannedLoad, type TableLoadOf } from './plan-table-load'
import { emptyPart, endLive, countLiveStream } from './live-stream'
import { joinParts, readStep, type ReadStep, type StoredPart } from './read-stream'
import { goneTables, presentTables, namedAsKnown } from './known-tables'
import { declaredTable, fileTables, type ReadTable } from './stream-tables'
import { emptyFailure, failureOf, internalFailure, loopFailure, type SyncFailure } from './sync-failure'
import { planDeps } from './sync-owner'
import type { Cursor } from '../../connectors/contract'
import type { Deps } from '../../deps'
import { sha256Hex } from '../../lib/hash'
import { errorMessage, log } from '../../lib/log'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import type { StreamMode } from '../../shared/data-sources/connectors'
import { LEDGER_TABLE_LABELS } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import { connectionStore, type StreamRow } from '../../sync/connection-store'
import type { DurableSteps } from '../../sync/durable-steps'
import { loadInSteps } from '../../sync/load-in-steps'

/** Steps of one stream, over all of which a source that never ends is cut. */
const STREAM_STEPS_MAX = 2_000
/** A source that stumbles amid its pages is asked again so often before the sync fails. */
const RETRIES_MAX = 3
const RETRY_WAITS_MS = [2_000, 10_000, 30_000]
const WAIT_MAX_MS = 10 * 60_000

/** How a stream ended: its failure is that of the sync. */
type StreamEnd = { ok: true; isUnchanged: boolean } | { ok: false; failure: SyncFailure } | { ok: false; stopped: true }

type CountedTotals = SyncTotals & { read: number; bytes: number }
interface SyncJob {
  steps: DurableSteps
  depsOf: () => Deps
  params: SyncSourceParams
  title: string
  ownerId: string
  totals: CountedTotals
}

/**
 * One sync of a source in durable steps: open → read → load, stream by stream. What was read is visible stream by stream,
 * each in one swap; whatever breaks leaves the rows of before. It may be killed anywhere and goes on.
 */
export async function runSync(steps: DurableSteps, depsOf: () => Deps, params: SyncSourceParams): Promise<void> {
  try {
    const opened = await openPatiently(steps, depsOf, params)
    if (opened.kind === 'stopped') return await end(steps, () => cancelSync(depsOf(), params))
    if (opened.kind === 'failed') return await end(steps, () => failSync(depsOf(), params, opened.failure))
    const totals: CountedTotals = { read: 0, bytes: 0, written: 0, rejected: 0, notices: [], isUnchanged: true }
    const job: SyncJob = { steps, depsOf, params, title: opened.title, ownerId: opened.ownerId, totals }
    for (const [at, stream] of opened.streams.entries()) {
      const done = await syncStream(job, { stream, at })
      if (!done.ok) {
        if ('stopped' in done) return await end(steps, () => cancelSync(depsOf(), params))
        return await end(steps, () => failSync(depsOf(), params, done.failure))
      }
      totals.isUnchanged &&= done.isUnchanged
    }
    await end(steps, () => succeedSync(depsOf(), params, totals))
  } catch (error) {
    const deps = depsOf()
    log('error', 'a sync broke', { syncId: params.syncId, error: errorMessage(error) })
    deps.reporter.report(error, { route: 'workflow sync-source' })
    await end(steps, () => failSync(depsOf(), params, internalFailure()))
  }
}

/** Lets itself in; where the source says when there is room again, it waits for that, as amid its pages. */
async function openPatiently(steps: DurableSteps, depsOf: () => Deps, params: SyncSourceParams): Promise<OpenedSync> {
  for (let tries = 0; ; tries += 1) {
    const name = tries === 0 ? 'open' : `open ${tries}`
    const opened = await steps.do(name, () => openSync(depsOf(), params))
    if (opened.kind !== 'failed' || opened.failure.retryAfterMs === undefined) return opened
    const wait = waitFor(opened.failure, tries)
    if (wait === null) return opened
    await steps.sleep(`${name} again`, wait)
  }
}

const end = async (steps: DurableSteps, work: () => Promise<void>): Promise<void> => {
  await steps.do('end', async () => {
    await work()
    return true
  })
}

interface StreamRead {
  stream: StreamRow
  at: number
}

/** Reads a stream to its end and loads what came. The cursor is kept once the rows are visible. */
async function syncStream(job: SyncJob, read: StreamRead): Promise<StreamEnd> {
  if (read.stream.mode === 'live') return syncLive(job, read)
  const { steps, depsOf, params } = job
  const seen = new Set<string>()
  const parts: StoredPart[] = []
  const files: FilesRead = { reloaded: new Set(), met: new Set(), areAll: true }
  const { totals } = job
  let [cursor, retries]: [Cursor | null, number] = [read.stream.cursor, 0]
  let isUnchanged = true
  for (let part = 0; part < STREAM_STEPS_MAX; part += 1) {
    const from = { stream: read.stream, cursor, at: { stream: read.at, part, rows: totals.read, bytes: totals.bytes } }
    const name = `read ${read.at}.${part}`
    const step: ReadStep = await steps.do(name, () => readStep(depsOf(), params, from))
    if (!step.ok) {
      if ('stopped' in step) return { ok: false, stopped: true }
      const wait = waitFor(step.failure, retries)
      if (wait === null) return { ok: false, failure: step.failure }
      retries += 1
      await steps.sleep(`${name} again`, wait)
      continue
    }
    cursor = step.cursor
    totals.read += step.rows
    totals.bytes += step.part?.size ?? 0
    if (step.seen.some((hash) => seen.has(hash))) return { ok: false, failure: loopFailure(job.title) }
    for (const hash of step.seen) seen.add(hash)
    if (step.kind === 'file' && step.part) {
      const file = { stream: read.stream, part: step.part, key: `${read.at}.${part}` }
      const loaded = await loadFile(job, { ...file, files, reloads: step.reloads })
      if (!loaded.ok) return loaded
      isUnchanged &&= loaded.isUnchanged
      // A reload that breaks off begins anew: its first file replaces all rows.
      if (!step.reloads) await saveCursor(job, read.stream, { cursor, name: `cursor ${read.at}.${part}` })
    } else if (step.part) parts.push(step.part)
    if (step.done) {
      const loaded = step.kind === 'rows' ? await loadRows(job, { ...read, parts }) : { ok: true as const, isUnchanged }
      if (!loaded.ok) return loaded
      await tellGoneTables(job, read, files)
      await saveCursor(job, read.stream, { cursor, name: `cursor ${read.at}` })
      if (read.stream.stream.modes.includes('live'))
        await steps.do(`here ${read.at}`, async () => {
          await endLive(depsOf(), params, { stream: read.stream, ownerId: job.ownerId })
          return true
        })
      return { ok: true, isUnchanged: isUnchanged && loaded.isUnchanged }
    }
    if (step.waitMs > 0) await steps.sleep(`${name} wait`, Math.min(step.waitMs, WAIT_MAX_MS))
  }
  return { ok: false, failure: loopFailure(job.title) }
}

/** Rows stay at the source: their columns are learnt, and how many there are. */
async function syncLive(job: SyncJob, { stream, at }: StreamRead): Promise<StreamEnd> {
  const { steps, depsOf, params, totals } = job
  const none = await steps.do(`none ${at}`, () => emptyPart(depsOf(), params, { at, name: stream.stream.label }))
  const loaded = await loadTable(job, { stream, table: declaredTable(stream.stream, none), key: `${at}` })
  if (!loaded.ok) return loaded
  const seen = await steps.do(`look ${at}`, () => countLiveStream(depsOf(), params, stream))
  if (!seen.ok) return 'stopped' in seen ? { ok: false, stopped: true } : { ok: false, failure: seen.failure }
  totals.read += seen.rows
  return { ok: true, isUnchanged: false }
}

/** How long to wait before a page is asked for again; null where that mends nothing. */
function waitFor({ reason, retryAfterMs }: SyncFailure, retries: number): number | null {
  if (retries >= RETRIES_MAX || (reason !== 'down' && reason !== 'timeout')) return null
  // A source that does not answer at all is left to the schedule: nobody waits for it here.
  if (retryAfterMs !== undefined) return retryAfterMs > WAIT_MAX_MS ? null : retryAfterMs
  return RETRY_WAITS_MS[retries] ?? null
}

async function saveCursor(job: SyncJob, stream: StreamRow, at: { cursor: Cursor | null; name: string }): Promise<void> {
  const { steps, depsOf, params } = job
  await steps.do(at.name, async () => {
    await connectionStore(depsOf().db, params.workspaceId).saveCursor(params.sourceId, stream.key, at.cursor).run()
    return true
  })
}

type TableLoadResult =
  | { ok: true; isUnchanged: boolean }
  | { ok: false; failure: SyncFailure }
  | { ok: false; stopped: true }

async function loadRows(job: SyncJob, read: StreamRead & { parts: StoredPart[] }): Promise<TableLoadResult> {
  const { stream, parts, at } = read
  if (parts.length === 0) return emptyResult(job, stream)
  const joined = await job.steps.do(`join ${at}`, () => joinParts(job.depsOf(), parts))
  return loadTable(job, { stream, table: declaredTable(stream.stream, joined), key: `${at}` })
}

/** A source that gives nothing where it gave something may be wrong: rows that are there are never emptied by that. */
async function emptyResult(job: SyncJob, stream: StreamRow): Promise<TableLoadResult> {
  if (stream.mode !== 'replace') return { ok: true, isUnchanged: true }
  const { syncId, sourceId, workspaceId } = job.params
  const known = await job.steps.do(`empty ${stream.key}`, async () => {
    const { db, files } = job.depsOf()
    const store = connectionStore(db, workspaceId)
    const hadRows = (await store.tables(sourceId)).some(({ streamKey }) => streamKey === stream.key)
    if (!hadRows || (await acceptedBy(job)) !== 'empty') return { hadRows, part: null }
    const objectKey = `syncs/${workspaceId}/${syncId}/empty`
    await files.put(objectKey, '')
    return { hadRows, part: { objectKey, size: 0, hash: await sha256Hex(''), name: stream.stream.label } }
  })
  if (known.part) return loadTable(job, { stream, table: declaredTable(stream.stream, known.part), key: stream.key })
  return known.hadRows ? { ok: false, failure: emptyFailure(stream.stream.label) } : { ok: true, isUnchanged: true }
}

/** What the person who started the sync accepted: what the last one stopped at. */
async function acceptedBy(job: SyncJob): Promise<TableLoadOf['accepts']> {
  const store = connectionStore(job.depsOf().db, job.params.workspaceId)
  const [sync, row] = await Promise.all([store.sync(job.params.syncId), store.get(job.params.sourceId)])
  return sync?.acceptDrift ? (row?.failure?.acceptable ?? null) : null
}

/** What the files of a stream brought. */
interface FilesRead {
  /** Tables whose rows a reload has replaced already. */
  reloaded: Set<string>
  /** Tables that were in them. */
  met: Set<string>
  /** They take the place of all rows, and none is of books, where a year without a table has none. */
  areAll: boolean
}

async function tellGoneTables(job: SyncJob, { stream, at }: StreamRead, files: FilesRead): Promise<void> {
  if (files.met.size === 0 || !files.areAll) return
  const met = [...files.met]
  const notices = await job.steps.do(`gone ${at}`, () => goneTables(job.depsOf(), job.params, { stream, met }))
  job.totals.notices.push(...notices)
  job.totals.present = [...(job.totals.present ?? []), presentTables(stream, met)]
}

async function loadFile(
  job: SyncJob,
  of: { stream: StreamRow; part: StoredPart; key: string; files: FilesRead; reloads: boolean },
): Promise<TableLoadResult> {
  const { steps, depsOf } = job
  const { stream, part, key, files, reloads } = of
  const opened = await steps.do(`open file ${key}`, async () => {
    const deps = depsOf()
    let n = 0
    const nextKey = (): string => `${part.objectKey}/${(n += 1)}`
    try {
      const [found, homes] = await Promise.all([
        fileTables({ files: deps.files, nextKey }, part),
        connectionStore(deps.db, job.params.workspaceId).tables(job.params.sourceId),
      ])
      const known = homes.filter(({ streamKey }) => streamKey === stream.key)
      return { ok: true as const, tables: namedAsKnown(found, known) }
    } catch (error) {
      const failure = failureOf(error, part.name)
      if (!failure) throw error
      return { ok: false as const, failure }
    }
  })
  if (!opened.ok) return { ok: false, failure: opened.failure }
  let isUnchanged = true
  for (const [at, table] of opened.tables.slice(0, SOURCE_MAX_DATASETS).entries()) {
    const replaces = reloads && !files.reloaded.has(table.name)
    const done = await loadTable(job, {
      ...{ stream, table, key: `${key}.${at}` },
      mode: replaces ? 'replace' : stream.mode,
    })
    if (!done.ok) return done
    if (reloads) files.reloaded.add(table.name)
    files.met.add(table.name)
    files.areAll &&= (reloads || stream.mode === 'replace') && table.ledger === undefined
    isUnchanged &&= done.isUnchanged
  }
  return { ok: true, isUnchanged }
}

/** What a table is called on screens; books are called as an import calls them. */
function labelOf({ stream }: StreamRow, { name, ledger }: ReadTable): string {
  if (ledger !== undefined) return LEDGER_TABLE_LABELS[ledger]
  return name === '' ? stream.label : name
}

async function loadTable(
  job: SyncJob,
  of: { stream: StreamRow; table: ReadTable; key: string; mode?: StreamMode },
): Promise<TableLoadResult> {
  const { steps, depsOf, params, totals, ownerId } = job
  const { stream, table, key, mode = stream.mode } = of
  const planned: PlannedLoad = await steps.do(`plan ${key}`, async () => {
    const deps = depsOf()
    const owner = await planDeps(deps, { workspaceId: params.workspaceId, ownerId })
    if (!owner) return { ok: false, stopped: true }
    const label = labelOf(stream, table)
    const load = { sourceId: params.sourceId, streamKey: stream.key, label, mode, table }
    const more = {
      loadKey: `${params.syncId}.${key}`,
      accepts: await acceptedBy(job),
      multiCurrency: owner.multiCurrency,
    }
    try {
      return await planTableLoad(deps, owner.ask, { ...load, ...more })
    } catch (error) {
      const failure = failureOf(error, label)
      if (!failure) throw error
      return { ok: false, failure }
    }
  })
  if (!planned.ok) return planned
  const load = { runId: planned.runId, workspaceId: params.workspaceId, userId: ownerId, epoch: '' }
  const done = await loadInSteps(steps, depsOf, { params: load, prefix: `load ${key}` })
  if (done.kind === 'loaded') {
    totals.written += done.done.rowsWritten
    totals.rejected += done.done.rowsRejected
    // Rows of a file are counted once it was read.
    if (stream.stream.columns === null) totals.read += done.done.rowsWritten + done.done.rowsRejected
    totals.notices.push(...planned.notices)
    return { ok: true, isUnchanged: false }
  }
  const isEmpty = await steps.do(`end load ${key}`, () => endUnsuccessfulLoad(depsOf(), load, done))
  if (done.kind === 'unchanged') return { ok: true, isUnchanged: true }
  if (done.kind === 'halted') return { ok: false, stopped: true }
  if (isEmpty) return { ok: false, failure: emptyFailure(stream.stream.label) }
  return { ok: false, failure: refusedFailure(stream.stream.label, done) }
}
