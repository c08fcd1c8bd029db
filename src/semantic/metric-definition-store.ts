import { hiddenThings, isVisibleSql } from '../identity/access/hidden-things-store'
import type { MetricDefinition, MetricDefinitions } from './metric-definitions'
import type { Scope } from '../scope'
import type { Database } from '../db/database'
import { METRIC_DEPTH_MAX } from '../shared/metrics'
import { metricIdsOf } from '../shared/query/plan-fields'
import type { Measure } from '../shared/query/plan'

type MetricDefinitionRow = Omit<MetricDefinition, 'measure' | 'filters' | 'format'> & {
  measure: string
  filters: string
  format: string | null
}

/** The metrics that measures name, and those that these name, of the scope's workspace. Unknown ones are left out. */
export async function readMetricDefinitions(
  { db }: { db: Database },
  scope: Scope,
  measures: readonly Measure[],
): Promise<MetricDefinitions> {
  const found = new Map<string, MetricDefinition>()
  let wanted = metricIdsOf(measures)
  const hidden = wanted.length === 0 ? '[]' : await hiddenThings(db, scope)
  for (let depth = 0; wanted.length > 0 && depth < METRIC_DEPTH_MAX; depth += 1) {
    const { results } = await db.d1
      .prepare(
        `SELECT id, name, measure, filters, format, currency_mode AS currencyMode FROM metrics
         WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND ${isVisibleSql('id', '?3')}`,
      )
      .bind(scope.workspaceId, JSON.stringify(wanted), hidden)
      .all<MetricDefinitionRow>()
    const read = results.map(definitionFromRow)
    for (const definition of read) found.set(definition.id, definition)
    wanted = metricIdsOf(read.map(({ measure }) => measure)).filter((id) => !found.has(id))
  }
  return found
}

/** Our own writing, read back. */
function definitionFromRow(row: MetricDefinitionRow): MetricDefinition {
  const parsed: Pick<MetricDefinition, 'measure' | 'filters' | 'format'> = {
    measure: JSON.parse(row.measure),
    filters: JSON.parse(row.filters),
    format: row.format === null ? null : JSON.parse(row.format),
  }
  return { ...row, ...parsed }
}
