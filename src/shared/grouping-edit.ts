import { seenText, lookupOf } from './grouping-lookup'
import type { Seen } from './grouping-lookup'
import type { Era, GroupNode, Rule } from './groupings'
import { nameKey } from './names'

/** The group without some of the values that it names. */
function without(group: GroupNode, keys: ReadonlySet<string>): GroupNode {
  const rules = group.rules.flatMap((rule): Rule[] => {
    if (rule.kind === 'equals') return keys.has(nameKey(rule.value)) ? [] : [rule]
    if (rule.kind !== 'in') return [rule]
    const values = rule.values.filter((value) => !keys.has(nameKey(value)))
    if (values.length === rule.values.length) return [rule]
    return values.length === 0 ? [] : [{ ...rule, values }]
  })
  return { ...group, rules }
}

/** The group with values added to its first list. */
function withValues(group: GroupNode, values: readonly string[]): GroupNode {
  const at = group.rules.findIndex(({ kind }) => kind === 'in')
  const list = group.rules[at]
  if (list?.kind !== 'in') return { ...group, rules: [{ kind: 'in', values: [...values] }, ...group.rules] }
  return { ...group, rules: group.rules.with(at, { ...list, values: [...list.values, ...values] }) }
}

/** Each value once, as it is written first. */
function distinct(values: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const value of values) {
    const key = nameKey(value)
    if (key !== '' && !found.has(key)) found.set(key, value)
  }
  return found
}

/**
 * Values named by one group only from now on; `to` null: by none, so that ranges and other rules decide. Undoing is
 * moving them back.
 */
export function moveMembers(era: Era, values: readonly string[], to: string | null): Era {
  const moved = distinct(values)
  const keys = new Set(moved.keys())
  const groups = era.groups.map((group) => {
    const left = without(group, keys)
    return group.id === to ? withValues(left, [...moved.values()]) : left
  })
  return { ...era, groups }
}

/** How many values belong to another group, to one they did not, or to none any more. */
export interface Moves {
  added: number
  moved: number
  removed: number
  /** By value: from which group to which. */
  values: { text: string; from: string | null; to: string | null }[]
}

/** What changes for these values from one definition of a period to another. */
export function movesBetween(before: Era, after: Era, values: readonly (string | Seen)[]): Moves {
  const [earlier, later] = [lookupOf(before), lookupOf(after)]
  const changed = values.flatMap((value) => {
    const seen = typeof value === 'string' ? seenText(value) : value
    const [from, to] = [earlier.groupOf(seen), later.groupOf(seen)]
    return from === to ? [] : [{ text: seen.text, from, to }]
  })
  return {
    added: changed.filter(({ from }) => from === null).length,
    moved: changed.filter(({ from, to }) => from !== null && to !== null).length,
    removed: changed.filter(({ to }) => to === null).length,
    values: changed,
  }
}
