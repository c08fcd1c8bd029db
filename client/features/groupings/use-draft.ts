import { useReducer } from 'react'
import { toGroupingDraft, applyEdit } from './draft'
import type { GroupingDraft, GroupingEdit } from './draft'
import type { Grouping } from '../../../src/shared/groupings'

const UNDO_STEPS_MAX = 50

interface GroupingDraftState {
  past: GroupingDraft[]
  present: GroupingDraft
}
type GroupingDraftAction = GroupingEdit | { kind: 'undo' } | { kind: 'start'; grouping: Grouping }

function groupingDraftReducer(
  groupingDraftState: GroupingDraftState,
  groupingDraftAction: GroupingDraftAction,
): GroupingDraftState {
  if (groupingDraftAction.kind === 'start') return { past: [], present: toGroupingDraft(groupingDraftAction.grouping) }
  if (groupingDraftAction.kind === 'undo') {
    const before = groupingDraftState.past.at(-1)
    return before ? { past: groupingDraftState.past.slice(0, -1), present: before } : groupingDraftState
  }
  const present = applyEdit(groupingDraftState.present, groupingDraftAction)
  return present === groupingDraftState.present
    ? groupingDraftState
    : { past: [...groupingDraftState.past, groupingDraftState.present].slice(-UNDO_STEPS_MAX), present }
}

/** What is edited, step by step, and the way back. */
export function useGroupingDraft(grouping: Grouping) {
  const [{ past, present }, act] = useReducer(groupingDraftReducer, { past: [], present: toGroupingDraft(grouping) })
  const isChanged = JSON.stringify(present) !== JSON.stringify(toGroupingDraft(grouping))
  return { draft: present, isChanged, mayUndo: past.length > 0, act }
}
export type GroupingDispatch = ReturnType<typeof useGroupingDraft>['act']
