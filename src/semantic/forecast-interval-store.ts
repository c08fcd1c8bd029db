import { hiddenThings, isVisibleSql } from '../identity/access/hidden-things-store'
import { accessFingerprint, type Scope } from '../scope'
import type { Database } from '../db/database'
import type { ColumnFormat } from '../shared/data-sources/files'
import type { BacktestSummary, ForecastGrain, ForecastLevel } from '../shared/forecasts/result'
import type { ForecastSettings } from '../shared/forecasts/forecasts'
import type { Filter } from '../shared/query/plan'
import type { SubjectRef } from '../shared/monitored-metric'

/** A forecast as far as somebody follows its band. */
interface MonitoredForecast {
  id: string
  name: string
  /** What it is of: runs of another figure say nothing about it. */
  subject: SubjectRef
  filters: Filter[]
  grain: ForecastGrain
  /** Its runs were made by other rights to the rows than the scope's: they say nothing to it (RLS-3). */
  isOfOtherAccess: boolean
}
/** What was said of one period: the middle, and the ends of one band. */
export interface PredictionInterval {
  mean: number
  lower: number
  upper: number
}

interface MonitoredForecastRow {
  id: string
  name: string
  settings: string
  others: number
}

/** Of one workspace; null for whatever is gone or of another one. */
export async function findMonitoredForecast(
  { d1 }: Database,
  scope: Scope,
  id: string,
): Promise<MonitoredForecast | null> {
  const ready = "SELECT 1 FROM forecast_runs r WHERE r.forecast_id = f.id AND r.state = 'ready' AND r.figure = f.figure"
  const row = await d1
    .prepare(
      `SELECT f.id, f.name, f.settings, EXISTS (${ready}) AND NOT EXISTS (${ready} AND r.rights = ?3) AS others
       FROM forecasts f WHERE f.workspace_id = ?1 AND f.id = ?2`,
    )
    .bind(scope.workspaceId, id, accessFingerprint(scope))
    .first<MonitoredForecastRow>()
  if (!row) return null
  // Our own writing, read back.
  const { subject, filters, grain }: ForecastSettings = JSON.parse(row.settings)
  return { id: row.id, name: row.name, subject, filters, grain, isOfOtherAccess: row.others === 1 }
}

/**
 * What was said of each of some periods before they were known: by the newest run that spoke of it as something ahead. A
 * period that no run spoke of is not among them.
 */
export async function readForecastIntervals(
  { d1 }: Database,
  scope: Scope,
  { forecastId, level, periods }: { forecastId: string; level: ForecastLevel; periods: readonly string[] },
): Promise<Map<string, PredictionInterval>> {
  const { results } = await d1
    .prepare(
      `WITH newest AS (
         SELECT p.value AS period, j.key AS step, r.said, max(r.number)
         FROM forecast_runs r, json_each(r.said, '$.future') j JOIN json_each(?4) p ON p.value = j.value
         WHERE r.workspace_id = ?1 AND r.forecast_id = ?2 AND r.state = 'ready' AND r.rights = ?3 AND r.said IS NOT NULL
           AND r.figure = (SELECT f.figure FROM forecasts f WHERE f.id = r.forecast_id)
         GROUP BY p.value)
       SELECT period, json_extract(said, '$.path.mean[' || step || ']') AS mean,
         json_extract(said, '$.path.bands."' || ?5 || '".lower[' || step || ']') AS lower,
         json_extract(said, '$.path.bands."' || ?5 || '".upper[' || step || ']') AS upper FROM newest`,
    )
    .bind(scope.workspaceId, forecastId, accessFingerprint(scope), JSON.stringify(periods), String(level))
    .all<PredictionInterval & { period: string }>()
  return new Map(results.map(({ period, mean, lower, upper }) => [period, { mean, lower, upper }]))
}

/**
 * What the newest run's forecasts of the past, each made from what was known at its time alone, said of the periods that it
 * was tried on: by the newest of them that did not know the period. For trying things, not for telling that they happened.
 */
export async function readBacktestIntervals(
  { d1 }: Database,
  scope: Scope,
  { forecastId, level }: { forecastId: string; level: ForecastLevel },
): Promise<Map<string, PredictionInterval>> {
  const row = await d1
    .prepare(
      `SELECT json_extract(r.result, '$.periods') AS periods, json_extract(r.result, '$.total.backtest.folds') AS folds
       FROM forecast_runs r JOIN forecasts f ON f.id = r.forecast_id AND f.figure = r.figure
       WHERE r.workspace_id = ?1 AND r.forecast_id = ?2 AND r.rights = ?3 AND r.state = 'ready' AND r.result IS NOT NULL
       ORDER BY r.number DESC LIMIT 1`,
    )
    .bind(scope.workspaceId, forecastId, accessFingerprint(scope))
    .first<{ periods: string; folds: string | null }>()
  if (!row || row.folds === null) return new Map()
  // Our own writing, read back.
  const periods: string[] = JSON.parse(row.periods)
  const folds: BacktestSummary['folds'] = JSON.parse(row.folds)
  return new Map(
    folds.flatMap(({ origin, path }) => {
      const { lower, upper } = path.bands[level]
      return path.mean.flatMap((mean, step): [string, PredictionInterval][] => {
        const [period, low, high] = [periods[origin + step], lower[step], upper[step]]
        return period === undefined || low === undefined || high === undefined
          ? []
          : [[period, { mean, lower: low, upper: high }]]
      })
    }),
  )
}

/** A forecast's newest run as far as it says what came. */
interface KnownForecast {
  id: string
  name: string
  grain: ForecastGrain
  level: ForecastLevel
  format: ColumnFormat | null
  /** Oldest first; `future`: those that it did not know. */
  periods: string[]
  raw: (number | null)[]
  future: string[]
}

/** Forecasts that somebody may see and have runs of by their rights, the ones that ran last first. */
export async function readKnownForecasts(db: Database, scope: Scope, limit: number): Promise<KnownForecast[]> {
  const { results } = await db.d1
    .prepare(
      `SELECT f.id, f.name, f.settings, json_extract(r.said, '$.periods') AS periods, json_extract(r.said, '$.raw') AS raw,
         json_extract(r.said, '$.future') AS future, json_extract(r.result, '$.format') AS format
       FROM forecasts f JOIN forecast_runs r ON r.id = (
         SELECT n.id FROM forecast_runs n WHERE n.forecast_id = f.id AND n.state = 'ready' AND n.rights = ?2
           AND n.figure = f.figure AND n.said IS NOT NULL ORDER BY n.number DESC LIMIT 1)
       WHERE f.workspace_id = ?1 AND r.number > 1 AND ${isVisibleSql('f.id', '?3')}
       ORDER BY r.finished_at DESC, f.id LIMIT ?4`,
    )
    .bind(scope.workspaceId, accessFingerprint(scope), await hiddenThings(db, scope), limit)
    .all<Record<'id' | 'name' | 'settings' | 'periods' | 'raw' | 'future', string> & { format: string | null }>()
  return results.map((row) => {
    // Our own writing, read back.
    const { grain, level }: ForecastSettings = JSON.parse(row.settings)
    const format: ColumnFormat | null = row.format === null ? null : JSON.parse(row.format)
    const known: Pick<KnownForecast, 'periods' | 'raw' | 'future'> = {
      ...{ periods: JSON.parse(row.periods), raw: JSON.parse(row.raw), future: JSON.parse(row.future) },
    }
    return { id: row.id, name: row.name, grain, level, format, ...known }
  })
}
