import { metricStore } from './store'
import { ledgerMetrics, columnMetrics } from './model/suggested-metrics'
import { createMetricSchema } from '../../shared/metrics'
import type { SuggestedMetric } from '../../shared/metrics'
import { nameKey } from '../../shared/field-schemas'
import { readAccountClasses } from '../../semantic/account-class-store'
import type { ReadContext } from '../../deps'

const SUGGESTED_MAX = 20
const DATASETS_ASKED = 10

/**
 * Metrics worth having, made from what the workspace's datasets hold, as far as their names are free: those of ledgers by
 * what accounts mean here, of other tables by their columns. Largest datasets first.
 */
export async function suggestMetrics({ deps, scope }: ReadContext): Promise<SuggestedMetric[]> {
  const [all, taken, classes] = await Promise.all([
    deps.warehouse(scope).datasets(),
    metricStore(deps.db, scope).takenNames(),
    readAccountClasses(deps.db, scope),
  ])
  const datasets = all
    .filter(({ rowCount }) => rowCount > 0)
    .toSorted((a, b) => b.rowCount - a.rowCount)
    .slice(0, DATASETS_ASKED)
  const made = datasets.flatMap((dataset) => ledgerMetrics(dataset, classes) ?? columnMetrics(dataset))
  const seen = new Map(taken)
  return made
    .flatMap(({ key, datasetName, reason, otherName, input }): SuggestedMetric[] => {
      // A metric of the same rows with this name is the one suggested; of other rows, this one needs another name.
      const owner = seen.get(nameKey(input.name))
      const name = owner === undefined ? input.name : otherName
      if (owner === input.dataset || seen.has(nameKey(name))) return []
      seen.set(nameKey(name), input.dataset)
      return [{ key, datasetName, reason, input: createMetricSchema.parse({ ...input, name }) }]
    })
    .slice(0, SUGGESTED_MAX)
}
