import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import type { GroupingDependent } from '../../shared/groupings'
import { isExists, queryPlanSchema } from '../../shared/query'
import type { Filter, Measure, QueryPlan, Scalar } from '../../shared/query'

/** So many are named. */
const NAMED_MAX = 100

export interface StoredPlan {
  id: string
  name: string
  plan: string
  version: number
}

/** Live insights whose plan names any of these ids: of a grouping, or of its groups. Ids are random: no text holds one by chance. */
export async function plansNaming({ d1 }: Database, scope: Scope, ids: readonly string[]): Promise<StoredPlan[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.id, i.name, i.plan, i.version FROM insights i
       WHERE i.workspace_id = ?1 AND i.deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(i.plan, value) > 0) ORDER BY i.name_key, i.id`,
    )
    .bind(scope.workspaceId, JSON.stringify(ids))
    .all<StoredPlan>()
  return results
}

export const shownDependents = (plans: readonly Pick<StoredPlan, 'id' | 'name'>[]): GroupingDependent[] =>
  plans.slice(0, NAMED_MAX).map(({ id, name }) => ({ type: 'insight', id, name }))

export interface Swap {
  from: string
  to: string
  /** Ids of groups: those that take the places of others. */
  groups: ReadonlyMap<string, string>
}

/** A plan that sees through another grouping; null when it names a group that nothing takes the place of. */
export function swapped(text: string, swap: Swap): QueryPlan | null {
  const plan = queryPlanSchema.parse(JSON.parse(text))
  let isWhole = true
  const valueOf = (value: Scalar): Scalar => {
    if (typeof value !== 'string') return value
    const other = swap.groups.get(value)
    if (other === undefined) isWhole = false
    return other ?? value
  }
  const filterOf = (filter: Filter): Filter => {
    if (isExists(filter)) return { ...filter, filters: filter.filters.map(filterOf) }
    if (filter.grouping?.id !== swap.from) return filter
    const any = filter.any.map((each) => ('values' in each ? { ...each, values: each.values.map(valueOf) } : each))
    return { ...filter, any, grouping: { ...filter.grouping, id: swap.to } }
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
      each.grouping?.id === swap.from ? { ...each, grouping: { ...each.grouping, id: swap.to } } : each,
    ),
  }
  return isWhole ? next : null
}
