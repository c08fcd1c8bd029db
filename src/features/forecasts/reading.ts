import { shownRuns } from './shown-runs'
import { forecastStore } from './store'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { positionOf } from '../../http/cursor'
import { ProductError } from '../../shared/errors'
import { accuracyOf, knownBy } from '../../shared/forecast-accuracy'
import type { AccuracyLog } from '../../shared/forecast-accuracy'
import type { ForecastRun, ForecastRunWithResult } from '../../shared/forecasts'
import type { Page } from '../../shared/names'
import type { Calendar } from '../../warehouse/contract'

interface Looking {
  deps: Pick<Deps, 'db'>
  scope: Scope
}
/** @throws ProductError `not_found` */
async function refuseUnknown({ deps, scope }: Looking, id: string): Promise<void> {
  if (!(await forecastStore(deps.db, { scope, max: null }).exists(id))) throw new ProductError('not_found')
}

/** Those that the scope may see, the newest first. */
export async function listRuns(
  at: Looking,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<Page<ForecastRun>> {
  await refuseUnknown(at, id)
  const after = positionOf(cursor, 'forecastRun')
  return shownRuns(at.deps.db, at.scope).list({ forecastId: id, limit, after })
}

/** @throws ProductError `not_found` also for one that was made by other rights */
export async function getRun(at: Looking, run: { forecastId: string; runId: string }): Promise<ForecastRunWithResult> {
  const found = await shownRuns(at.deps.db, at.scope).get(run)
  if (!found) throw new ProductError('not_found')
  return found
}

/** Every past forecast of the present figure against what the newest run knows to have come. */
export async function accuracyLog(at: Looking & { calendar: Calendar }, id: string): Promise<AccuracyLog> {
  await refuseUnknown(at, id)
  const runs = await shownRuns(at.deps.db, at.scope).said(id)
  const [newest] = runs
  const nothing = { grain: 'month', periods: [], values: [] } as const
  return accuracyOf(runs, newest ? knownBy(newest.said, at.calendar.today) : nothing)
}
