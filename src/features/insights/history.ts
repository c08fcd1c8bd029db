import type { z } from 'zod'
import { careStore } from './care-store'
import { getInsight, readingOf, updateInsight } from './service'
import type { Ask } from './service'
import { readDefinitions, withoutMetrics } from '../../access/metric-definitions'
import type { Definitions } from '../../access/metric-definitions'
import { ProductError } from '../../shared/errors'
import type { InsightVersion, PlanParts, restoreVersionSchema } from '../../shared/insight-care'
import type { Insight } from '../../shared/insights'
import { datasetsOf } from '../../shared/plan-fields'
import type { QueryPlan } from '../../shared/query'
import type { CatalogueDataset } from '../../warehouse/contract'
import { edgesOf, graphOf } from '../../warehouse/query/graph-of'
import { planParts } from '../../warehouse/query/plan-parts'
import { namingOf } from '../../warehouse/query/words'

type Looking = Pick<Ask, 'deps' | 'scope' | 'membership'>

/** Every version that is kept, the newest first, with its question in words. */
export async function insightVersions(ask: Looking, id: string): Promise<InsightVersion[]> {
  await getInsight(ask, id)
  const stored = await careStore(ask.deps.db, readingOf(ask)).versions(id)
  const definitions = await readDefinitions(
    ask.deps,
    ask.scope,
    stored.flatMap(({ plan }) => plan.measures),
  )
  const plans = stored.map(({ plan }) => orNull(() => spelled(plan, definitions)))
  const partsOf = await wording(ask, [...new Set(plans.flatMap((plan) => (plan ? datasetsOf(plan) : [])))])
  return stored.map((version, at) => {
    const plan = plans[at] ?? null
    return { ...version, parts: plan && partsOf(plan) }
  })
}

/** A plan with what its metrics stand for, called by their names. */
const spelled = (plan: QueryPlan, definitions: Definitions): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) => withoutMetrics(measure, definitions)),
})

/** Null where something that is named was taken away since. */
function orNull<T>(tell: () => T): T | null {
  try {
    return tell()
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}

/** How questions over these datasets are told; null for one that reads what is there no longer. */
async function wording(
  { deps, scope }: Looking,
  datasetIds: readonly string[],
): Promise<(plan: QueryPlan) => PlanParts | null> {
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
  const graph = graphOf({ edges: edgesOf(relations), find })
  return (plan) => {
    const datasets = datasetsOf(plan)
    if (datasets.some((id) => find(id) === null)) return null
    return orNull(() => planParts(plan, namingOf(graph, datasets.length === 1 ? (datasets[0] ?? null) : null)))
  }
}

/**
 * Saves what an insight was once as its newest version: nothing that came since is lost.
 * @throws ProductError `not_found` for a version that is not kept, `version_conflict`, `name_taken`, `unknown_field` when
 * its columns are gone
 */
export async function restoreVersion(
  ask: Ask,
  at: { id: string; version: number; input: z.output<typeof restoreVersionSchema> },
): Promise<Insight> {
  await getInsight(ask, at.id)
  const old = await careStore(ask.deps.db, readingOf(ask)).version(at.id, at.version)
  if (!old) throw new ProductError('not_found')
  const { name, description, plan, viz } = old
  const input = { name, description, plan, viz, version: at.input.version }
  return updateInsight(ask, { id: at.id, input, restoredFrom: at.version })
}
