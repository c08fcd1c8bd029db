import { parseResult, RUN_COLUMNS, toForecastRun, parseSnapshot } from './rows'
import type { RunRow } from './rows'
import { accessFingerprint } from '../../access/rights'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { encodeCursor } from '../../http/cursor'
import type { CursorPosition } from '../../http/cursor'
import type { PastRun } from '../../shared/forecast-accuracy'
import type { ForecastRun, ForecastRunWithResult } from '../../shared/forecasts'
import type { ListPage } from '../../shared/names'

/** Texts that are read at once; of days, some hundred runs. */
const SNAPSHOTS_MAX_CHARS = 8_000_000

export interface RunPageQuery {
  forecastId: string
  limit: number
  after: CursorPosition | null
}

/** Runs as a scope may see them: those that were made by its own rights, and those that have found nothing yet. */
export const visibleRunStore = ({ d1 }: Pick<Database, 'd1'>, scope: Scope) => {
  const { workspaceId } = scope
  const rights = accessFingerprint(scope)
  return {
    /** The newest first. */
    async list({ forecastId, limit, after }: RunPageQuery): Promise<ListPage<ForecastRun>> {
      const { results } = await d1
        .prepare(
          `SELECT ${RUN_COLUMNS} FROM forecast_runs r WHERE r.workspace_id = ?1 AND r.forecast_id = ?2
             AND r.rights IN ('', ?3) AND (?4 IS NULL OR r.number < ?4) ORDER BY r.number DESC LIMIT ?5`,
        )
        .bind(workspaceId, forecastId, rights, after?.at ?? null, limit + 1)
        .all<RunRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = results.length > limit && last ? encodeCursor({ at: last.number, id: last.id }) : null
      return { items: page.map(toForecastRun), nextCursor }
    },

    async get(at: { forecastId: string; runId: string }): Promise<ForecastRunWithResult | null> {
      const row = await d1
        .prepare(
          `SELECT ${RUN_COLUMNS}, r.result FROM forecast_runs r
           WHERE r.workspace_id = ? AND r.forecast_id = ? AND r.id = ? AND r.rights IN ('', ?)`,
        )
        .bind(workspaceId, at.forecastId, at.runId, rights)
        .first<RunRow & { result: string | null }>()
      return row && { ...toForecastRun(row), result: parseResult(row.result) }
    },

    /** What runs of the present figure said, the newest first, as many as are read at once. */
    async snapshots(forecastId: string): Promise<PastRun[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, number, startedAt, said FROM (
             SELECT r.id, r.number, coalesce(r.started_at, r.created_at) AS startedAt, r.said,
               sum(length(r.said)) OVER (ORDER BY r.number DESC) AS chars
             FROM forecast_runs r JOIN forecasts f ON f.id = r.forecast_id
             WHERE r.workspace_id = ? AND r.forecast_id = ? AND r.state = 'ready' AND r.rights = ? AND r.figure = f.figure
               AND r.said IS NOT NULL)
           WHERE chars <= ${SNAPSHOTS_MAX_CHARS} ORDER BY number DESC`,
        )
        .bind(workspaceId, forecastId, rights)
        .all<{ id: string; number: number; startedAt: number; said: string }>()
      return results.map(({ startedAt, said, ...run }) => ({
        ...{ ...run, startedAt: new Date(startedAt).toISOString(), snapshot: parseSnapshot(said) },
      }))
    },
  }
}
