import type { PlanDraft } from './draft'
import { draftReducer } from './draft-reducer'
import type { DraftAction } from './draft-reducer'

/** Steps that can be taken back. */
export const STEPS_MAX = 50

/** A draft with the ones before it, and those that were taken back. */
export interface DraftSteps {
  past: PlanDraft[]
  now: PlanDraft
  future: PlanDraft[]
  /** What was typed into last: more of it belongs to the same step. */
  typing: string | null
}
export type StepAction = DraftAction | { type: 'undo' } | { type: 'redo' }

export const firstStep = (now: PlanDraft): DraftSteps => ({ past: [], now, future: [], typing: null })

/** Which text an action goes on with: a name, or the value of a filter; null for every other step. */
function typingOf({ now }: DraftSteps, action: DraftAction): string | null {
  if (action.type === 'measure') {
    const before = now.measures[action.at]
    const bare = (one: typeof before): string => JSON.stringify(one, (key, value) => (key === 'label' ? null : value))
    return before && bare(before) === bare(action.measure) ? `name of ${action.at}` : null
  }
  if (action.type !== 'filter' || action.filter.kind !== 'edit') return null
  const before = now.filters[action.at]
  const { column, op } = action.filter
  const goesOn =
    before?.kind === 'edit' && before.column === column && before.op === op && op !== 'in' && op !== 'notIn'
  return goesOn ? `value of ${action.at}` : null
}

/** The data of a draft is large, and kept as it is by every step but the one that changes it. */
const isSameDraft = ({ dataset, ...rest }: PlanDraft, { dataset: data, ...others }: PlanDraft): boolean =>
  dataset === data && JSON.stringify(rest) === JSON.stringify(others)

/** Every step of the builder, with the way back and forth. */
export function stepReducer(steps: DraftSteps, action: StepAction): DraftSteps {
  const { past, now, future } = steps
  if (action.type === 'undo') {
    const before = past.at(-1)
    return before ? { past: past.slice(0, -1), now: before, future: [now, ...future], typing: null } : steps
  }
  if (action.type === 'redo') {
    const [next, ...rest] = future
    return next ? { past: [...past, now], now: next, future: rest, typing: null } : steps
  }
  const next = draftReducer(now, action)
  if (isSameDraft(next, now)) return steps
  const typing = typingOf(steps, action)
  const isSame = typing !== null && typing === steps.typing
  return { past: isSame ? past : [...past, now].slice(-STEPS_MAX), now: next, future: [], typing }
}
