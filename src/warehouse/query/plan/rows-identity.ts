import { datasetsOfRule } from './rule-datasets'
import { groupingsIdentity } from './plan-groupings'
import { filtersOfRules } from '../../../identity/access/visible-dataset'
import type { RowRule } from '../../../identity/scope'
import { canonicalJson } from '../../../lib/hash'
import { isExistsFilter } from '../../../shared/query/plan'
import type { PlanContext } from '../query-context'

/** What decides which rows pass: equal names, equal rows. */
export interface RowsIdentity {
  name: string
  /** Whose rows it names the version of. */
  datasets: ReadonlySet<string>
}

/**
 * Names which rows of a dataset rules let through: what they say, and all that they are asked of, which is every version,
 * column and relation that they lead to, groupings and the calendar. Null: not all of that is known.
 * @param whole with nothing left out
 */
export function rulesIdentity(whole: PlanContext, dataset: string, rules: readonly RowRule[]): RowsIdentity | null {
  const { calendar, graph, groupings } = whole
  const filters = filtersOfRules({ rowFilters: [...rules] })
  if (filters.some(isExistsFilter)) return null
  const related = rules.flatMap((rule) => datasetsOfRule(rule, graph))
  const ids = [...new Set([dataset, ...related])].toSorted()
  const data = ids.map((id) => {
    const { dataVersion = null, tableSet = null, columns = [] } = whole.find(id) ?? {}
    return { id, dataVersion, tableSet, columns }
  })
  const seen = groupingsIdentity({ measures: [], dimensions: [], filters }, groupings)
  // Most rules are of the dataset's own columns and never ask for relations.
  const edges = related.length === 0 ? [] : graph.edges
  return { name: canonicalJson({ dataset, rules, data, edges, groupings: seen, calendar }), datasets: new Set(ids) }
}
