import {
  isAttributeValue,
  type AccessCondition,
  type AccessFilter,
  type AccessValue,
  type AttributeHolder,
  type AttributeValue,
  type UserAttribute,
} from '../../shared/data-access/rules'
import type { Condition, FieldFilter, Filter, Scalar } from '../../shared/query/plan'

/** A value that somebody, or a group, has of an attribute. */
export interface HeldValue {
  attributeId: string
  holder: AttributeHolder
  values: AttributeValue[]
}
/** Values of one person by the key of the attribute. What is not here has none. */
export type AttributeTable = ReadonlyMap<string, readonly AttributeValue[]>

/** Own values go before those of groups, which come together; without either an attribute has its defaults. */
export function attributeValues(
  attributes: readonly UserAttribute[],
  person: { userId: string; email: string | null; groupIds: readonly string[]; values: readonly HeldValue[] },
): AttributeTable {
  const table = new Map<string, readonly AttributeValue[]>([['userId', [person.userId]]])
  if (person.email !== null) table.set('email', [person.email])
  for (const { id, key, defaults } of attributes) {
    const held = person.values.filter(({ attributeId }) => attributeId === id)
    const own = held.find(({ holder }) => holder.kind === 'member' && holder.id === person.userId)
    const ofGroups = held.flatMap(({ holder, values }) =>
      holder.kind === 'group' && person.groupIds.includes(holder.id) ? values : [],
    )
    const values = own && own.values.length > 0 ? own.values : ofGroups.length > 0 ? [...new Set(ofGroups)] : defaults
    if (values.length > 0) table.set(key, values)
  }
  return table
}

/** Conditions with the values of attributes in their place; null when one has no value, so that nothing can be said. */
export function substituteFilters(filters: readonly AccessFilter[], table: AttributeTable): Filter[] | null {
  const made = filters.map((filter) => substituteFilter(filter, table))
  return made.every((filter) => filter !== null) ? made : null
}

function substituteFilter({ any: asked, ...filter }: AccessFilter, table: AttributeTable): FieldFilter | null {
  const any = asked.map((condition) => substituteCondition(condition, table))
  return any.every((condition) => condition !== null) ? { ...filter, any } : null
}

function substituteCondition(condition: AccessCondition, table: AttributeTable): Condition | null {
  if ('values' in condition) {
    const values = condition.values.map((value) => valuesOf(value, table))
    return values.every((each) => each !== null) ? { op: condition.op, values: values.flat() } : null
  }
  if (!('value' in condition)) return condition
  if (condition.op === 'contains' || condition.op === 'startsWith') return condition
  if (condition.op === 'notContains' || condition.op === 'notStartsWith') return condition
  const values = valuesOf(condition.value, table)
  if (!values) return null
  const [only, ...more] = values
  if (only !== undefined && more.length === 0) return { op: condition.op, value: only }
  if (condition.op === 'eq') return { op: 'in', values }
  // Before or after several values has no meaning.
  return condition.op === 'ne' ? { op: 'notIn', values } : null
}

function valuesOf(value: AccessValue, table: AttributeTable): Scalar[] | null {
  if (!isAttributeValue(value)) return [value]
  const known = table.get(value.attribute)
  return known && known.length > 0 ? [...known] : null
}
