import type { z } from 'zod'
import { curationStore } from './care-store'
import { getInsight, storeContextOf, updateInsight } from './service'
import type { RequestContext } from './service'
import { readMetricDefinitions, expandMetrics } from '../../access/metric-definitions'
import type { MetricDefinitions } from '../../access/metric-definitions'
import { ProductError } from '../../shared/errors'
import type { InsightVersion, PlanDescription, restoreVersionSchema } from '../../shared/insight-care'
import type { Insight } from '../../shared/insights'
import { datasetIdsOf } from '../../shared/plan-fields'
import type { QueryPlan } from '../../shared/query'
import type { CatalogueDataset } from '../../warehouse/contract'
import { confirmedEdges, relationGraph } from '../../warehouse/query/graph-of'
import { describePlanParts } from '../../warehouse/query/plan-parts'
import { planNaming } from '../../warehouse/query/words'

type ReadContext = Pick<RequestContext, 'deps' | 'scope' | 'membership'>

/** Every version that is kept, the newest first, with its question in words. */
export async function listVersions(ask: ReadContext, id: string): Promise<InsightVersion[]> {
  await getInsight(ask, id)
  const stored = await curationStore(ask.deps.db, storeContextOf(ask)).versions(id)
  const definitions = await readMetricDefinitions(
    ask.deps,
    ask.scope,
    stored.flatMap(({ plan }) => plan.measures),
  )
  const plans = stored.map(({ plan }) => orNullIfRefused(() => withMetricsExpanded(plan, definitions)))
  const partsOf = await planDescriber(ask, [...new Set(plans.flatMap((plan) => (plan ? datasetIdsOf(plan) : [])))])
  return stored.map((version, at) => {
    const plan = plans[at] ?? null
    return { ...version, parts: plan && partsOf(plan) }
  })
}

/** A plan with what its metrics stand for, called by their names. */
const withMetricsExpanded = (plan: QueryPlan, metricDefinitions: MetricDefinitions): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) => expandMetrics(measure, metricDefinitions)),
})

/** Null where something that is named was taken away since. */
function orNullIfRefused<T>(tell: () => T): T | null {
  try {
    return tell()
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}

/** How questions over these datasets are told; null for one that reads what is there no longer. */
async function planDescriber(
  { deps, scope }: ReadContext,
  datasetIds: readonly string[],
): Promise<(plan: QueryPlan) => PlanDescription | null> {
  const warehouse = deps.warehouse(scope)
  const gone = (error: unknown): null => {
    if (error instanceof ProductError && error.code === 'not_found') return null
    throw error
  }
  const [relations, ...found] = await Promise.all([
    warehouse.relations({}),
    ...datasetIds.map((id): Promise<CatalogueDataset | null> => warehouse.dataset(id).catch(gone)),
  ])
  const find = (id: string): CatalogueDataset | null => found.find((dataset) => dataset?.id === id) ?? null
  const graph = relationGraph({ edges: confirmedEdges(relations), find })
  return (plan) => {
    const datasets = datasetIdsOf(plan)
    if (datasets.some((id) => find(id) === null)) return null
    return orNullIfRefused(() =>
      describePlanParts(plan, planNaming(graph, datasets.length === 1 ? (datasets[0] ?? null) : null)),
    )
  }
}

/**
 * Saves what an insight was once as its newest version: nothing that came since is lost.
 * @throws ProductError `not_found` for a version that is not kept, `version_conflict`, `name_taken`, `unknown_field` when
 * its columns are gone
 */
export async function restoreVersion(
  context: RequestContext,
  at: { id: string; version: number; input: z.output<typeof restoreVersionSchema> },
): Promise<Insight> {
  await getInsight(context, at.id)
  const old = await curationStore(context.deps.db, storeContextOf(context)).version(at.id, at.version)
  if (!old) throw new ProductError('not_found')
  const { name, description, plan, viz } = old
  const input = { name, description, plan, viz, version: at.input.version }
  return updateInsight(context, { id: at.id, input, restoredFrom: at.version })
}
