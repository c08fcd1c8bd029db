import { findingStore } from './store'
import {
  insightCandidate,
  metricCandidate,
  defaultCandidates,
  mergeCandidates,
  withGroupingVersions,
  withTargetVersions,
} from './candidate-metrics'
import type {
  CandidateMetric,
  CandidateInsightSource,
  CandidateMetricSource,
  CandidateSurroundings,
} from './candidate-metrics'
import { rulesBasis, type RulesBasis } from '../../semantic/rules-basis'
import { relatedTables } from '../../semantic/related-tables'
import { dateFieldOf } from '../../shared/data-sources/date-fields'
import { joinColumnsOf } from '../../shared/data-sources/key-columns'
import { tryExpandMetrics } from '../../semantic/metric-definitions'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import type { Measure } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'
import { confirmedEdges, type RelationEdge } from '../../warehouse/query/plan/relation-graph'
import type { AccountMeaning } from '../../shared/statements/ledger-figures'
import { readAccountClasses } from '../../semantic/account-class-store'
import { readTargetVersions } from '../../semantic/target-store'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'
import { readGroupingVersions } from '../../semantic/grouping-store'

/** The datasets that exist for one set of rights, and how they point at each other. */
export interface DatasetCatalogue {
  datasets: CatalogueDataset[]
  find: (id: string) => CatalogueDataset | null
  edges: RelationEdge[]
}
/** What there is to look at for one set of rights. */
export interface AnalysisCatalogue extends DatasetCatalogue {
  /** Every figure that is looked at. */
  candidates: CandidateMetric[]
  /** Those that are not, because their rows stay at a source: a look would be hundreds of statements for its database. */
  live: CandidateMetric[]
  /** What rules let rows through by. Null: no rule leaves out rows. */
  basis: RulesBasis | null
}

export async function loadCatalogue({ warehouse }: Pick<Deps, 'warehouse'>, scope: Scope): Promise<DatasetCatalogue> {
  const [datasets, relations] = await Promise.all([warehouse(scope).datasets(), warehouse(scope).relations({})])
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  return { datasets, find: (id) => byId.get(id) ?? null, edges: confirmedEdges(relations) }
}

const surroundingsOf = (
  { datasets, find, edges }: DatasetCatalogue,
  accounts: AccountMeaning,
): CandidateSurroundings => ({
  ...{ find, accounts },
  timeOf: (home) => dateFieldOf(home, relatedTables(home.id, { datasets, edges }))?.field ?? null,
  joinsOf: (dataset) => joinColumnsOf(dataset, edges),
  relatedOf: (dataset) => relatedTables(dataset, { datasets, edges }),
})

type CatalogueDeps = Pick<Deps, 'db' | 'warehouse'>

export async function loadAnalysisCatalogue(deps: CatalogueDeps, scope: Scope): Promise<AnalysisCatalogue> {
  const [basis, catalogue, metrics, insights, targets, groupings, accounts] = await Promise.all([
    rulesBasis(deps, scope),
    loadCatalogue(deps, scope),
    listMetricSources(deps, scope),
    listInsightSources(deps, scope),
    readTargetVersions(deps.db, scope),
    readGroupingVersions(deps.db, scope),
    readAccountClasses(deps.db, scope),
  ])
  const { datasets } = catalogue
  const around = surroundingsOf(catalogue, accounts)
  const wanted = [
    ...metrics.flatMap((metric) => metricCandidate(metric, around) ?? []),
    ...insights.flatMap((insight) => insightCandidate(insight, around) ?? []),
  ]
  const taken = new Set(wanted.map(({ dataset }) => dataset))
  const started = datasets
    .filter(({ id, rowCount }) => rowCount > 0 && !taken.has(id))
    .flatMap((home) => defaultCandidates(home, around))
  const all = mergeCandidates([...wanted, ...started])
    .map(withTargetVersions(targets))
    .map(withGroupingVersions(groupings))
  const isLive = ({ dataset }: CandidateMetric): boolean => catalogue.find(dataset)?.live === true
  return {
    ...catalogue,
    candidates: all.filter((each) => !isLive(each)),
    live: all.filter(isLive),
    basis,
  }
}

/** Metrics and insights that are looked at, of each. */
const CANDIDATES_MAX = 200

async function listInsightSources(deps: CatalogueDeps, scope: Scope): Promise<CandidateInsightSource[]> {
  const insights = await findingStore(deps.db, scope).insightSources(CANDIDATES_MAX)
  const firsts = insights.flatMap(({ plan }) => plan.measures.slice(0, 1))
  const definitions = await readMetricDefinitions(deps, scope, firsts)
  return insights.flatMap((insight): CandidateInsightSource[] => {
    const [first] = insight.plan.measures
    const measure = first && tryExpandMetrics(first, definitions)
    return measure ? [{ ...insight, plan: { ...insight.plan, measures: [measure] } }] : []
  })
}

async function listMetricSources(deps: CatalogueDeps, scope: Scope): Promise<CandidateMetricSource[]> {
  const metrics = await findingStore(deps.db, scope).metricSources(CANDIDATES_MAX)
  const named = metrics.map((metric) => ({ metric, own: { kind: 'metric', id: metric.id } satisfies Measure }))
  const definitions = await readMetricDefinitions(
    deps,
    scope,
    named.map(({ own }) => own),
  )
  return named.flatMap(({ metric, own }): CandidateMetricSource[] => {
    const measure = tryExpandMetrics(own, definitions)
    return measure ? [{ ...metric, measure }] : []
  })
}

/**
 * Datasets whose figures may be others once the rows of one have changed: itself, those that point at it, and those of
 * which rules ask it.
 */
export const affectedDatasets = (
  { datasets, edges, basis }: AnalysisCatalogue,
  datasetId: string,
): CatalogueDataset[] =>
  datasets.filter(
    ({ id }) =>
      id === datasetId ||
      edges.some(({ from, to }) => from.dataset === id && to.dataset === datasetId) ||
      basis?.asked.get(id)?.includes(datasetId) === true,
  )
