import { insightPlans, metricPlans } from './store'
import { readDefinitions, withoutMetrics } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'
import type { Relation } from '../../shared/relations'
import type { Dependent } from '../../shared/sources'
import { checkPlan } from '../../warehouse/query/check'
import type { View } from '../../warehouse/query/check'
import { edgesOf, graphOf } from '../../warehouse/query/graph-of'

/** So many dependents are named. */
const NAMED_MAX = 100

/** Live insights, and metrics, whose figures go along a relation, as plans find their way today. */
export async function dependentsOf(deps: Deps, scope: Scope, relation: Relation): Promise<Dependent[]> {
  if (relation.state !== 'confirmed') return []
  const warehouse = deps.warehouse(scope)
  const [relations, datasets] = await Promise.all([warehouse.relations({}), warehouse.datasets()])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const view: View = { find, graph: graphOf({ edges: edgesOf(relations), find }) }
  // A plan may pass through datasets that it does not name: any insight of the workspace's datasets may be meant.
  const ids = datasets.map(({ id }) => id)
  const plans = (await Promise.all([insightPlans(deps.db, scope, ids), metricPlans(deps.db, scope, ids)])).flat()
  const definitions = await readDefinitions(
    deps,
    scope,
    plans.flatMap(({ plan }) => plan.measures),
  )
  const meant = (plan: QueryPlan): QueryPlan => ({
    ...plan,
    measures: plan.measures.map((measure) => withoutMetrics(measure, definitions)),
  })
  return plans
    .filter(({ plan }) => goesAlong(() => meant(plan), view, relation.id))
    .slice(0, NAMED_MAX)
    .map(({ type, id, name }) => ({ type, id, name }))
}

/** A plan that cannot be answered anyway uses nothing. */
function goesAlong(planOf: () => QueryPlan, view: View, relationId: string): boolean {
  try {
    return checkPlan(planOf(), view).relations.includes(relationId)
  } catch (error) {
    if (error instanceof ProductError) return false
    throw error
  }
}

/** @throws ProductError `in_use` with the insights that would lose their way */
export async function refuseWhileUsed(deps: Deps, scope: Scope, relation: Relation): Promise<void> {
  const dependents = await dependentsOf(deps, scope, relation)
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
}
