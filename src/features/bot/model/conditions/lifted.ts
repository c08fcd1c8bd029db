import { Unreadable } from '../plan/context'
import { addMeasure, type Building } from '../plan/building'
import type { ReadConditions } from './where'
import type { Filter, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { Expr } from '../../../../shared/query/expression'

/** What the only figure of a breakdown counts only: groups without such rows stand in no answer. */
export function liftFilters(building: Building): Filter[] {
  const [only, other] = building.measures
  if (only?.kind !== 'column' || other || building.dimensions.length === 0 || !only.filter) return []
  const { filter, ...rest } = only
  building.measures = [rest]
  return filter
}
/** Rows that meet one of several conditions: each figure counts only these, and groups without any are left out. */
export function applyEither(building: Building, { either }: ReadConditions): NonNullable<QueryPlan['having']> {
  if (!either) return []
  building.measures = building.measures.map((measure) => onlyWhere(measure, either))
  if (building.dimensions.length === 0) return []
  return [{ measure: addMeasure(building, countWhere(either)), op: 'gt', value: 0 }]
}
const countWhere = (either: Expr): Measure => ({
  kind: 'expression',
  agg: 'sum',
  row: { kind: 'function', fn: 'if', items: [either, { kind: 'number', value: 1 }, { kind: 'number', value: 0 }] },
})
function onlyWhere(measure: Measure, either: Expr): Measure {
  if (measure.kind === 'column' && measure.agg === 'count')
    return { ...countWhere(either), ...(measure.label === undefined ? {} : { label: measure.label }) }
  if (measure.kind === 'column' && measure.agg === 'first') return measure
  if (measure.kind === 'column' && measure.field)
    return {
      kind: 'expression',
      agg: measure.agg,
      row: { kind: 'function', fn: 'if', items: [either, { kind: 'field', field: measure.field }] },
      ...(measure.label === undefined ? {} : { label: measure.label }),
    }
  throw new Unreadable('out_of_scope', 'Conditions joined by “or” over several columns cannot be asked of this figure.')
}
