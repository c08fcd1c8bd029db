import { exprNumber } from '../expressions/expr'
import { columnOf, dayNumberOf, refOf, wallOf, type QuerySource, type SourceColumn } from './source'
import { int, sql, type Sql } from './sql'
import type { ComparisonOperator, Field } from '../../../shared/query/plan'

/**
 * A condition that compares two columns of a row. Two empty cells are the same; nothing is more or less than an empty
 * one. A day is compared with days, numbers exactly as long as they fit.
 */
export function comparedColumnsSql(
  querySource: QuerySource,
  column: SourceColumn,
  { field, compare, other }: { field: Field; compare: ComparisonOperator; other: Field },
): Sql {
  const right = columnOf(querySource, other)
  if (column.type === 'integer' || column.type === 'number') {
    const stored = { ...querySource, world: { ...querySource.world, money: undefined } }
    const sides = { left: { kind: 'field', field }, right: { kind: 'field', field: other } } as const
    const difference = exprNumber(stored, { kind: 'binary', op: 'subtract', ...sides }).sql
    const same = sql`(coalesce(${difference} = 0, 0) OR (${refOf(column)} IS NULL AND ${refOf(right)} IS NULL))`
    return comparedSql(compare, { left: difference, right: int(0), same })
  }
  const [left, beside] = comparable(column, right)
  return comparedSql(compare, { left, right: beside, same: sql`(${left} IS ${beside})` })
}

function comparable(a: SourceColumn, b: SourceColumn): [Sql, Sql] {
  const isTemporal = a.type === 'date' || a.type === 'datetime'
  if (!isTemporal || (a.type === b.type && a.zoned === b.zoned)) return [refOf(a), refOf(b)]
  return a.type === 'date' || b.type === 'date' ? [dayNumberOf(a), dayNumberOf(b)] : [wallOf(a), wallOf(b)]
}

function comparedSql(compare: ComparisonOperator, { left, right, same }: { left: Sql; right: Sql; same: Sql }): Sql {
  switch (compare) {
    case 'eq':
      return same
    case 'ne':
      return sql`(NOT ${same})`
    case 'lt':
      return sql`(${left} < ${right})`
    case 'le':
      return sql`(${left} <= ${right})`
    case 'gt':
      return sql`(${left} > ${right})`
    case 'ge':
      return sql`(${left} >= ${right})`
  }
}
