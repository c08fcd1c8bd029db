import { settingsFingerprint, subjectFingerprint, IS_STALE } from './meaning'
import { toListItem, toForecast, lastRunSql, readyRunSql, readyColumnSql } from './rows'
import type { ForecastRow } from './rows'
import { idOverLimitCondition, overLimitCondition } from '../../access/frozen'
import { accessFingerprint } from '../../access/rights'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { encodeCursor } from '../../http/cursor'
import type { CursorPosition } from '../../http/cursor'
import type { Forecast, ForecastListItem, ForecastSettings, Scenario, Threshold } from '../../shared/forecasts'
import { nameKey } from '../../shared/names'
import type { ListPage } from '../../shared/names'
import type { PlanLimit } from '../../shared/plans'
import type { SubjectRef } from '../../shared/tracked'

/** What people write of a forecast. */
export interface ForecastContent {
  name: string
  settings: ForecastSettings
  scenarios: readonly Scenario[]
}
export interface ForecastPageQuery {
  limit: number
  after: CursorPosition | null
  q: string | undefined
  subject: { kind: SubjectRef['kind']; id: string } | null
}

const SUBJECT_NAME_SQL = `CASE f.subject_kind
  WHEN 'metric' THEN (SELECT m.name FROM metrics m WHERE m.id = f.subject_id AND m.workspace_id = f.workspace_id)
  ELSE (SELECT i.name FROM insights i WHERE i.id = f.subject_id AND i.workspace_id = f.workspace_id
    AND i.deleted_at IS NULL) END`
const selectForecastSql = (
  column: 'said' | 'result',
): string => `SELECT f.id, f.name, f.settings, f.scenarios, f.thresholds, f.owner_id,
  f.version, f.created_at, f.updated_at, u.name AS owner_name, ${SUBJECT_NAME_SQL} AS subject_name, ${IS_STALE} AS stale,
  ${overLimitCondition('forecast', 'f', { workspace: '?1', max: '?2' })} AS frozen,
  ${lastRunSql} AS last, ${readyRunSql('?3')} AS ready, ${readyColumnSql('?3', column)} AS body
  FROM forecasts f JOIN users u ON u.id = f.owner_id WHERE f.workspace_id = ?1`

/** The forecasts of one workspace; `max`: how many its plan has room for. Writes are statements for `commit`. */
export const forecastStore = ({ d1 }: Pick<Database, 'd1'>, { scope, max }: { scope: Scope; max: PlanLimit }) => {
  const { workspaceId } = scope
  const rights = accessFingerprint(scope)
  const contentColumns = ({ name, settings, scenarios }: ForecastContent): string[] => [
    ...[name, nameKey(name), settings.subject.kind, settings.subject.id],
    ...[JSON.stringify(settings), settingsFingerprint(settings, scenarios), subjectFingerprint(settings)],
  ]
  return {
    async get(id: string): Promise<Forecast | null> {
      const row = await d1
        .prepare(`${selectForecastSql('result')} AND f.id = ?4`)
        .bind(workspaceId, max, rights, id)
        .first<ForecastRow>()
      return row && toForecast(row, rights)
    },

    /** The newest first. */
    async list({ limit, after, q = '', subject }: ForecastPageQuery): Promise<ListPage<ForecastListItem>> {
      const { results } = await d1
        .prepare(
          `${selectForecastSql('said')} AND (?4 = '' OR instr(f.name_key, ?4) > 0)
             AND (?5 IS NULL OR (f.subject_kind = ?5 AND f.subject_id = ?6))
             AND (?7 IS NULL OR f.created_at < ?7 OR (f.created_at = ?7 AND f.id < ?8))
           ORDER BY f.created_at DESC, f.id DESC LIMIT ?9`,
        )
        .bind(
          ...[workspaceId, max, rights, nameKey(q), subject?.kind ?? null, subject?.id ?? null],
          ...[after?.at ?? null, after?.id ?? '', limit + 1],
        )
        .all<ForecastRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = results.length > limit && last ? encodeCursor({ at: last.created_at, id: last.id }) : null
      return { items: page.map((row) => toListItem(row, rights)), nextCursor }
    },

    async exists(id: string): Promise<boolean> {
      const found = d1.prepare('SELECT 1 FROM forecasts WHERE workspace_id = ? AND id = ?').bind(workspaceId, id)
      return (await found.first()) !== null
    },

    async count(): Promise<number> {
      const found = d1.prepare('SELECT count(*) AS n FROM forecasts WHERE workspace_id = ?').bind(workspaceId)
      return (await found.first<number>('n')) ?? 0
    },

    /** Ids of metrics that are not here. */
    async unknownMetrics(ids: readonly string[]): Promise<string[]> {
      const { results } = await d1
        .prepare(
          'SELECT value AS id FROM json_each(?2) WHERE value NOT IN (SELECT id FROM metrics WHERE workspace_id = ?1)',
        )
        .bind(workspaceId, JSON.stringify(ids))
        .all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Inserts no row when the plan has no room for one more. */
    insert: (id: string, forecastContent: ForecastContent, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO forecasts (workspace_id, id, name, name_key, subject_kind, subject_id, settings, asked, figure,
             scenarios, owner_id, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '[]', ?10, ?11, ?11
           WHERE ?12 IS NULL OR (SELECT count(*) FROM forecasts WHERE workspace_id = ?1) < ?12`,
        )
        .bind(workspaceId, id, ...contentColumns(forecastContent), scope.actorId, now, max),

    /** Changes no row when another version is stored or it is frozen. `takeOver`: it becomes the asker's own. */
    update: (
      id: string,
      forecastContent: ForecastContent,
      at: { version: number; now: number; takeOver: boolean },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts SET name = ?3, name_key = ?4, subject_kind = ?5, subject_id = ?6, settings = ?7, asked = ?8,
             figure = ?9, updated_at = ?10, version = version + 1, owner_id = coalesce(?11, owner_id)
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?12
             AND NOT ${idOverLimitCondition('forecast', '?2', { workspace: '?1', max: '?13' })}`,
        )
        .bind(
          workspaceId,
          id,
          ...contentColumns(forecastContent),
          at.now,
          at.takeOver ? scope.actorId : null,
          at.version,
          max,
        ),

    /** Changes no row when another version is stored or it is frozen. */
    setScenarios: (
      id: string,
      content: ForecastContent & { thresholds: readonly Threshold[] },
      at: { version: number; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts SET scenarios = ?3, thresholds = ?4, asked = ?5, updated_at = ?6, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?7
             AND NOT ${idOverLimitCondition('forecast', '?2', { workspace: '?1', max: '?8' })}`,
        )
        .bind(
          ...[workspaceId, id, JSON.stringify(content.scenarios), JSON.stringify(content.thresholds)],
          ...[settingsFingerprint(content.settings, content.scenarios), at.now, at.version, max],
        ),

    /** Changes no row when another version is stored. Its runs go with it. */
    remove: (id: string, version: number): D1PreparedStatement =>
      d1
        .prepare('DELETE FROM forecasts WHERE workspace_id = ? AND id = ? AND version = ?')
        .bind(workspaceId, id, version),
  }
}
