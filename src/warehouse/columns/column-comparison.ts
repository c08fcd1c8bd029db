import type { FilterSource } from './column-vectors'
import { storedNumber } from './number-expressions'
import { expressionMask } from './row-functions'
import type { Mask } from './vectors'
import type { Field } from '../../shared/query/field'
import type { ComparisonOperator } from '../../shared/query/functions'

/** A condition that compares two columns of a row: two empty cells are the same, and no more or less than anything. */
export function comparedColumns(
  source: FilterSource,
  { field, compare, other }: { field: Field; compare: ComparisonOperator; other: Field },
): Mask {
  const columns = {
    table: source.table,
    number: (each: Field) => storedNumber(source.field(each)),
    column: (each: Field) => source.field(each),
  }
  const sides = { left: { kind: 'field', field }, right: { kind: 'field', field: other } } as const
  return expressionMask(columns, { kind: 'compare', op: compare, ...sides })
}
