import { isExists } from '../../../src/shared/query'
import type { Condition, Field, FieldFilter, Filter } from '../../../src/shared/query'
import { groupingOf } from './catalogue'
import type { Catalogue } from './catalogue'
import { OPERATOR_WORDS } from './filter-draft'

export interface Naming {
  label: (field: Field) => string
  /** Names the groupings; without it they are called groups. */
  catalogue?: Catalogue | undefined
}

function conditionWords(condition: Condition): string {
  const words = OPERATOR_WORDS[condition.op]
  if ('values' in condition) return `${words} ${condition.values.map(String).join(', ')}`
  if ('value' in condition) return `${words} ${String(condition.value)}`
  return 'from' in condition ? `${words} ${String(condition.from)} and ${String(condition.to)}` : words
}

/** Names of groups belong to the grouping, which a list of groupings does not hold: they are counted. */
function groupsWords({ any, grouping }: FieldFilter, catalogue: Catalogue | undefined): string {
  const name = (grouping && groupingOf(catalogue, grouping.id)?.name) ?? 'a grouping'
  const said = any.map((condition) => {
    const count = 'values' in condition ? condition.values.length : 0
    return `${condition.op === 'notIn' ? 'not ' : ''}in ${count === 1 ? 'one group' : `${count} groups`} of ${name}`
  })
  return said.join(' or ')
}

/** A stored filter in words: `country is one of SE`, `account in 2 groups of Cost types`. */
export function filterWords(filter: Filter, naming: Naming): string {
  if (isExists(filter)) {
    const inner = filter.filters.map((each) => filterWords(each, naming))
    const where = inner.length > 0 ? ` where ${inner.join(' and ')}` : ''
    return `${filter.kind === 'exists' ? 'related rows exist' : 'no related rows exist'}${where}`
  }
  const said = filter.grouping ? groupsWords(filter, naming.catalogue) : filter.any.map(conditionWords).join(' or ')
  return `${naming.label(filter.field)} ${said}`
}
