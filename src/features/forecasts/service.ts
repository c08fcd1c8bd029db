import type { z } from 'zod'
import { settingsFingerprint } from './input-fingerprint'
import { runOutboxEntry, forecastRunStore, visibleRunStore } from './run-store'
import { forecastStore } from './store'
import type { ForecastContent } from './store'
import type { Membership } from '../../scope'
import { overLimit } from '../../entitlements/limits'
import { validatePlan } from '../../semantic/query-service'
import { findMonitoredMetric } from '../../semantic/monitored-metric'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { Commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { decodeCursor } from '../../http/pagination'
import { ProductError } from '../../shared/errors'
import { driverMetricIds, pickSettings } from '../../shared/forecasts/forecasts'
import type {
  createForecastSchema,
  Forecast,
  ForecastListItem,
  ForecastRun,
  ForecastSettings,
  ListForecastsQuery,
  SaveScenarios,
  updateForecastSchema,
  ForecastRunWithResult,
} from '../../shared/forecasts/forecasts'
import type { ListPage } from '../../shared/field-schemas'
import { buildAccuracyLog, actualsKnownBy } from '../../shared/forecasts/accuracy'
import type { AccuracyLog } from '../../shared/forecasts/accuracy'
import type { CalendarContext } from '../../semantic/calendar'
import type { ReadContext } from '../../deps'

type ForecastReadContext = ReadContext & { membership: Pick<Membership, 'entitlements'> }

const maxForecasts = ({ membership }: Pick<ForecastReadContext, 'membership'>) =>
  membership.entitlements.features.activeForecasts
const storeOf = (context: ForecastReadContext) =>
  forecastStore(context.deps.db, { scope: context.scope, max: maxForecasts(context) })

export function listForecasts(
  context: ForecastReadContext,
  { limit, cursor, q, insight, metric }: ListForecastsQuery,
): Promise<ListPage<ForecastListItem>> {
  const of = insight === undefined ? null : ({ kind: 'insight', id: insight } as const)
  const subject = metric === undefined ? of : ({ kind: 'metric', id: metric } as const)
  return storeOf(context).list({ limit, after: decodeCursor(cursor, 'forecast'), q, subject })
}

/** @throws ProductError `not_found` */
export async function getForecast(context: ForecastReadContext, id: string): Promise<Forecast> {
  const forecast = await storeOf(context).get(id)
  if (!forecast) throw new ProductError('not_found')
  return forecast
}

/**
 * A forecast, whose first run is queued with it.
 * @throws ProductError `name_taken`, `limit_reached`; `invalid_input` for what has no date or is gone
 */
export async function createForecast(
  context: RequestContext,
  { name, ...given }: z.output<typeof createForecastSchema>,
): Promise<Forecast> {
  const { deps, actor } = context
  const settings = pickSettings(given)
  const subjectName = await checkSettings(context, settings)
  const now = deps.clock.now()
  const id = deps.ids.next('forecast')
  const first = newRun(context, { forecastId: id, number: 1, now })
  const at = toIso(now)
  const made: Forecast = {
    ...{ ...settings, id, name, subjectName, scenarios: [], thresholds: [] },
    ...{ state: 'queued', frozen: false, lastRun: first.run, ready: null },
    ...{ ownerId: actor.userId, ownerName: actor.name, version: 1, createdAt: at, updatedAt: at },
  }
  await rethrowNameTaken(
    'forecasts.workspace_id',
    commit(deps, {
      change: [storeOf(context).insert(id, { name, settings, scenarios: [] }, now), ...first.change],
      audit: [auditOf(context, { action: 'forecast.create', id, after: { name, ...settings } })],
      outbox: first.outbox,
      reply: context.reply(made),
      expect: { onMissed: () => limitReached(context) },
    }),
  )
  return made
}

/**
 * Other settings queue a run; another name does not. A forecast whose owner is gone becomes that of whoever saves it.
 * @throws ProductError `version_conflict` with the stored one as `current`; `read_only` when it is frozen; as {@link createForecast}
 */
export async function updateForecast(
  context: RequestContext,
  { id, input: { name, version, ...given } }: { id: string; input: z.output<typeof updateForecastSchema> },
): Promise<Forecast> {
  const before = await getForecast(context, id)
  if (before.version !== version) throw versionConflict(before)
  const settings = pickSettings(given)
  await checkSettings(context, settings)
  const content: ForecastContent = { name, settings, scenarios: before.scenarios }
  const at = {
    version,
    now: context.deps.clock.now(),
    takeOver: before.lastRun?.trouble?.code === 'owner_gone',
  }
  return save(context, {
    before,
    next: { ...before, ...settings, name, version: version + 1 },
    statement: storeOf(context).update(id, content, at),
    action: 'forecast.update',
    needsRun: at.takeOver || needsRerun(before, content),
  })
}

/**
 * All scenarios and levels that matter at once. One that takes figures of a metric which no run has forecast queues a run.
 * @throws ProductError as {@link updateForecast}; `invalid_input` for a metric that is not here
 */
export async function saveScenarios(
  context: RequestContext,
  { id, input: { scenarios, thresholds, version } }: { id: string; input: SaveScenarios },
): Promise<Forecast> {
  const before = await getForecast(context, id)
  if (before.version !== version) throw versionConflict(before)
  const unknown = await storeOf(context).unknownMetrics(driverMetricIds(scenarios))
  if (unknown.length > 0)
    throw new ProductError('invalid_input', { fields: { scenarios: 'Metric not found. Choose another.' } })
  const content = { name: before.name, settings: pickSettings(before), scenarios, thresholds }
  return save(context, {
    before,
    next: { ...before, scenarios, thresholds, version: version + 1 },
    statement: storeOf(context).setScenarios(id, content, {
      version,
      now: context.deps.clock.now(),
    }),
    action: 'forecast.scenarios',
    needsRun: needsRerun(before, content),
  })
}

interface ForecastSave {
  before: Forecast
  next: Forecast
  statement: D1PreparedStatement
  action: string
  /** Whether what a run finds would be something else. */
  needsRun: boolean
}
async function save(
  context: RequestContext,
  { before, next, statement, action, needsRun }: ForecastSave,
): Promise<Forecast> {
  const { deps } = context
  const { id } = before
  if (before.frozen) throw overLimitError()
  const run = needsRun ? newRun(context, { forecastId: id, number: 0, now: deps.clock.now() }) : null
  const work: Commit = {
    change: [statement, ...(run?.change ?? [])],
    audit: [auditOf(context, { action, id, before: withoutResult(before), after: withoutResult(next) })],
    outbox: run?.outbox ?? [],
    reply: context.reply(withoutResult({ ...next, state: run && next.state !== 'running' ? 'queued' : next.state })),
    expect: {
      onMissed: async () => {
        const current = await getForecast(context, id)
        return current.version === before.version ? overLimitError() : versionConflict(current)
      },
    },
  }
  await rethrowNameTaken('forecasts.workspace_id', commit(deps, work))
  return getForecast(context, id)
}

/** Without what its newest run found, which nobody edits: a row of the database may not hold it and the rest. */
const withoutResult = (forecast: Forecast): Forecast => ({
  ...forecast,
  ready: forecast.ready && { ...forecast.ready, result: null },
})

/** @throws ProductError `version_conflict` with the stored one as `current` */
export async function deleteForecast(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<{ id: string }> {
  const before = await getForecast(context, id)
  if (before.version !== version) throw versionConflict(before)
  await commit(context.deps, {
    change: [storeOf(context).remove(id, version)],
    audit: [auditOf(context, { action: 'forecast.delete', id, before: withoutResult(before) })],
    reply: context.reply({ id }),
    expect: { onMissed: async () => versionConflict(await getForecast(context, id)) },
  })
  return { id }
}

/**
 * Asks for a run, done in the background: the one that is queued or under way, where there is one.
 * @throws ProductError `read_only` when it is frozen
 */
export async function requestRun(context: RequestContext, id: string): Promise<ForecastRun> {
  const { deps, scope } = context
  const forecast = await getForecast(context, id)
  if (forecast.frozen) throw overLimitError()
  const runs = forecastRunStore(deps.db, scope)
  const open = await runs.findOpen(id)
  if (open) return open
  const made = newRun(context, {
    forecastId: id,
    number: (forecast.lastRun?.number ?? 0) + 1,
    now: deps.clock.now(),
  })
  try {
    await commit(deps, {
      change: made.change,
      audit: [auditOf(context, { action: 'forecast.run', id })],
      outbox: made.outbox,
      reply: context.reply(made.run),
      expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
    })
    return (await runs.findOpen(id)) ?? made.run
  } catch (error) {
    const other = error instanceof ProductError && error.code === 'busy' ? await runs.findOpen(id) : null
    if (other) return other
    throw error
  }
}

/** A run that waits, as statements and as it is told. A run that has begun already is followed by another. */
function newRun(
  context: RequestContext,
  { forecastId, number, now }: { forecastId: string; number: number; now: number },
) {
  const { deps, scope, actor } = context
  const runId = deps.ids.next('forecastRun')
  const runs = forecastRunStore(deps.db, scope)
  const run: ForecastRun = {
    ...{ id: runId, number, state: 'queued', startedAt: toIso(now), finishedAt: null },
    ...{ trouble: null, dataAsOf: null, grade: null, byName: actor.name },
  }
  return {
    run,
    change: [runs.queue({ forecastId, runId, by: actor.userId, now }), runs.requestRerun(forecastId)],
    outbox: [runOutboxEntry({ workspaceId: scope.workspaceId, runId })],
  }
}

/** That it can be asked at all. @returns what the subject is called */
async function checkSettings(context: RequestContext, { subject, by, filters }: ForecastSettings): Promise<string> {
  const found = await findMonitoredMetric(context.deps, context.scope, subject)
  if (!found.ok)
    throw new ProductError('invalid_input', {
      fields: {
        subject:
          found.why === 'gone' ? 'Not found. Choose another.' : 'No date column, or a moving figure. Choose another.',
      },
    })
  const { monitoredMetric, name } = found
  if (by === null && filters.length === 0) return name
  await validatePlan(context.deps, context.scope, {
    ...{ v: 2, kind: 'aggregate', measures: [monitoredMetric.measure], dimensions: by ? [by] : [] },
    filters: [...monitoredMetric.filters, ...filters],
    ...(monitoredMetric.dataset === undefined ? {} : { dataset: monitoredMetric.dataset }),
  })
  return name
}

const needsRerun = (before: Forecast, { settings, scenarios }: ForecastContent): boolean =>
  settingsFingerprint(pickSettings(before), before.scenarios) !== settingsFingerprint(settings, scenarios)

const versionConflict = (current: Forecast): ProductError => new ProductError('version_conflict', { current })
const overLimitError = (): ProductError =>
  overLimit('This forecast is over the plan limit. It shows its last result and can be deleted.')
async function limitReached(context: RequestContext): Promise<ProductError> {
  return new ProductError('limit_reached', {
    limit: 'activeForecasts',
    used: await storeOf(context).count(),
    max: maxForecasts(context),
  })
}

const auditOf = auditEntryFactory('forecast')

/** @throws ProductError `not_found` */
async function assertForecastExists({ deps, scope }: ReadContext, id: string): Promise<void> {
  if (!(await forecastStore(deps.db, { scope, max: null }).exists(id))) throw new ProductError('not_found')
}

/** Those that the scope may see, the newest first. */
export async function listRuns(
  at: ReadContext,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<ListPage<ForecastRun>> {
  await assertForecastExists(at, id)
  const after = decodeCursor(cursor, 'forecastRun')
  return visibleRunStore(at.deps.db, at.scope).list({ forecastId: id, limit, after })
}

/** @throws ProductError `not_found` also for one that was made by other rights */
export async function getRun(
  at: ReadContext,
  run: { forecastId: string; runId: string },
): Promise<ForecastRunWithResult> {
  const found = await visibleRunStore(at.deps.db, at.scope).get(run)
  if (!found) throw new ProductError('not_found')
  return found
}

/** Every past forecast of the present figure against what the newest run knows to have come. */
export async function getAccuracyLog(at: CalendarContext, id: string): Promise<AccuracyLog> {
  await assertForecastExists(at, id)
  const runs = await visibleRunStore(at.deps.db, at.scope).snapshots(id)
  const [newest] = runs
  const nothing = { grain: 'month', periods: [], values: [] } as const
  return buildAccuracyLog(runs, newest ? actualsKnownBy(newest.snapshot, at.calendar.today) : nothing)
}
