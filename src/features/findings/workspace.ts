import { askedByInsight, askedByMetric, askedByStart, together, withGroupings, withTargets } from './subjects/asked'
import type { Asked, AskedInsight, AskedMetric } from './subjects/asked'
import { readDefinitions, withoutMetrics } from '../../access/metric-definitions'
import type { Definitions } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import { groupingVersions } from '../../access/groupings'
import { targetVersions } from '../../access/target-tables'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Measure } from '../../shared/query'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { Edge } from '../../warehouse/query/graph'
import { edgesOf } from '../../warehouse/query/graph-of'

/** The datasets that exist for one set of rights, and how they point at each other. */
export interface Catalogue {
  datasets: CatalogueDataset[]
  find: (id: string) => CatalogueDataset | null
  edges: Edge[]
}
/** What there is to look at for one set of rights. */
export interface Workspace extends Catalogue {
  /** Every figure that is looked at. */
  asked: Asked[]
}

interface InsightRow {
  id: string
  name: string
  plan: string
  viz: string
}

export async function catalogueOf({ warehouse }: Pick<Deps, 'warehouse'>, scope: Scope): Promise<Catalogue> {
  const [datasets, relations] = await Promise.all([warehouse(scope).datasets(), warehouse(scope).relations({})])
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  return { datasets, find: (id) => byId.get(id) ?? null, edges: edgesOf(relations) }
}

type Reading = Pick<Deps, 'db' | 'warehouse'>

export async function workspaceOf(deps: Reading, scope: Scope): Promise<Workspace> {
  const [catalogue, metrics, insights, targets, groupings] = await Promise.all([
    catalogueOf(deps, scope),
    metricsOf(deps, scope),
    insightsOf(deps, scope),
    targetVersions(deps.db, scope),
    groupingVersions(deps.db, scope),
  ])
  const { datasets, find } = catalogue
  const wanted = [
    ...metrics.flatMap((metric) => askedByMetric(metric, find) ?? []),
    ...insights.flatMap((insight) => askedByInsight(insight, find) ?? []),
  ]
  const taken = new Set(wanted.map(({ dataset }) => dataset))
  const started = datasets.filter(({ id, rowCount }) => rowCount > 0 && !taken.has(id)).flatMap(askedByStart)
  const asked = together([...wanted, ...started])
    .map(withTargets(targets))
    .map(withGroupings(groupings))
  return { ...catalogue, asked }
}

/** Metrics and insights that are looked at, of each. */
const ASKED_MAX = 200

/** Insights that findings are wanted of, oldest first so that a figure keeps its first name. */
async function insightsOf(deps: Reading, scope: Scope): Promise<AskedInsight[]> {
  const { results } = await deps.db.d1
    .prepare(
      `SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND deleted_at IS NULL AND findings = 'on'
       ORDER BY created_at, id LIMIT ?`,
    )
    .bind(scope.workspaceId, ASKED_MAX)
    .all<InsightRow>()
  const insights = results.map(insightOf)
  const firsts = insights.flatMap(({ plan }) => plan.measures.slice(0, 1))
  const definitions = await readDefinitions(deps, scope, firsts)
  return insights.flatMap((insight): AskedInsight[] => {
    const [first] = insight.plan.measures
    const measure = first && meant(first, definitions)
    return measure ? [{ ...insight, plan: { ...insight.plan, measures: [measure] } }] : []
  })
}

/** What a measure stands for; null when a metric that it names cannot be read any more. */
function meant(measure: Measure, definitions: Definitions): Measure | null {
  try {
    return withoutMetrics(measure, definitions)
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
  direction: AskedMetric['direction']
}

async function metricsOf(deps: Reading, scope: Scope): Promise<AskedMetric[]> {
  const { results } = await deps.db.d1
    .prepare(
      'SELECT id, name, dataset_id, time_field, direction FROM metrics WHERE workspace_id = ? ORDER BY created_at, id LIMIT ?',
    )
    .bind(scope.workspaceId, ASKED_MAX)
    .all<MetricRow>()
  const named = results.map((row) => ({ row, measure: { kind: 'metric', id: row.id } satisfies Measure }))
  const definitions = await readDefinitions(
    deps,
    scope,
    named.map(({ measure }) => measure),
  )
  return named.flatMap(({ row, measure: own }): AskedMetric[] => {
    const { id, name, dataset_id: dataset, time_field: text, direction } = row
    const measure = meant(own, definitions)
    const time: AskedMetric['time'] = text === null ? null : JSON.parse(text)
    return measure ? [{ id, name, dataset, measure, time, direction }] : []
  })
}

/** Our own writing, read back. */
function insightOf({ id, name, plan, viz }: InsightRow): AskedInsight {
  const read: Pick<AskedInsight, 'plan' | 'viz'> = { plan: JSON.parse(plan), viz: JSON.parse(viz) }
  return { id, name, ...read }
}

/** Datasets whose figures may be others once the rows of one have changed: itself, and those that point at it. */
export const touchedBy = ({ datasets, edges }: Workspace, datasetId: string): CatalogueDataset[] =>
  datasets.filter(
    ({ id }) => id === datasetId || edges.some(({ from, to }) => from.dataset === id && to.dataset === datasetId),
  )
