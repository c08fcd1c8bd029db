import { hiddenThings, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import type { ReadContext } from '../../deps'
import type { GroupingDependent } from '../../shared/groupings/groupings'
import { isLeafMeasure, mapOperands } from '../../shared/query/plan-fields'
import { isExistsFilter, queryPlanSchema } from '../../shared/query/plan'
import type { Filter, Measure, QueryPlan, Scalar } from '../../shared/query/plan'
import type { DependentPlan } from './store'

/** So many are named. */
const DEPENDENTS_SHOWN_MAX = 100

/** Of the names only those that who asks may know. */
export const toDependents = async (
  { deps, scope }: ReadContext,
  plans: readonly Pick<DependentPlan, 'type' | 'id' | 'name'>[],
): Promise<GroupingDependent[]> =>
  withoutHiddenNames(
    await hiddenThings(deps.db, scope),
    plans.slice(0, DEPENDENTS_SHOWN_MAX).map(({ type, id, name }) => ({ type, id, name })),
  )

interface GroupingReplacement {
  from: string
  to: string
  /** Ids of groups: those that take the places of others. */
  groups: ReadonlyMap<string, string>
}

/** A plan that sees through another grouping; null when it names a group that nothing takes the place of. */
export function replaceGrouping(text: string, replacement: GroupingReplacement): QueryPlan | null {
  const plan = queryPlanSchema.parse(JSON.parse(text))
  let isWhole = true
  const valueOf = (value: Scalar): Scalar => {
    if (typeof value !== 'string') return value
    const other = replacement.groups.get(value)
    if (other === undefined) isWhole = false
    return other ?? value
  }
  const filterOf = (filter: Filter): Filter => {
    if (isExistsFilter(filter)) return { ...filter, filters: filter.filters.map(filterOf) }
    if (filter.grouping?.id !== replacement.from) return filter
    const any = filter.any.map((each) => ('values' in each ? { ...each, values: each.values.map(valueOf) } : each))
    return { ...filter, any, grouping: { ...filter.grouping, id: replacement.to } }
  }
  const measureOf = (measure: Measure): Measure => {
    if (!isLeafMeasure(measure)) return mapOperands(measure, measureOf)
    return measure.filter ? { ...measure, filter: measure.filter.map(filterOf) } : measure
  }
  const next: QueryPlan = {
    ...plan,
    measures: plan.measures.map(measureOf),
    filters: plan.filters.map(filterOf),
    dimensions: plan.dimensions.map((each) =>
      each.grouping?.id === replacement.from ? { ...each, grouping: { ...each.grouping, id: replacement.to } } : each,
    ),
  }
  return isWhole ? next : null
}
