import type { DurableSteps } from './durable-steps'
import { beginStep, cleanupScope, finishStep, projectFinishedLoad, runLoadStep, segmentStep } from './load-steps'
import type { AbortReason } from './load-steps'
import { runStore } from './store'
import type { Deps } from '../deps'
import type { LoadFileParams, RunError } from '../shared/data-sources/data-sources'
import type { CompletedLoad } from '../warehouse/contract'

export type LoadEnd =
  | { kind: 'loaded'; done: CompletedLoad }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: RunError }
  | { kind: 'halted'; halt: AbortReason }

/** The steps of one load: begin → segments → swap → projection. It ends no run that failed. `prefix`: inside a longer piece of work. */
export async function loadInSteps(
  steps: DurableSteps,
  depsOf: () => Deps,
  at: { params: LoadFileParams; prefix?: string; followUpAt?: number },
): Promise<LoadEnd> {
  const { params, prefix } = at
  const named = (name: string): string => (prefix === undefined ? name : `${prefix} ${name}`)
  const begun = await steps.do(named('begin'), () => runLoadStep(depsOf(), params, beginStep))
  if (!begun.ok) return endOf(begun)
  if (begun.value.unchanged) return { kind: 'unchanged' }
  let { position } = begun.value
  while (position.nextByte < begun.value.size) {
    const from = position
    const next = await steps.do(named(`segment ${from.segment}`), () =>
      runLoadStep(depsOf(), params, (job) => segmentStep(job, { begun: begun.value, from })),
    )
    if (!next.ok) return endOf(next)
    position = next.value
  }
  const end = position
  const done = await steps.do(named('swap'), () =>
    runLoadStep(depsOf(), params, (job) => finishStep(job, { begun: begun.value, end })),
  )
  if (!done.ok) return endOf(done)
  await steps.do(named('project'), async () => {
    const deps = depsOf()
    const scope = cleanupScope(params)
    const run = await runStore(deps.db, scope).get(params.runId)
    const { followUpAt } = at
    if (run)
      await projectFinishedLoad(deps, scope, { id: run.id, datasetId: run.datasetId, done: done.value, followUpAt })
    return true
  })
  return { kind: 'loaded', done: done.value }
}

const endOf = (end: { refusal: RunError } | { halt: AbortReason }): LoadEnd =>
  'halt' in end ? { kind: 'halted', halt: end.halt } : { kind: 'refused', refusal: end.refusal }
