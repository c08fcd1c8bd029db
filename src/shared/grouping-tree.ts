import type { GroupingContent, ValidityPeriod, GroupNode } from './groupings'

/** Groups as they stand in a list: each before those within it, beside each other by `order`. */
export function orderedGroups(groups: readonly GroupNode[]): GroupNode[] {
  const children = new Map<string | null, GroupNode[]>()
  for (const group of groups) children.set(group.parentId, [...(children.get(group.parentId) ?? []), group])
  for (const list of children.values()) list.sort((a, b) => a.order - b.order)
  const found: GroupNode[] = []
  const walk = (parentId: string | null): void => {
    for (const group of children.get(parentId) ?? []) {
      found.push(group)
      walk(group.id)
    }
  }
  walk(null)
  return found
}

/** By id: the groups that lead to it, the outermost first, itself last. */
export function groupPaths(groups: readonly GroupNode[]): Map<string, GroupNode[]> {
  const paths = new Map<string, GroupNode[]>()
  for (const group of orderedGroups(groups))
    paths.set(group.id, [...(group.parentId === null ? [] : (paths.get(group.parentId) ?? [])), group])
  return paths
}

/** What stands for a group at a level: the group around it there; itself when it does not lie so deep. */
export const groupAtLevel = (path: readonly GroupNode[], level: number): GroupNode | undefined =>
  path[Math.min(level, path.length) - 1]

/** The period that holds a day (ISO); the first one before all. */
export function validityPeriodAt(eras: readonly ValidityPeriod[], day: string): number {
  return Math.max(
    0,
    eras.findLastIndex(({ from }) => from === null || from <= day),
  )
}

/** Every group of every period once, as it is called last: those of the latest period first, in their order. */
export function allGroups({ eras }: Pick<GroupingContent, 'eras'>): GroupNode[] {
  const seen = new Map<string, GroupNode>()
  for (const { groups } of eras.toReversed())
    for (const group of orderedGroups(groups)) if (!seen.has(group.id)) seen.set(group.id, group)
  return [...seen.values()]
}

/** Values that rules name one by one. */
export const namedMembers = ({ rules }: Pick<GroupNode, 'rules'>): string[] =>
  rules.flatMap((rule) => (rule.kind === 'in' ? rule.values : rule.kind === 'equals' ? [rule.value] : []))

/** What a definition takes of the limits of its workspace. */
export const groupingSize = (definition: Pick<GroupingContent, 'eras'>): { groups: number; members: number } => ({
  groups: allGroups(definition).length,
  members: definition.eras
    .flatMap(({ groups }) => groups)
    .reduce((total, group) => total + namedMembers(group).length, 0),
})
