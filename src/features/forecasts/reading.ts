import { visibleRunStore } from './shown-runs'
import { forecastStore } from './store'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { decodeCursor } from '../../http/cursor'
import { ProductError } from '../../shared/errors'
import { buildAccuracyLog, actualsKnownBy } from '../../shared/forecast-accuracy'
import type { AccuracyLog } from '../../shared/forecast-accuracy'
import type { ForecastRun, ForecastRunWithResult } from '../../shared/forecasts'
import type { ListPage } from '../../shared/names'
import type { Calendar } from '../../warehouse/contract'

interface RunReadContext {
  deps: Pick<Deps, 'db'>
  scope: Scope
}
/** @throws ProductError `not_found` */
async function assertForecastExists({ deps, scope }: RunReadContext, id: string): Promise<void> {
  if (!(await forecastStore(deps.db, { scope, max: null }).exists(id))) throw new ProductError('not_found')
}

/** Those that the scope may see, the newest first. */
export async function listRuns(
  at: RunReadContext,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<ListPage<ForecastRun>> {
  await assertForecastExists(at, id)
  const after = decodeCursor(cursor, 'forecastRun')
  return visibleRunStore(at.deps.db, at.scope).list({ forecastId: id, limit, after })
}

/** @throws ProductError `not_found` also for one that was made by other rights */
export async function getRun(
  at: RunReadContext,
  run: { forecastId: string; runId: string },
): Promise<ForecastRunWithResult> {
  const found = await visibleRunStore(at.deps.db, at.scope).get(run)
  if (!found) throw new ProductError('not_found')
  return found
}

/** Every past forecast of the present figure against what the newest run knows to have come. */
export async function getAccuracyLog(at: RunReadContext & { calendar: Calendar }, id: string): Promise<AccuracyLog> {
  await assertForecastExists(at, id)
  const runs = await visibleRunStore(at.deps.db, at.scope).snapshots(id)
  const [newest] = runs
  const nothing = { grain: 'month', periods: [], values: [] } as const
  return buildAccuracyLog(runs, newest ? actualsKnownBy(newest.snapshot, at.calendar.today) : nothing)
}
