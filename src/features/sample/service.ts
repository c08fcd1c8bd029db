import { leftSamples, sampleStore } from './store'
import type { SampleRow } from './store'
import { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { log } from '../../lib/log'
import { ProductError } from '../../shared/errors'
import { SAMPLE_STAGES } from '../../shared/sample'
import type { Sample } from '../../shared/sample'

/** A job that has said nothing for so long is dead: its stages take seconds. */
const SILENT_MS = 3 * 60 * 1000
const SWEEP_MAX = 20

export async function getSample(deps: Deps, scope: Scope): Promise<Sample> {
  const store = sampleStore(deps.db, scope)
  const [row, sourceIds] = await Promise.all([store.get(), store.sourceIds()])
  return view(row, { sourceIds, now: deps.clock.now() })
}

function view(row: SampleRow | null, at: { sourceIds: string[]; now: number }): Sample {
  const base = { done: 0, stages: SAMPLE_STAGES.length, message: null, sourceIds: at.sourceIds }
  if (!row) return { ...base, state: 'none' }
  const { state, done, error } = row
  if (state !== 'loading') return { ...base, state, done, message: error }
  if (row.updatedAt < at.now - SILENT_MS) return { ...base, state: 'failed', done, message: STOPPED }
  return { ...base, state, done, message: SAMPLE_STAGES[done] ?? null }
}
const STOPPED = 'It stopped half-way. Try again.'

/** Brings the sample company in, by a durable job. One that is here, or on its way, is answered as it is. */
export async function addSample(deps: Deps, ask: Asking): Promise<Sample> {
  const { scope } = ask
  const store = sampleStore(deps.db, scope)
  const before = await getSample(deps, scope)
  if (before.state === 'loading' || before.state === 'ready') return before
  await removeRemains(deps, scope)
  const now = deps.clock.now()
  const jobId = deps.ids.token(16)
  const begun: Sample = { ...before, state: 'loading', done: 0, message: SAMPLE_STAGES[0], sourceIds: [] }
  try {
    await commit(deps, {
      change: [store.begin(jobId, { now, silentSince: now - SILENT_MS })],
      audit: [audited(scope, 'sample.add')],
      reply: ask.reply(begun),
      expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
    })
  } catch (error) {
    // Somebody else began it in this very moment.
    if (error instanceof ProductError && error.code === 'busy') return getSample(deps, scope)
    throw error
  }
  await start(deps, scope, jobId)
  return begun
}

async function start(deps: Deps, scope: Scope, jobId: string): Promise<void> {
  const { workspaceId, actorId, epoch } = scope.wire()
  try {
    await deps.loadSample.create({ id: jobId, params: { jobId, workspaceId, userId: actorId, epoch } })
  } catch (error) {
    log('error', 'the sample company could not be started', { jobId })
    deps.reporter.report(error, { route: 'launch load-sample' })
    await sampleStore(deps.db, scope).end(jobId, { state: 'failed', error: STOPPED, now: deps.clock.now() })
  }
}

/** Takes the sample company away for good. @throws ProductError `in_use` while a person's insights read it, unless `force` */
export async function removeSample(deps: Deps, ask: Asking & { force: boolean }): Promise<Sample> {
  const { scope } = ask
  const store = sampleStore(deps.db, scope)
  const dependents = ask.force ? [] : await store.dependents()
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  const row = await store.get()
  const gone: Sample = { state: 'removed', done: 0, stages: SAMPLE_STAGES.length, message: null, sourceIds: [] }
  await commit(deps, {
    change: [store.markRemoved(deps.clock.now())],
    audit: [audited(scope, 'sample.remove')],
    reply: ask.reply(gone),
  })
  if (row?.state === 'loading') await stop(deps, row.jobId)
  await removeRemains(deps, scope)
  return gone
}

async function stop(deps: Deps, jobId: string): Promise<void> {
  try {
    const job = await deps.loadSample.get(jobId)
    await job.terminate()
  } catch {
    // It has ended by itself. If not, its next stage finds that nobody wants it.
  }
}

/** Rows first, then files, then what names them: cut short anywhere, the rest is still found by the next try. */
export async function removeRemains(deps: Deps, scope: Scope): Promise<void> {
  const store = sampleStore(deps.db, scope)
  const [datasetIds, objectKeys] = await Promise.all([store.datasetIds(), store.objectKeys()])
  const warehouse = deps.warehouse(scope)
  for (const datasetId of datasetIds) await warehouse.deleteDataset({ datasetId, purge: true })
  await Promise.all(objectKeys.map((key) => deps.files.delete(key)))
  await deps.db.d1.batch(store.forget())
}

/** Removals that were cut short go on to their end. */
export async function sweepSamples(deps: Deps): Promise<void> {
  const { results } = await leftSamples(deps.db, SWEEP_MAX)
  for (const { workspaceId, userId } of results)
    await removeRemains(deps, Scope.forJob({ workspaceId, userId, epoch: 'sweep' }))
}

const audited = (scope: Scope, action: string) => ({
  workspaceId: scope.workspaceId,
  actorId: scope.actorId,
  action,
  entity: 'workspace',
  entityId: scope.workspaceId,
})
