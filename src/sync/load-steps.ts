import { unreadableError } from '../formats/file-errors'
import { Scope } from '../scope'
import { readMemberContext, type MemberContext } from '../identity/member-context-store'
import type { Deps } from '../deps'
import { roleMay } from '../shared/permissions'
import { loadSegment, START_POSITION, type LoadPosition } from './load-segment'
import { loadRequestOf, runStore, type RunRow } from './store'
import { tryCommit } from '../db/commit'
import { rowsReplacedEntry } from '../db/outbox-workflows'
import { objectSize, readObject } from '../lib/compressed-object'
import { sha256Hex } from '../lib/hash'
import { ProductError } from '../shared/errors'
import { REJECTS_MAX_SHARE } from '../shared/limits'
import type { RunError, LoadFileParams } from '../shared/data-sources/data-sources'
import type { CompletedLoad } from '../warehouse/contract'
import { openSegmentWriter } from '../warehouse/segment-writer'

export const loadParamsFor = (scope: Scope, runId: string): LoadFileParams => {
  const { workspaceId, actorId, epoch } = scope.wire()
  return { runId, workspaceId, userId: actorId, epoch }
}

/** Why a step must not go on: the run was stopped, its source deleted, or the person may no longer load. */
export type AbortReason = 'stopped' | 'not_allowed'

/**
 * The scope of a job, rebuilt from what the database says now: whoever left the workspace or lost the right to load, be it
 * because the plan has no room for them, ends the job here, unless somebody inherited it, and so does a cancelled run or a deleted source.
 */
export async function jobScope(deps: Pick<Deps, 'db' | 'clock'>, params: LoadFileParams): Promise<Scope | AbortReason> {
  const { workspaceId, userId, runId } = params
  const store = runStore(deps.db, cleanupScope(params))
  const [starter, run] = await Promise.all([authorizedLoader(deps, params), store.active(runId)])
  if (run === null) return 'stopped'
  const { actorId, trigger, sourceId } = run
  const loader = actorId === userId ? starter : await authorizedLoader(deps, { workspaceId, userId: actorId })
  if (!loader) return 'not_allowed'
  const { readOnly, features } = loader.entitlements
  // What a person began is brought to its end; a sync ends with the plan that it was due by (SYN-8).
  const isOver = trigger === 'sync' && (readOnly !== null || (await store.isFrozen(sourceId, features.dataSources)))
  return isOver ? 'not_allowed' : loader.scope
}

/** A member who may load, with the scope that the database gives them now; `null` when they may not any more. */
export async function authorizedLoader(
  deps: Pick<Deps, 'db' | 'clock'>,
  who: { workspaceId: string; userId: string },
): Promise<Pick<MemberContext, 'scope' | 'name' | 'entitlements'> | null> {
  const standing = await readMemberContext(deps, who)
  return standing && roleMay(standing.role, 'create:source') ? standing : null
}

/** The scope with which a job cleans up after itself: it needs no rights any more. */
export const cleanupScope = (params: LoadFileParams): Scope =>
  Scope.forJob({ workspaceId: params.workspaceId, userId: params.userId, epoch: params.epoch })

/** What a step answers: its value, a refusal that no repetition mends, or that nobody wants the load any more. */
export type StepResult<T> = { ok: true; value: T } | { ok: false; refusal: RunError } | { ok: false; halt: AbortReason }
/** A refused try that is worth repeating. */
const RETRYABLE_CODES = new Set(['busy', 'internal'])

export interface StartedLoad {
  fence: number
  size: number
  unchanged: boolean
  position: LoadPosition
}

/** Runs one step for the person as they are now. @throws whatever is worth another try. */
export async function runLoadStep<T>(
  deps: Deps,
  params: LoadFileParams,
  step: (job: { deps: Deps; scope: Scope; run: RunRow }) => Promise<T>,
): Promise<StepResult<T>> {
  const scope = await jobScope(deps, params)
  if (typeof scope === 'string') return { ok: false, halt: scope }
  const run = await runStore(deps.db, scope).get(params.runId)
  if (!run) return { ok: false, halt: 'stopped' }
  try {
    return { ok: true, value: await step({ deps, scope, run }) }
  } catch (error) {
    if (!(error instanceof ProductError) || RETRYABLE_CODES.has(error.code)) throw error
    return { ok: false, refusal: runError(error) }
  }
}

/** Takes the dataset's lease and an empty staging table. */
export async function beginStep({ deps, scope, run }: LoadJob): Promise<StartedLoad> {
  const request = loadRequestOf(run)
  const size = run.objectKey === null ? null : await objectSize(deps.files, run.objectKey)
  if (size === null || run.objectKey === null)
    throw unreadableError('broken', 'The file is no longer stored. Upload it again.')
  const store = runStore(deps.db, scope)
  if (request.keptParts?.isWhole) return { fence: 0, size, unchanged: true, position: START_POSITION }
  const datasetName = await store.datasetName(run.datasetId)
  if (datasetName === null) throw new ProductError('not_found')
  const { fence, unchanged } = await deps.warehouse(scope).beginLoad({
    runId: run.id,
    datasetId: run.datasetId,
    sourceId: run.sourceId,
    datasetName,
    mode: run.mode,
    columns: request.columns,
    keyColumns: request.keyColumns,
    contentHash: await contentHash(run),
    ...(request.allowsEmpty ? { allowsEmpty: true as const } : {}),
    fileName: run.fileName,
    objectKey: run.objectKey,
  })
  await store.start(run.id)
  return { fence, size, unchanged, position: START_POSITION }
}

interface LoadJob {
  deps: Deps
  scope: Scope
  run: RunRow
}

/** Equal for the same bytes read in the same way. A whole table is the same whether it was created or replaced. */
async function contentHash(run: RunRow): Promise<string> {
  const { settings, columns, files, keyColumns, fileHash, cleaning, keptParts } = loadRequestOf(run)
  const shape = columns.map(({ key, type, scale, zoned }) => [key, type, scale ?? null, zoned ?? null])
  const mode = run.mode === 'create' || run.mode === 'replace' ? ['whole'] : [run.mode, keyColumns]
  const read = cleaning ? [settings, cleaning] : settings
  const kept = keptParts ? [keptParts] : []
  return sha256Hex(JSON.stringify([fileHash, read, shape, files, mode, ...kept]))
}

/** One stretch of the file into the staging table, and the progress that pages show. */
export async function segmentStep(
  loadJob: LoadJob,
  at: { begun: StartedLoad; from: LoadPosition },
): Promise<LoadPosition> {
  const { deps, scope, run } = loadJob
  const { begun, from } = at
  const warehouse = deps.warehouse(scope)
  const { segment, staged } = from
  const store = runStore(deps.db, scope)
  const progress = ({ nextByte, rowsRead, rejected, cleaning }: LoadPosition): Promise<void> => {
    const effects = cleaning?.effects ?? null
    return store.progress(run.id, { bytesRead: nextByte, rowsRead, rowsRejected: rejected, effects })
  }
  let brokenAfter = from.rowsRead
  const writer = await openSegmentWriter(warehouse, { runId: run.id, fence: begun.fence, segment, from: staged })
  const next = await loadSegment({
    request: loadRequestOf(run),
    size: begun.size,
    from,
    read: (offset, length) => readRange(deps, run.objectKey ?? '', { offset, length }),
    pause: () => scheduler.wait(0),
    stage: (batches) => writer.stage(batches),
    brokenAfter: (rowsRead) => {
      brokenAfter = rowsRead
    },
  }).catch(async (error: unknown) => {
    // Of a file that breaks it is said how many rows came before; anything else is tried again.
    if (error instanceof ProductError) await progress({ ...from, rowsRead: brokenAfter })
    throw error
  })
  await progress(next)
  return { ...next, staged: writer.staged() }
}

async function readRange(
  deps: Deps,
  key: string,
  range: { offset: number; length: number },
): Promise<ReadableStream<Uint8Array>> {
  const object = await readObject(deps.files, key, range)
  if (!object) throw unreadableError('broken', 'The file is no longer stored. Upload it again.')
  return object.body
}

/** Swaps the staged rows in. Refuses a file of which nothing, or too little, could be read. */
export async function finishStep(
  loadJob: LoadJob,
  at: { begun: StartedLoad; end: LoadPosition },
): Promise<CompletedLoad> {
  const { rowsRead, rejected, staged } = at.end
  const { cleaning, allowsEmpty = false } = loadRequestOf(loadJob.run)
  if (rowsRead === 0 && !allowsEmpty)
    throw unreadableError(
      'empty',
      cleaning ? 'The cleaning steps leave no rows.' : 'File has a header row but no rows.',
    )
  if (rejected > rowsRead * REJECTS_MAX_SHARE)
    throw unreadableError(
      'broken',
      `${rejected} of ${rowsRead} rows are invalid. Check delimiter, decimal separator and column types.`,
    )
  const lease = { runId: loadJob.run.id, fence: at.begun.fence }
  const done = await loadJob.deps.warehouse(loadJob.scope).finishLoad({ ...lease, ...(staged && { staged }) })
  // Field by field: what a step answers is stored, and the stub's answer carries more than that.
  const { dataVersion, rowCount, bytes, columns, rowsWritten, rowsRejected } = done
  const { rowsDuplicate = 0, rowsReplaced = 0, datasetRowsRejected = 0, datasetRowsDuplicate = 0 } = done
  const counts = { rowsDuplicate, rowsReplaced, datasetRowsRejected, datasetRowsDuplicate }
  return { dataVersion, rowCount, bytes, columns, rowsWritten, rowsRejected, ...counts }
}

/** Tells lists what the warehouse has done. May be repeated, and comes true even for a run that was given up. */
export async function projectFinishedLoad(
  deps: Deps,
  scope: Scope,
  run: { id: string; datasetId: string; done: CompletedLoad; followUpAt?: number | undefined },
) {
  const now = deps.clock.now()
  // Told before, nothing is written: the first statement changes no run that has succeeded.
  await tryCommit(deps, {
    change: runStore(deps.db, scope).succeed(run.id, { ...run.done, datasetId: run.datasetId, now }),
    audit: [
      {
        workspaceId: scope.workspaceId,
        actorId: scope.actorId,
        action: 'dataset.load',
        entity: 'dataset',
        entityId: run.datasetId,
        after: { runId: run.id, dataVersion: run.done.dataVersion, rowCount: run.done.rowCount },
      },
    ],
    outbox: [
      rowsReplacedEntry(
        { workspaceId: scope.workspaceId, datasetId: run.datasetId, dataVersion: run.done.dataVersion },
        run.followUpAt,
      ),
    ],
  })
  await deps.live(scope).publish({ kind: 'data', datasetId: run.datasetId, dataVersion: run.done.dataVersion })
}

/** What a run keeps of a refusal. */
export function runError({ code, message, details }: ProductError): RunError {
  const line = details['line']
  return { code, message, ...(typeof line === 'number' ? { line } : {}) }
}
