import { metricStore } from './store'
import { ledgerMetrics, columnMetrics } from './model/suggested-metrics'
import { createMetricSchema } from '../../shared/metrics'
import type { SuggestedMetric } from '../../shared/metrics'
import { nameKey } from '../../shared/field-schemas'
import { readAccountClasses } from '../../semantic/account-class-store'
import type { ReadContext } from '../../deps'
import { readSourceNames } from '../../semantic/source-name-store'
import { measureMeaning } from '../../semantic/measure-meaning'
import { relatedTables } from '../../semantic/related-tables'
import { dateFieldOf, isRecordDate } from '../../shared/data-sources/date-fields'
import { joinColumnsOf } from '../../shared/data-sources/key-columns'
import { confirmedEdges } from '../../warehouse/query/plan/relation-graph'

const SUGGESTED_MAX = 20
const DATASETS_ASKED = 10

/**
 * Metrics worth having, made from what the workspace's datasets hold, as far as their names are free: those of ledgers by
 * what accounts mean here, of other tables by their columns. What a business looks at first stands first; then by size.
 */
export async function suggestMetrics({ deps, scope }: ReadContext): Promise<SuggestedMetric[]> {
  const [all, relations, taken, kept, classes, sourceNames] = await Promise.all([
    deps.warehouse(scope).datasets(),
    deps.warehouse(scope).relations({}),
    metricStore(deps.db, scope).takenNames(),
    metricStore(deps.db, scope).list(),
    readAccountClasses(deps.db, scope),
    readSourceNames(deps.db, scope),
  ])
  const shared = sharedNames(all)
  const datasets = all
    .filter(({ rowCount }) => rowCount > 0)
    .toSorted((a, b) => b.rowCount - a.rowCount)
    .slice(0, DATASETS_ASKED)
  const edges = confirmedEdges(relations)
  const made = datasets.flatMap((dataset) => {
    const related = relatedTables(dataset.id, { datasets: all, edges })
    const dated = dateFieldOf(dataset, related)
    const isDocument = dated !== null && !isRecordDate(dated.column)
    const joins = joinColumnsOf(dataset.id, edges)
    // Entries of two ledgers are called alike: their sources say whose they are.
    const title = shared.has(nameKey(dataset.name)) ? (sourceNames.get(dataset.id) ?? dataset.name) : dataset.name
    const table = { ...dataset, title, time: dated?.field ?? null, isDocument, joins, related }
    return ledgerMetrics(table, classes) ?? columnMetrics(table)
  })
  const seen = new Map(taken)
  const measured = new Set(kept.map(({ measure, filters }) => measureMeaning({ measure, filters })))
  return made
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ key, datasetName, reason, otherName, measure, input }): SuggestedMetric[] => {
      // Under another name it is there already.
      if (measured.has(measureMeaning({ measure, filters: input.filters ?? [] }))) return []
      // A metric of the same rows with this name is the one suggested; of other rows, this one needs another name.
      const owner = seen.get(nameKey(input.name))
      const name = owner === undefined ? input.name : otherName
      if (owner === input.dataset || seen.has(nameKey(name))) return []
      seen.set(nameKey(name), input.dataset)
      // Columns of files and programs may be called what no metric can be.
      const { data } = createMetricSchema.safeParse({ ...input, name })
      return data ? [{ key, datasetName, reason, input: data }] : []
    })
    .slice(0, SUGGESTED_MAX)
}

/** What several datasets are called. */
function sharedNames(datasets: readonly { name: string }[]): ReadonlySet<string> {
  const counts = Map.groupBy(datasets, ({ name }) => nameKey(name))
  return new Set([...counts].flatMap(([name, of]) => (of.length > 1 ? [name] : [])))
}
