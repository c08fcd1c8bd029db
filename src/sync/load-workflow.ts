import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { workflowSteps } from './durable-steps'
import { endRun } from './end-run'
import { loadInSteps, type LoadEnd } from './load-in-steps'
import { runError } from './load-steps'
import { depsFor, type Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { LoadFileParams } from '../shared/data-sources/data-sources'
import type { Env } from '../bindings'

const INTERNAL: LoadEnd = { kind: 'refused', refusal: runError(new ProductError('internal')) }

/** Loads one file into one dataset: {@link loadInSteps}, and the end of a run that brought no rows. */
export class LoadFile extends WorkflowEntrypoint<Env, LoadFileParams> {
  override async run(event: WorkflowEvent<LoadFileParams>, step: WorkflowStep): Promise<void> {
    const params = event.payload
    const steps = workflowSteps(step)
    const deps = (): Deps => depsFor(this.env, this.ctx)
    const end = await loadInSteps(steps, deps, { params }).catch((error: unknown): LoadEnd => {
      deps().reporter.report(error, { route: 'workflow load-file' })
      return INTERNAL
    })
    if (end.kind === 'loaded') return
    const how = end.kind === 'unchanged' ? 'unchanged' : end.kind === 'halted' ? end.halt : end.refusal
    await steps.do('end', async () => {
      await endRun(deps(), params, how)
      return true
    })
  }
}
