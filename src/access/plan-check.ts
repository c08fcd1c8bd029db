import { refuseUnknownGroupings } from './groupings'
import { planWithoutMetrics } from './metric-definitions'
import type { Scope } from './scope'
import type { Deps } from '../deps'
import { datasetsOf } from '../shared/plan-fields'
import type { QueryPlan } from '../shared/query'
import { checkPlan } from '../warehouse/query/check'
import { edgesOf, graphOf } from '../warehouse/query/graph-of'

/** A column that a plan reads without naming it. */
export interface ColumnUse {
  dataset: string
  key: string
}
/** A plan that can be answered: its metrics replaced, and the ends of the relations it goes along. */
export interface CheckedPlan {
  plan: QueryPlan
  along: ColumnUse[]
}

/**
 * That a plan which is to be stored can be answered: its metrics, groupings and datasets are this workspace's (else 404), its columns
 * exist (else 422), and everything fits.
 */
export async function checkAgainstCatalogue(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  given: QueryPlan,
): Promise<CheckedPlan> {
  const plan = await planWithoutMetrics(deps, scope, given)
  await refuseUnknownGroupings({ deps, scope }, plan)
  const warehouse = deps.warehouse(scope)
  const [relations, ...datasets] = await Promise.all([
    warehouse.relations({}),
    ...datasetsOf(plan).map((id) => warehouse.dataset(id)),
  ])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const edges = edgesOf(relations)
  const used = new Set(checkPlan(plan, { find, graph: graphOf({ edges, find }) }).relations)
  return { plan, along: edges.filter(({ id }) => used.has(id)).flatMap(({ from, to }) => [from, to]) }
}
