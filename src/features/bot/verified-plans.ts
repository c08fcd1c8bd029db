import type { MetricDefinitions } from '../../semantic/metric-definitions'
import { tryExpandMetrics } from '../../semantic/metric-definitions'
import { verificationHash } from '../../semantic/verification-hash'
import type { Scope } from '../../scope'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import { datasetIdsOf, filterFieldsOf, leafMeasuresOf, metricIdsOf, planFieldsOf } from '../../shared/query/plan-fields'
import type { Field } from '../../shared/query/field'
import type { QueryPlan } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'

/** What exists for somebody. */
export interface SeenCatalogue {
  datasets: readonly CatalogueDataset[]
  /** Ids of metrics. */
  metrics: ReadonlySet<string>
}

/** Whether everything exists for somebody that a plan names, and that its metrics stand for. */
export function seenPlan(plan: QueryPlan, seen: SeenCatalogue, definitions: MetricDefinitions): boolean {
  if (!metricIdsOf(plan.measures).every((id) => seen.metrics.has(id))) return false
  const measures = plan.measures.map((measure) => tryExpandMetrics(measure, definitions) ?? measure)
  const whole = { ...plan, measures }
  const find = (id: string): CatalogueDataset | undefined => seen.datasets.find((dataset) => dataset.id === id)
  const hasColumn = ({ dataset, column }: Field): boolean =>
    find(dataset)?.columns.some(({ key, mask }) => key === column && !mask) === true
  return datasetIdsOf(whole).every(find) && planFieldsOf(whole).every(hasColumn)
}

/** Whether a plan asks for values of a dataset of which rules leave rows out: they may be of rows that are not seen. */
export function namesRuledValues(plan: QueryPlan, scope: Scope): boolean {
  const ruled = new Set(scope.wire().rowFilters.map(({ dataset }) => dataset))
  const hasConditions =
    filterFieldsOf(plan.filters).length > 0 ||
    plan.measures.flatMap(leafMeasuresOf).some(({ filter }) => (filter?.length ?? 0) > 0)
  return ruled.size > 0 && hasConditions && planFieldsOf(plan).some(({ dataset }) => ruled.has(dataset))
}

/**
 * What somebody vouched for: the question, what its metrics mean, and what its columns are. Another text = something of it
 * changed.
 */
export function verifiedHash(
  plan: QueryPlan,
  { definitions, datasets }: { definitions: MetricDefinitions; datasets: readonly CatalogueDataset[] },
): string {
  const measures = plan.measures.map((measure) => tryExpandMetrics(measure, definitions) ?? measure)
  const columns = planFieldsOf({ ...plan, measures }).map(({ dataset, column }) => {
    const found = datasets.find(({ id }) => id === dataset)?.columns.find(({ key }) => key === column)
    return {
      dataset,
      column,
      type: found?.type ?? null,
      label: found?.label ?? null,
      computed: found?.computed ?? null,
    }
  })
  return sha256HexSync(canonicalJson({ meaning: verificationHash(plan, definitions), columns }))
}
