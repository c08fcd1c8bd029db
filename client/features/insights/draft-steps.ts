import type { PlanDraft } from './draft'
import { draftReducer } from './draft-reducer'
import type { DraftAction } from './draft-reducer'

/** Steps that can be taken back. */
export const UNDO_STEPS_MAX = 50

/** A draft with the ones before it, and those that were taken back. */
export interface DraftHistory {
  past: PlanDraft[]
  present: PlanDraft
  future: PlanDraft[]
  /** What was typed into last: more of it belongs to the same step. */
  typing: string | null
}
export type DraftHistoryAction = DraftAction | { type: 'undo' } | { type: 'redo' }

export const initialDraftHistory = (present: PlanDraft): DraftHistory => ({
  past: [],
  present,
  future: [],
  typing: null,
})

/** Which text an action goes on with: a name, or the value of a filter; null for every other step. */
function typingTarget({ present }: DraftHistory, action: DraftAction): string | null {
  if (action.type === 'measure') {
    const before = present.measures[action.at]
    const bare = (one: typeof before): string => JSON.stringify(one, (key, value) => (key === 'label' ? null : value))
    return before && bare(before) === bare(action.measure) ? `name of ${action.at}` : null
  }
  if (action.type !== 'filter' || action.filter.kind !== 'edit') return null
  const before = present.filters[action.at]
  const { column, op } = action.filter
  const continuesTyping =
    before?.kind === 'edit' && before.column === column && before.op === op && op !== 'in' && op !== 'notIn'
  return continuesTyping ? `value of ${action.at}` : null
}

/** The data of a draft is large, and kept as it is by every step but the one that changes it. */
const isSameDraft = ({ dataset, ...rest }: PlanDraft, { dataset: data, ...others }: PlanDraft): boolean =>
  dataset === data && JSON.stringify(rest) === JSON.stringify(others)

/** Every step of the builder, with the way back and forth. */
export function draftHistoryReducer(steps: DraftHistory, action: DraftHistoryAction): DraftHistory {
  const { past, present, future } = steps
  if (action.type === 'undo') {
    const before = past.at(-1)
    return before ? { past: past.slice(0, -1), present: before, future: [present, ...future], typing: null } : steps
  }
  if (action.type === 'redo') {
    const [next, ...rest] = future
    return next ? { past: [...past, present], present: next, future: rest, typing: null } : steps
  }
  const next = draftReducer(present, action)
  if (isSameDraft(next, present)) return steps
  const typing = typingTarget(steps, action)
  const isSame = typing !== null && typing === steps.typing
  return { past: isSame ? past : [...past, present].slice(-UNDO_STEPS_MAX), present: next, future: [], typing }
}
