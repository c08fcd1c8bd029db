import type { CatalogueDataset } from '../../warehouse/contract'
import { conditionValueText, type ConditionNotation } from '../../shared/query/condition-text'
import type { Condition, FieldFilter, Scalar } from '../../shared/query/plan'

type Columns = readonly Pick<CatalogueDataset, 'id' | 'columns'>[]

const OPERATORS: Partial<Record<Condition['op'], string>> = {
  ne: 'not ',
  lt: '< ',
  le: '≤ ',
  gt: '> ',
  ge: '≥ ',
  notIn: 'not ',
  contains: 'contains ',
  notContains: 'doesn’t contain ',
  startsWith: 'starts with ',
  notStartsWith: 'doesn’t start with ',
}

/** A filter in words, as it stands at the foot of a paper: `Region: North, South`. */
export function filterText({ field, any }: FieldFilter, datasets: Columns, notation: ConditionNotation): string {
  const column = datasets.find(({ id }) => id === field.dataset)?.columns.find(({ key }) => key === field.column)
  const value = (one: Scalar): string => conditionValueText(one, column, notation)
  return `${column?.label ?? 'Filter'}: ${any.map((condition) => conditionText(condition, value)).join(' or ')}`
}

/** The same under a name of its own, where nobody knows of the column. Groups have no names there. */
export function namedFilterText(name: string, { any, grouping }: FieldFilter, notation: ConditionNotation): string {
  if (grouping) return `${name}: some groups`
  const value = (one: Scalar): string => conditionValueText(one, undefined, notation)
  return `${name}: ${any.map((condition) => conditionText(condition, value)).join(' or ')}`
}

function conditionText(condition: Condition, value: (one: Scalar) => string): string {
  const word = OPERATORS[condition.op] ?? ''
  switch (condition.op) {
    case 'in':
    case 'notIn':
      return word + condition.values.map(value).join(', ')
    case 'between':
      return `${value(condition.from)} – ${value(condition.to)}`
    case 'empty':
      return 'empty'
    case 'notEmpty':
      return 'not empty'
    case 'column':
      return 'compared with another column'
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'contains':
    case 'notContains':
    case 'startsWith':
    case 'notStartsWith':
      return word + value(condition.value)
  }
}
