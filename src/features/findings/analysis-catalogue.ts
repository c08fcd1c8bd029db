import {
  insightCandidate,
  metricCandidate,
  defaultCandidates,
  mergeCandidates,
  withGroupingVersions,
  withTargetVersions,
} from './candidate-metrics'
import type { CandidateMetric, CandidateInsightSource, CandidateMetricSource } from './candidate-metrics'
import { readMetricDefinitions, expandMetrics } from '../../semantic/metric-definitions'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import type { Scope } from '../../identity/scope'
import { readGroupingVersions } from '../../semantic/groupings'
import { readTargetVersions } from '../../semantic/targets'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Measure } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'
import { confirmedEdges } from '../../warehouse/query/plan/relation-graph'
import type { RelationEdge } from '../../warehouse/query/plan/relation-graph'
import type { Calendar } from '../../shared/dates'

/** Whose figures are looked at, and by which calendar. */
export interface ReadContext {
  deps: Deps
  scope: Scope
  calendar: Calendar
}

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
}

interface InsightRow {
  id: string
  name: string
  plan: string
  viz: string
}

export async function loadCatalogue({ warehouse }: Pick<Deps, 'warehouse'>, scope: Scope): Promise<DatasetCatalogue> {
  const [datasets, relations] = await Promise.all([warehouse(scope).datasets(), warehouse(scope).relations({})])
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  return { datasets, find: (id) => byId.get(id) ?? null, edges: confirmedEdges(relations) }
}

type CatalogueDeps = Pick<Deps, 'db' | 'warehouse'>

export async function loadAnalysisCatalogue(deps: CatalogueDeps, scope: Scope): Promise<AnalysisCatalogue> {
  const [catalogue, metrics, insights, targets, groupings] = await Promise.all([
    loadCatalogue(deps, scope),
    listMetricSources(deps, scope),
    listInsightSources(deps, scope),
    readTargetVersions(deps.db, scope),
    readGroupingVersions(deps.db, scope),
  ])
  const { datasets, find } = catalogue
  const wanted = [
    ...metrics.flatMap((metric) => metricCandidate(metric, find) ?? []),
    ...insights.flatMap((insight) => insightCandidate(insight, find) ?? []),
  ]
  const taken = new Set(wanted.map(({ dataset }) => dataset))
  const started = datasets.filter(({ id, rowCount }) => rowCount > 0 && !taken.has(id)).flatMap(defaultCandidates)
  const candidates = mergeCandidates([...wanted, ...started])
    .map(withTargetVersions(targets))
    .map(withGroupingVersions(groupings))
  return { ...catalogue, candidates }
}

/** Metrics and insights that are looked at, of each. */
const CANDIDATES_MAX = 200

/** Insights that findings are wanted of, oldest first so that a figure keeps its first name. */
async function listInsightSources(deps: CatalogueDeps, scope: Scope): Promise<CandidateInsightSource[]> {
  const { results } = await deps.db.d1
    .prepare(
      `SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND deleted_at IS NULL AND findings = 'on'
       ORDER BY created_at, id LIMIT ?`,
    )
    .bind(scope.workspaceId, CANDIDATES_MAX)
    .all<InsightRow>()
  const insights = results.map(toInsightSource)
  const firsts = insights.flatMap(({ plan }) => plan.measures.slice(0, 1))
  const definitions = await readMetricDefinitions(deps, scope, firsts)
  return insights.flatMap((insight): CandidateInsightSource[] => {
    const [first] = insight.plan.measures
    const measure = first && resolveMeasure(first, definitions)
    return measure ? [{ ...insight, plan: { ...insight.plan, measures: [measure] } }] : []
  })
}

/** What a measure stands for; null when a metric that it names cannot be read any more. */
function resolveMeasure(measure: Measure, definitions: MetricDefinitions): Measure | null {
  try {
    return expandMetrics(measure, definitions)
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}

interface MetricRow {
  id: string
  name: string
  dataset_id: string
  time_field: string | null
  direction: CandidateMetricSource['direction']
}

async function listMetricSources(deps: CatalogueDeps, scope: Scope): Promise<CandidateMetricSource[]> {
  const { results } = await deps.db.d1
    .prepare(
      'SELECT id, name, dataset_id, time_field, direction FROM metrics WHERE workspace_id = ? ORDER BY created_at, id LIMIT ?',
    )
    .bind(scope.workspaceId, CANDIDATES_MAX)
    .all<MetricRow>()
  const named = results.map((row) => ({ row, measure: { kind: 'metric', id: row.id } satisfies Measure }))
  const definitions = await readMetricDefinitions(
    deps,
    scope,
    named.map(({ measure }) => measure),
  )
  return named.flatMap(({ row, measure: own }): CandidateMetricSource[] => {
    const { id, name, dataset_id: dataset, time_field: text, direction } = row
    const measure = resolveMeasure(own, definitions)
    const time: CandidateMetricSource['time'] = text === null ? null : JSON.parse(text)
    return measure ? [{ id, name, dataset, measure, time, direction }] : []
  })
}

/** Our own writing, read back. */
function toInsightSource({ id, name, plan, viz }: InsightRow): CandidateInsightSource {
  const read: Pick<CandidateInsightSource, 'plan' | 'viz'> = { plan: JSON.parse(plan), viz: JSON.parse(viz) }
  return { id, name, ...read }
}

/** Datasets whose figures may be others once the rows of one have changed: itself, and those that point at it. */
export const affectedDatasets = ({ datasets, edges }: AnalysisCatalogue, datasetId: string): CatalogueDataset[] =>
  datasets.filter(
    ({ id }) => id === datasetId || edges.some(({ from, to }) => from.dataset === id && to.dataset === datasetId),
  )
