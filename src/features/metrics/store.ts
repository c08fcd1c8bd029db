import { readDependentReports } from '../../semantic/dependent-reports-store'
import { hiddenThings, isVisibleSql, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import { usedColumns, type ValidatedPlan } from '../../semantic/query-service'
import { toIso } from '../../lib/iso'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { METRICS_MAX, type Metric, type MetricDependent } from '../../shared/metrics'
import { nameKey } from '../../shared/field-schemas'

/** A metric as it is kept, with what was vouched for. */
export type StoredMetric = Metric & { verifiedHash: string | null }
type ParsedColumn = 'synonyms' | 'measure' | 'filters' | 'time' | 'format'
/** `verified`: since when, epoch milliseconds. */
type MetricRow = Omit<StoredMetric, ParsedColumn | 'verified' | 'createdAt' | 'updatedAt'> &
  Record<'synonyms' | 'measure' | 'filters', string> &
  Record<'time' | 'format' | 'verifiedBy' | 'verifiedByName', string | null> &
  Record<'createdAt' | 'updatedAt', number> & { verified: number | null }

/** Our own writing, read back. */
function toStoredMetric({ verifiedBy, verifiedByName, ...row }: MetricRow): StoredMetric {
  const parsed: Pick<Metric, ParsedColumn> = {
    synonyms: JSON.parse(row.synonyms),
    measure: JSON.parse(row.measure),
    filters: JSON.parse(row.filters),
    time: row.time === null ? null : JSON.parse(row.time),
    format: row.format === null ? null : JSON.parse(row.format),
  }
  const verified =
    verifiedBy !== null && row.verified !== null
      ? { by: verifiedBy, byName: verifiedByName ?? '', at: toIso(row.verified) }
      : null
  return { ...row, ...parsed, verified, createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) }
}

const SELECT = `SELECT m.id, m.name, m.description, m.dataset_id AS dataset, m.formula, m.direction, m.version,
    m.verified_at AS verified, m.verified_by AS verifiedBy, v.name AS verifiedByName, m.synonyms, m.measure, m.filters,
    m.time_field AS time, m.format, m.currency_mode AS currencyMode, m.verified_hash AS verifiedHash,
    m.created_at AS createdAt, m.updated_at AS updatedAt, m.owner_id AS ownerId, o.name AS ownerName
  FROM metrics m JOIN users o ON o.id = m.owner_id LEFT JOIN users v ON v.id = m.verified_by WHERE m.workspace_id = ?1`
const COUNT = '(SELECT count(*) FROM metrics WHERE workspace_id = ?1)'

const contentValues = (metric: Metric): (string | null)[] => [
  ...[metric.name, JSON.stringify(metric.synonyms), metric.description, metric.dataset],
  ...[JSON.stringify(metric.measure), metric.formula, JSON.stringify(metric.filters)],
  ...[metric.time && JSON.stringify(metric.time), metric.direction, metric.format && JSON.stringify(metric.format)],
  metric.currencyMode,
]

/** The metrics of one workspace. Writes are statements for `commit`. */
export const metricStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    /** By name. */
    async list(dataset?: string): Promise<StoredMetric[]> {
      const { results } = await d1
        .prepare(
          `${SELECT} AND (?2 IS NULL OR m.dataset_id = ?2) AND ${isVisibleSql('m.id', '?3')} ORDER BY m.name COLLATE NOCASE, m.id`,
        )
        .bind(workspaceId, dataset ?? null, await hiddenThings({ d1 }, scope))
        .all<MetricRow>()
      return results.map(toStoredMetric)
    },

    async get(id: string): Promise<StoredMetric | null> {
      const row = await d1
        .prepare(`${SELECT} AND m.id = ?2 AND ${isVisibleSql('m.id', '?3')}`)
        .bind(workspaceId, id, await hiddenThings({ d1 }, scope))
        .first<MetricRow>()
      return row ? toStoredMetric(row) : null
    },

    async count(): Promise<number> {
      return (await d1.prepare(`SELECT ${COUNT} AS n`).bind(workspaceId).first<number>('n')) ?? 0
    },

    /** Names and synonyms that are taken, in the form under which they are unique, and whose rows they measure. */
    async takenNames(): Promise<Map<string, string>> {
      const { results } = await d1
        .prepare(
          `SELECT n.name_key, m.dataset_id FROM metric_names n JOIN metrics m ON m.id = n.metric_id
           WHERE n.workspace_id = ?`,
        )
        .bind(workspaceId)
        .all<{ name_key: string; dataset_id: string }>()
      return new Map(results.map(({ name_key, dataset_id }) => [name_key, dataset_id]))
    },

    /** Inserts no row when the workspace holds all the metrics it may. */
    insert: (metric: Metric): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO metrics (workspace_id, id, name, synonyms, description, dataset_id, measure, formula, filters,
             time_field, direction, format, currency_mode, owner_id, version, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 WHERE ${COUNT} < ${METRICS_MAX}`,
        )
        .bind(
          ...[workspaceId, metric.id, ...contentValues(metric), metric.ownerId, metric.version],
          ...[Date.parse(metric.createdAt), Date.parse(metric.updatedAt)],
        ),

    /** Changes no row when another version is stored. Who vouched for another meaning no longer does. */
    update: (next: Metric): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE metrics SET name = ?3, synonyms = ?4, description = ?5, dataset_id = ?6, measure = ?7, formula = ?8,
             filters = ?9, time_field = ?10, direction = ?11, format = ?12, currency_mode = ?13, version = ?14,
             updated_at = ?15, verified_by = iif(?16, verified_by, NULL), verified_at = iif(?16, verified_at, NULL),
             verified_hash = iif(?16, verified_hash, NULL)
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?14 - 1`,
        )
        .bind(
          ...[workspaceId, next.id, ...contentValues(next), next.version, Date.parse(next.updatedAt)],
          next.verified === null ? 0 : 1,
        ),

    /** The names it is known by, in the place of those it had; one that is taken fails the batch. */
    saveNames: ({ id, name, synonyms }: Pick<Metric, 'id' | 'name' | 'synonyms'>): D1PreparedStatement[] => [
      d1.prepare('DELETE FROM metric_names WHERE workspace_id = ? AND metric_id = ?').bind(workspaceId, id),
      d1
        .prepare('INSERT INTO metric_names (workspace_id, name_key, metric_id) SELECT ?, value, ? FROM json_each(?)')
        .bind(workspaceId, id, JSON.stringify([name, ...synonyms].map(nameKey))),
    ],

    /** What it reads, for "used by". */
    saveFields: (id: string, read: ValidatedPlan): D1PreparedStatement[] => [
      d1.prepare('DELETE FROM metric_fields WHERE metric_id = ?').bind(id),
      d1
        .prepare(
          `INSERT OR IGNORE INTO metric_fields (metric_id, dataset_id, column_key)
           SELECT ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
        )
        .bind(id, JSON.stringify(usedColumns(read))),
    ],

    /** With its targets. The first statement changes no row when another version is stored. */
    remove: (id: string, version: number): D1PreparedStatement[] => [
      d1
        .prepare('DELETE FROM metrics WHERE workspace_id = ? AND id = ? AND version = ?')
        .bind(workspaceId, id, version),
      d1
        .prepare("DELETE FROM targets WHERE workspace_id = ? AND subject_kind = 'metric' AND subject_id = ?")
        .bind(workspaceId, id),
    ],

    verify: (id: string, at: { version: number; hash: string; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE metrics SET verified_by = ?4, verified_at = ?5, verified_hash = ?6
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3`,
        )
        .bind(workspaceId, id, at.version, scope.actorId, at.now, at.hash),

    unverify: (id: string, version: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE metrics SET verified_by = NULL, verified_at = NULL, verified_hash = NULL
           WHERE workspace_id = ? AND id = ? AND version = ?`,
        )
        .bind(workspaceId, id, version),

    /** Live insights and metrics that name it, forecasts made through it, and the alerts and targets set on it; by kind and name. */
    async dependents(id: string, most: number): Promise<MetricDependent[]> {
      const { results } = await d1
        .prepare(
          `SELECT type, id, name FROM (
             SELECT 1 AS rank, 'insight' AS type, id, name FROM insights
             WHERE workspace_id = ?1 AND deleted_at IS NULL AND instr(plan, ?3) > 0
             UNION ALL SELECT 2, 'metric', id, name FROM metrics
             WHERE workspace_id = ?1 AND id <> ?2 AND instr(measure, ?3) > 0
             UNION ALL SELECT 3, 'forecast', id, name FROM forecasts
             WHERE workspace_id = ?1 AND (subject_id = ?2 OR instr(scenarios, ?3) > 0 OR instr(named, ?3) > 0)
             UNION ALL SELECT 4, 'alert', id, name FROM alerts
             WHERE workspace_id = ?1 AND subject_kind = 'metric' AND subject_id = ?2
             UNION ALL SELECT 5, 'target', t.id, m.name FROM targets t JOIN metrics m ON m.id = t.subject_id
             WHERE t.workspace_id = ?1 AND t.subject_kind = 'metric' AND t.subject_id = ?2)
           ORDER BY rank, name COLLATE NOCASE, id LIMIT ?4`,
        )
        .bind(workspaceId, id, JSON.stringify(id), most)
        .all<MetricDependent>()
      const reports = await readDependentReports({ d1 }, scope, {
        items: [id],
        most: Math.max(0, most - results.length),
      })
      const named = [...results.map(({ type, id: by, name }) => ({ type, id: by, name })), ...reports]
      return withoutHiddenNames(await hiddenThings({ d1 }, scope), named)
    },
  }
}
