import { hiddenThings, isVisibleSql } from '../identity/access/hidden-things-store'
import type { Database } from '../db/database'
import type { Scope } from '../identity/scope'
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

/** A metric as far as it is followed. */
type MetricSubject = Pick<Metric, 'id' | 'name' | 'dataset' | 'time' | 'direction' | 'format'>
interface MetricRow extends Pick<MetricSubject, 'id' | 'name' | 'dataset' | 'direction'> {
  time: string | null
  format: string | null
}

export async function readMetricSubject({ d1 }: Database, scope: Scope, id: string): Promise<MetricSubject | null> {
  const row = await d1
    .prepare(
      `SELECT id, name, dataset_id AS dataset, time_field AS time, direction, format FROM metrics
       WHERE workspace_id = ?1 AND id = ?2 AND ${isVisibleSql('id', '?3')}`,
    )
    .bind(scope.workspaceId, id, await hiddenThings({ d1 }, scope))
    .first<MetricRow>()
  if (!row) return null
  const time: MetricSubject['time'] = row.time === null ? null : JSON.parse(row.time)
  const format: MetricSubject['format'] = row.format === null ? null : JSON.parse(row.format)
  return { ...row, time, format }
}
