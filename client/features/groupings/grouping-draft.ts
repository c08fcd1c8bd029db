import { useReducer } from 'react'
import { idsFrom } from '../../../src/shared/ids'
import { moveMembers } from '../../../src/shared/groupings/matching'
import { orderedGroups } from '../../../src/shared/groupings/groupings'
import type {
  ValidityPeriod,
  GroupingFallback,
  Grouping,
  GroupNode,
  GroupingRule,
} from '../../../src/shared/groupings/groupings'

/** What every part of the editor works on. */
export interface GroupingEditorContext extends Pick<ReturnType<typeof useGroupingDraft>, 'draft' | 'act'> {
  grouping: Grouping
  validityPeriod: Grouping['eras'][number]
  /** Index of the period that is shown. */
  at: number
  /** Whether the person may change it now. */
  may: boolean
}

const ids = idsFrom((length) => crypto.getRandomValues(new Uint8Array(length)))

/** The id of a group that is made here: it keeps it when it is stored. */
export const newGroupId = (): string => ids.next('grouped')

/** A grouping while it is edited; nothing of it is stored until it is saved. */
export interface GroupingDraft {
  name: string
  description: string
  fallback: GroupingFallback
  eras: ValidityPeriod[]
}
const toGroupingDraft = ({ name, description, fallback, eras }: Grouping): GroupingDraft => ({
  name,
  description,
  fallback,
  eras,
})

/** One step that a person takes; `at` is the period that it is taken in. */
export type GroupingEdit =
  | { kind: 'rename'; name: string; description: string }
  | { kind: 'fallback'; fallback: GroupingFallback }
  | { kind: 'move'; at: number; values: string[]; to: string | null }
  | { kind: 'addGroup'; at: number; id: string; name: string; parentId: string | null; values: string[] }
  | { kind: 'group'; at: number; id: string; change: Partial<Pick<GroupNode, 'name' | 'color' | 'parentId'>> }
  | { kind: 'rules'; at: number; id: string; rules: GroupingRule[] }
  | { kind: 'shift'; at: number; id: string; by: -1 | 1 }
  | { kind: 'removeGroup'; at: number; id: string }
  | { kind: 'addEra'; from: string }
  | { kind: 'removeEra'; at: number }
  | { kind: 'groups'; at: number; groups: GroupNode[] }

const editValidityPeriod = (
  draft: GroupingDraft,
  at: number,
  work: (period: ValidityPeriod) => ValidityPeriod,
): GroupingDraft => {
  const era = draft.eras[at]
  return era ? { ...draft, eras: draft.eras.with(at, work(era)) } : draft
}
const updateGroup = (period: ValidityPeriod, id: string, work: (group: GroupNode) => GroupNode): ValidityPeriod => ({
  ...period,
  groups: period.groups.map((group) => (group.id === id ? work(group) : group)),
})

/** The draft after a step. A step that no longer has its group or period changes nothing. */
export function applyEdit(draft: GroupingDraft, edit: GroupingEdit): GroupingDraft {
  switch (edit.kind) {
    case 'rename':
      return { ...draft, name: edit.name, description: edit.description }
    case 'fallback':
      return { ...draft, fallback: edit.fallback }
    case 'move':
      return editValidityPeriod(draft, edit.at, (era) => moveMembers(era, edit.values, edit.to))
    case 'addGroup':
      return editValidityPeriod(draft, edit.at, (era) => moveMembers(addGroup(era, edit), edit.values, edit.id))
    case 'group':
      return editValidityPeriod(draft, edit.at, (era) =>
        updateGroup(era, edit.id, (group) => ({ ...group, ...edit.change })),
      )
    case 'rules':
      return editValidityPeriod(draft, edit.at, (era) =>
        updateGroup(era, edit.id, (group) => ({ ...group, rules: edit.rules })),
      )
    case 'shift':
      return editValidityPeriod(draft, edit.at, (era) => moveGroup(era, edit))
    case 'removeGroup':
      return editValidityPeriod(draft, edit.at, (era) => removeGroup(era, edit.id))
    case 'groups':
      return editValidityPeriod(draft, edit.at, (era) => ({ ...era, groups: edit.groups }))
    case 'addEra':
      return { ...draft, eras: addValidityPeriod(draft.eras, edit.from) }
    case 'removeEra':
      return draft.eras.length === 1 ? draft : { ...draft, eras: removeValidityPeriod(draft.eras, edit.at) }
  }
}

function addGroup(
  period: ValidityPeriod,
  { id, name, parentId }: { id: string; name: string; parentId: string | null },
): ValidityPeriod {
  const beside = period.groups.filter((group) => group.parentId === parentId)
  const order = Math.max(-1, ...beside.map((group) => group.order)) + 1
  return {
    ...period,
    groups: [...period.groups, { id, parentId, name, color: null, order, rules: [] }],
  }
}

/** Groups within it come to where it was. */
function removeGroup(period: ValidityPeriod, id: string): ValidityPeriod {
  const gone = period.groups.find((group) => group.id === id)
  if (!gone) return period
  const groups = period.groups
    .filter((group) => group !== gone)
    .map((group) => (group.parentId === id ? { ...group, parentId: gone.parentId } : group))
  return { ...period, groups: renumberGroups(groups) }
}

/** Beside each other from 0 on, as they stand. */
function renumberGroups(groups: readonly GroupNode[]): GroupNode[] {
  const next = new Map<string | null, number>()
  const placed = orderedGroups(groups).map((group) => {
    const order = next.get(group.parentId) ?? 0
    next.set(group.parentId, order + 1)
    return { ...group, order }
  })
  return placed
}

function moveGroup(period: ValidityPeriod, { id, by }: { id: string; by: -1 | 1 }): ValidityPeriod {
  const groups = renumberGroups(period.groups)
  const one = groups.find((group) => group.id === id)
  const other = one && groups.find(({ parentId, order }) => parentId === one.parentId && order === one.order + by)
  if (!one || !other) return period
  return {
    ...period,
    groups: groups.map((group) =>
      group === one ? { ...one, order: other.order } : group === other ? { ...other, order: one.order } : group,
    ),
  }
}

/** A period begins with the groups of the one that it cuts. */
function addValidityPeriod(eras: readonly ValidityPeriod[], from: string): ValidityPeriod[] {
  const before = eras.findLast((era) => era.from === null || era.from < from) ?? eras[0]
  const rest = eras.filter((era) => era.from !== from)
  return [...rest, { from, groups: before?.groups ?? [] }].toSorted((a, b) =>
    (a.from ?? '').localeCompare(b.from ?? ''),
  )
}

/** Index that a new period has among the others. */
export const placeOfPeriod = (eras: readonly ValidityPeriod[], begins: string): number =>
  eras.filter(({ from }) => from === null || from < begins).length

/** The first period reaches back to the beginning. */
const removeValidityPeriod = (eras: readonly ValidityPeriod[], at: number): ValidityPeriod[] =>
  eras.filter((_, n) => n !== at).map((era, n) => (n === 0 ? { ...era, from: null } : era))

const UNDO_STEPS_MAX = 50

interface GroupingDraftState {
  past: GroupingDraft[]
  present: GroupingDraft
}
type GroupingDraftAction =
  | GroupingEdit
  | { kind: 'undo' }
  | { kind: 'start'; grouping: Grouping }
  | { kind: 'restore'; draft: GroupingDraft }

function groupingDraftReducer(state: GroupingDraftState, action: GroupingDraftAction): GroupingDraftState {
  if (action.kind === 'start') return { past: [], present: toGroupingDraft(action.grouping) }
  if (action.kind === 'undo') {
    const before = state.past.at(-1)
    return before ? { past: state.past.slice(0, -1), present: before } : state
  }
  const present = action.kind === 'restore' ? action.draft : applyEdit(state.present, action)
  return present === state.present ? state : { past: [...state.past, state.present].slice(-UNDO_STEPS_MAX), present }
}

/** What is edited, step by step, and the way back. */
export function useGroupingDraft(grouping: Grouping) {
  const [{ past, present }, act] = useReducer(groupingDraftReducer, { past: [], present: toGroupingDraft(grouping) })
  const isChanged = JSON.stringify(present) !== JSON.stringify(toGroupingDraft(grouping))
  return { draft: present, isChanged, mayUndo: past.length > 0, act }
}
export type GroupingDispatch = ReturnType<typeof useGroupingDraft>['act']
