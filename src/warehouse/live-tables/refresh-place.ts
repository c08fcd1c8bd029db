import { saveLivePlace, findLivePlace, type CheckedPlace } from './live-places'
import { SourceSession, type SessionHost } from './source-session'
import type { LivePlace, SourceLogin } from '../contract'
import type { WarehouseContext } from '../context'
import { queryCatalogue } from '../query-catalogue'
import type { ForeignDatabase } from '../pushdown/foreign-database'
import { foreignVisible } from '../pushdown/foreign-records'
import { planContextOf } from '../query/make-context'
import { relationGraph } from '../query/plan/relation-graph'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { FULL_RIGHTS, type ScopeWire } from '../../scope'
import type { Calendar } from '../../shared/dates'

/** A place is checked again when its last check is older than this, so that periods end where the rows do. */
const PLACE_FRESH_MS = 10 * 60_000
/** Of no matter: only how many rows there are, and their ends, are asked for. */
const CALENDAR: Calendar = {
  ...{ timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, numberLocale: 'en-GB', today: '2000-01-01' },
}

interface PlaceCheck {
  rowCount: number
  /** What the source said against it: what was known stays. */
  refusal: Error | null
}

/** Counts the rows of a dataset where they lie, and reads the first and last value of their date columns. */
function* refreshPlace(
  context: WarehouseContext,
  session: SourceSession,
  of: { scope: ScopeWire; datasetId: string; place: LivePlace },
): QuerySteps<PlaceCheck> {
  const { datasetId, place } = of
  const before = findLivePlace(context, datasetId)
  const unseen: CheckedPlace = { ...place, rowCount: 0, bounds: {}, checkedAt: 0 }
  // Its own database looks the table up here.
  saveLivePlace(context, datasetId, before ? { ...before, ...place } : unseen)
  const scope = { ...of.scope, ...FULL_RIGHTS }
  const catalogue = queryCatalogue(context, scope)
  const planContext = planContextOf(
    { scope, calendar: CALENDAR, catalogue },
    { graph: relationGraph(catalogue), period: null },
  )
  const columns = (catalogue.find(datasetId)?.columns ?? []).flatMap(({ key, type, computed }) =>
    (type === 'date' || type === 'datetime') && !computed ? [key] : [],
  )
  const database = session.database(place)
  const refusals: Error[] = []
  const listening: ForeignDatabase = {
    ...database,
    read: (statement, rowsMax) =>
      database.read(statement, rowsMax).catch((thrown: unknown) => {
        refusals.push(thrown instanceof Error ? thrown : new Error(String(thrown)))
        return []
      }),
  }
  const { count, bounds } = yield* foreignVisible(planContext, { dataset: datasetId, columns }, listening)
  const checkedAt = context.clock.now()
  const [refusal = null] = refusals
  if (refusal) {
    saveLivePlace(context, datasetId, { ...(before ?? unseen), ...place, checkedAt })
    return { rowCount: before?.rowCount ?? 0, refusal }
  }
  saveLivePlace(context, datasetId, { ...place, rowCount: count, bounds, checkedAt })
  return { rowCount: count, refusal: null }
}

/** The same at once, over a connection of its own. What fails leaves what was known. @throws ProductError `source_failed` */
export async function refreshPlaceNow(
  host: SessionHost,
  of: { scope: ScopeWire; datasetId: string; place: LivePlace; login: SourceLogin },
): Promise<{ rowCount: number }> {
  const session = new SourceSession(host, [of.login])
  try {
    const steps = refreshPlace(host.context(), session, of)
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) {
        const { refusal, ...seen } = value
        if (refusal) throw refusal
        return seen
      }
      await value
    }
  } finally {
    await session.close()
  }
}

/** Checks places again whose last check is old. What the source says against it is for the question itself to hear. */
export function* refreshStalePlaces(
  context: WarehouseContext,
  session: SourceSession,
  of: { scope: ScopeWire; datasets: readonly string[] },
): QuerySteps<void> {
  for (const datasetId of of.datasets) {
    const place = findLivePlace(context, datasetId)
    if (!place || context.clock.now() - place.checkedAt < PLACE_FRESH_MS) continue
    const { rowCount: _count, bounds: _bounds, checkedAt: _at, ...known } = place
    yield* refreshPlace(context, session, { scope: of.scope, datasetId, place: known })
  }
}
