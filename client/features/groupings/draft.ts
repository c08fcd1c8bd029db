import { moveMembers } from '../../../src/shared/grouping-edit'
import { orderedGroups } from '../../../src/shared/grouping-tree'
import type { Era, Fallback, Grouping, GroupNode, Rule } from '../../../src/shared/groupings'

/** A grouping while it is edited; nothing of it is stored until it is saved. */
export interface GroupingDraft {
  name: string
  description: string
  fallback: Fallback
  eras: Era[]
}
export const draftOf = ({ name, description, fallback, eras }: Grouping): GroupingDraft => ({
  name,
  description,
  fallback,
  eras,
})

/** One step that a person takes; `at` is the period that it is taken in. */
export type Step =
  | { kind: 'rename'; name: string; description: string }
  | { kind: 'fallback'; fallback: Fallback }
  | { kind: 'move'; at: number; values: string[]; to: string | null }
  | { kind: 'addGroup'; at: number; id: string; name: string; parentId: string | null; values: string[] }
  | { kind: 'group'; at: number; id: string; change: Partial<Pick<GroupNode, 'name' | 'color' | 'parentId'>> }
  | { kind: 'rules'; at: number; id: string; rules: Rule[] }
  | { kind: 'shift'; at: number; id: string; by: -1 | 1 }
  | { kind: 'removeGroup'; at: number; id: string }
  | { kind: 'addEra'; from: string }
  | { kind: 'removeEra'; at: number }
  | { kind: 'groups'; at: number; groups: GroupNode[] }

const inEra = (draft: GroupingDraft, at: number, work: (era: Era) => Era): GroupingDraft => {
  const era = draft.eras[at]
  return era ? { ...draft, eras: draft.eras.with(at, work(era)) } : draft
}
const eachGroup = (era: Era, id: string, work: (group: GroupNode) => GroupNode): Era => ({
  ...era,
  groups: era.groups.map((group) => (group.id === id ? work(group) : group)),
})

/** The draft after a step. A step that no longer has its group or period changes nothing. */
export function taken(draft: GroupingDraft, step: Step): GroupingDraft {
  switch (step.kind) {
    case 'rename':
      return { ...draft, name: step.name, description: step.description }
    case 'fallback':
      return { ...draft, fallback: step.fallback }
    case 'move':
      return inEra(draft, step.at, (era) => moveMembers(era, step.values, step.to))
    case 'addGroup':
      return inEra(draft, step.at, (era) => moveMembers(withGroup(era, step), step.values, step.id))
    case 'group':
      return inEra(draft, step.at, (era) => eachGroup(era, step.id, (group) => ({ ...group, ...step.change })))
    case 'rules':
      return inEra(draft, step.at, (era) => eachGroup(era, step.id, (group) => ({ ...group, rules: step.rules })))
    case 'shift':
      return inEra(draft, step.at, (era) => shifted(era, step))
    case 'removeGroup':
      return inEra(draft, step.at, (era) => withoutGroup(era, step.id))
    case 'groups':
      return inEra(draft, step.at, (era) => ({ ...era, groups: step.groups }))
    case 'addEra':
      return { ...draft, eras: withEra(draft.eras, step.from) }
    case 'removeEra':
      return draft.eras.length === 1 ? draft : { ...draft, eras: withoutEra(draft.eras, step.at) }
  }
}

function withGroup(era: Era, { id, name, parentId }: { id: string; name: string; parentId: string | null }): Era {
  const beside = era.groups.filter((group) => group.parentId === parentId)
  const order = Math.max(-1, ...beside.map((group) => group.order)) + 1
  return { ...era, groups: [...era.groups, { id, parentId, name, color: null, order, rules: [] }] }
}

/** Groups within it come to where it was. */
function withoutGroup(era: Era, id: string): Era {
  const gone = era.groups.find((group) => group.id === id)
  if (!gone) return era
  const groups = era.groups
    .filter((group) => group !== gone)
    .map((group) => (group.parentId === id ? { ...group, parentId: gone.parentId } : group))
  return { ...era, groups: renumbered(groups) }
}

/** Beside each other from 0 on, as they stand. */
function renumbered(groups: readonly GroupNode[]): GroupNode[] {
  const next = new Map<string | null, number>()
  const placed = orderedGroups(groups).map((group) => {
    const order = next.get(group.parentId) ?? 0
    next.set(group.parentId, order + 1)
    return { ...group, order }
  })
  return placed
}

function shifted(era: Era, { id, by }: { id: string; by: -1 | 1 }): Era {
  const groups = renumbered(era.groups)
  const one = groups.find((group) => group.id === id)
  const other = one && groups.find(({ parentId, order }) => parentId === one.parentId && order === one.order + by)
  if (!one || !other) return era
  return {
    ...era,
    groups: groups.map((group) =>
      group === one ? { ...one, order: other.order } : group === other ? { ...other, order: one.order } : group,
    ),
  }
}

/** A period begins with the groups of the one that it cuts. */
function withEra(eras: readonly Era[], from: string): Era[] {
  const before = eras.findLast((era) => era.from === null || era.from < from) ?? eras[0]
  const rest = eras.filter((era) => era.from !== from)
  return [...rest, { from, groups: before?.groups ?? [] }].toSorted((a, b) =>
    (a.from ?? '').localeCompare(b.from ?? ''),
  )
}

/** The first period reaches back to the beginning. */
const withoutEra = (eras: readonly Era[], at: number): Era[] =>
  eras.filter((_, n) => n !== at).map((era, n) => (n === 0 ? { ...era, from: null } : era))
