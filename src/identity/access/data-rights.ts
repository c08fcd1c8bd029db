import { attributeValues, substituteFilters, type AttributeTable, type HeldValue } from './user-attributes'
import { FULL_RIGHTS, type DataRights, type RowRule } from '../../scope'
import {
  COLUMN_GRANTS,
  type AccessPolicy,
  type AccessResource,
  type AccessRule,
  type AccessSubject,
  type ColumnGrant,
} from '../../shared/data-access/rules'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { Role } from '../../shared/permissions'
import { canonicalJson } from '../../lib/hash'
import { isExistsFilter, type FieldFilter, type Filter } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'

/** Somebody as rules of access see them. */
export interface AccessPerson {
  userId: string
  role: Role
  /** A proven address, or null. */
  email: string | null
  groupIds: readonly string[]
  /** Values of attributes of this person and of groups; those of other people's are not here. */
  values: readonly HeldValue[]
}

/** Whether a rule is about somebody. */
export function isAbout(subject: AccessSubject, person: Pick<AccessPerson, 'userId' | 'role' | 'groupIds'>): boolean {
  switch (subject.kind) {
    case 'everyone':
      return true
    case 'role':
      return subject.role === person.role
    case 'group':
      return person.groupIds.includes(subject.id)
    case 'member':
      return subject.id === person.userId
  }
}

/**
 * What rules leave somebody of the data. `hide` wins over `allow`; rows of several `allow` rules come together; a column is
 * as open as the most open of them says. What is restricted and allowed by no rule does not exist; a condition on an
 * attribute without a value lets no row through.
 */
export function dataRights(policy: AccessPolicy, person: AccessPerson): DataRights {
  if (policy.rules.length === 0 && policy.restricted.length === 0) return FULL_RIGHTS
  const rules = policy.rules.filter(({ active, subject }) => active && isAbout(subject, person))
  const attributes = attributeValues(policy.attributes, person)
  const datasets = datasetAccesses(policy, rules, attributes)
  return {
    datasets: 'all',
    hiddenDatasets: datasets.flatMap(({ id, isHidden }) => (isHidden ? [id] : [])),
    hiddenSources: hiddenOf(rules, 'source'),
    rowFilters: datasets.flatMap(({ rows, isHidden }) => (rows && !isHidden ? [rows] : [])),
    hidden: datasets.flatMap(({ columns }) => columns.flatMap(({ field, grant }) => (grant === 'hide' ? [field] : []))),
    masked: datasets.flatMap(({ columns }) =>
      columns.flatMap(({ field, grant }) => (grant === 'hide' || grant === 'show' ? [] : [{ field, mask: grant }])),
    ),
    hiddenMetrics: [...hiddenOf(rules, 'metric'), ...closedMetrics(policy, rules)],
    hiddenCategories: hiddenOf(rules, 'category'),
  }
}

const hiddenOf = (rules: readonly AccessRule[], kind: AccessResource['kind']): string[] => [
  ...new Set(
    rules.flatMap(({ effect, rows, resource }) =>
      effect === 'hide' && rows === 'all' && resource.kind === kind ? [resource.id] : [],
    ),
  ),
]

const closedMetrics = ({ restricted }: AccessPolicy, rules: readonly AccessRule[]): string[] =>
  restricted.flatMap((resource) => {
    if (resource.kind !== 'metric') return []
    const isAllowed = rules.some((rule) => rule.effect === 'allow' && isSame(rule.resource, resource))
    return isAllowed ? [] : [resource.id]
  })
const isSame = (one: Pick<AccessResource, 'kind' | 'id'>, other: Pick<AccessResource, 'kind' | 'id'>): boolean =>
  one.kind === other.kind && one.id === other.id

/** What rules say of one dataset. */
interface DatasetAccess {
  id: string
  isHidden: boolean
  /** Null: every row. */
  rows: RowRule | null
  columns: { field: Field; grant: ColumnGrant }[]
}

function datasetAccesses(
  policy: AccessPolicy,
  rules: readonly AccessRule[],
  attributes: AttributeTable,
): DatasetAccess[] {
  const closed = new Map<string, string | undefined>()
  for (const each of policy.restricted) if (each.kind === 'dataset') closed.set(each.id, each.sourceId)
  const named = new Map(closed)
  for (const { resource } of rules) if (resource.kind === 'dataset') named.set(resource.id, resource.sourceId)
  return [...named].map(([id, sourceId]) => {
    const own = rules.filter(({ resource }) => isSame(resource, { kind: 'dataset', id }))
    const ofSource = rules.filter(({ resource }) => resource.kind === 'source' && resource.id === sourceId)
    return {
      id,
      ...rowAccess(id, { rules: [...own, ...ofSource], isRestricted: closed.has(id), attributes }),
      columns: columnGrants(id, own),
    }
  })
}

function rowAccess(
  dataset: string,
  {
    rules,
    isRestricted,
    attributes,
  }: { rules: readonly AccessRule[]; isRestricted: boolean; attributes: AttributeTable },
): Pick<DatasetAccess, 'isHidden' | 'rows'> {
  const of = (effect: AccessRule['effect']): AccessRule[] =>
    rules.filter((rule) => rule.effect === effect && rule.rows !== 'unchanged')
  const [allows, hides] = [of('allow'), of('hide')]
  if (hides.some(({ rows }) => rows === 'all') || (isRestricted && allows.length === 0))
    return { isHidden: true, rows: null }
  const isOpen = allows.length === 0 || allows.some(({ rows }) => rows === 'all')
  if (isOpen && hides.length === 0) return { isHidden: false, rows: null }
  const asked = (each: readonly AccessRule[]): (Filter[] | null)[] =>
    each.map(({ filters }) => (filters.length === 0 ? null : substituteFilters(filters, attributes)))
  const closed = asked(hides)
  // What cannot be said to be hidden might be any row.
  if (closed.includes(null)) return { isHidden: false, rows: { dataset, anyOf: [], noneOf: [] } }
  const known = (lists: (Filter[] | null)[]): Filter[][] =>
    mergeAlternatives(lists.flatMap((filters) => (filters ? [filters] : [])))
  return {
    isHidden: false,
    rows: { dataset, anyOf: isOpen ? 'all' : known(asked(allows)), noneOf: known(closed) },
  }
}

/** Of lists with a single condition on the same column one is made: each row's value is then looked at once for all. */
function mergeAlternatives(lists: readonly Filter[][]): Filter[][] {
  const merged = new Map<string, FieldFilter>()
  const others: Filter[][] = []
  for (const filters of lists) {
    const [only, second] = filters
    if (!only || second || isExistsFilter(only)) {
      others.push(filters)
      continue
    }
    const { any, ...of } = only
    const key = canonicalJson(of)
    const known = merged.get(key)
    merged.set(key, known ? { ...known, any: [...known.any, ...any] } : only)
  }
  return [...[...merged.values()].map((filter) => [filter]), ...others]
}

/** The most open grant of several `allow` rules; what a `hide` rule takes away stays taken. */
function columnGrants(dataset: string, rules: readonly AccessRule[]): DatasetAccess['columns'] {
  const grants = new Map<ColumnKey, { allowed: number[]; taken: number[] }>()
  for (const { effect, columns } of rules)
    for (const { key, grant } of columns) {
      const known = grants.get(key) ?? { allowed: [], taken: [] }
      known[effect === 'allow' ? 'allowed' : 'taken'].push(COLUMN_GRANTS.indexOf(grant))
      grants.set(key, known)
    }
  return [...grants].flatMap(([column, { allowed, taken }]) => {
    const openness = taken.length > 0 ? Math.max(...taken) : Math.min(...allowed)
    const grant = COLUMN_GRANTS[openness] ?? 'hide'
    return grant === 'show' ? [] : [{ field: { dataset, column }, grant }]
  })
}
