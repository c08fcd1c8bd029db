import { accessFingerprint } from '../../identity/scope'
import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import { csvLine } from '../../shared/csv-line'
import { FORECAST_LEVELS } from '../../shared/forecasts/result'
import type { ForecastPath } from '../../shared/forecasts/result'

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
/** Runs read at once; each is some kilobytes. */
const PAGE = 100

interface ForecastRecordRow {
  id: string
  name: string
  settings: string
  scenarios: string
  thresholds: string
  ownerId: string
  ownerName: string
  created_at: number
  updated_at: number
}
interface ForecastRunRow {
  cursor: number
  name: string
  number: number
  finished_at: number | null
  said: string
}
type RunSnapshot = { future: string[]; path: ForecastPath }

/** Forecasts of a workspace and what each run said, as plain data. Runs made by other rights than the asker's are left out. */
export const forecastRecords = ({ d1 }: Database, scope: Scope) => ({
  async forecasts() {
    const { results } = await d1
      .prepare(
        `SELECT f.id, f.name, f.settings, f.scenarios, f.thresholds, f.owner_id AS ownerId, u.name AS ownerName,
           f.created_at, f.updated_at
         FROM forecasts f JOIN users u ON u.id = f.owner_id WHERE f.workspace_id = ? ORDER BY f.name_key`,
      )
      .bind(scope.workspaceId)
      .all<ForecastRecordRow>()
    return results.map(({ settings, scenarios, thresholds, created_at, updated_at, ...row }) => {
      const said: { settings: unknown; scenarios: unknown; thresholds: unknown } = {
        settings: JSON.parse(settings),
        scenarios: JSON.parse(scenarios),
        thresholds: JSON.parse(thresholds),
      }
      return { ...row, ...said, createdAt: iso(created_at), updatedAt: iso(updated_at) }
    })
  },

  /** What every run said of each period ahead, the oldest first, read while it is written. */
  async *runs(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    const bands = FORECAST_LEVELS.flatMap((level) => [`Low ${level} %`, `High ${level} %`])
    yield encoder.encode(`\ufeff${csvLine(['Forecast', 'Run', 'At', 'Period', 'Middle', ...bands])}`)
    for (let after = 0; ;) {
      const { results } = await d1
        .prepare(
          `SELECT r.rowid AS cursor, f.name, r.number, r.finished_at, r.said FROM forecast_runs r
           JOIN forecasts f ON f.id = r.forecast_id
           WHERE r.workspace_id = ? AND r.rights = ? AND r.said IS NOT NULL AND r.rowid > ? ORDER BY r.rowid LIMIT ${PAGE}`,
        )
        .bind(scope.workspaceId, accessFingerprint(scope), after)
        .all<ForecastRunRow>()
      yield encoder.encode(results.flatMap(csvLinesOf).join(''))
      const last = results.at(-1)
      if (!last || results.length < PAGE) return
      after = last.cursor
    }
  },
})

function csvLinesOf({ name, number, finished_at, said }: ForecastRunRow): string[] {
  const { future, path }: RunSnapshot = JSON.parse(said)
  return future.map((period, at) =>
    csvLine([
      ...[name, number, iso(finished_at), period, path.mean[at] ?? null],
      ...FORECAST_LEVELS.flatMap((level) => [path.bands[level].lower[at] ?? null, path.bands[level].upper[at] ?? null]),
    ]),
  )
}
