import { regexCost, numberRangeOf } from './matching'
import { allGroups, namedMembers, groupPaths, GROUP_DEPTH_MAX, REGEXES_MAX } from './groupings'
import type { GroupingContent, ValidityPeriod, GroupNode } from './groupings'
import { nameKey } from '../field-schemas'

/** Steps per character that an expression may take: over a text of the length that is looked at, under 50 ms. */
const REGEX_SIZE_MAX = 1_000
/** Of all expressions of a grouping together. */
const REGEX_SIZES_MAX = 2_000

/** Sentences by place (`eras.0.groups.2.rules.0`), as refusals carry them. */
export type GroupingProblems = Record<string, string>
type ReportProblem = (path: string, sentence: string) => void

/** Everything about a definition that makes it unusable; empty when it can be kept. */
export function validateGrouping(content: GroupingContent): GroupingProblems {
  const found: GroupingProblems = {}
  const problem: ReportProblem = (path, sentence) => {
    found[path] ??= sentence
  }
  checkValidityPeriods(content.eras, problem)
  checkNames(content, problem)
  content.eras.forEach((era, i) => {
    const at = `eras.${i}.groups`
    checkTree(era, at, problem)
    checkMembers(era, at, problem)
    checkRanges(era, at, problem)
    checkTexts(era, at, problem)
  })
  checkExpressions(content.eras, problem)
  return found
}

function checkValidityPeriods(eras: readonly ValidityPeriod[], problem: ReportProblem): void {
  if (eras[0]?.from !== null) problem('eras.0.from', 'The first period covers all earlier dates.')
  eras.forEach(({ from }, i) => {
    const before = eras[i - 1]?.from
    if (i > 0 && from === null) problem(`eras.${i}.from`, 'Enter a start date.')
    if (from !== null && typeof before === 'string' && before >= from)
      problem(`eras.${i}.from`, 'Enter a date after the previous period’s.')
  })
}

/** A name means one group in all periods, and none is called what the values without a group are called. */
function checkNames({ eras, fallback }: GroupingContent, problem: ReportProblem): void {
  const ids = new Map<string, string>()
  const rest = fallback.kind === 'ungrouped' ? nameKey(fallback.name) : null
  eras.forEach(({ groups }, i) =>
    groups.forEach(({ id, name }, n) => {
      const key = nameKey(name)
      const path = `eras.${i}.groups.${n}.name`
      if ((ids.get(key) ?? id) !== id) problem(path, `Group ${name} already exists.`)
      if (key === rest) problem(path, 'Enter another name: ungrouped values use it.')
      ids.set(key, id)
    }),
  )
}

function checkTree({ groups }: ValidityPeriod, at: string, problem: ReportProblem): void {
  const known = new Set<string>()
  groups.forEach(({ id }, n) => {
    if (known.has(id)) problem(`${at}.${n}.id`, 'Duplicate group')
    known.add(id)
  })
  const paths = groupPaths(groups)
  groups.forEach(({ id, parentId }, n) => {
    if (parentId !== null && !known.has(parentId)) problem(`${at}.${n}.parentId`, 'Parent group not found.')
    // What is reached from no outermost group lies within itself.
    else if (!paths.has(id)) problem(`${at}.${n}.parentId`, 'Choose another parent: a group can’t contain itself.')
    else if ((paths.get(id)?.length ?? 0) > GROUP_DEPTH_MAX)
      problem(`${at}.${n}.parentId`, `Enter at most ${GROUP_DEPTH_MAX} levels.`)
  })
}

function checkMembers({ groups }: ValidityPeriod, at: string, problem: ReportProblem): void {
  const owners = new Map<string, GroupNode>()
  groups.forEach((group, n) => {
    for (const value of namedMembers(group)) {
      const key = nameKey(value)
      const owner = owners.get(key)
      if (key === '') problem(`${at}.${n}.rules`, 'Enter a value.')
      if (owner && owner.id !== group.id) problem(`${at}.${n}.rules`, `“${value}” is already in ${owner.name}.`)
      owners.set(key, group)
    }
  })
}

function checkTexts({ groups }: ValidityPeriod, at: string, problem: ReportProblem): void {
  groups.forEach(({ name, rules }, n) =>
    rules.forEach((rule, r) => {
      if ((rule.kind === 'startsWith' || rule.kind === 'contains') && nameKey(rule.value) === '')
        problem(`${at}.${n}.rules.${r}`, `Enter what values of ${name} ${RULE_VERBS[rule.kind]}.`)
    }),
  )
}
const RULE_VERBS = { startsWith: 'begin with', contains: 'contain' } as const

interface PlacedRange {
  group: GroupNode
  path: string
  from: number
  to: number
}
function checkRanges({ groups }: ValidityPeriod, at: string, problem: ReportProblem): void {
  const spans = groups.flatMap((group, n) =>
    group.rules.flatMap((rule, r): PlacedRange[] => {
      const span = numberRangeOf(rule)
      const path = `${at}.${n}.rules.${r}`
      if (span && span.from >= span.to) problem(path, 'Enter an end above the start.')
      return span && span.from < span.to ? [{ group, path, from: span.from, to: span.to }] : []
    }),
  )
  const sorted = spans.toSorted((a, b) => a.from - b.from)
  sorted.forEach((span, i) => {
    const before = sorted[i - 1]
    if (before && before.to > span.from) problem(span.path, `Range overlaps ${before.group.name}.`)
  })
}

/** What is wrong with one expression, in words; null when it can be used. */
export function regexProblem(pattern: string): string | null {
  if (pattern.trim() === '') return 'Enter a regex.'
  const size = regexCost(pattern)
  if (size === null) return 'Invalid regex. Look-around and back-references aren’t supported.'
  return size > REGEX_SIZE_MAX ? 'Regex too slow. Use smaller repetitions.' : null
}

function checkExpressions(eras: readonly ValidityPeriod[], problem: ReportProblem): void {
  let [count, total] = [0, 0]
  eras.forEach(({ groups }, i) =>
    groups.forEach(({ rules }, n) =>
      rules.forEach((rule, r) => {
        if (rule.kind !== 'regex') return
        count += 1
        const path = `eras.${i}.groups.${n}.rules.${r}`
        const wrong = regexProblem(rule.pattern)
        if (wrong !== null) problem(path, wrong)
        total += regexCost(rule.pattern) ?? 0
        if (total > REGEX_SIZES_MAX) problem(path, 'Regexes too slow together. Use fewer or smaller repetitions.')
        if (count > REGEXES_MAX) problem(path, `A grouping has up to ${REGEXES_MAX} expressions.`)
      }),
    ),
  )
}

/** Groups that a definition no longer has. */
export function removedGroups(before: GroupingContent, after: GroupingContent): GroupNode[] {
  const left = new Set(allGroups(after).map(({ id }) => id))
  return allGroups(before).filter(({ id }) => !left.has(id))
}
