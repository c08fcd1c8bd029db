import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { QueryPlan } from '../../shared/query/plan'

export interface DependentPlan {
  type: 'insight' | 'metric'
  id: string
  name: string
  plan: QueryPlan
}

/** Metrics that read these datasets, as the plan that asks for each. */
export const metricPlans = async ({ d1 }: Database, scope: Scope, datasets: string[]): Promise<DependentPlan[]> => {
  const { results } = await d1
    .prepare(
      `SELECT DISTINCT metrics.id, metrics.name, metrics.dataset_id FROM metrics
       JOIN metric_fields ON metric_fields.metric_id = metrics.id
       WHERE metrics.workspace_id = ? AND metric_fields.dataset_id IN (SELECT value FROM json_each(?))
       ORDER BY metrics.name`,
    )
    .bind(scope.workspaceId, JSON.stringify(datasets))
    .all<{ id: string; name: string; dataset_id: string }>()
  return results.map(({ id, name, dataset_id: dataset }) => ({
    ...{ type: 'metric', id, name },
    plan: { v: 2, kind: 'aggregate', dataset, measures: [{ kind: 'metric', id }], dimensions: [], filters: [] },
  }))
}

/** Insights with their plans that read several datasets, or one that points at itself; those only can use a relation. */
export const insightPlans = async ({ d1 }: Database, scope: Scope, datasets: string[]): Promise<DependentPlan[]> => {
  const { results } = await d1
    .prepare(
      `SELECT DISTINCT insights.id, insights.name, insights.plan FROM insights
       JOIN insight_fields ON insight_fields.insight_id = insights.id
       WHERE insights.workspace_id = ? AND insights.deleted_at IS NULL
         AND insight_fields.dataset_id IN (SELECT value FROM json_each(?))
       ORDER BY insights.name`,
    )
    .bind(scope.workspaceId, JSON.stringify(datasets))
    .all<{ id: string; name: string; plan: string }>()
  return results.map(({ id, name, plan }) => ({ type: 'insight', id, name, plan: parsePlan(plan) }))
}

/** Our own writing, read back. */
function parsePlan(text: string): QueryPlan {
  const plan: QueryPlan = JSON.parse(text)
  return plan
}
