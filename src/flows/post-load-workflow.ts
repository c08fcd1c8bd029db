import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { POST_LOAD_STEPS, RIGHTS_STEPS, type FollowUpStep } from './post-load-steps'
import { readOwnerContext } from '../identity/member-context-store'
import { calendarOf } from '../semantic/calendar'
import type { FollowUpEvent } from '../db/outbox-workflows'
import { depsFor, type Deps } from '../deps'
import type { Env } from '../bindings'

const RETRY = { retries: { limit: 3, delay: 1_000, backoff: 'exponential' as const }, timeout: 180_000 }

/** What follows new rows or changed rights, in order; each follower is a durable step, and none waits for another's repair. */
export class FollowUp extends WorkflowEntrypoint<Env, FollowUpEvent> {
  override async run({ payload }: WorkflowEvent<FollowUpEvent>, step: WorkflowStep): Promise<void> {
    if ('rights' in payload) return this.#runAll(step, RIGHTS_STEPS, payload)
    return this.#runAll(step, POST_LOAD_STEPS, payload)
  }

  async #runAll<T extends FollowUpEvent>(
    step: WorkflowStep,
    followers: readonly FollowUpStep<T>[],
    swapped: T,
  ): Promise<void> {
    for (const follower of followers) {
      try {
        await step.do(follower.name, RETRY, () => this.#runStep(swapped, follower))
      } catch (error) {
        this.#deps().reporter.report(error, { route: `follow-up ${follower.name}` })
      }
    }
  }

  /** As an owner of the workspace sees it now; nothing follows in one that is deleted. */
  async #runStep<T extends FollowUpEvent>(swapped: T, { run, changedNoun }: FollowUpStep<T>): Promise<void> {
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
