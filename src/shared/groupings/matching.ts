import { RE2JS } from 're2js'
import { orderedGroups, type ValidityPeriod, type GroupingRule, type GroupNode } from './groupings'
import { nameKey } from '../field-schemas'

/** Longer texts are looked at by their beginning. */
const TEXT_MAX_CHARS = 1_000

/** A value as rules see it: how it is written, and what it counts as if it is a number. */
export interface MatchableValue {
  text: string
  number: number | null
}
const NUMBER_TEXT = /^[-−]?\d{1,15}([.,]\d{1,15})?$/

/** A text may be written like a number: ranges then take it as one. */
export function matchableText(text: string): MatchableValue {
  const bare = text.trim()
  return { text, number: NUMBER_TEXT.test(bare) ? Number(bare.replace('−', '-').replace(',', '.')) : null }
}

export interface GroupLookup {
  /** Id of the group that a value belongs to; null for none, as for an empty cell. */
  groupOf: (value: MatchableValue | null) => string | null
  /** What finding the group of a text of so many characters may take at most, in steps of an expression (some 50 ns). */
  stepsFor: (chars: number) => number
}
/** Characters that a search for a part of a text passes in the time of one step. */
const CHARS_PER_STEP = 50

interface NumberRange {
  from: number
  to: number
  /** Only whole numbers lie in it. */
  whole: boolean
  id: string
}
interface TextMatcher {
  test: (key: string, text: string) => boolean
  id: string
}

/** A range of numbers as bounds: account numbers end where the next one would begin. */
export function numberRangeOf(rule: GroupingRule): { from: number; to: number; whole: boolean } | null {
  if (rule.kind === 'range') return { from: rule.from ?? -Infinity, to: rule.to ?? Infinity, whole: false }
  return rule.kind === 'accounts' ? { from: rule.from, to: rule.to + 1, whole: true } : null
}

/** Cost of an expression: what one character of a text may take in steps. Null when it cannot be read. */
export const regexCost = (pattern: string): number | null => compileRegex(pattern)?.programSize() ?? null

/** Null for an expression that cannot be read, as while it is still being written. */
function compileRegex(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern.normalize('NFC'), RE2JS.CASE_INSENSITIVE)
  } catch {
    return null
  }
}

/** What a rule of texts asks; null for the other rules. */
function textMatcherOf(rule: GroupingRule): TextMatcher['test'] | null {
  switch (rule.kind) {
    case 'startsWith': {
      const start = nameKey(rule.value)
      // A rule that is still being written takes nothing.
      return (key) => start !== '' && key.startsWith(start)
    }
    case 'contains': {
      const part = nameKey(rule.value)
      return (key) => part !== '' && key.includes(part)
    }
    case 'regex': {
      const expression = compileRegex(rule.pattern)
      return expression && ((_key, text) => expression.test(text))
    }
    case 'in':
    case 'equals':
    case 'range':
    case 'accounts':
      return null
  }
}

const matchKey = (text: string): string => nameKey(text.length > TEXT_MAX_CHARS ? text.slice(0, TEXT_MAX_CHARS) : text)

/**
 * Prepares a period for many values: those named one by one are a table, ranges a sorted list, and only what is in
 * neither is held against the other rules.
 */
export function createGroupLookup({ groups }: Pick<ValidityPeriod, 'groups'>): GroupLookup {
  const members = new Map<string, string>()
  const spans: NumberRange[] = []
  const patterns: TextMatcher[] = []
  for (const { id, rules } of orderedGroups(groups)) {
    for (const rule of rules) {
      const named = rule.kind === 'in' ? rule.values : rule.kind === 'equals' ? [rule.value] : []
      for (const value of named) {
        const key = matchKey(value)
        if (!members.has(key)) members.set(key, id)
      }
      const span = numberRangeOf(rule)
      if (span) spans.push({ ...span, id })
      const test = textMatcherOf(rule)
      if (test) patterns.push({ test, id })
    }
  }
  spans.sort((a, b) => a.from - b.from)
  const size = groups.flatMap(({ rules }) => rules).reduce((sum, rule) => sum + ruleCost(rule), 0)
  return {
    stepsFor: (chars) => 1 + patterns.length + size * Math.min(chars, TEXT_MAX_CHARS),
    groupOf(value) {
      if (value === null) return null
      const key = matchKey(value.text)
      const named = members.get(key) ?? (value.number === null ? undefined : rangeContaining(spans, value.number)?.id)
      if (named !== undefined) return named
      if (patterns.length === 0) return null
      const text = value.text.slice(0, TEXT_MAX_CHARS).normalize('NFC')
      return patterns.find(({ test }) => test(key, text))?.id ?? null
    },
  }
}

/** Steps for each character of a text. */
function ruleCost(rule: GroupingRule): number {
  if (rule.kind === 'regex') return regexCost(rule.pattern) ?? 0
  return rule.kind === 'contains' ? 1 / CHARS_PER_STEP : 0
}

/** Ranges do not overlap: the last one that begins at or before the number is the only one it may lie in. */
function rangeContaining(spans: readonly NumberRange[], number: number): NumberRange | null {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.from ?? Infinity) <= number) low = middle + 1
    else high = middle
  }
  const found = spans[low - 1]
  return found && number < found.to && (!found.whole || Number.isInteger(number)) ? found : null
}

/** A stored cell as rules see it, and as a list of members writes it. */
export interface CellType {
  type: 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime'
}

/** A cell of an answer as rules see it. Exact decimals come as text. */
export function matchableCell({ type }: CellType, cell: string | number | boolean | null): MatchableValue | null {
  if (cell === null) return null
  if (typeof cell === 'boolean') return { text: cell ? 'Yes' : 'No', number: null }
  if (type === 'text') return matchableText(String(cell))
  if (type === 'integer' || type === 'number') return { text: String(cell), number: Number(cell) }
  return { text: String(cell), number: null }
}

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
export function moveMembers(period: ValidityPeriod, values: readonly string[], to: string | null): ValidityPeriod {
  const moved = distinctByKey(values)
  const keys = new Set(moved.keys())
  const groups = period.groups.map((group) => {
    const left = withoutMembers(group, keys)
    return group.id === to ? withMembers(left, [...moved.values()]) : left
  })
  return { ...period, groups }
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
