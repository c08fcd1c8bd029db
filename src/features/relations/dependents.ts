import { insightPlans, metricPlans } from './store'
import { readMetricDefinitions, expandMetrics } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'
import type { Relation } from '../../shared/relations'
import type { Dependent } from '../../shared/sources'
import { checkPlan } from '../../warehouse/query/check'
import type { PlanSchema } from '../../warehouse/query/check'
import { confirmedEdges, relationGraph } from '../../warehouse/query/graph-of'

/** So many dependents are named. */
const DEPENDENTS_MAX = 100

/** Live insights, and metrics, whose figures go along a relation, as plans find their way today. */
export async function relationDependents(deps: Deps, scope: Scope, relation: Relation): Promise<Dependent[]> {
  if (relation.state !== 'confirmed') return []
  const warehouse = deps.warehouse(scope)
  const [relations, datasets] = await Promise.all([warehouse.relations({}), warehouse.datasets()])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const planSchema: PlanSchema = { find, graph: relationGraph({ edges: confirmedEdges(relations), find }) }
  // A plan may pass through datasets that it does not name: any insight of the workspace's datasets may be meant.
  const ids = datasets.map(({ id }) => id)
  const plans = (await Promise.all([insightPlans(deps.db, scope, ids), metricPlans(deps.db, scope, ids)])).flat()
  const definitions = await readMetricDefinitions(
    deps,
    scope,
    plans.flatMap(({ plan }) => plan.measures),
  )
  const expandedPlan = (plan: QueryPlan): QueryPlan => ({
    ...plan,
    measures: plan.measures.map((measure) => expandMetrics(measure, definitions)),
  })
  return plans
    .filter(({ plan }) => usesRelation(() => expandedPlan(plan), planSchema, relation.id))
    .slice(0, DEPENDENTS_MAX)
    .map(({ type, id, name }) => ({ type, id, name }))
}

/** A plan that cannot be answered anyway uses nothing. */
function usesRelation(planOf: () => QueryPlan, planSchema: PlanSchema, relationId: string): boolean {
  try {
    return checkPlan(planOf(), planSchema).relations.includes(relationId)
  } catch (error) {
    if (error instanceof ProductError) return false
    throw error
  }
}

/** @throws ProductError `in_use` with the insights that would lose their way */
export async function assertUnused(deps: Deps, scope: Scope, relation: Relation): Promise<void> {
  const dependents = await relationDependents(deps, scope, relation)
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
}
