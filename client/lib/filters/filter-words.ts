import { isExistsFilter } from '../../../src/shared/query'
import type { Condition, Field, FieldFilter, Filter } from '../../../src/shared/query'
import { findGrouping } from './catalogue'
import type { SemanticCatalogue } from './catalogue'
import { FILTER_OPERATOR_LABELS } from './filter-draft'

export interface FilterNaming {
  label: (field: Field) => string
  /** Names the groupings; without it they are called groups. */
  catalogue?: SemanticCatalogue | undefined
}

function describeFilterCondition(condition: Condition): string {
  const words = FILTER_OPERATOR_LABELS[condition.op]
  if ('values' in condition) return `${words} ${condition.values.map(String).join(', ')}`
  if ('value' in condition) return `${words} ${String(condition.value)}`
  return 'from' in condition ? `${words} ${String(condition.from)} and ${String(condition.to)}` : words
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
export function describeFilter(filter: Filter, filterNaming: FilterNaming): string {
  if (isExistsFilter(filter)) {
    const inner = filter.filters.map((each) => describeFilter(each, filterNaming))
    const where = inner.length > 0 ? ` where ${inner.join(' and ')}` : ''
    return `${filter.kind === 'exists' ? 'related rows exist' : 'no related rows exist'}${where}`
  }
  const conditionText = filter.grouping
    ? describeGroupsCondition(filter, filterNaming.catalogue)
    : filter.any.map(describeFilterCondition).join(' or ')
  return `${filterNaming.label(filter.field)} ${conditionText}`
}
