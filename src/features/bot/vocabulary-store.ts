import type { VocabularyMetric, VocabularyThing } from './model/contract'
import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import { sourceNameStatement } from '../../semantic/source-name-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { QueryPlan } from '../../shared/query/plan'
import type { GroupingTarget, ValidityPeriod } from '../../shared/groupings/groupings'

/** Figures, groupings and things that questions can name, each at most. */
const METRICS_READ_MAX = 500
const GROUPINGS_READ_MAX = 50
const THINGS_READ_MAX = 300
const INSIGHTS_READ_MAX = 200

type MetricRow = Omit<VocabularyMetric, 'synonyms' | 'measure' | 'time' | 'format'> &
  Record<'synonyms' | 'measure', string> &
  Record<'time' | 'format', string | null>

export interface NamedGrouping {
  id: string
  name: string
  target: GroupingTarget
  eras: ValidityPeriod[]
}
export interface InsightPlan {
  name: string
  plan: QueryPlan
}
/** What a workspace calls its things, as far as they exist for who asks. */
export interface NamedThings {
  metrics: VocabularyMetric[]
  groupings: NamedGrouping[]
  things: VocabularyThing[]
  insights: InsightPlan[]
  /** What each dataset's source is called. */
  sourceNames: ReadonlyMap<string, string>
}

/** Our own writing, read back. */
function toMetric(row: MetricRow): VocabularyMetric {
  const parsed: Pick<VocabularyMetric, 'synonyms' | 'measure' | 'time' | 'format'> = {
    synonyms: JSON.parse(row.synonyms),
    measure: JSON.parse(row.measure),
    time: row.time === null ? null : JSON.parse(row.time),
    format: row.format === null ? null : JSON.parse(row.format),
  }
  return { ...row, ...parsed }
}
type GroupingRow = Record<'id' | 'name' | 'target' | 'eras', string>
function toGrouping(row: GroupingRow): NamedGrouping {
  const parsed: Pick<NamedGrouping, 'target' | 'eras'> = { target: JSON.parse(row.target), eras: JSON.parse(row.eras) }
  return { id: row.id, name: row.name, ...parsed }
}

type InsightRow = Record<'name' | 'plan', string>
function toInsightPlan({ name, plan }: InsightRow): InsightPlan {
  const parsed: Pick<InsightPlan, 'plan'> = { plan: JSON.parse(plan) }
  return { name, ...parsed }
}

/** Read in one go. Groupings of hidden or masked columns are left out by the caller, who knows the rights. */
export async function readNamedThings({ d1 }: Database, scope: Scope): Promise<NamedThings> {
  const hidden = await hiddenThings({ d1 }, scope)
  const { workspaceId } = scope
  const [metrics, groupings, things, sources, insights] = await d1.batch<
    MetricRow & GroupingRow & VocabularyThing & InsightRow
  >([
    d1
      .prepare(
        `SELECT id, name, synonyms, description, dataset_id AS dataset, measure, time_field AS time, direction, format FROM metrics
         WHERE workspace_id = ?1 AND ${isVisibleSql('id', '?2')} ORDER BY name COLLATE NOCASE, id LIMIT ${METRICS_READ_MAX}`,
      )
      .bind(workspaceId, hidden),
    d1
      .prepare(
        `SELECT id, name, target, eras FROM groupings WHERE workspace_id = ?1 AND deleted_at IS NULL AND ${isVisibleSql('id', '?2')}
         ORDER BY name_key LIMIT ${GROUPINGS_READ_MAX}`,
      )
      .bind(workspaceId, hidden),
    d1
      .prepare(
        `SELECT kind, id, name FROM (
           SELECT 'forecast' AS kind, id, name FROM forecasts WHERE workspace_id = ?1
           UNION ALL SELECT 'alert', id, name FROM alerts WHERE workspace_id = ?1
           UNION ALL SELECT 'target', m.id, m.name FROM metrics m WHERE m.workspace_id = ?1 AND EXISTS (
             SELECT 1 FROM targets t WHERE t.workspace_id = ?1 AND t.subject_kind = 'metric' AND t.subject_id = m.id))
         WHERE ${isVisibleSql('id', '?2')} ORDER BY kind, name, id LIMIT ${THINGS_READ_MAX}`,
      )
      .bind(workspaceId, hidden),
    sourceNameStatement({ d1 }, scope, hidden),
    d1
      .prepare(
        `SELECT name, plan FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND ${isVisibleSql('id', '?2')}
         ORDER BY created_at, id LIMIT ${INSIGHTS_READ_MAX}`,
      )
      .bind(workspaceId, hidden),
  ])
  return {
    metrics: (metrics?.results ?? []).map(toMetric),
    groupings: (groupings?.results ?? []).map(toGrouping),
    things: (things?.results ?? []).map(({ kind, id, name }) => ({ kind, id, name })),
    insights: (insights?.results ?? []).map(toInsightPlan),
    sourceNames: new Map((sources?.results ?? []).map(({ id, name }) => [id, name])),
  }
}
