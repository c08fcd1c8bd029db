import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { depsFor, type Deps } from '../deps'
import { executeRun, abandonRun } from '../features/forecasts/runner'
import type { ForecastRunParams } from '../shared/forecasts/forecasts'
import type { Env } from '../bindings'

const RETRY = { retries: { limit: 3, delay: 1_000, backoff: 'exponential' as const }, timeout: 180_000 }

/** Computes one forecast. A step that died is repeated as a whole: a run writes all that it found at once. */
export class ForecastRun extends WorkflowEntrypoint<Env, ForecastRunParams> {
  override async run({ payload }: WorkflowEvent<ForecastRunParams>, step: WorkflowStep): Promise<void> {
    try {
      await step.do('run', RETRY, () => executeRun(this.#deps(), payload))
    } catch (error) {
      this.#deps().reporter.report(error, { route: 'forecast run' })
      await step.do('give up', RETRY, () => abandonRun(this.#deps(), payload))
    }
  }

  #deps(): Deps {
    return depsFor(this.env, this.ctx)
  }
}
