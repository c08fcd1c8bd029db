import { readDefinitions, withoutMetrics } from './metric-definitions'
import type { Definitions } from './metric-definitions'
import { checkAgainstCatalogue } from './plan-check'
import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { ColumnFormat } from '../shared/files'
import type { Insight } from '../shared/insights'
import { trackedInsight, trackedMetric } from '../shared/tracked'
import type { MemberField, Subject, Tracked } from '../shared/tracked'
import type { Field, Measure, MetricMeasure } from '../shared/query'

/** The figure that a target or an alert is about, as it stands now; why not, when it cannot be followed. */
export type Found = { ok: true; tracked: Tracked; name: string } | { ok: false; why: 'gone' | 'no_date'; name: string }
const GONE: Found = { ok: false, why: 'gone', name: '' }

interface InsightRow {
  id: string
  name: string
  plan: string
  viz: string
}

/** Of one workspace: whatever belongs to another is gone. */
export async function findTracked({ db }: { db: Database }, scope: Scope, subject: Subject): Promise<Found> {
  const { workspaceId } = scope
  if (subject.kind === 'metric') return metricFigure({ db }, scope, subject.id)
  const row = await db.d1
    .prepare('SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL')
    .bind(workspaceId, subject.id)
    .first<InsightRow>()
  if (!row) return GONE
  const insight: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'> = {
    ...{ id: row.id, name: row.name, plan: JSON.parse(row.plan), viz: JSON.parse(row.viz) },
  }
  const tracked = await insightFigure({ db }, scope, { insight, measure: subject.measure })
  return tracked ? { ok: true, tracked, name: row.name } : { ok: false, why: 'no_date', name: row.name }
}

/** The figure of an insight as it is followed, by what the metrics it names stand for; null when it has no date. */
export async function insightFigure(
  { db }: { db: Database },
  scope: Scope,
  { insight, measure = 0 }: { insight: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>; measure?: number },
): Promise<Tracked | null> {
  const definitions = await readDefinitions({ db }, scope, insight.plan.measures.slice(measure, measure + 1))
  return trackedInsight(insight, measure, (shown) => meantBy(shown, definitions))
}

/** What cannot be said without a metric that is gone stays as it is: asked for its figures, it says so. */
function meantBy(shown: Measure, definitions: Definitions): Measure {
  try {
    return withoutMetrics(shown, definitions)
  } catch (error) {
    if (error instanceof ProductError) return shown
    throw error
  }
}

/**
 * That a figure can be followed by the members of a dimension.
 * @throws ProductError `not_found` for a dataset or grouping that is not here; `unknown_field` and others for what does not fit
 */
export async function checkMembers(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  { tracked, by }: { tracked: Tracked; by: MemberField | null },
): Promise<void> {
  if (by === null) return
  const { dataset, measure, filters } = tracked
  await checkAgainstCatalogue(deps, scope, {
    ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [by], filters },
    ...(dataset === undefined ? {} : { dataset }),
  })
}

interface MetricRow {
  name: string
  dataset_id: string
  time_field: string | null
  direction: Tracked['direction']
  format: string | null
}

async function metricFigure({ db }: { db: Database }, scope: Scope, id: string): Promise<Found> {
  const row = await db.d1
    .prepare('SELECT name, dataset_id, time_field, direction, format FROM metrics WHERE workspace_id = ? AND id = ?')
    .bind(scope.workspaceId, id)
    .first<MetricRow>()
  if (!row) return GONE
  const { name, direction, dataset_id: dataset } = row
  if (row.time_field === null) return { ok: false, why: 'no_date', name }
  const time: Field = JSON.parse(row.time_field)
  const format: ColumnFormat | null = row.format === null ? null : JSON.parse(row.format)
  const measure: MetricMeasure = { kind: 'metric', id }
  const meant = withoutMetrics(measure, await readDefinitions({ db }, scope, [measure]))
  const tracked = trackedMetric({ id, name, dataset, time, direction, format }, meant)
  return tracked ? { ok: true, name, tracked } : { ok: false, why: 'no_date', name }
}
