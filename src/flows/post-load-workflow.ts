import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { POST_LOAD_STEPS, type PostLoadStep } from './post-load-steps'
import { readOwnerContext } from '../identity/member-context-store'
import { calendarOf } from '../semantic/calendar'
import type { FollowUpParams } from '../db/outbox-workflows'
import { depsFor, type Deps } from '../deps'
import type { Env } from '../bindings'

const RETRY = { retries: { limit: 3, delay: 1_000, backoff: 'exponential' as const }, timeout: 180_000 }

/** What follows new rows, in order; each follower is a durable step, and none waits for another's repair. */
export class FollowUp extends WorkflowEntrypoint<Env, FollowUpParams> {
  override async run(event: WorkflowEvent<FollowUpParams>, step: WorkflowStep): Promise<void> {
    for (const follower of POST_LOAD_STEPS) {
      try {
        await step.do(follower.name, RETRY, () => this.#runStep(event.payload, follower))
      } catch (error) {
        this.#deps().reporter.report(error, { route: `follow-up ${follower.name}` })
      }
    }
  }

  /** As an owner of the workspace sees it now; nothing follows in one that is deleted. */
  async #runStep(swapped: FollowUpParams, { run, changedNoun }: PostLoadStep): Promise<void> {
    const deps = this.#deps()
    const owner = await readOwnerContext(deps, swapped.workspaceId)
    if (!owner) return
    await run({ deps, ...owner, calendar: calendarOf(owner, deps.clock), swapped })
    await deps.live(owner.scope).publish({ kind: 'changed', noun: changedNoun, id: null })
  }

  #deps(): Deps {
    return depsFor(this.env, this.ctx)
  }
}
