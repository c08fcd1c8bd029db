import type { FoldedFact } from '../folds/fact-folds'
import { keyCells, type GroupKeyCells } from './group-keys'

/** A group that any fact has: its keys, and its number in each of them. */
export interface MergedGroup extends GroupKeyCells {
  at: (number | null)[]
}

/** Every group that has rows in any fact; without splits there is always one. */
export function* mergedGroups(folded: readonly FoldedFact[], isSingle: boolean): Generator<MergedGroup> {
  const [only, second] = folded
  if (isSingle) yield { keys: [], other: [], at: folded.map(() => 1) }
  else if (only && !second) for (const group of presentGroups(only)) yield { ...cellsOf(only, group), at: [group] }
  else yield* groupsOfAll(folded)
}
function groupsOfAll(folded: readonly FoldedFact[]): Iterable<MergedGroup> {
  const merged = new Map<string, MergedGroup>()
  for (const [i, fact] of folded.entries())
    for (const group of presentGroups(fact)) {
      const cells = cellsOf(fact, group)
      const name = JSON.stringify([cells.keys, cells.other])
      const known = merged.get(name) ?? { ...cells, at: folded.map(() => null) }
      known.at[i] = group
      merged.set(name, known)
    }
  return merged.values()
}
export const cellsOf = ({ keys, splits }: FoldedFact, group: number): GroupKeyCells =>
  keyCells(splits, keys.ordinalsOf(group))
export function presentGroups({ keys, present }: FoldedFact): number[] {
  const groups: number[] = []
  const size = keys.size()
  for (let group = 1; group < size; group += 1) if (present.has?.(group) === true) groups.push(group)
  return groups
}
