import type { z } from 'zod'
import { askedOf } from './meaning'
import { runEntry, runStore } from './runs'
import { forecastStore } from './store'
import type { Content } from './store'
import type { Actor, Membership } from '../../access/actor'
import { frozen } from '../../access/frozen'
import { checkAgainstCatalogue } from '../../access/plan-check'
import { findTracked } from '../../access/tracked'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import type { Commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { positionOf } from '../../http/cursor'
import { ProductError } from '../../shared/errors'
import { driversOf } from '../../shared/forecasts'
import type {
  createForecastSchema,
  Forecast,
  ForecastCard,
  ForecastRun,
  ForecastSettings,
  ListForecastsQuery,
  SaveScenarios,
  updateForecastSchema,
} from '../../shared/forecasts'
import type { Page } from '../../shared/names'

export interface Ask extends Asking {
  deps: Deps
  actor: Pick<Actor, 'userId' | 'name'>
  membership: Pick<Membership, 'entitlements'>
}
type Looking = Pick<Ask, 'deps' | 'scope' | 'membership'>

const maxOf = ({ membership }: Pick<Ask, 'membership'>) => membership.entitlements.features.activeForecasts
const storeOf = (ask: Looking) => forecastStore(ask.deps.db, { scope: ask.scope, max: maxOf(ask) })

export function listForecasts(
  ask: Looking,
  { limit, cursor, q, insight, metric }: ListForecastsQuery,
): Promise<Page<ForecastCard>> {
  const of = insight === undefined ? null : ({ kind: 'insight', id: insight } as const)
  const subject = metric === undefined ? of : ({ kind: 'metric', id: metric } as const)
  return storeOf(ask).list({ limit, after: positionOf(cursor, 'forecast'), q, subject })
}

/** @throws ProductError `not_found` */
export async function getForecast(ask: Looking, id: string): Promise<Forecast> {
  const forecast = await storeOf(ask).get(id)
  if (!forecast) throw new ProductError('not_found')
  return forecast
}

/**
 * A forecast, whose first run is queued with it.
 * @throws ProductError `name_taken`, `limit_reached`; `invalid_input` for what has no date or is gone
 */
export async function createForecast(
  ask: Ask,
  { name, ...given }: z.output<typeof createForecastSchema>,
): Promise<Forecast> {
  const { deps, actor } = ask
  const settings = settingsIn(given)
  const subjectName = await checkSettings(ask, settings)
  const now = deps.clock.now()
  const id = deps.ids.next('forecast')
  const first = queued(ask, { forecastId: id, number: 1, now })
  const at = new Date(now).toISOString()
  const made: Forecast = {
    ...{ ...settings, id, name, subjectName, scenarios: [], thresholds: [] },
    ...{ state: 'queued', frozen: false, lastRun: first.run, ready: null },
    ...{ ownerId: actor.userId, ownerName: actor.name, version: 1, createdAt: at, updatedAt: at },
  }
  await orNameTaken(
    'forecasts.workspace_id',
    commit(deps, {
      change: [storeOf(ask).insert(id, { name, settings, scenarios: [] }, now), ...first.change],
      audit: [auditOf(ask, { action: 'forecast.create', id, after: { name, ...settings } })],
      outbox: first.outbox,
      reply: ask.reply(made),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  return made
}

/**
 * Other settings queue a run; another name does not. A forecast whose owner is gone becomes that of whoever saves it.
 * @throws ProductError `version_conflict` with the stored one as `current`; `read_only` when it is frozen; as {@link createForecast}
 */
export async function updateForecast(
  ask: Ask,
  { id, input: { name, version, ...given } }: { id: string; input: z.output<typeof updateForecastSchema> },
): Promise<Forecast> {
  const before = await getForecast(ask, id)
  if (before.version !== version) throw conflict(before)
  const settings = settingsIn(given)
  await checkSettings(ask, settings)
  const content: Content = { name, settings, scenarios: before.scenarios }
  const at = { version, now: ask.deps.clock.now(), takeOver: before.lastRun?.trouble?.code === 'owner_gone' }
  return save(ask, {
    before,
    next: { ...before, ...settings, name, version: version + 1 },
    statement: storeOf(ask).update(id, content, at),
    action: 'forecast.update',
    isAskedAnew: at.takeOver || isOther(before, content),
  })
}

/**
 * All scenarios and levels that matter at once. One that takes figures of a metric which no run has forecast queues a run.
 * @throws ProductError as {@link updateForecast}; `invalid_input` for a metric that is not here
 */
export async function saveScenarios(
  ask: Ask,
  { id, input: { scenarios, thresholds, version } }: { id: string; input: SaveScenarios },
): Promise<Forecast> {
  const before = await getForecast(ask, id)
  if (before.version !== version) throw conflict(before)
  const unknown = await storeOf(ask).unknownMetrics(driversOf(scenarios))
  if (unknown.length > 0)
    throw new ProductError('invalid_input', { fields: { scenarios: 'A metric is gone. Choose another.' } })
  const content = { name: before.name, settings: settingsIn(before), scenarios, thresholds }
  return save(ask, {
    before,
    next: { ...before, scenarios, thresholds, version: version + 1 },
    statement: storeOf(ask).setScenarios(id, content, { version, now: ask.deps.clock.now() }),
    action: 'forecast.scenarios',
    isAskedAnew: isOther(before, content),
  })
}

interface Saving {
  before: Forecast
  next: Forecast
  statement: D1PreparedStatement
  action: string
  /** Whether what a run finds would be something else. */
  isAskedAnew: boolean
}
async function save(ask: Ask, { before, next, statement, action, isAskedAnew }: Saving): Promise<Forecast> {
  const { deps } = ask
  const { id } = before
  if (before.frozen) throw frozenForecast()
  const run = isAskedAnew ? queued(ask, { forecastId: id, number: 0, now: deps.clock.now() }) : null
  const work: Commit = {
    change: [statement, ...(run?.change ?? [])],
    audit: [auditOf(ask, { action, id, before: light(before), after: light(next) })],
    outbox: run?.outbox ?? [],
    reply: ask.reply(light({ ...next, state: run && next.state !== 'running' ? 'queued' : next.state })),
    expect: {
      onMissed: async () => {
        const current = await getForecast(ask, id)
        return current.version === before.version ? frozenForecast() : conflict(current)
      },
    },
  }
  await orNameTaken('forecasts.workspace_id', commit(deps, work))
  return getForecast(ask, id)
}

/** Without what its newest run found, which nobody edits: a row of the database may not hold it and the rest. */
const light = (forecast: Forecast): Forecast => ({
  ...forecast,
  ready: forecast.ready && { ...forecast.ready, result: null },
})

/** @throws ProductError `version_conflict` with the stored one as `current` */
export async function deleteForecast(
  ask: Ask,
  { id, version }: { id: string; version: number },
): Promise<{ id: string }> {
  const before = await getForecast(ask, id)
  if (before.version !== version) throw conflict(before)
  await commit(ask.deps, {
    change: [storeOf(ask).remove(id, version)],
    audit: [auditOf(ask, { action: 'forecast.delete', id, before: light(before) })],
    reply: ask.reply({ id }),
    expect: { onMissed: async () => conflict(await getForecast(ask, id)) },
  })
  return { id }
}

/**
 * Asks for a run, done in the background: the one that is queued or under way, where there is one.
 * @throws ProductError `read_only` when it is frozen
 */
export async function askForRun(ask: Ask, id: string): Promise<ForecastRun> {
  const { deps, scope } = ask
  const forecast = await getForecast(ask, id)
  if (forecast.frozen) throw frozenForecast()
  const runs = runStore(deps.db, scope)
  const open = await runs.open(id)
  if (open) return open
  const made = queued(ask, { forecastId: id, number: (forecast.lastRun?.number ?? 0) + 1, now: deps.clock.now() })
  try {
    await commit(deps, {
      change: made.change,
      audit: [auditOf(ask, { action: 'forecast.run', id })],
      outbox: made.outbox,
      reply: ask.reply(made.run),
      expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
    })
    return (await runs.open(id)) ?? made.run
  } catch (error) {
    const other = error instanceof ProductError && error.code === 'busy' ? await runs.open(id) : null
    if (other) return other
    throw error
  }
}

/** A run that waits, as statements and as it is told. A run that has begun already is followed by another. */
function queued(ask: Ask, { forecastId, number, now }: { forecastId: string; number: number; now: number }) {
  const { deps, scope, actor } = ask
  const runId = deps.ids.next('forecastRun')
  const runs = runStore(deps.db, scope)
  const run: ForecastRun = {
    ...{ id: runId, number, state: 'queued', startedAt: new Date(now).toISOString(), finishedAt: null },
    ...{ trouble: null, dataAsOf: null, grade: null, byName: actor.name },
  }
  return {
    run,
    change: [runs.queue({ forecastId, runId, by: actor.userId, now }), runs.again(forecastId)],
    outbox: [runEntry({ workspaceId: scope.workspaceId, runId })],
  }
}

/** That it can be asked at all. @returns what the subject is called */
async function checkSettings(ask: Ask, { subject, by, filters }: ForecastSettings): Promise<string> {
  const found = await findTracked(ask.deps, ask.scope, subject)
  if (!found.ok)
    throw new ProductError('invalid_input', {
      fields: { subject: found.why === 'gone' ? 'It is gone. Choose another.' : 'It has no date to forecast it over.' },
    })
  const { tracked, name } = found
  if (by === null && filters.length === 0) return name
  await checkAgainstCatalogue(ask.deps, ask.scope, {
    ...{ v: 2, kind: 'aggregate', measures: [tracked.measure], dimensions: by ? [by] : [] },
    filters: [...tracked.filters, ...filters],
    ...(tracked.dataset === undefined ? {} : { dataset: tracked.dataset }),
  })
  return name
}

/** The settings alone, whatever stands beside them. */
function settingsIn(of: ForecastSettings): ForecastSettings {
  const { subject, filters, by, grain, horizon, historyFrom, ignoreIncomplete, season, holidays } = of
  const { dampOutliers, level, floor, ceiling, events, accumulate } = of
  return {
    ...{ subject, filters, by, grain, horizon, historyFrom, ignoreIncomplete, season, holidays },
    ...{ dampOutliers, level, floor, ceiling, events, accumulate },
  }
}

const isOther = (before: Forecast, { settings, scenarios }: Content): boolean =>
  askedOf(settingsIn(before), before.scenarios) !== askedOf(settings, scenarios)

const conflict = (current: Forecast): ProductError => new ProductError('version_conflict', { current })
const frozenForecast = (): ProductError =>
  frozen(
    'This forecast is frozen: the plan has room for fewer. It goes on to show what it last found, and can be deleted.',
  )
async function limitReached(ask: Ask): Promise<ProductError> {
  return new ProductError('limit_reached', {
    ...{ limit: 'activeForecasts', used: await storeOf(ask).count(), max: maxOf(ask) },
  })
}

const auditOf = auditOfKind('forecast')
