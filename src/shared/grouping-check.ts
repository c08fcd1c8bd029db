import { regexSize, spanOf, testOf } from './grouping-lookup'
import { allGroups, membersOf, orderedGroups, pathsOf } from './grouping-tree'
import { GROUP_DEPTH_MAX, REGEXES_MAX } from './groupings'
import type { Definition, Era, GroupNode, Rule } from './groupings'
import { nameKey } from './names'

/** Steps per character that an expression may take: over a text of the length that is looked at, under 50 ms. */
const REGEX_SIZE_MAX = 1_000
/** Of all expressions of a grouping together. */
const REGEX_SIZES_MAX = 2_000

/** Sentences by place (`eras.0.groups.2.rules.0`), as refusals carry them. */
export type Problems = Record<string, string>
type Say = (path: string, sentence: string) => void

/** Everything about a definition that makes it unusable; empty when it can be kept. */
export function problemsOf(definition: Definition): Problems {
  const found: Problems = {}
  const say: Say = (path, sentence) => {
    found[path] ??= sentence
  }
  checkEras(definition.eras, say)
  checkNames(definition, say)
  definition.eras.forEach((era, i) => {
    const at = `eras.${i}.groups`
    checkTree(era, at, say)
    checkMembers(era, at, say)
    checkRanges(era, at, say)
    checkTexts(era, at, say)
  })
  checkExpressions(definition.eras, say)
  return found
}

function checkEras(eras: readonly Era[], say: Say): void {
  if (eras[0]?.from !== null) say('eras.0.from', 'The first period goes back to the beginning.')
  eras.forEach(({ from }, i) => {
    const before = eras[i - 1]?.from
    if (i > 0 && from === null) say(`eras.${i}.from`, 'Say from which day on.')
    if (from !== null && typeof before === 'string' && before >= from)
      say(`eras.${i}.from`, 'Each period begins after the one before it.')
  })
}

/** A name means one group in all periods, and none is called what the values without a group are called. */
function checkNames({ eras, fallback }: Definition, say: Say): void {
  const ids = new Map<string, string>()
  const rest = fallback.kind === 'ungrouped' ? nameKey(fallback.name) : null
  eras.forEach(({ groups }, i) =>
    groups.forEach(({ id, name }, n) => {
      const key = nameKey(name)
      const path = `eras.${i}.groups.${n}.name`
      if ((ids.get(key) ?? id) !== id) say(path, `There is already a group called ${name}.`)
      if (key === rest) say(path, 'This is what values without a group are called.')
      ids.set(key, id)
    }),
  )
}

function checkTree({ groups }: Era, at: string, say: Say): void {
  const known = new Set<string>()
  groups.forEach(({ id }, n) => {
    if (known.has(id)) say(`${at}.${n}.id`, 'This group is there twice.')
    known.add(id)
  })
  const paths = pathsOf(groups)
  groups.forEach(({ id, parentId }, n) => {
    if (parentId !== null && !known.has(parentId)) say(`${at}.${n}.parentId`, 'The group around it is not there.')
    // What is reached from no outermost group lies within itself.
    else if (!paths.has(id)) say(`${at}.${n}.parentId`, 'A group cannot lie within itself.')
    else if ((paths.get(id)?.length ?? 0) > GROUP_DEPTH_MAX)
      say(`${at}.${n}.parentId`, `Groups lie at most ${GROUP_DEPTH_MAX} deep.`)
  })
}

function checkMembers({ groups }: Era, at: string, say: Say): void {
  const owners = new Map<string, GroupNode>()
  groups.forEach((group, n) => {
    for (const value of membersOf(group)) {
      const key = nameKey(value)
      const owner = owners.get(key)
      if (key === '') say(`${at}.${n}.rules`, 'An empty text belongs to no group.')
      if (owner && owner.id !== group.id) say(`${at}.${n}.rules`, `“${value}” is already in ${owner.name}.`)
      owners.set(key, group)
    }
  })
}

function checkTexts({ groups }: Era, at: string, say: Say): void {
  groups.forEach(({ name, rules }, n) =>
    rules.forEach((rule, r) => {
      if ((rule.kind === 'startsWith' || rule.kind === 'contains') && nameKey(rule.value) === '')
        say(`${at}.${n}.rules.${r}`, `Write what values of ${name} ${LOOKS_FOR[rule.kind]}.`)
    }),
  )
}
const LOOKS_FOR = { startsWith: 'begin with', contains: 'contain' } as const

interface Placed {
  group: GroupNode
  path: string
  from: number
  to: number
}
function checkRanges({ groups }: Era, at: string, say: Say): void {
  const spans = groups.flatMap((group, n) =>
    group.rules.flatMap((rule, r): Placed[] => {
      const span = spanOf(rule)
      const path = `${at}.${n}.rules.${r}`
      if (span && span.from >= span.to) say(path, 'A range ends after it begins.')
      return span && span.from < span.to ? [{ group, path, from: span.from, to: span.to }] : []
    }),
  )
  const sorted = spans.toSorted((a, b) => a.from - b.from)
  sorted.forEach((span, i) => {
    const before = sorted[i - 1]
    if (before && before.to > span.from) say(span.path, `This range overlaps one of ${before.group.name}.`)
  })
}

function checkExpressions(eras: readonly Era[], say: Say): void {
  let [count, total] = [0, 0]
  eras.forEach(({ groups }, i) =>
    groups.forEach(({ rules }, n) =>
      rules.forEach((rule, r) => {
        if (rule.kind !== 'regex') return
        count += 1
        const path = `eras.${i}.groups.${n}.rules.${r}`
        const size = regexSize(rule.pattern)
        if (size === null)
          say(path, 'This expression cannot be read. Look-around and back-references do not exist here.')
        else if (size > REGEX_SIZE_MAX) say(path, 'This expression takes too long. Use smaller repetitions.')
        total += size ?? 0
        if (total > REGEX_SIZES_MAX)
          say(
            path,
            'The expressions of this grouping take too long together. Use smaller repetitions, or fewer of them.',
          )
        if (count > REGEXES_MAX) say(path, `A grouping has up to ${REGEXES_MAX} expressions.`)
      }),
    ),
  )
}

/** Two rules of texts that both match a value: the first decides. */
export interface Overlap {
  value: string
  first: { groupId: string; rule: Rule }
  second: { groupId: string; rule: Rule }
}
const OVERLAPS_MAX = 50

/**
 * Rules that a rule before them takes values from, each with a value that shows it: what the rules themselves name, and
 * the values that are given. Not wrong, but worth a look.
 */
export function overlapsOf({ groups }: Era, values: readonly string[] = []): Overlap[] {
  const rules = orderedGroups(groups).flatMap((group) =>
    group.rules.flatMap((rule) => {
      const test = testOf(rule)
      return test ? [{ groupId: group.id, rule, test }] : []
    }),
  )
  const named = rules.flatMap(({ rule }) =>
    rule.kind === 'startsWith' || rule.kind === 'contains' ? [rule.value] : [],
  )
  const found = new Map<string, Overlap>()
  for (const value of [...named, ...values]) {
    if (found.size >= OVERLAPS_MAX) break
    const key = nameKey(value)
    const [first, ...others] = rules.filter(({ test }) => test(key, value))
    for (const second of others) {
      if (!first || second.groupId === first.groupId) continue
      const pair = `${rules.indexOf(first)} ${rules.indexOf(second)}`
      const show = ({ groupId, rule }: typeof second) => ({ groupId, rule })
      if (!found.has(pair)) found.set(pair, { value, first: show(first), second: show(second) })
    }
  }
  return [...found.values()]
}

/** Groups that a definition no longer has. */
export function groupsGone(before: Definition, after: Definition): GroupNode[] {
  const left = new Set(allGroups(after).map(({ id }) => id))
  return allGroups(before).filter(({ id }) => !left.has(id))
}
