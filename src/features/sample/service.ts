import { interruptedRemovals, sampleStore, type SampleRow } from './store'
import { canRead, isPartial, seenInPart } from '../../identity/access/visible-dataset'
import { Scope } from '../../scope'
import { auditEntryFactory, commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/idempotency'
import { log } from '../../lib/log'
import { ProductError } from '../../shared/errors'
import { SAMPLE_STAGES, type Sample } from '../../shared/sample'

/** A job that has said nothing for so long is dead: its stages take seconds. */
const JOB_TIMEOUT_MS = 3 * 60 * 1000
const SWEEP_MAX = 20

export async function getSample(deps: Deps, scope: Scope): Promise<Sample> {
  const store = sampleStore(deps.db, scope)
  const [row, sourceIds] = await Promise.all([store.get(), store.sourceIds()])
  return toSample(row, { sourceIds, now: deps.clock.now() })
}

function toSample(row: SampleRow | null, at: { sourceIds: string[]; now: number }): Sample {
  const base = { done: 0, stages: SAMPLE_STAGES.length, message: null, sourceIds: at.sourceIds }
  if (!row) return { ...base, state: 'none' }
  const { state, done, error } = row
  if (state !== 'loading') return { ...base, state, done, message: error }
  if (row.updatedAt < at.now - JOB_TIMEOUT_MS) return { ...base, state: 'failed', done, message: INTERRUPTED_MESSAGE }
  return { ...base, state, done, message: SAMPLE_STAGES[done] ?? null }
}
const INTERRUPTED_MESSAGE = 'It was interrupted. Try again.'

/** Brings the sample company in, by a durable job. One that is here, or on its way, is answered as it is. */
export async function addSample(deps: Deps, ask: WriteContext): Promise<Sample> {
  const { scope } = ask
  const store = sampleStore(deps.db, scope)
  const before = await getSample(deps, scope)
  if (before.state === 'loading' || before.state === 'ready') return before
  await deleteSampleData(deps, scope)
  const now = deps.clock.now()
  const jobId = deps.ids.token(16)
  const started: Sample = { ...before, state: 'loading', done: 0, message: SAMPLE_STAGES[0], sourceIds: [] }
  try {
    await commit(deps, {
      change: [store.startJob(jobId, { now, silentSince: now - JOB_TIMEOUT_MS })],
      audit: [sampleAuditEntry(scope, 'sample.add')],
      reply: ask.reply(started),
      expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
    })
  } catch (error) {
    // Somebody else began it in this very moment.
    if (error instanceof ProductError && error.code === 'busy') return getSample(deps, scope)
    throw error
  }
  await startJob(deps, scope, jobId)
  return started
}

async function startJob(deps: Deps, scope: Scope, jobId: string): Promise<void> {
  const { workspaceId, actorId, epoch } = scope.wire()
  try {
    await deps.loadSample.create({ id: jobId, params: { jobId, workspaceId, userId: actorId, epoch } })
  } catch (error) {
    log('error', 'the sample company could not be started', { jobId })
    deps.reporter.report(error, { route: 'launch load-sample' })
    await sampleStore(deps.db, scope).finishJob(jobId, {
      state: 'failed',
      error: INTERRUPTED_MESSAGE,
      now: deps.clock.now(),
    })
  }
}

/**
 * Takes the sample company away for good.
 * @throws ProductError `in_use` while a person's insights read it, unless `force`; `forbidden` where rules of access leave
 *   out some of its data: nobody deletes what they do not see
 */
export async function removeSample(deps: Deps, command: WriteContext & { force: boolean }): Promise<Sample> {
  const { scope } = command
  const store = sampleStore(deps.db, scope)
  const rights = scope.wire()
  const isSeen = (dataset: { id: string; sourceId: string }): boolean =>
    canRead(rights, dataset) && !isPartial(rights, dataset)
  if (!(await store.datasets()).every(isSeen)) throw seenInPart()
  const dependents = command.force ? [] : await store.dependents()
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  const row = await store.get()
  const removed: Sample = { state: 'removed', done: 0, stages: SAMPLE_STAGES.length, message: null, sourceIds: [] }
  await commit(deps, {
    change: [store.markRemoved(deps.clock.now())],
    audit: [sampleAuditEntry(scope, 'sample.remove')],
    reply: command.reply(removed),
  })
  if (row?.state === 'loading') await stopJob(deps, row.jobId)
  await deleteSampleData(deps, scope)
  return removed
}

async function stopJob(deps: Deps, jobId: string): Promise<void> {
  try {
    const job = await deps.loadSample.get(jobId)
    await job.terminate()
  } catch {
    // It has ended by itself. If not, its next stage finds that nobody wants it.
  }
}

/** Rows first, then files, then what names them: cut short anywhere, the rest is still found by the next try. */
export async function deleteSampleData(deps: Deps, scope: Scope): Promise<void> {
  const store = sampleStore(deps.db, scope)
  const [datasetIds, objectKeys] = await Promise.all([store.datasetIds(), store.objectKeys()])
  const warehouse = deps.warehouse(scope)
  for (const datasetId of datasetIds) await warehouse.deleteDataset({ datasetId, purge: true })
  await Promise.all(objectKeys.map((key) => deps.files.delete(key)))
  await deps.db.d1.batch(store.deleteStatements())
}

/** Removals that were cut short go on to their end. */
export async function finishInterruptedRemovals(deps: Deps): Promise<void> {
  const { results } = await interruptedRemovals(deps.db, SWEEP_MAX)
  for (const { workspaceId, userId } of results)
    await deleteSampleData(deps, Scope.forJob({ workspaceId, userId, epoch: 'sweep' }))
}

const sampleAuditEntry = (scope: Scope, action: string) =>
  auditEntryFactory('workspace')({ scope }, { action, id: scope.workspaceId })
