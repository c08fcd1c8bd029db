import { useReducer } from 'react'
import { draftOf, taken } from './draft'
import type { GroupingDraft, Step } from './draft'
import type { Grouping } from '../../../src/shared/groupings'

const STEPS_MAX = 50

interface State {
  past: GroupingDraft[]
  now: GroupingDraft
}
type Action = Step | { kind: 'undo' } | { kind: 'start'; grouping: Grouping }

function next(state: State, action: Action): State {
  if (action.kind === 'start') return { past: [], now: draftOf(action.grouping) }
  if (action.kind === 'undo') {
    const before = state.past.at(-1)
    return before ? { past: state.past.slice(0, -1), now: before } : state
  }
  const now = taken(state.now, action)
  return now === state.now ? state : { past: [...state.past, state.now].slice(-STEPS_MAX), now }
}

/** What is edited, step by step, and the way back. */
export function useDraft(grouping: Grouping) {
  const [{ past, now }, act] = useReducer(next, { past: [], now: draftOf(grouping) })
  const isChanged = JSON.stringify(now) !== JSON.stringify(draftOf(grouping))
  return { draft: now, isChanged, mayUndo: past.length > 0, act }
}
export type Act = ReturnType<typeof useDraft>['act']
