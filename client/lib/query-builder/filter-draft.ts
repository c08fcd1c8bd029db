import { isExistsFilter } from '../../../src/shared/query/plan'
import { COMPARISON_OPERATORS } from '../../../src/shared/query/functions'
import type {
  Condition,
  ExistsFilter,
  FieldFilter,
  Filter,
  GroupingReference,
  Scalar,
} from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { ComparisonOperator } from '../../../src/shared/query/functions'
import { COMPARISON_LABELS, DATE_PART_LABELS } from '../../../src/shared/query/plan-labels'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import { findColumn, toField, isNumeric, isTemporal, fieldKeyOf, findGrouping } from './catalogue'
import type { BuilderDataset, FieldKey, SemanticCatalogue } from './catalogue'

export type FilterOperator =
  | ComparisonOperator
  | 'in'
  | 'notIn'
  | 'contains'
  | 'startsWith'
  | 'notContains'
  | 'notStartsWith'
  | 'between'
  | 'empty'
  | 'notEmpty'
  | ColumnComparison
/** With another column instead of a value. */
export type ColumnComparison = `column:${ComparisonOperator}`
export type FilterDraft = { kind: 'kept'; filter: Filter } | ColumnFilterDraft | GroupsFilterDraft | RelatedFilterDraft
/** A condition on the values of a column. */
export interface ColumnFilterDraft {
  kind: 'edit'
  column: FieldKey | null
  op: FilterOperator
  values: string[]
  from: string
  to: string
  /** The column that is compared with. */
  other?: FieldKey | null
}
/** A column seen through a grouping: in which of its groups it is; null stands for none. */
export interface GroupsFilterDraft {
  kind: 'groups'
  column: FieldKey | null
  grouping: GroupingReference
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

export const newFilterDraft = (): ColumnFilterDraft => ({
  kind: 'edit',
  column: null,
  op: 'in',
  values: [],
  from: '',
  to: '',
})

const FILTER_OPERATOR_LABELS: Record<FilterOperator, string> = {
  in: 'is one of',
  notIn: 'is not one of',
  ...COMPARISON_LABELS,
  contains: 'contains',
  notContains: 'does not contain',
  notStartsWith: 'does not start with',
  startsWith: 'starts with',
  between: 'is between',
  empty: 'is empty',
  notEmpty: 'is not empty',
  'column:eq': 'equals column',
  'column:ne': 'does not equal column',
  'column:lt': 'is less than column',
  'column:le': 'is at most column',
  'column:gt': 'is more than column',
  'column:ge': 'is at least column',
}
const DATE_OPERATOR_LABELS: Partial<Record<FilterOperator, string>> = {
  ge: 'is on or after',
  lt: 'is before',
  eq: 'is on',
  'column:lt': 'is before column',
  'column:le': 'is on or before column',
  'column:gt': 'is after column',
  'column:ge': 'is on or after column',
}
const ORDERINGS: readonly ComparisonOperator[] = ['gt', 'ge', 'lt', 'le']

/** The ways in which a column can be compared with another. */
export const comparisonsFor = (column: Column | null): ColumnComparison[] => {
  if (!column) return []
  const isOrdered = isNumeric(column) || isTemporal(column)
  return [...(['eq', 'ne'] as const), ...(isOrdered ? ORDERINGS : [])].map((op): ColumnComparison => `column:${op}`)
}
const comparisonOf = (op: FilterOperator): ComparisonOperator | null =>
  COMPARISON_OPERATORS.find((one) => `column:${one}` === op) ?? null
export const isColumnComparison = (op: FilterOperator): op is ColumnComparison => comparisonOf(op) !== null

/** Whether two columns can be compared: both texts, numbers, dates, or answers. */
export const isComparable = (a: Column, b: Column): boolean =>
  a.type === b.type || (isNumeric(a) && isNumeric(b)) || (isTemporal(a) && isTemporal(b))

export function operatorsFor(column: Column | null): FilterOperator[] {
  if (!column || column.type === 'text')
    return ['in', 'notIn', 'contains', 'notContains', 'startsWith', 'notStartsWith', 'between', 'empty', 'notEmpty']
  if (column.type === 'boolean') return ['eq', 'empty', 'notEmpty']
  if (isTemporal(column)) return ['between', 'ge', 'lt', 'empty', 'notEmpty']
  return ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'in', 'notIn', 'empty', 'notEmpty']
}

export const operatorLabel = (op: FilterOperator, column: Column | null): string =>
  (column && isTemporal(column) ? DATE_OPERATOR_LABELS[op] : undefined) ?? FILTER_OPERATOR_LABELS[op]

/** What was typed, as a value of the column's type; null when it is none. */
export function parseScalar(text: string, column: Column): Scalar {
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
export function normalizeFilter(dataset: BuilderDataset | null, filter: FilterDraft): FilterDraft {
  if (filter.kind !== 'edit') return filter
  const column = findColumn(dataset, filter.column)
  const known = [...operatorsFor(column), ...comparisonsFor(column)]
  const [first] = known
  return known.includes(filter.op) || !first ? filter : { ...filter, op: first, values: [], from: '', to: '' }
}

const missingValueMessage = (column: Column): string => `Enter a value for ${column.label}.`

function toFilterCondition(draft: ColumnFilterDraft, column: Column): Condition | string {
  const { op } = draft
  if (op === 'empty' || op === 'notEmpty') return { op }
  if (op === 'between') {
    const from = parseScalar(draft.from, column)
    const to = parseScalar(draft.to, column)
    return from === null || to === null ? missingValueMessage(column) : { op, from, to }
  }
  if (isColumnComparison(op)) return missingValueMessage(column)
  if (op === 'contains' || op === 'startsWith' || op === 'notContains' || op === 'notStartsWith') {
    const [value = ''] = draft.values
    return value === '' ? missingValueMessage(column) : { op, value }
  }
  const values = draft.values.map((text) => parseScalar(text, column)).filter((value) => value !== null)
  const [value] = values
  if (value === undefined || values.length !== draft.values.length) return missingValueMessage(column)
  return op === 'in' || op === 'notIn' ? { op, values } : { op, value }
}

/** The plan's filter, or the sentence that says what is missing. */
export function toFilter(draft: FilterDraft, dataset: BuilderDataset): Filter | string {
  if (draft.kind === 'kept') return draft.filter
  if (draft.kind === 'related') return toExistsFilter(draft, dataset)
  if (draft.kind === 'groups') return toGroupsFilter(draft, dataset)
  const column = findColumn(dataset, draft.column)
  if (!column) return 'Choose a column to filter by.'
  if (isColumnComparison(draft.op)) return toComparisonFilter(draft, column, dataset)
  if (!operatorsFor(column).includes(draft.op)) return missingValueMessage(column)
  const condition = toFilterCondition(draft, column)
  if (typeof condition === 'string') return condition
  const field = toField(dataset, draft.column)
  return field ? { field, any: [condition] } : 'Choose a column to filter by.'
}

function toComparisonFilter(draft: ColumnFilterDraft, column: Column, dataset: BuilderDataset): Filter | string {
  const [key, compare] = [draft.other ?? null, comparisonOf(draft.op)]
  const [field, other] = [toField(dataset, draft.column), toField(dataset, key)]
  const beside = findColumn(dataset, key)
  if (!field || !other || !compare || !beside || !isComparable(column, beside))
    return `Choose a column to compare ${column.label} with.`
  return { field, any: [{ op: 'column', compare, field: other }] }
}

function toGroupsFilter(
  { column, grouping, op, groups }: GroupsFilterDraft,
  dataset: BuilderDataset,
): FieldFilter | string {
  const field = toField(dataset, column)
  if (!field) return 'Choose a column to filter by.'
  const { catalogue } = dataset
  const name = catalogue?.groupings.find(({ id }) => id === grouping.id)?.name
  if (catalogue && name === undefined) return 'Grouping deleted. Choose another, or remove the filter.'
  if (groups.length === 0) return `Choose groups of ${name ?? 'the grouping'}.`
  return { field, grouping, any: [{ op, values: groups }] }
}

/** The dataset that a filter over related rows asks of; its own relations are not followed further. */
export const relatedDataset = (
  { dataset, relation }: Pick<RelatedFilterDraft, 'dataset' | 'relation'>,
  base: BuilderDataset,
): BuilderDataset | null => {
  const found = base.linked?.find(
    (one) => one.use === 'exists' && one.id === dataset && (relation === null || one.via[0] === relation),
  )
  if (!found) return null
  const { catalogue } = base
  return { id: found.id, name: found.heading, columns: found.columns, ...(catalogue ? { catalogue } : {}) }
}

function toExistsFilter(draft: RelatedFilterDraft, base: BuilderDataset): Filter | string {
  const related = relatedDataset(draft, base)
  if (!related) return 'Choose related rows to filter by.'
  const filters = draft.filters.map((filter) => toFilter(filter, related))
  const missing = filters.find((filter) => typeof filter === 'string')
  if (missing !== undefined) return missing
  return {
    kind: draft.op,
    dataset: draft.dataset,
    ...(draft.relation === null ? {} : { relation: draft.relation }),
    filters: filters.filter((filter) => typeof filter !== 'string'),
  }
}

const scalarText = (value: Scalar): string => (value === null ? '' : String(value))

/** A stored filter in the builder's form; what the builder cannot show is kept as it is. */
export function toFilterDraft(filter: Filter, dataset: BuilderDataset): FilterDraft {
  if (isExistsFilter(filter)) return toRelatedFilterDraft(filter, dataset)
  const key = fieldKeyOf(dataset, filter.field)
  const column = findColumn(dataset, key)
  const [condition, ...more] = filter.any
  const kept: FilterDraft = { kind: 'kept', filter }
  if (filter.grouping) return toGroupsFilterDraft(filter, key) ?? kept
  if (filter.part) return kept
  if (column && condition?.op === 'column' && more.length === 0)
    return {
      ...{ kind: 'edit', column: key, op: `column:${condition.compare}`, values: [], from: '', to: '' },
      other: fieldKeyOf(dataset, condition.field),
    }
  if (
    !column ||
    !condition ||
    condition.op === 'column' ||
    more.length > 0 ||
    !operatorsFor(column).includes(condition.op)
  )
    return kept
  const base = { kind: 'edit' as const, column: key, op: condition.op, values: [], from: '', to: '' }
  if (condition.op === 'empty' || condition.op === 'notEmpty') return base
  if (condition.op === 'between') return { ...base, from: scalarText(condition.from), to: scalarText(condition.to) }
  if (condition.op === 'in' || condition.op === 'notIn')
    return condition.values.includes(null) ? kept : { ...base, values: condition.values.map(scalarText) }
  if (!('value' in condition) || condition.value === null) return kept
  return { ...base, values: [scalarText(condition.value)] }
}

function toGroupsFilterDraft({ any, grouping }: FieldFilter, column: FieldKey): FilterDraft | null {
  const [condition, ...more] = any
  if (!grouping || !condition || more.length > 0 || (condition.op !== 'in' && condition.op !== 'notIn')) return null
  const groups = condition.values.map((value) => (value === null ? null : String(value)))
  return { kind: 'groups', column, grouping, op: condition.op, groups }
}

function toRelatedFilterDraft(filter: ExistsFilter, dataset: BuilderDataset): FilterDraft {
  const related = {
    kind: 'related' as const,
    op: filter.kind,
    dataset: filter.dataset,
    relation: filter.relation ?? null,
  }
  const of = relatedDataset(related, dataset)
  return of ? { ...related, filters: filter.filters.map((each) => toFilterDraft(each, of)) } : { kind: 'kept', filter }
}

export interface FilterNaming {
  label: (field: Field) => string
  /** A value of a column as people write it. */
  value: (value: Scalar, field: Field) => string
  /** Names the groupings; without it they are called groups. */
  catalogue?: SemanticCatalogue | undefined
}

function describeFilterCondition(condition: Condition, field: Field, { label, value }: FilterNaming): string {
  if (condition.op === 'column') return `${COMPARISON_LABELS[condition.compare]} ${label(condition.field)}`
  const written = (one: Scalar): string => value(one, field)
  const words = FILTER_OPERATOR_LABELS[condition.op]
  if ('values' in condition) return `${words} ${condition.values.map(written).join(', ')}`
  if ('value' in condition) return `${words} ${written(condition.value)}`
  return 'from' in condition ? `${words} ${written(condition.from)} and ${written(condition.to)}` : words
}

/** Names of groups belong to the grouping, which a list of groupings does not hold: they are counted. */
function describeGroupsCondition({ any, grouping }: FieldFilter, catalogue: SemanticCatalogue | undefined): string {
  const name = (grouping && findGrouping(catalogue, grouping.id)?.name) ?? 'a grouping'
  const conditionTexts = any.map((condition) => {
    const count = 'values' in condition ? condition.values.length : 0
    return `${condition.op === 'notIn' ? 'not ' : ''}in ${count === 1 ? 'one group' : `${count} groups`} of ${name}`
  })
  return conditionTexts.join(' or ')
}

/** A stored filter in words: `country is one of SE`, `account in 2 groups of Cost types`. */
export function describeFilter(filter: Filter, naming: FilterNaming): string {
  if (isExistsFilter(filter)) {
    const inner = filter.filters.map((each) => describeFilter(each, naming))
    const where = inner.length > 0 ? ` where ${inner.join(' and ')}` : ''
    return `${filter.kind === 'exists' ? 'related rows exist' : 'no related rows exist'}${where}`
  }
  const conditionText = filter.grouping
    ? describeGroupsCondition(filter, naming.catalogue)
    : filter.any.map((each) => describeFilterCondition(each, filter.field, naming)).join(' or ')
  const part = filter.part ? `${DATE_PART_LABELS[filter.part]} of ` : ''
  return `${part}${naming.label(filter.field)} ${conditionText}`
}
