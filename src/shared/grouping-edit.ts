import { matchableText, createGroupLookup } from './grouping-lookup'
import type { MatchableValue } from './grouping-lookup'
import type { ValidityPeriod, GroupNode, GroupingRule } from './groupings'
import { nameKey } from './names'

/** The group without some of the values that it names. */
function withoutMembers(group: GroupNode, keys: ReadonlySet<string>): GroupNode {
  const rules = group.rules.flatMap((rule): GroupingRule[] => {
    if (rule.kind === 'equals') return keys.has(nameKey(rule.value)) ? [] : [rule]
    if (rule.kind !== 'in') return [rule]
    const values = rule.values.filter((value) => !keys.has(nameKey(value)))
    if (values.length === rule.values.length) return [rule]
    return values.length === 0 ? [] : [{ ...rule, values }]
  })
  return { ...group, rules }
}

/** The group with values added to its first list. */
function withMembers(group: GroupNode, values: readonly string[]): GroupNode {
  const at = group.rules.findIndex(({ kind }) => kind === 'in')
  const list = group.rules[at]
  if (list?.kind !== 'in') return { ...group, rules: [{ kind: 'in', values: [...values] }, ...group.rules] }
  return { ...group, rules: group.rules.with(at, { ...list, values: [...list.values, ...values] }) }
}

/** Each value once, as it is written first. */
function distinctByKey(values: readonly string[]): Map<string, string> {
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
export function moveMembers(
  validityPeriod: ValidityPeriod,
  values: readonly string[],
  to: string | null,
): ValidityPeriod {
  const moved = distinctByKey(values)
  const keys = new Set(moved.keys())
  const groups = validityPeriod.groups.map((group) => {
    const left = withoutMembers(group, keys)
    return group.id === to ? withMembers(left, [...moved.values()]) : left
  })
  return { ...validityPeriod, groups }
}

/** How many values belong to another group, to one they did not, or to none any more. */
export interface MembershipChanges {
  added: number
  moved: number
  removed: number
  /** By value: from which group to which. */
  values: { text: string; from: string | null; to: string | null }[]
}

/** What changes for these values from one definition of a period to another. */
export function membershipChangesBetween(
  before: ValidityPeriod,
  after: ValidityPeriod,
  values: readonly (string | MatchableValue)[],
): MembershipChanges {
  const [earlier, later] = [createGroupLookup(before), createGroupLookup(after)]
  const changed = values.flatMap((value) => {
    const seen = typeof value === 'string' ? matchableText(value) : value
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
