import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import type { QueryPlan } from '../../shared/query'

export interface InsightPlan {
  id: string
  name: string
  plan: QueryPlan
}

/** Insights with their plans that read several datasets, or one that points at itself; those only can use a relation. */
export const insightPlans = async ({ d1 }: Database, scope: Scope, datasets: string[]): Promise<InsightPlan[]> => {
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
  return results.map(({ id, name, plan }) => ({ id, name, plan: parsed(plan) }))
}

/** Our own writing, read back. */
function parsed(text: string): QueryPlan {
  const plan: QueryPlan = JSON.parse(text)
  return plan
}
