import type { Condition, Scalar } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import { COMPARISON_LABELS } from '../../../shared/query/plan-labels'

const VALUES_LISTED_MAX = 3

/** A condition after the name of what it is asked of: "is one of SE, NO". */
export function describeCondition(
  condition: Condition,
  say: (value: Scalar) => string,
  naming: { label(field: Field): string },
): string {
  const listed = (values: readonly Scalar[]): string =>
    values.length <= VALUES_LISTED_MAX
      ? values.map(say).join(', ')
      : `${values.slice(0, VALUES_LISTED_MAX).map(say).join(', ')} and ${values.length - VALUES_LISTED_MAX} more`
  switch (condition.op) {
    case 'in':
      return `is one of ${listed(condition.values)}`
    case 'notIn':
      return `is none of ${listed(condition.values)}`
    case 'contains':
      return `contains “${condition.value}”`
    case 'startsWith':
      return `starts with “${condition.value}”`
    case 'notContains':
      return `does not contain “${condition.value}”`
    case 'notStartsWith':
      return `does not start with “${condition.value}”`
    case 'column':
      return `${COMPARISON_LABELS[condition.compare]} ${naming.label(condition.field)}`
    case 'between':
      return `is between ${say(condition.from)} and ${say(condition.to)}`
    case 'empty':
      return 'is empty'
    case 'notEmpty':
      return 'is filled'
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return `${COMPARISON_LABELS[condition.op]} ${say(condition.value)}`
  }
}
