import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import {
  runLoadStep,
  beginStep,
  finishStep,
  projectFinishedLoad,
  runError,
  segmentStep,
  cleanupScope,
} from './load-steps'
import { endRun } from './end-run'
import type { StartedLoad, StepResult } from './load-steps'
import { runStore } from './store'
import type { LoadPosition } from './load-segment'
import { depsFor, type Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { RunError, LoadFileParams } from '../shared/data-sources/data-sources'
import type { CompletedLoad } from '../warehouse/contract'
import type { Env } from '../bindings'

/** Short waits: what fails here is a restart or a busy object, not a slow outside. */
const RETRY = { retries: { limit: 4, delay: 500, backoff: 'exponential' as const }, timeout: 120_000 }

/** Loads one file into one dataset in durable steps: begin → segments → swap → projection. */
export class LoadFile extends WorkflowEntrypoint<Env, LoadFileParams> {
  override async run(event: WorkflowEvent<LoadFileParams>, step: WorkflowStep): Promise<void> {
    const params = event.payload
    try {
      const begun = await step.do('begin', RETRY, () => runLoadStep(this.#deps(), params, beginStep))
      if (!begun.ok) return await this.#end(step, params, begun)
      if (begun.value.unchanged) return await this.#end(step, params, 'unchanged')
      const read = await this.#segments(step, params, begun.value)
      if (!read.ok) return await this.#end(step, params, read)
      const done = await step.do('swap', RETRY, () =>
        runLoadStep(this.#deps(), params, (job) => finishStep(job, { begun: begun.value, end: read.value })),
      )
      if (!done.ok) return await this.#end(step, params, done)
      await step.do('project', RETRY, () => this.#project(params, done.value))
    } catch (error) {
      this.#deps().reporter.report(error, { route: 'workflow load-file' })
      await this.#end(step, params, runError(new ProductError('internal')))
    }
  }

  async #segments(
    step: WorkflowStep,
    params: LoadFileParams,
    startedLoad: StartedLoad,
  ): Promise<StepResult<LoadPosition>> {
    let position = startedLoad.position
    while (position.nextByte < startedLoad.size) {
      const from = position
      const next = await step.do(`segment ${from.segment}`, RETRY, () =>
        runLoadStep(this.#deps(), params, (job) => segmentStep(job, { begun: startedLoad, from })),
      )
      if (!next.ok) return next
      position = next.value
    }
    return { ok: true, value: position }
  }

  async #project(params: LoadFileParams, done: CompletedLoad): Promise<void> {
    const deps = this.#deps()
    const scope = cleanupScope(params)
    const run = await runStore(deps.db, scope).get(params.runId)
    if (run) await projectFinishedLoad(deps, scope, { id: run.id, datasetId: run.datasetId, done })
  }

  async #end(
    step: WorkflowStep,
    params: LoadFileParams,
    end: Exclude<StepResult<unknown>, { ok: true }> | RunError | 'unchanged',
  ): Promise<void> {
    const how = typeof end === 'string' || 'code' in end ? end : 'halt' in end ? end.halt : end.refusal
    await step.do('end', RETRY, () => endRun(this.#deps(), params, how))
  }

  #deps(): Deps {
    return depsFor(this.env, this.ctx)
  }
}
