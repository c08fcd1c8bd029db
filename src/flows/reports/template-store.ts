import type { Database } from '../../db/database'
import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { FieldFilter, Measure } from '../../shared/query/plan'
import type { Scope } from '../../scope'
import { toInsightSubject, type InsightSubject, type InsightSubjectRow } from '../../semantic/monitored-metric-store'

/** So many of each are enough to fill any template. */
const ITEMS_MAX = 20

export interface TemplateItems {
  insights: InsightSubject[]
  metrics: { id: string; name: string; dated: boolean; measure: Measure; filters: FieldFilter[] }[]
  forecasts: { id: string; name: string; balance: boolean }[]
  sources: { id: string; name: string }[]
}

/** What who asks may see of what reports are made from: what somebody vouches for first, then the oldest. */
export async function readTemplateItems({ d1 }: Database, scope: Scope): Promise<TemplateItems> {
  const hidden = await hiddenThings({ d1 }, scope)
  const read = (columns: string, rest: string): D1PreparedStatement =>
    d1.prepare(`SELECT ${columns} ${rest} LIMIT ${ITEMS_MAX}`).bind(scope.workspaceId, hidden)
  const visible = (where: string) => `WHERE workspace_id = ?1 AND ${isVisibleSql('id', '?2')}${where}`
  const byAge = 'created_at, id'
  type Row = InsightSubjectRow & { dated: number; balance: number; measure: string; filters: string }
  const [insights, metrics, forecasts, sources] = await d1.batch<Row>([
    read(
      'id, name, plan, viz',
      `FROM insights ${visible(' AND deleted_at IS NULL')} ORDER BY verified_by IS NULL, ${byAge}`,
    ),
    read(
      'id, name, measure, filters, time_field IS NOT NULL AS dated',
      `FROM metrics ${visible('')} ORDER BY verified_by IS NULL, ${byAge}`,
    ),
    read(
      `id, name, json_extract(settings, '$.accumulate') IS NOT NULL AS balance`,
      `FROM forecasts ${visible('')} ORDER BY ${byAge}`,
    ),
    read('id, name', `FROM data_sources ${visible(' AND deleted_at IS NULL')} ORDER BY sample, ${byAge}`),
  ])
  const named = (rows: D1Result<Row> | undefined) => (rows?.results ?? []).map(({ id, name }) => ({ id, name }))
  return {
    insights: (insights?.results ?? []).map(toInsightSubject),
    metrics: (metrics?.results ?? []).map(({ id, name, dated, measure, filters }) => ({
      ...{ id, name, dated: dated === 1, measure: JSON.parse(measure), filters: JSON.parse(filters) },
    })),
    forecasts: (forecasts?.results ?? []).map(({ id, name, balance }) => ({ id, name, balance: balance === 1 })),
    sources: named(sources),
  }
}
