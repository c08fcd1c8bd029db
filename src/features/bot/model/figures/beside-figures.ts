import { columnOfRef, deduct, fieldOf, isReachable, meaningsOf, type Context } from '../plan/context'
import type { ColumnCondition } from '../conditions/conditions'
import type { ComparisonOperator } from '../../../../shared/query/functions'
import type { SchemaColumn } from '../schema/schema'

const TURNED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  ...{ eq: 'eq', ne: 'ne', lt: 'gt', gt: 'lt', le: 'ge', ge: 'le' },
}
/** "At a price below their cost": one of the two is a figure of these rows, the other theirs or of what they point at. */
export function besideFigures(context: Context): ColumnCondition[] {
  return context.ask.compared.flatMap(({ one, op, two }): ColumnCondition[] => {
    const [left, right] = [numberAt(context, one), numberAt(context, two)]
    const isOwn = (column: SchemaColumn | undefined): column is SchemaColumn => column?.dataset === context.home.id
    if (!left || !right || !isReachable(context, left.dataset) || !isReachable(context, right.dataset)) {
      deduct(context, 0.4, 'two figures that no row has')
      return []
    }
    const [column, compare, other] = isOwn(left) ? [left, op, right] : [right, TURNED[op], left]
    if (!isOwn(column)) {
      deduct(context, 0.5, 'two figures of other rows')
      return []
    }
    const conditions: ColumnCondition['conditions'] = [{ op: 'column', compare, field: fieldOf(other) }]
    return [{ column, conditions, either: null, isNegated: false }]
  })
}
function numberAt(context: Context, at: number): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    return column?.isNumeric === true && !column.isKey ? 1 : 0
  })
  return best && best.score > 0 ? columnOfRef(context, best.ref) : undefined
}
