import { askedByInsight, askedByStart, together } from './subjects/asked'
import type { Asked, AskedInsight } from './subjects/asked'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
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

export async function workspaceOf(deps: Pick<Deps, 'db' | 'warehouse'>, scope: Scope): Promise<Workspace> {
  const [catalogue, insights] = await Promise.all([catalogueOf(deps, scope), insightsOf(deps, scope)])
  const { datasets, find } = catalogue
  const wanted = insights.flatMap((insight) => askedByInsight(insight, find) ?? [])
  const taken = new Set(wanted.map(({ dataset }) => dataset))
  const started = datasets.filter(({ id, rowCount }) => rowCount > 0 && !taken.has(id)).flatMap(askedByStart)
  return { ...catalogue, asked: together([...wanted, ...started]) }
}

const INSIGHTS_MAX = 500

/** Insights that findings are wanted of, oldest first so that a figure keeps its first name. */
async function insightsOf({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<AskedInsight[]> {
  const { results } = await db.d1
    .prepare(
      `SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND deleted_at IS NULL AND findings = 'on'
       ORDER BY created_at, id LIMIT ?`,
    )
    .bind(scope.workspaceId, INSIGHTS_MAX)
    .all<InsightRow>()
  return results.map(insightOf)
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
