import { definitionIds, exchangeRateMarker } from './input-fingerprint'
import { prepareForecast as prepareFigures, type PreparedForecast } from './prepare'
import { forecastRunStore, runOutboxEntry, type ClaimedRun } from './run-store'
import { toStoredSnapshot, RESULT_MAX_BYTES, serialiseResult } from './snapshot'
import { rulesBasis, withAskedDatasets } from '../../semantic/rules-basis'
import { calendarOf } from '../../semantic/calendar'
import { staleByAccess } from '../../identity/access/changed-rights'
import { accessFingerprint, Scope } from '../../scope'
import { readMemberContext, type MemberContext } from '../../identity/member-context-store'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { computeForecast as computeResult } from '../../forecasting/compute'
import { workerEngines } from '../../forecasting/engines/worker-engines'
import { isTransient, ProductError } from '../../shared/errors'
import type { ForecastResult } from '../../shared/forecasts/result'
import { driverMetricIds, type ForecastRunParams, type RunFailure } from '../../shared/forecasts/forecasts'
import { canonicalJson, sha256HexSync } from '../../lib/hash'

/** How a run comes by its figures and its result. */
interface RunImplementation {
  prepare: typeof prepareFigures
  compute: typeof computeResult
}
const DEFAULT_IMPLEMENTATION: RunImplementation = { prepare: prepareFigures, compute: computeResult }

/**
 * Does one run from its beginning to its end, as the forecast's owner: what it finds is written at once, or nothing is. It
 * may be done twice, also at the same time: whoever began last writes. A run that has ended, or is gone, is left alone.
 */
export async function executeRun(
  deps: Deps,
  { workspaceId, runId }: ForecastRunParams,
  making = DEFAULT_IMPLEMENTATION,
): Promise<void> {
  const key = Scope.forJob({ workspaceId, userId: '', epoch: '' })
  const runs = forecastRunStore(deps.db, key)
  const claimed = await runs.claim(runId, deps.ids.token(8), deps.clock.now())
  if (!claimed) return
  const notifyChanged = () => deps.live(key).publish({ kind: 'changed', noun: 'forecast', id: claimed.forecastId })
  await notifyChanged()
  await computeRun({ deps, key, claimed, making })
  if (await runs.isRerunRequested(claimed.forecastId)) await queueRuns(deps, key, [claimed.forecastId])
  await notifyChanged()
}

/** `key` only opens the forecast itself: figures are asked for with what its owner may see now. */
interface RunContext {
  deps: Deps
  key: Scope
  claimed: ClaimedRun
  making: RunImplementation
}

async function computeRun(runContext: RunContext): Promise<void> {
  const { deps, key, claimed, making } = runContext
  const owner = await readMemberContext(deps, { workspaceId: key.workspaceId, userId: claimed.ownerId })
  if (!owner) return saveFailure(runContext, { trouble: OWNER_GONE_FAILURE, rights: '' })
  const { scope, settings } = owner
  const rights = accessFingerprint(scope)
  const drivers = driverMetricIds(claimed.scenarios)
  try {
    const named = await definitionIds(deps, scope, { settings: claimed.settings, drivers })
    const fingerprints = await forecastRunStore(deps.db, key).fingerprints(claimed.forecastId, named)
    const where = { scope, calendar: calendarOf(owner, deps.clock), country: settings.country, drivers }
    const preparation = await withHeartbeat(runContext, () => making.prepare(deps, where, claimed.settings))
    const { prepared } = preparation
    // Members may be those of another table, which is joined.
    const { by } = claimed.settings
    const read = [...preparation.datasets, ...(by ? [by.field.dataset] : [])]
    const datasets = withAskedDatasets(read, await rulesBasis(deps, scope))
    const computed = making.compute(prepared, claimed.settings, workerEngines())
    const { inputHash } = prepared
    if (!computed.ok) return await saveFailure(runContext, { trouble: computed.trouble, rights, inputHash, datasets })
    const isConverted = prepared.conversion !== null
    const basis = {
      datasets,
      named: isConverted ? [...named, exchangeRateMarker] : named,
      meant: isConverted ? fingerprints.converted : fingerprints.plain,
    }
    await saveSuccess(runContext, { result: computed.result, preparation, rights, basis })
  } catch (error) {
    // What passes by itself is tried again, and so is what nobody thought of.
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    await saveFailure(runContext, { trouble: toRunFailure(error), rights })
  }
}

const HEARTBEAT_EVERY_MS = 15_000

/** Does what waits for others, with a heartbeat now and then and one at its end: computing, which follows, can give none. */
async function withHeartbeat<T>({ deps, key, claimed }: RunContext, work: () => Promise<T>): Promise<T> {
  const beat = () => forecastRunStore(deps.db, key).recordHeartbeat(claimed, deps.clock.now())
  // A heartbeat that does not get through is followed by another.
  const timer = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_EVERY_MS)
  try {
    const done = await work()
    await beat()
    return done
  } finally {
    clearInterval(timer)
  }
}

interface SuccessfulRun {
  result: ForecastResult
  preparation: PreparedForecast
  rights: string
  basis: { named: string[]; datasets: string[]; meant: string }
}
async function saveSuccess(
  runContext: RunContext,
  { result, preparation, rights, basis }: SuccessfulRun,
): Promise<void> {
  const { deps, key, claimed } = runContext
  const runs = forecastRunStore(deps.db, key)
  const { inputHash } = result
  if (await runs.discardRepeated(claimed, { rights, inputHash }, basis)) return
  const text = serialiseResult(result)
  if (text === null) return saveFailure(runContext, { trouble: TOO_LARGE_FAILURE, rights, datasets: basis.datasets })
  const { dataAsOf } = preparation.prepared
  const grade = result.total.backtest?.grade ?? null
  const snapshot = JSON.stringify(toStoredSnapshot(result))
  await commitRunEnd(runContext, [
    runs.end(claimed, {
      ...{ state: 'ready', rights, now: deps.clock.now(), trouble: null, inputHash },
      found: { dataAsOf, grade, said: snapshot, result: text },
    }),
    runs.recordInputs(claimed, basis),
    ...runs.prune(claimed),
  ])
}

interface UnsuccessfulRun {
  trouble: RunFailure
  rights: string
  /** Null: another run may find something in the same figures. Absent: there were none, for reasons that stay. */
  inputHash?: string | null
  datasets?: string[]
}
/** A run that found nothing, and why. New rows that meet the same refusal make no second one. */
async function saveFailure(
  runContext: RunContext,
  { trouble, rights, inputHash = failureHash(trouble), datasets }: UnsuccessfulRun,
): Promise<void> {
  const { deps, key, claimed } = runContext
  const runs = forecastRunStore(deps.db, key)
  const state = trouble.code === 'too_short' ? 'too_short' : 'failed'
  if (inputHash !== null) {
    const back = await runs.discardIfUnchanged(claimed, { rights, state, inputHash }).run()
    if (back.meta.changes === 1) return
  }
  await commitRunEnd(runContext, [
    runs.end(claimed, { state, rights, now: deps.clock.now(), trouble, inputHash, found: null }),
    ...(datasets ? [runs.setDatasets(claimed, datasets)] : []),
    ...runs.prune(claimed),
  ])
}

const failureHash = (trouble: RunFailure): string => sha256HexSync(canonicalJson(trouble))

/** Somebody else works on the run, it was given up, or its forecast is gone: all of it is theirs to say. */
class SupersededError extends ProductError {}

async function commitRunEnd({ deps }: RunContext, change: D1PreparedStatement[]): Promise<void> {
  try {
    await commit(deps, { change, expect: { onMissed: () => new SupersededError('not_found') } })
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error
  }
}

/** Queues a run of each, by nobody; one that has begun already is followed by another. */
export async function queueRuns(deps: Deps, scope: Scope, forecastIds: readonly string[]): Promise<void> {
  const runs = forecastRunStore(deps.db, scope)
  for (const forecastId of forecastIds) {
    if (await queueRun(deps, scope, forecastId)) continue
    const { meta } = await runs.requestRerun(forecastId).run()
    // The one that was under way has ended between the two, and knew nothing of this; one that waits reads what stands then.
    if (meta.changes === 0) await queueRun(deps, scope, forecastId)
  }
}

/** @returns false where one is queued or under way, or the forecast is gone */
async function queueRun(deps: Deps, scope: Scope, forecastId: string): Promise<boolean> {
  const { workspaceId } = scope
  const runId = deps.ids.next('forecastRun')
  const missed = new SupersededError('busy')
  try {
    await commit(deps, {
      change: [forecastRunStore(deps.db, scope).queue({ forecastId, runId, by: null, now: deps.clock.now() })],
      outbox: [runOutboxEntry({ workspaceId, runId })],
      expect: { onMissed: () => missed },
    })
    return true
  } catch (error) {
    if (error !== missed) throw error
    return false
  }
}

/** New rows of a dataset: queues a run of every forecast that reads it. None while nothing may be written. */
export async function queueDependentRuns(
  deps: Deps,
  { scope, entitlements }: Pick<MemberContext, 'scope' | 'entitlements'>,
  datasetId: string,
): Promise<void> {
  if (entitlements.readOnly !== null) return
  const max = entitlements.features.activeForecasts
  await queueRuns(deps, scope, await forecastRunStore(deps.db, scope).dependentForecastIds(datasetId, max))
}

/** Rules of access changed: queues a run of every forecast whose owner sees other things than at its last run. */
export async function queueRunsOfChangedRights(
  deps: Deps,
  { scope, entitlements }: Pick<MemberContext, 'scope' | 'entitlements'>,
): Promise<void> {
  if (entitlements.readOnly !== null) return
  const kept = await forecastRunStore(deps.db, scope).keptUnderRights(entitlements.features.activeForecasts)
  await queueRuns(deps, scope, await staleByAccess(deps, scope.workspaceId, kept))
}

/** Given up after several tries. */
export async function abandonRun(deps: Deps, { workspaceId, runId }: ForecastRunParams): Promise<void> {
  const scope = Scope.forJob({ workspaceId, userId: '', epoch: '' })
  const claimed = await forecastRunStore(deps.db, scope).claim(runId, deps.ids.token(8), deps.clock.now())
  if (claimed)
    await saveFailure(
      { deps, key: scope, claimed, making: DEFAULT_IMPLEMENTATION },
      { trouble: INTERRUPTED_FAILURE, rights: '', inputHash: null },
    )
}

const OWNER_GONE_FAILURE: RunFailure = {
  code: 'owner_gone',
  message: 'Owner has left; save to take over.',
}
const TOO_LARGE_FAILURE: RunFailure = {
  code: 'too_large',
  message: `Result larger than ${Math.floor(RESULT_MAX_BYTES / 1_000_000)} MB. Shorten the history or use fewer parts.`,
}
export const INTERRUPTED_FAILURE: RunFailure = { code: 'internal', message: 'Run interrupted.' }

function toRunFailure({ code, message, details }: ProductError): RunFailure {
  const { have, need } = details
  return {
    ...{ code: code === 'not_found' ? 'subject_gone' : code },
    ...{ message: code === 'not_found' ? 'Source deleted.' : (firstFieldMessage(details) ?? message) },
    ...(typeof have === 'number' ? { have } : {}),
    ...(typeof need === 'number' ? { need } : {}),
  }
}

/** What is said beside a field says more than that some field needs another look. */
function firstFieldMessage({ fields }: ProductError['details']): string | null {
  if (typeof fields !== 'object' || fields === null) return null
  return Object.values(fields).find((words): words is string => typeof words === 'string') ?? null
}
