import { assertGroupingsExist } from './groupings'
import { expandPlanMetrics } from './metric-definitions'
import type { Scope } from './scope'
import type { Deps } from '../deps'
import { datasetIdsOf } from '../shared/plan-fields'
import type { QueryPlan } from '../shared/query'
import { checkPlan } from '../warehouse/query/check'
import { confirmedEdges, relationGraph } from '../warehouse/query/graph-of'

/** A column that a plan reads without naming it. */
export interface ColumnReference {
  dataset: string
  key: string
}
/** A plan that can be answered: its metrics replaced, and the ends of the relations it goes along. */
export interface ValidatedPlan {
  plan: QueryPlan
  joinColumns: ColumnReference[]
}

/**
 * That a plan which is to be stored can be answered: its metrics, groupings and datasets are this workspace's (else 404), its columns
 * exist (else 422), and everything fits.
 */
export async function validatePlan(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  given: QueryPlan,
): Promise<ValidatedPlan> {
  const plan = await expandPlanMetrics(deps, scope, given)
  await assertGroupingsExist({ deps, scope }, plan)
  const warehouse = deps.warehouse(scope)
  const [relations, ...datasets] = await Promise.all([
    warehouse.relations({}),
    ...datasetIdsOf(plan).map((id) => warehouse.dataset(id)),
  ])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const edges = confirmedEdges(relations)
  const used = new Set(checkPlan(plan, { find, graph: relationGraph({ edges, find }) }).relations)
  return { plan, joinColumns: edges.filter(({ id }) => used.has(id)).flatMap(({ from, to }) => [from, to]) }
}
