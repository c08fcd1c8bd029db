import { readMetricDefinitions, expandMetrics } from './metric-definitions'
import type { MetricDefinitions } from './metric-definitions'
import { validatePlan } from './query-service'
import type { Scope } from '../identity/scope'
import type { Database } from '../db/database'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { ColumnFormat } from '../shared/data-sources/files'
import type { Insight } from '../shared/insights'
import { monitoredFromInsight, monitoredFromMetric } from '../shared/monitored-metric'
import type { MemberField, SubjectRef, MonitoredMetric } from '../shared/monitored-metric'
import type { Field, Measure, MetricMeasure } from '../shared/query/plan'

/** The figure that a target or an alert is about, as it stands now; why not, when it cannot be followed. */
export type MonitoredMetricLookup =
  { ok: true; monitoredMetric: MonitoredMetric; name: string } | { ok: false; why: 'gone' | 'no_date'; name: string }
const NOT_FOUND: MonitoredMetricLookup = { ok: false, why: 'gone', name: '' }

interface InsightRow {
  id: string
  name: string
  plan: string
  viz: string
}

/** Of one workspace: whatever belongs to another is gone. */
export async function findMonitoredMetric(
  { db }: { db: Database },
  scope: Scope,
  subjectRef: SubjectRef,
): Promise<MonitoredMetricLookup> {
  const { workspaceId } = scope
  if (subjectRef.kind === 'metric') return resolveMonitoredMetric({ db }, scope, subjectRef.id)
  const row = await db.d1
    .prepare('SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL')
    .bind(workspaceId, subjectRef.id)
    .first<InsightRow>()
  if (!row) return NOT_FOUND
  const insight: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'> = {
    ...{ id: row.id, name: row.name, plan: JSON.parse(row.plan), viz: JSON.parse(row.viz) },
  }
  const monitoredMetric = await resolveMonitoredInsight({ db }, scope, { insight, measure: subjectRef.measure })
  return monitoredMetric ? { ok: true, monitoredMetric, name: row.name } : { ok: false, why: 'no_date', name: row.name }
}

/** The figure of an insight as it is followed, by what the metrics it names stand for; null when it has no date. */
export async function resolveMonitoredInsight(
  { db }: { db: Database },
  scope: Scope,
  { insight, measure = 0 }: { insight: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>; measure?: number },
): Promise<MonitoredMetric | null> {
  const definitions = await readMetricDefinitions({ db }, scope, insight.plan.measures.slice(measure, measure + 1))
  return monitoredFromInsight(insight, measure, (shown) => expandMetricsIfPossible(shown, definitions))
}

/** What cannot be said without a metric that is gone stays as it is: asked for its figures, it says so. */
function expandMetricsIfPossible(shown: Measure, definitions: MetricDefinitions): Measure {
  try {
    return expandMetrics(shown, definitions)
  } catch (error) {
    if (error instanceof ProductError) return shown
    throw error
  }
}

/**
 * That a figure can be followed by the members of a dimension.
 * @throws ProductError `not_found` for a dataset or grouping that is not here; `unknown_field` and others for what does not fit
 */
export async function validateMemberDimension(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  { tracked, by }: { tracked: MonitoredMetric; by: MemberField | null },
): Promise<void> {
  if (by === null) return
  const { dataset, measure, filters } = tracked
  await validatePlan(deps, scope, {
    ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [by], filters },
    ...(dataset === undefined ? {} : { dataset }),
  })
}

interface MetricRow {
  name: string
  dataset_id: string
  time_field: string | null
  direction: MonitoredMetric['direction']
  format: string | null
}

async function resolveMonitoredMetric(
  { db }: { db: Database },
  scope: Scope,
  id: string,
): Promise<MonitoredMetricLookup> {
  const row = await db.d1
    .prepare('SELECT name, dataset_id, time_field, direction, format FROM metrics WHERE workspace_id = ? AND id = ?')
    .bind(scope.workspaceId, id)
    .first<MetricRow>()
  if (!row) return NOT_FOUND
  const { name, direction, dataset_id: dataset } = row
  if (row.time_field === null) return { ok: false, why: 'no_date', name }
  const time: Field = JSON.parse(row.time_field)
  const format: ColumnFormat | null = row.format === null ? null : JSON.parse(row.format)
  const measure: MetricMeasure = { kind: 'metric', id }
  const meant = expandMetrics(measure, await readMetricDefinitions({ db }, scope, [measure]))
  const monitoredMetric = monitoredFromMetric({ id, name, dataset, time, direction, format }, meant)
  return monitoredMetric ? { ok: true, name, monitoredMetric } : { ok: false, why: 'no_date', name }
}
