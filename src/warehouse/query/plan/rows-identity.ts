import { datasetsOfRule } from './rule-datasets'
import { groupingsIdentity } from './plan-groupings'
import { filtersOfRules } from '../../../identity/access/visible-dataset'
import type { RowRule } from '../../../scope'
import { canonicalJson, sha256HexSync } from '../../../lib/hash'
import { filterFieldsOf, isSameField } from '../../../shared/query/plan-fields'
import { isExistsFilter, type Filter } from '../../../shared/query/plan'
import type { PlanContext } from '../query-context'
import type { LiveDataset } from '../../physical-layout'

/** What decides which rows pass: equal names, equal rows. */
export interface RowsIdentity {
  name: string
  /** Whose rows it names the version of. */
  datasets: ReadonlySet<string>
}

/** What datasets are, as questions meet them: each is put in words once. */
const named = new WeakMap<LiveDataset, string>()
/** Equal for datasets that are called, lie and are seen the same. */
export function datasetIdentity(dataset: LiveDataset): string {
  const known = named.get(dataset)
  if (known !== undefined) return known
  const { id, name, dataVersion, tableSet, columns, coveredCurrencies } = dataset
  const identity = sha256HexSync(canonicalJson({ id, name, dataVersion, tableSet, columns, coveredCurrencies }))
  named.set(dataset, identity)
  return identity
}

/** What conditions on a dataset's rows are asked of, beside what they say. */
function askedOf(
  planContext: PlanContext,
  rule: RowRule,
): { related: string[]; datasets: Set<string>; name: unknown } | null {
  const { calendar, graph, groupings } = planContext
  const filters = filtersOfRules({ rowFilters: [rule] })
  if (filters.some(isExistsFilter)) return null
  const related = datasetsOfRule(rule, graph)
  const datasets = new Set([rule.dataset, ...related].toSorted())
  const data = [...datasets].map((id) => {
    const found = planContext.find(id)
    return found ? datasetIdentity(found) : id
  })
  const seen = groupingsIdentity({ measures: [], dimensions: [], filters }, groupings)
  // Most conditions are on the dataset's own columns and never ask for relations.
  const edges = related.length === 0 ? [] : graph.edges
  return { related, datasets, name: { data, edges, groupings: seen, calendar } }
}

/**
 * Names which rows of a dataset rules let through: what they say, and all that they are asked of, which is every version,
 * column and relation that they lead to, groupings and the calendar. Null: not all of that is known.
 * @param whole with nothing left out
 */
export function rulesIdentity(whole: PlanContext, rules: readonly RowRule[]): RowsIdentity | null {
  const asked = rules.map((rule) => askedOf(whole, rule))
  const known = asked.filter((each) => each !== null)
  if (known.length < asked.length) return null
  const name = canonicalJson({ rules, asked: known.map((each) => each.name) })
  return { name, datasets: new Set(known.flatMap(({ datasets }) => [...datasets])) }
}

/** Whether a condition says something else in another period: groups of a day, and moments, which are read of that alone. */
function isOfPeriod(planContext: PlanContext, filter: Filter): boolean {
  const { periodField } = planContext
  if (!isExistsFilter(filter) && filter.grouping?.as === 'then') return true
  if (!periodField) return false
  const column = planContext.find(periodField.dataset)?.columns.find(({ key }) => key === periodField.column)
  return column?.type === 'datetime' && filterFieldsOf([filter]).some((field) => isSameField(field, periodField))
}

/**
 * The same of a condition of a question, which sees columns as its asker does, and of related rows those that rules let
 * through.
 */
export function filterIdentity(planContext: PlanContext, dataset: string, filter: Filter): RowsIdentity | null {
  const asked = askedOf(planContext, { dataset, anyOf: [[filter]], noneOf: [] })
  if (!asked || isOfPeriod(planContext, filter)) return null
  const isRuled = ({ dataset: id }: RowRule): boolean => asked.related.includes(id)
  const rules = planContext.scope.rowFilters.filter(isRuled)
  const ruled = rules.length === 0 ? null : rulesIdentity(planContext.unrestricted(), rules)
  if (rules.length > 0 && !ruled) return null
  const name = canonicalJson({ dataset, filter, asked: asked.name, ruled: ruled?.name, secret: planContext.secret })
  return { name, datasets: new Set([...asked.datasets, ...(ruled?.datasets ?? [])]) }
}
