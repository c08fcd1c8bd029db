import { hiddenThings, isVisibleSql } from '../identity/access/hidden-things-store'
import type { Database } from '../db/database'
import type { Scope } from '../scope'
import type { Insight } from '../shared/insights'
import type { Metric } from '../shared/metrics'

/** An insight as far as it is followed. */
export type InsightSubject = Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>
export interface InsightSubjectRow {
  id: string
  name: string
  plan: string
  viz: string
}
/** Our own writing, read back. */
export function toInsightSubject({ id, name, plan, viz }: InsightSubjectRow): InsightSubject {
  const content: Pick<Insight, 'plan' | 'viz'> = { plan: JSON.parse(plan), viz: JSON.parse(viz) }
  return { id, name, ...content }
}

export async function readInsightSubject({ d1 }: Database, scope: Scope, id: string): Promise<InsightSubject | null> {
  const row = await d1
    .prepare(
      `SELECT id, name, plan, viz FROM insights
       WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL AND ${isVisibleSql('id', '?3')}`,
    )
    .bind(scope.workspaceId, id, await hiddenThings({ d1 }, scope))
    .first<InsightSubjectRow>()
  return row && toInsightSubject(row)
}

/** Many of them at once, in one read. Those that are not there, or not for who asks, are left out. */
export async function readSubjects(
  { d1 }: Database,
  scope: Scope,
  ask: { insights: readonly string[]; metrics: readonly string[]; metricNames: readonly string[] },
): Promise<{ insights: InsightSubject[]; metrics: NamedMetricSubject[] }> {
  const hidden = await hiddenThings({ d1 }, scope)
  const [insights, metrics] = await d1.batch<InsightSubjectRow & MetricRow & { names: string }>([
    d1
      .prepare(
        `SELECT id, name, plan, viz FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL
           AND id IN (SELECT value FROM json_each(?2)) AND ${isVisibleSql('id', '?3')}`,
      )
      .bind(scope.workspaceId, JSON.stringify(ask.insights), hidden),
    d1
      .prepare(
        `SELECT ${METRIC_COLUMNS}, (SELECT json_group_array(name_key) FROM metric_names WHERE metric_id = m.id) AS names
         FROM metrics m WHERE m.workspace_id = ?1 AND ${isVisibleSql('m.id', '?4')}
           AND (m.id IN (SELECT value FROM json_each(?2)) OR m.id IN (SELECT metric_id FROM metric_names
             WHERE workspace_id = ?1 AND name_key IN (SELECT value FROM json_each(?3))))`,
      )
      .bind(scope.workspaceId, JSON.stringify(ask.metrics), JSON.stringify(ask.metricNames), hidden),
  ])
  return {
    insights: (insights?.results ?? []).map(toInsightSubject),
    metrics: (metrics?.results ?? []).map(({ names, ...row }) => ({
      ...toMetricSubject(row),
      names: JSON.parse(names),
    })),
  }
}

/** A metric as far as it is followed. */
export type MetricSubject = Pick<Metric, 'id' | 'name' | 'dataset' | 'time' | 'direction' | 'format'>
/** With the names that it is known by, in the form under which they are unique. */
export type NamedMetricSubject = MetricSubject & { names: string[] }
interface MetricRow extends Pick<MetricSubject, 'id' | 'name' | 'dataset' | 'direction'> {
  time: string | null
  format: string | null
}

const METRIC_COLUMNS = 'm.id, m.name, m.dataset_id AS dataset, m.time_field AS time, m.direction, m.format'

/** Our own writing, read back. */
function toMetricSubject({ id, name, dataset, direction, ...row }: MetricRow): MetricSubject {
  const time: MetricSubject['time'] = row.time === null ? null : JSON.parse(row.time)
  const format: MetricSubject['format'] = row.format === null ? null : JSON.parse(row.format)
  return { id, name, dataset, direction, time, format }
}

export async function readMetricSubject({ d1 }: Database, scope: Scope, id: string): Promise<MetricSubject | null> {
  const row = await d1
    .prepare(
      `SELECT ${METRIC_COLUMNS} FROM metrics m WHERE m.workspace_id = ?1 AND m.id = ?2 AND ${isVisibleSql('m.id', '?3')}`,
    )
    .bind(scope.workspaceId, id, await hiddenThings({ d1 }, scope))
    .first<MetricRow>()
  return row && toMetricSubject(row)
}
