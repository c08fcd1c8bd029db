import {
  accessFilterSchema,
  isAttributeValue,
  type AccessCondition,
  type AccessFilter,
} from '../../../src/shared/data-access/rules'
import { COMPARISON_OPERATORS, type ComparisonOperator } from '../../../src/shared/query/functions'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import { fieldKeyOf, findColumn, isNumeric, toField, type BuilderDataset } from '../../lib/query-builder/catalogue'
import {
  newFilterDraft,
  operatorsFor,
  toFilter,
  toFilterDraft,
  type ColumnFilterDraft,
  type FilterOperator,
  type GroupsFilterDraft,
} from '../../lib/query-builder/filter-draft'
import { attributesOfRule, withAttributeNames } from './access-text'

/** A condition of a rule while it is being written. `kept`: one that the editor cannot show. */
export type RuleFilterDraft =
  | { kind: 'kept'; filter: AccessFilter }
  | { kind: 'edit'; draft: ColumnFilterDraft | GroupsFilterDraft; attribute: string | null }

export const newRuleFilter = (): RuleFilterDraft => ({ kind: 'edit', draft: newFilterDraft(), attribute: null })

const comparisonOf = (op: FilterOperator): ComparisonOperator | null =>
  COMPARISON_OPERATORS.find((one) => one === op) ?? null
/** Whether values of an attribute can stand in the place of typed ones. */
const takesAttribute = (op: FilterOperator): boolean => op === 'in' || op === 'notIn' || comparisonOf(op) !== null

/** Texts and numbers are what attributes hold. */
export const canAskAttribute = (column: Column | null): boolean =>
  column !== null && (column.type === 'text' || isNumeric(column))
export const ruleOperatorsFor = (column: Column | null, attribute: string | null): FilterOperator[] =>
  operatorsFor(column).filter((op) => attribute === null || takesAttribute(op))

function attributeCondition(op: FilterOperator, attribute: string): AccessCondition | null {
  if (op === 'in' || op === 'notIn') return { op, values: [{ attribute }] }
  const compared = comparisonOf(op)
  return compared && { op: compared, value: { attribute } }
}

/** The rule's condition, or the sentence that says what is missing. */
export function toAccessFilter(filter: RuleFilterDraft, dataset: BuilderDataset): AccessFilter | string {
  if (filter.kind === 'kept') return filter.filter
  const { draft, attribute } = filter
  if (attribute === null || draft.kind === 'groups') {
    const made = toFilter(draft, dataset)
    if (typeof made === 'string') return made
    return accessFilterSchema.safeParse(made).data ?? 'Enter fewer values.'
  }
  const field = toField(dataset, draft.column)
  const condition = attributeCondition(draft.op, attribute)
  return field && condition ? { field, any: [condition] } : 'Choose a column to filter by.'
}

/** A stored condition in the editor's form; what the editor cannot show is kept as it is. */
export function toRuleFilterDraft(filter: AccessFilter, dataset: BuilderDataset): RuleFilterDraft {
  const kept: RuleFilterDraft = { kind: 'kept', filter }
  if (attributesOfRule({ filters: [filter] }).length === 0) {
    const draft = toFilterDraft(
      withAttributeNames(filter, (key) => key),
      dataset,
    )
    return draft.kind === 'edit' || draft.kind === 'groups' ? { kind: 'edit', draft, attribute: null } : kept
  }
  const [condition, ...more] = filter.any
  const column = fieldKeyOf(dataset, filter.field)
  if (!condition || more.length > 0 || filter.part || !findColumn(dataset, column)) return kept
  const values = 'values' in condition ? condition.values : 'value' in condition ? [condition.value] : []
  const [value, ...others] = values
  if (value === undefined || others.length > 0 || !isAttributeValue(value)) return kept
  return { kind: 'edit', draft: { ...newFilterDraft(), column, op: condition.op }, attribute: value.attribute }
}
