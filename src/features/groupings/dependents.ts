import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import type { GroupingDependent } from '../../shared/groupings/groupings'
import { isExistsFilter, queryPlanSchema } from '../../shared/query/plan'
import type { Filter, Measure, QueryPlan, Scalar } from '../../shared/query/plan'

/** So many are named. */
const DEPENDENTS_SHOWN_MAX = 100

export interface DependentPlan {
  type: GroupingDependent['type']
  id: string
  name: string
  /** A plan; of a metric the one that asks for it alone. */
  plan: string
  version: number
}

/** What names groupings or groups: insights by their plans, metrics by what they measure and of which rows. */
export const PLANS_NAMING_GROUPINGS = `(
  SELECT 'insight' AS type, id, name, plan, version, workspace_id FROM insights WHERE deleted_at IS NULL
  UNION ALL SELECT 'metric', id, name, json_object('v', 2, 'kind', 'aggregate', 'dataset', dataset_id,
    'measures', json_array(json(measure)), 'dimensions', json_array(), 'filters', json(filters)), version, workspace_id
  FROM metrics)`

/** Live insights and metrics that name any of these ids: of a grouping, or of its groups. Ids are random: no text holds one by chance. */
export async function findDependentPlans(
  { d1 }: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<DependentPlan[]> {
  const { results } = await d1
    .prepare(
      `SELECT x.type, x.id, x.name, x.plan, x.version FROM ${PLANS_NAMING_GROUPINGS} x
       WHERE x.workspace_id = ?1
         AND EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(x.plan, value) > 0) ORDER BY x.type, x.name, x.id`,
    )
    .bind(scope.workspaceId, JSON.stringify(ids))
    .all<DependentPlan>()
  return results
}

export const toDependents = (plans: readonly Pick<DependentPlan, 'type' | 'id' | 'name'>[]): GroupingDependent[] =>
  plans.slice(0, DEPENDENTS_SHOWN_MAX).map(({ type, id, name }) => ({ type, id, name }))

export interface GroupingReplacement {
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
    switch (measure.kind) {
      case 'column':
      case 'expression':
        return measure.filter ? { ...measure, filter: measure.filter.map(filterOf) } : measure
      case 'ratio':
        return { ...measure, over: measureOf(measure.over), under: measureOf(measure.under) }
      case 'calc':
        return {
          ...measure,
          left: measure.left.kind === 'number' ? measure.left : measureOf(measure.left),
          right: measure.right.kind === 'number' ? measure.right : measureOf(measure.right),
        }
      case 'prev':
      case 'cumulative':
        return { ...measure, of: measureOf(measure.of) }
      case 'metric':
        return measure
    }
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
