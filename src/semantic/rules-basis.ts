import { findGroupingVersions } from './grouping-store'
import { filtersOfRules } from '../identity/access/visible-dataset'
import { Scope } from '../scope'
import type { Deps } from '../deps'
import { canonicalJson, sha256HexSync } from '../lib/hash'
import { groupingIdsOf } from '../shared/query/plan-fields'
import { graphOfRelations } from '../warehouse/query/plan/relation-graph'
import { datasetsOfRule } from '../warehouse/query/plan/rule-datasets'

/** What somebody's rules of access decide rows by, beside the rows themselves. */
export interface RulesBasis {
  /** Of all of it: rows, columns, relations and groupings. Another one may let other rows through. */
  version: string
  /** Of each dataset with such a rule the datasets that it asks; new rows of these change what is seen of it. */
  asked: ReadonlyMap<string, readonly string[]>
}

/** Null where no rule leaves out rows. */
export async function rulesBasis(deps: Pick<Deps, 'db' | 'warehouse'>, scope: Scope): Promise<RulesBasis | null> {
  const { rowFilters, epoch } = scope.wire()
  if (rowFilters.length === 0) return null
  // Rules are asked of all rows, whatever else is hidden; nothing of these is shown.
  const whole = Scope.forJob({ workspaceId: scope.workspaceId, userId: scope.actorId, epoch })
  const named = groupingIdsOf({ measures: [], dimensions: [], filters: filtersOfRules({ rowFilters }) })
  const [datasets, relations, groupings] = await Promise.all([
    deps.warehouse(whole).datasets(),
    deps.warehouse(whole).relations({}),
    named.length === 0 ? [] : findGroupingVersions(deps.db, whole, named),
  ])
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  const graph = graphOfRelations(relations, (id) => byId.get(id) ?? null)
  const asked = new Map(
    Object.entries(Object.groupBy(rowFilters, ({ dataset }) => dataset)).map(([id, rules = []]) => [
      id,
      [...new Set(rules.flatMap((rule) => datasetsOfRule(rule, graph)))].toSorted(),
    ]),
  )
  const rows = [...new Set([...asked].flatMap(([id, others]) => [id, ...others]))].toSorted().map((id) => {
    const { dataVersion = null, columns = [] } = byId.get(id) ?? {}
    return { id, dataVersion, columns }
  })
  return { version: sha256HexSync(canonicalJson({ rows, edges: graph.edges, groupings })), asked }
}

/** Datasets that figures of some were worked out from, with those that the reader's rules ask. */
export const withAskedDatasets = (datasets: readonly string[], basis: RulesBasis | null): string[] => [
  ...new Set([...datasets, ...datasets.flatMap((id) => basis?.asked.get(id) ?? [])]),
]
