import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { analyzeSample } from '../post-load-steps'
import {
  writeSampleFiles,
  customersStage,
  insightsStage,
  ledgerStage,
  ordersStage,
  relationsStage,
} from './load-stages'
import type { SampleJob } from './load-stages'
import { calendarOf } from '../../semantic/calendar'
import { readMemberContext } from '../../identity/member-context-store'
import { depsFor, type Deps } from '../../deps'
import { deleteSampleData } from '../../features/sample/service'
import { sampleStore } from '../../features/sample/store'
import { ProductError } from '../../shared/errors'
import type { LoadSampleParams } from '../../shared/sample'
import { authorizedLoader } from '../../sync/load-steps'
import type { Env } from '../../bindings'

const RETRY = { retries: { limit: 2, delay: 500, backoff: 'exponential' as const }, timeout: 180_000 }

/** What a stage gives: a value, why it cannot go on, or that nobody wants the sample any more. */
type StageResult<T> = { ok: true; value: T } | { ok: false; message: string | null }
const CANCELLED = { ok: false, message: null } as const

/** Brings the sample company in: its files, one after the other, by the path that a person's files take. */
export class LoadSample extends WorkflowEntrypoint<Env, LoadSampleParams> {
  override async run(event: WorkflowEvent<LoadSampleParams>, step: WorkflowStep): Promise<void> {
    const params = event.payload
    const at = { params, step }
    try {
      const message = await this.#build(at)
      await step.do('end', RETRY, () => this.#end(params, message))
      if (message === null) await step.do('findings', RETRY, () => this.#analyze(params))
    } catch (error) {
      this.#deps().reporter.report(error, { route: 'workflow load-sample' })
      await step.do('end', RETRY, () => this.#end(params, 'Something went wrong. Try again.'))
    }
  }

  /** Null when all is there or unwanted, else why not. */
  async #build(at: { params: LoadSampleParams; step: WorkflowStep }): Promise<string | null> {
    const files = await this.#stage(at, 0, writeSampleFiles)
    if (!files.ok) return files.message
    const rest = [
      (job: SampleJob) => ordersStage(job, files.value),
      (job: SampleJob) => customersStage(job, files.value),
      (job: SampleJob) => ledgerStage(job, files.value),
      relationsStage,
      insightsStage,
    ]
    for (const [n, work] of rest.entries()) {
      const done = await this.#stage(at, n + 1, work)
      if (!done.ok) return done.message
    }
    return null
  }

  /** One durable stage. A refusal of the product ends the job with its sentence, anything else is tried again. */
  async #stage<T extends Rpc.Serializable<T>>(
    { params, step }: { params: LoadSampleParams; step: WorkflowStep },
    n: number,
    work: (job: SampleJob) => Promise<T>,
  ): Promise<StageResult<T>> {
    const run = async (): Promise<string> => {
      const deps = this.#deps()
      const loader = await authorizedLoader(deps, params)
      if (!loader) return JSON.stringify(CANCELLED)
      const store = sampleStore(deps.db, loader.scope)
      if (!(await store.saveProgress(params.jobId, { done: n, now: deps.clock.now() })))
        return JSON.stringify(CANCELLED)
      try {
        return JSON.stringify({ ok: true, value: await work({ deps, ...loader, jobId: params.jobId }) })
      } catch (error) {
        if (error instanceof ProductError) return JSON.stringify({ ok: false, message: error.message })
        throw error
      }
    }
    const stageResult: StageResult<T> = JSON.parse(await step.do(`stage ${n}`, RETRY, run))
    return stageResult
  }

  async #end(params: LoadSampleParams, message: string | null): Promise<void> {
    const deps = this.#deps()
    const loader = await authorizedLoader(deps, params)
    if (!loader) return
    const store = sampleStore(deps.db, loader.scope)
    const state = message === null ? 'ready' : 'failed'
    await store.finishJob(params.jobId, { state, error: message, now: deps.clock.now() })
    // Removed while a stage was at work: what that stage still wrote goes too.
    const row = await store.get()
    if (row?.state === 'removed') await deleteSampleData(deps, loader.scope)
  }

  async #analyze(params: LoadSampleParams): Promise<void> {
    const deps = this.#deps()
    const member = await readMemberContext(deps, params)
    if (!member) return
    await analyzeSample({ deps, scope: member.scope, calendar: calendarOf(member, deps.clock) })
    await deps.live(member.scope).publish({ kind: 'changed', noun: 'finding', id: null })
  }

  #deps(): Deps {
    return depsFor(this.env, this.ctx)
  }
}
