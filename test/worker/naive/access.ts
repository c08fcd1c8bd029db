import { createEvaluationContext, type NaiveTable } from './values'
import type { AccessPerson } from '../../../src/identity/access/data-rights'
import type { Calendar } from '../../../src/shared/dates'
import type { AccessCondition, AccessFilter, AccessPolicy, AccessRule } from '../../../src/shared/data-access/rules'
import { expressionFieldsOf } from '../../../src/shared/query/plan-fields'
import type { Condition, FieldFilter } from '../../../src/shared/query/plan'
import type { RelationEdge } from '../../../src/warehouse/query/plan/relation-graph'
import type { StorageValue } from '../../../src/lib/storage-value'

/** What is there for one person: rules are asked row by row, column by column, and everything else is taken away. */
export interface NaiveView {
  tables: NaiveTable[]
  edges: RelationEdge[]
  /** Whether anything was taken away that a plan could name. */
  isLess: boolean
}

export function naiveView(
  { tables, edges }: { tables: NaiveTable[]; edges: RelationEdge[] },
  {
    policy,
    person,
    calendar,
    sourceOf,
  }: { policy: AccessPolicy; person: AccessPerson; calendar: Calendar; sourceOf: (dataset: string) => string },
): NaiveView {
  const world = createEvaluationContext({ tables, edges, calendar })
  const about = (rule: AccessRule): boolean => {
    const { subject } = rule
    if (subject.kind === 'everyone') return true
    if (subject.kind === 'role') return subject.role === person.role
    return subject.kind === 'group' ? person.groupIds.includes(subject.id) : subject.id === person.userId
  }
  const mine = policy.rules.filter((rule) => rule.active && about(rule))
  const lost = new Map<string, Set<string>>()
  const seen = tables.flatMap((table) => {
    const named = (rule: AccessRule): boolean =>
      rule.resource.id === table.id || rule.resource.id === sourceOf(table.id)
    const rules = mine.filter(named)
    const allows = rules.filter(({ effect, rows }) => effect === 'allow' && rows !== 'unchanged')
    const hides = rules.filter(({ effect, rows }) => effect === 'hide' && rows !== 'unchanged')
    const isClosed = policy.restricted.some(({ id }) => id === table.id) && allows.length === 0
    if (isClosed || hides.some(({ rows }) => rows === 'all')) return []
    const rows = world.rowsOf(table.id).filter((row) => {
      /** Null: it cannot be said. */
      const meets = ({ filters }: AccessRule): boolean | null => {
        const asked = filters.map((filter) => valued(filter, policy, person))
        return asked.some((each) => each === null) ? null : asked.every((each) => each && world.passes(row, each))
      }
      const open = allows.length === 0 || allows.some((rule) => rule.rows === 'all' || meets(rule) === true)
      return open && hides.every((rule) => meets(rule) === false)
    })
    const limited = rows.length < table.rows.length || allows.length + hides.length > 0
    const kept = rows.map(({ rid }) => table.rows[rid] ?? [])
    return [withColumns({ ...table, rows: kept, ...(limited ? { limited: true } : {}) }, rules, lost)]
  })
  const ids = new Set(seen.map(({ id }) => id))
  const isThere = ({ dataset, key }: RelationEdge['from']): boolean => ids.has(dataset) && !lost.get(dataset)?.has(key)
  return {
    tables: seen,
    edges: edges.filter(({ from, to }) => isThere(from) && isThere(to)),
    isLess: seen.length < tables.length || lost.size > 0,
  }
}

const OPENNESS = ['show', 'bucket', 'lastFour', 'hash', 'empty', 'hide']

function withColumns(table: NaiveTable, rules: readonly AccessRule[], lost: Map<string, Set<string>>): NaiveTable {
  const grants = new Map<string, string>()
  for (const { key } of table.columns) {
    const of = (effect: string): number[] =>
      rules.flatMap((rule) =>
        rule.effect === effect
          ? rule.columns.flatMap((each) => (each.key === key ? [OPENNESS.indexOf(each.grant)] : []))
          : [],
      )
    const [allowed, taken] = [of('allow'), of('hide')]
    const at = taken.length > 0 ? Math.max(...taken) : allowed.length > 0 ? Math.min(...allowed) : 0
    if (at > 0) grants.set(key, OPENNESS[at] ?? 'hide')
  }
  if (grants.size === 0) return table
  lost.set(table.id, new Set(grants.keys()))
  const isWhole = (key: string): boolean => {
    const column = table.columns.find((each) => each.key === key)
    if (!column || grants.has(key)) return false
    return !column.computed || expressionFieldsOf(column.computed).every((field) => isWhole(field.column))
  }
  const kept = table.columns.flatMap((column, at) => {
    const grant = grants.get(column.key)
    if (grant === undefined) return isWhole(column.key) ? [{ column, at, mask: (value: StorageValue) => value }] : []
    if (grant === 'hide') return []
    const { computed: _computed, ...plain } = column
    return [{ column: { ...plain, type: 'text' as const }, at, mask: (value: StorageValue) => masked(value, grant) }]
  })
  return {
    ...table,
    columns: kept.map(({ column }) => column),
    rows: table.rows.map((row) => kept.map(({ at, mask }) => mask(row[at] ?? null))),
  }
}

/** Only texts are masked here. */
function masked(value: StorageValue, grant: string): StorageValue {
  if (value === null || grant === 'empty') return null
  const text = String(value)
  if (grant === 'bucket') return `${Array.from(text)[0] ?? ''}…`
  const signs = Array.from(text)
  return grant === 'lastFour'
    ? `••••${signs.slice(signs.length - Math.min(4, Math.floor(signs.length / 2))).join('')}`
    : `#${text}`
}

/** With the person's own values, else those of their groups, else the default; null where there is none. */
function valued({ any, ...filter }: AccessFilter, policy: AccessPolicy, person: AccessPerson): FieldFilter | null {
  const conditions = any.map((condition) => conditionWith(condition, policy, person))
  return conditions.every((each) => each !== null) ? { ...filter, any: conditions } : null
}
function conditionWith(condition: AccessCondition, policy: AccessPolicy, person: AccessPerson): Condition | null {
  if (!('value' in condition) || typeof condition.value !== 'object' || condition.value === null)
    return plainCondition(condition)
  const own = person.values.filter(({ holder }) => holder.id === person.userId).flatMap(({ values }) => values)
  const ofGroups = person.values
    .filter(({ holder }) => person.groupIds.includes(holder.id))
    .flatMap(({ values }) => values)
  const values = own.length > 0 ? own : ofGroups.length > 0 ? ofGroups : (policy.attributes[0]?.defaults ?? [])
  return values.length === 0 ? null : { op: 'in', values }
}
function plainCondition(condition: AccessCondition): Condition {
  const plain: Condition = JSON.parse(JSON.stringify(condition))
  return plain
}
