import { readInsightSubject, readMetricSubject, type InsightSubject } from './monitored-metric-store'
import { expandMetrics, tryExpandMetrics } from './metric-definitions'
import { validatePlan } from './query-service'
import type { Scope } from '../scope'
import type { Database } from '../db/database'
import type { Deps } from '../deps'
import { monitoredFromInsight, monitoredFromMetric } from '../shared/monitored-metric'
import type { MemberField, SubjectRef, MonitoredMetric } from '../shared/monitored-metric'
import type { MetricMeasure } from '../shared/query/plan'
import { readMetricDefinitions } from './metric-definition-store'

/** The figure that a target or an alert is about, as it stands now; why not, when it cannot be followed. */
export type MonitoredMetricLookup =
  | { ok: true; monitoredMetric: MonitoredMetric; name: string }
  | { ok: false; why: 'gone' | 'no_date'; name: string }
const NOT_FOUND: MonitoredMetricLookup = { ok: false, why: 'gone', name: '' }

/** Of one workspace: whatever belongs to another is gone. */
export async function findMonitoredMetric(
  { db }: { db: Database },
  scope: Scope,
  subjectRef: SubjectRef,
): Promise<MonitoredMetricLookup> {
  if (subjectRef.kind === 'metric') return resolveMonitoredMetric({ db }, scope, subjectRef.id)
  const insight = await readInsightSubject(db, scope, subjectRef.id)
  if (!insight) return NOT_FOUND
  const { name } = insight
  const monitoredMetric = await resolveMonitoredInsight({ db }, scope, { insight, measure: subjectRef.measure })
  return monitoredMetric ? { ok: true, monitoredMetric, name } : { ok: false, why: 'no_date', name }
}

/** The figure of an insight as it is followed, by what the metrics it names stand for; null when it has no date. */
export async function resolveMonitoredInsight(
  { db }: { db: Database },
  scope: Scope,
  { insight, measure = 0 }: { insight: InsightSubject; measure?: number },
): Promise<MonitoredMetric | null> {
  const definitions = await readMetricDefinitions({ db }, scope, insight.plan.measures.slice(measure, measure + 1))
  // What cannot be said without a metric that is gone stays as it is: asked for its figures, it says so.
  return monitoredFromInsight(insight, measure, (shown) => tryExpandMetrics(shown, definitions) ?? shown)
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

async function resolveMonitoredMetric(
  { db }: { db: Database },
  scope: Scope,
  id: string,
): Promise<MonitoredMetricLookup> {
  const metric = await readMetricSubject(db, scope, id)
  if (!metric) return NOT_FOUND
  const { name, time } = metric
  if (time === null) return { ok: false, why: 'no_date', name }
  const measure: MetricMeasure = { kind: 'metric', id }
  const meant = expandMetrics(measure, await readMetricDefinitions({ db }, scope, [measure]))
  const monitoredMetric = monitoredFromMetric({ ...metric, time }, meant)
  return monitoredMetric ? { ok: true, name, monitoredMetric } : { ok: false, why: 'no_date', name }
}
