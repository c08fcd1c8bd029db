import { moveMembers, regexCost } from './matching'
import { orderedGroups, groupPaths, GROUP_DEPTH_MAX, groupingRuleSchema } from './groupings'
import type { ValidityPeriod, GroupNode, GroupingRule } from './groupings'
import { nameKey, nameSchema } from '../field-schemas'

/** Between a group and the one within it. */
const PATH_SEPARATOR = ' > '
const CSV_HEADER = ['Group', 'Value', 'Rule']
/** How rules are called in a file; a line without a rule names one value. */
const RULE_KINDS: Record<string, GroupingRule['kind']> = {
  '': 'in',
  is: 'equals',
  'starts with': 'startsWith',
  contains: 'contains',
  expression: 'regex',
  range: 'range',
  accounts: 'accounts',
}
const ruleKindName = (kind: GroupingRule['kind']): string =>
  Object.entries(RULE_KINDS).find(([, each]) => each === kind)?.[0] ?? ''
const formatBound = (number: number | null): string => (number === null ? '' : String(number))

function ruleValues(rule: GroupingRule): string[] {
  switch (rule.kind) {
    case 'in':
      return rule.values
    case 'equals':
    case 'startsWith':
    case 'contains':
      return [rule.value]
    case 'regex':
      return [rule.pattern]
    case 'range':
      return [`${formatBound(rule.from)}..${formatBound(rule.to)}`]
    case 'accounts':
      return [`${rule.from}..${rule.to}`]
  }
}

/** A period's groups as records `group > group`, value, rule. A group without rules has a line without a value. */
export function* groupingCsvRows({ groups }: ValidityPeriod): Generator<string[]> {
  const paths = groupPaths(groups)
  yield CSV_HEADER
  for (const group of orderedGroups(groups)) {
    const path = (paths.get(group.id) ?? [group]).map(({ name }) => name).join(PATH_SEPARATOR)
    const lines = group.rules.flatMap((rule) => ruleValues(rule).map((value) => [path, value, ruleKindName(rule.kind)]))
    yield* lines.length > 0 ? lines : [[path, '', '']]
  }
}

/** Records of a CSV text: comma, semicolon or tab, whichever the first line has; quotes as in RFC 4180. */
function parseCsv(text: string): string[][] {
  const body = text.replace(/^\ufeff/, '')
  const [first = ''] = body.split(/\r?\n/, 1)
  const mark = first.includes('\t') ? '\t' : first.includes(';') ? ';' : ','
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${mark}\\r\\n]*))(${mark}|\\r\\n|\\n|\\r|$)`, 'y')
  const records: string[][] = []
  let record: string[] = []
  while (cell.lastIndex < body.length || record.length > 0) {
    const found = cell.exec(body)
    // A quote in the middle of a cell: the rest of the line is taken as it stands.
    if (!found) break
    const [, quoted, plain = '', after] = found
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (after === mark) continue
    records.push(record)
    record = []
    if (after === '') break
  }
  return records
}

/** The apostrophe that keeps a spreadsheet from computing a text is not part of it. */
const stripFormulaGuard = (text: string): string => text.replace(/^'(?=[\s"';,]*[=+\-@＝＋－＠])/, '').trim()

interface GroupCsvLine {
  line: number
  path: string[]
  value: string
  rule: GroupingRule | null
}
interface CsvLineError {
  line: number
  message: string
}
export interface ParsedGroupCsv {
  lines: GroupCsvLine[]
  errors: CsvLineError[]
}

/** What a file of groups says, line by line (from 1). */
export function parseGroupCsv(text: string): ParsedGroupCsv {
  const lines: GroupCsvLine[] = []
  const errors: CsvLineError[] = []
  parseCsv(text).forEach((cells, i) => {
    const [group = '', value = '', word = ''] = cells.map(stripFormulaGuard)
    if (cells.every((cell) => cell.trim() === '') || (i === 0 && isHeader([group, value]))) return
    const at = i + 1
    const path = group.split('>').map((name) => name.trim())
    const bad = path.find((name) => !nameSchema.safeParse(name).success)
    const rule = parseRule(word.toLowerCase(), value)
    if (bad !== undefined) errors.push({ line: at, message: 'Enter a group name, 1–80 characters.' })
    else if (path.length > GROUP_DEPTH_MAX)
      errors.push({ line: at, message: `Enter at most ${GROUP_DEPTH_MAX} levels.` })
    else if (rule === undefined) errors.push({ line: at, message: 'Invalid rule' })
    else lines.push({ line: at, path: path.map((name) => nameSchema.parse(name)), value, rule })
  })
  return { lines, errors }
}
const isHeader = ([group = '', value = '']: string[]): boolean =>
  nameKey(group) === 'group' && ['value', 'member', ''].includes(nameKey(value))

/** Null: the line only names the group. Undefined: no such rule. */
function parseRule(word: string, value: string): GroupingRule | null | undefined {
  const kind = Object.hasOwn(RULE_KINDS, word) ? RULE_KINDS[word] : undefined
  if (kind === undefined) return undefined
  if (value === '') return kind === 'in' ? null : undefined
  const parsed = groupingRuleSchema.safeParse(rawRule(kind, value))
  const readable = parsed.success && !(parsed.data.kind === 'regex' && regexCost(parsed.data.pattern) === null)
  return readable ? parsed.data : undefined
}
function rawRule(kind: GroupingRule['kind'], value: string): unknown {
  if (kind === 'in') return { kind, values: [value] }
  if (kind === 'regex') return { kind, pattern: value }
  if (kind !== 'range' && kind !== 'accounts') return { kind, value }
  const [from = '', to = '', ...more] = value.split(kind === 'accounts' ? /\.\.|[-–]/ : '..')
  if (more.length > 0 || (from === '' && to === '')) return null
  const number = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')))
  return { kind, from: number(from), to: number(to) }
}

export interface GroupCsvImport {
  era: ValidityPeriod
  errors: CsvLineError[]
  groupsMade: number
}

/**
 * A period with the lines of a file: groups that are not there are made, values named in it belong to their line's group
 * alone. Nothing that the file does not name is taken away.
 */
export function applyGroupCsv(
  period: ValidityPeriod,
  { lines, errors }: ParsedGroupCsv,
  newId: () => string,
): GroupCsvImport {
  const groups = [...period.groups]
  const problems = [...errors]
  const byPath = new Map<string, GroupNode>()
  const keyOf = (path: readonly string[]): string => JSON.stringify(path.map(nameKey))
  for (const path of groupPaths(groups).values()) {
    const last = path.at(-1)
    if (last) byPath.set(keyOf(path.map(({ name }) => name)), last)
  }
  const names = new Set(groups.map(({ name }) => nameKey(name)))
  const made = (path: string[], line: number): GroupNode | null => {
    const known = byPath.get(keyOf(path))
    const name = path.at(-1)
    if (known || name === undefined) return known ?? null
    const parent = path.length > 1 ? made(path.slice(0, -1), line) : null
    if (path.length > 1 && !parent) return null
    if (names.has(nameKey(name))) {
      problems.push({ line, message: `Group ${name} already exists.` })
      return null
    }
    const group: GroupNode = {
      ...{ id: newId(), parentId: parent?.id ?? null, name, color: null, rules: [] },
      order: groups.length,
    }
    groups.push(group)
    names.add(nameKey(name))
    byPath.set(keyOf(path), group)
    return group
  }
  const named = new Map<string, { id: string; value: string; line: number }>()
  const rules: { id: string; rule: GroupingRule }[] = []
  for (const { line, path, value, rule } of lines) {
    const group = made(path, line)
    if (!group || !rule) continue
    if (rule.kind !== 'in' && rule.kind !== 'equals') rules.push({ id: group.id, rule })
    else {
      const other = named.get(nameKey(value))
      if (other && other.id !== group.id)
        problems.push({ line, message: `“${value}” already has a group in line ${other.line}.` })
      else named.set(nameKey(value), { id: group.id, value, line })
    }
  }
  const ruled = groups.map((group) =>
    withRules(
      group,
      rules.flatMap(({ id, rule }) => (id === group.id ? [rule] : [])),
    ),
  )
  return {
    era: assignMembers({ ...period, groups: ruled }, [...named.values()]),
    errors: problems.toSorted((a, b) => a.line - b.line),
    groupsMade: groups.length - period.groups.length,
  }
}

function withRules(group: GroupNode, rules: readonly GroupingRule[]): GroupNode {
  const known = new Set(group.rules.map((rule) => JSON.stringify(rule)))
  const more = rules.filter((rule) => {
    const text = JSON.stringify(rule)
    const isNew = !known.has(text)
    known.add(text)
    return isNew
  })
  return more.length === 0 ? group : { ...group, rules: [...group.rules, ...more] }
}

/** Values to their groups; one that names it already keeps it where it stands. */
function assignMembers(period: ValidityPeriod, named: readonly { id: string; value: string }[]): ValidityPeriod {
  const byGroup = Map.groupBy(named, ({ id }) => id)
  let next = period
  for (const [id, values] of byGroup) {
    const own = period.groups.find((group) => group.id === id)
    const kept = new Set(
      own?.rules.flatMap((rule) =>
        rule.kind === 'in' ? rule.values.map(nameKey) : rule.kind === 'equals' ? [nameKey(rule.value)] : [],
      ),
    )
    const fresh = values.filter(({ value }) => !kept.has(nameKey(value)))
    if (fresh.length > 0)
      next = moveMembers(
        next,
        fresh.map(({ value }) => value),
        id,
      )
  }
  return next
}
