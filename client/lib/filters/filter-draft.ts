import { isExists } from '../../../src/shared/query'
import type { Compare, Condition, ExistsFilter, FieldFilter, Filter, Grouped, Scalar } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'
import { columnOf, fieldOf, isNumeric, isTemporal, keyOfField } from './fields'
import type { DraftDataset, FieldKey } from './fields'

export type FilterOperator = Compare | 'in' | 'notIn' | 'contains' | 'startsWith' | 'between' | 'empty' | 'notEmpty'
export type FilterDraft =
  | { kind: 'kept'; filter: Filter }
  | { kind: 'edit'; column: FieldKey | null; op: FilterOperator; values: string[]; from: string; to: string }
  | GroupsFilterDraft
  | RelatedFilterDraft
/** A column seen through a grouping: in which of its groups it is; null stands for none. */
export interface GroupsFilterDraft {
  kind: 'groups'
  column: FieldKey | null
  grouping: Grouped
  op: 'in' | 'notIn'
  groups: (string | null)[]
}
/** Whether rows of another dataset point here: those that `filters` let through. */
export interface RelatedFilterDraft {
  kind: 'related'
  op: 'exists' | 'notExists'
  dataset: string
  relation: string | null
  filters: FilterDraft[]
}

export const emptyFilter = (): FilterDraft => ({ kind: 'edit', column: null, op: 'in', values: [], from: '', to: '' })

export const OPERATOR_WORDS: Record<FilterOperator, string> = {
  in: 'is one of',
  notIn: 'is not one of',
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  ge: 'is at least',
  lt: 'is less than',
  le: 'is at most',
  contains: 'contains',
  startsWith: 'starts with',
  between: 'is between',
  empty: 'is empty',
  notEmpty: 'is not empty',
}
const DATE_WORDS: Partial<Record<FilterOperator, string>> = { ge: 'is on or after', lt: 'is before', eq: 'is on' }

/** The operators that make sense for a column, the most used first. */
export function operatorsOf(column: Column | null): FilterOperator[] {
  if (!column || column.type === 'text')
    return ['in', 'notIn', 'contains', 'startsWith', 'between', 'empty', 'notEmpty']
  if (column.type === 'boolean') return ['eq', 'empty', 'notEmpty']
  if (isTemporal(column)) return ['between', 'ge', 'lt', 'empty', 'notEmpty']
  return ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'in', 'notIn', 'empty', 'notEmpty']
}

export const operatorWords = (op: FilterOperator, column: Column | null): string =>
  (column && isTemporal(column) ? DATE_WORDS[op] : undefined) ?? OPERATOR_WORDS[op]

/** What was typed, as a value of the column's type; null when it is none. */
export function scalarOf(text: string, column: Column): Scalar {
  const typed = text.trim()
  if (typed === '') return null
  if (column.type === 'boolean') return typed === 'true' ? true : typed === 'false' ? false : null
  if (isNumeric(column)) {
    const number = Number(typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.'))
    return Number.isFinite(number) ? number : null
  }
  if (isTemporal(column)) return /^\d{4}-\d{2}-\d{2}/.test(typed) ? typed : null
  return text
}

/** A filter keeps its operator only while the column knows it. */
export function fitFilter(dataset: DraftDataset | null, filter: FilterDraft): FilterDraft {
  if (filter.kind !== 'edit') return filter
  const known = operatorsOf(columnOf(dataset, filter.column))
  const [first] = known
  return known.includes(filter.op) || !first ? filter : { ...filter, op: first, values: [], from: '', to: '' }
}

const MISSING = (column: Column): string => `Say what ${column.label} is filtered by.`

function conditionOf(draft: FilterDraft & { kind: 'edit' }, column: Column): Condition | string {
  const { op } = draft
  if (op === 'empty' || op === 'notEmpty') return { op }
  if (op === 'between') {
    const from = scalarOf(draft.from, column)
    const to = scalarOf(draft.to, column)
    return from === null || to === null ? MISSING(column) : { op, from, to }
  }
  if (op === 'contains' || op === 'startsWith') {
    const [value = ''] = draft.values
    return value === '' ? MISSING(column) : { op, value }
  }
  const values = draft.values.map((text) => scalarOf(text, column)).filter((value) => value !== null)
  const [value] = values
  if (value === undefined || values.length !== draft.values.length) return MISSING(column)
  return op === 'in' || op === 'notIn' ? { op, values } : { op, value }
}

/** The plan's filter, or the sentence that says what is missing. */
export function filterOf(draft: FilterDraft, dataset: DraftDataset): Filter | string {
  if (draft.kind === 'kept') return draft.filter
  if (draft.kind === 'related') return existsOf(draft, dataset)
  if (draft.kind === 'groups') return groupsOf(draft, dataset)
  const column = columnOf(dataset, draft.column)
  if (!column) return 'Choose the column to filter by.'
  if (!operatorsOf(column).includes(draft.op)) return MISSING(column)
  const condition = conditionOf(draft, column)
  if (typeof condition === 'string') return condition
  const field = fieldOf(dataset, draft.column)
  return field ? { field, any: [condition] } : 'Choose the column to filter by.'
}

function groupsOf({ column, grouping, op, groups }: GroupsFilterDraft, dataset: DraftDataset): FieldFilter | string {
  const field = fieldOf(dataset, column)
  if (!field) return 'Choose the column to filter by.'
  const { catalogue } = dataset
  const name = catalogue?.groupings.find(({ id }) => id === grouping.id)?.name
  if (catalogue && name === undefined)
    return 'The grouping of a filter was deleted: choose another, or remove the filter.'
  if (groups.length === 0) return `Choose groups of ${name ?? 'the grouping'}.`
  return { field, grouping, any: [{ op, values: groups }] }
}

/** The dataset that a filter over related rows asks of; its own relations are not followed further. */
export const relatedDataset = (
  { dataset, relation }: Pick<RelatedFilterDraft, 'dataset' | 'relation'>,
  base: DraftDataset,
): DraftDataset | null => {
  const found = base.linked?.find(
    (one) => one.use === 'exists' && one.id === dataset && (relation === null || one.via[0] === relation),
  )
  if (!found) return null
  const { catalogue } = base
  return { id: found.id, name: found.heading, columns: found.columns, ...(catalogue ? { catalogue } : {}) }
}

function existsOf(draft: RelatedFilterDraft, base: DraftDataset): Filter | string {
  const related = relatedDataset(draft, base)
  if (!related) return 'Choose the related rows to filter by.'
  const filters = draft.filters.map((filter) => filterOf(filter, related))
  const missing = filters.find((filter) => typeof filter === 'string')
  if (missing !== undefined) return missing
  return {
    kind: draft.op,
    dataset: draft.dataset,
    ...(draft.relation === null ? {} : { relation: draft.relation }),
    filters: filters.filter((filter) => typeof filter !== 'string'),
  }
}

const text = (value: Scalar): string => (value === null ? '' : String(value))

/** A stored filter in the builder's form; what the builder cannot show is kept as it is. */
export function filterDraft(filter: Filter, dataset: DraftDataset): FilterDraft {
  if (isExists(filter)) return existsDraft(filter, dataset)
  const key = keyOfField(dataset, filter.field)
  const column = columnOf(dataset, key)
  const [condition, ...more] = filter.any
  const kept: FilterDraft = { kind: 'kept', filter }
  if (filter.grouping) return groupsDraft(filter, key) ?? kept
  if (!column || !condition || more.length > 0 || !operatorsOf(column).includes(condition.op)) return kept
  const base = { kind: 'edit' as const, column: key, op: condition.op, values: [], from: '', to: '' }
  if (condition.op === 'empty' || condition.op === 'notEmpty') return base
  if (condition.op === 'between') return { ...base, from: text(condition.from), to: text(condition.to) }
  if (condition.op === 'in' || condition.op === 'notIn')
    return condition.values.includes(null) ? kept : { ...base, values: condition.values.map(text) }
  if (!('value' in condition) || condition.value === null) return kept
  return { ...base, values: [text(condition.value)] }
}

function groupsDraft({ any, grouping }: FieldFilter, column: FieldKey): FilterDraft | null {
  const [condition, ...more] = any
  if (!grouping || !condition || more.length > 0 || (condition.op !== 'in' && condition.op !== 'notIn')) return null
  const groups = condition.values.map((value) => (value === null ? null : String(value)))
  return { kind: 'groups', column, grouping, op: condition.op, groups }
}

function existsDraft(filter: ExistsFilter, dataset: DraftDataset): FilterDraft {
  const related = {
    kind: 'related' as const,
    op: filter.kind,
    dataset: filter.dataset,
    relation: filter.relation ?? null,
  }
  const of = relatedDataset(related, dataset)
  return of ? { ...related, filters: filter.filters.map((each) => filterDraft(each, of)) } : { kind: 'kept', filter }
}
