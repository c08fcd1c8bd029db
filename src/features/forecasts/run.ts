import { namedIn, rateMark } from './named'
import { prepare as prepareFigures } from './prepare'
import type { Preparation } from './prepare'
import { runEntry, runStore } from './runs'
import type { Claimed } from './runs'
import { keptOf, RESULT_MAX_BYTES, resultText } from './said'
import { calendarOf } from '../../access/calendar'
import { rightsOf } from '../../access/rights'
import { Scope } from '../../access/scope'
import { standingMember } from '../../access/standing'
import type { Standing } from '../../access/standing'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { compute as computeResult } from '../../forecast/compute'
import { workerEngines } from '../../forecast/engines/in-worker'
import { isPassing, ProductError } from '../../shared/errors'
import type { ForecastResult } from '../../shared/forecast-result'
import { driversOf } from '../../shared/forecasts'
import type { ForecastRunParams, RunTrouble } from '../../shared/forecasts'
import { canonical, sha256 } from '../../warehouse/query/hash'

/** How a run comes by its figures and its result. */
export interface Making {
  prepare: typeof prepareFigures
  compute: typeof computeResult
}
const OWN: Making = { prepare: prepareFigures, compute: computeResult }

/**
 * Does one run from its beginning to its end, as the forecast's owner: what it finds is written at once, or nothing is. It
 * may be done twice, also at the same time: whoever began last writes. A run that has ended, or is gone, is left alone.
 */
export async function doRun(deps: Deps, { workspaceId, runId }: ForecastRunParams, making = OWN): Promise<void> {
  const key = Scope.forJob({ workspaceId, userId: '', epoch: '' })
  const runs = runStore(deps.db, key)
  const claimed = await runs.claim(runId, deps.ids.token(8), deps.clock.now())
  if (!claimed) return
  const tell = () => deps.live(key).tell({ kind: 'changed', noun: 'forecast', id: claimed.forecastId })
  await tell()
  await make({ deps, key, claimed, making })
  if (await runs.isWanted(claimed.forecastId)) await queueRuns(deps, key, [claimed.forecastId])
  await tell()
}

/** `key` only opens the forecast itself: figures are asked for with what its owner may see now. */
interface At {
  deps: Deps
  key: Scope
  claimed: Claimed
  making: Making
}

async function make(at: At): Promise<void> {
  const { deps, key, claimed, making } = at
  const owner = await standingMember(deps, { workspaceId: key.workspaceId, userId: claimed.ownerId })
  if (!owner) return inVain(at, { trouble: OWNER_GONE, rights: '' })
  const { scope, settings } = owner
  const rights = rightsOf(scope)
  const drivers = driversOf(claimed.scenarios)
  try {
    const named = await namedIn(deps, scope, { settings: claimed.settings, drivers })
    const meaning = await runStore(deps.db, key).meaning(claimed.forecastId, named)
    const where = { scope, calendar: calendarOf(owner, deps.clock), country: settings.country, drivers }
    const preparation = await making.prepare(deps, where, claimed.settings)
    const { prepared } = preparation
    // Members may be those of another table, which is joined.
    const { by } = claimed.settings
    const datasets = [...new Set([...preparation.datasets, ...(by ? [by.field.dataset] : [])])]
    const computed = making.compute(prepared, claimed.settings, workerEngines())
    const { inputHash } = prepared
    if (!computed.ok) return await inVain(at, { trouble: computed.trouble, rights, inputHash, datasets })
    const isConverted = prepared.conversion !== null
    const basis = {
      datasets,
      named: isConverted ? [...named, rateMark] : named,
      meant: isConverted ? meaning.converted : meaning.plain,
    }
    await found(at, { result: computed.result, preparation, rights, basis })
  } catch (error) {
    // What passes by itself is tried again, and so is what nobody thought of.
    if (!(error instanceof ProductError) || isPassing(error)) throw error
    await inVain(at, { trouble: troubleOf(error), rights })
  }
}

interface Found {
  result: ForecastResult
  preparation: Preparation
  rights: string
  basis: { named: string[]; datasets: string[]; meant: string }
}
async function found(at: At, { result, preparation, rights, basis }: Found): Promise<void> {
  const { deps, key, claimed } = at
  const runs = runStore(deps.db, key)
  const { inputHash } = result
  // Nothing new: the newest run stands for these rows, too.
  const back = await deps.db.d1.batch([
    runs.takeBack(claimed, { rights, state: 'ready', inputHash }),
    runs.remember(claimed, basis, 'when it is gone'),
  ])
  if (back[0]?.meta.changes === 1) return
  const text = resultText(result)
  if (text === null) return inVain(at, { trouble: TOO_LARGE, rights, datasets: basis.datasets })
  const { dataAsOf } = preparation.prepared
  const grade = result.total.backtest?.grade ?? null
  const said = JSON.stringify(keptOf(result))
  await ended(at, [
    runs.end(claimed, {
      ...{ state: 'ready', rights, now: deps.clock.now(), trouble: null, inputHash },
      found: { dataAsOf, grade, said, result: text },
    }),
    runs.remember(claimed, basis),
    ...runs.prune(claimed),
  ])
}

interface Vain {
  trouble: RunTrouble
  rights: string
  /** Null: another run may find something in the same figures. Absent: there were none, for reasons that stay. */
  inputHash?: string | null
  datasets?: string[]
}
/** A run that found nothing, and why. New rows that meet the same refusal make no second one. */
async function inVain(at: At, { trouble, rights, inputHash = hashOf(trouble), datasets }: Vain): Promise<void> {
  const { deps, key, claimed } = at
  const runs = runStore(deps.db, key)
  const state = trouble.code === 'too_short' ? 'too_short' : 'failed'
  if (inputHash !== null) {
    const back = await runs.takeBack(claimed, { rights, state, inputHash }).run()
    if (back.meta.changes === 1) return
  }
  await ended(at, [
    runs.end(claimed, { state, rights, now: deps.clock.now(), trouble, inputHash, found: null }),
    ...(datasets ? [runs.setDatasets(claimed, datasets)] : []),
    ...runs.prune(claimed),
  ])
}

const hashOf = (trouble: RunTrouble): string => sha256(canonical(trouble))

/** Somebody else works on the run, it was given up, or its forecast is gone: all of it is theirs to say. */
class Overtaken extends ProductError {}

async function ended({ deps }: At, change: D1PreparedStatement[]): Promise<void> {
  try {
    await commit(deps, { change, expect: { onMissed: () => new Overtaken('not_found') } })
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
  }
}

/** Queues a run of each, by nobody; one that has begun already is followed by another. */
export async function queueRuns(deps: Deps, scope: Scope, forecastIds: readonly string[]): Promise<void> {
  const runs = runStore(deps.db, scope)
  for (const forecastId of forecastIds) {
    if (await queueRun(deps, scope, forecastId)) continue
    const { meta } = await runs.again(forecastId).run()
    // The one that was under way has ended between the two, and knew nothing of this; one that waits reads what stands then.
    if (meta.changes === 0) await queueRun(deps, scope, forecastId)
  }
}

/** @returns false where one is queued or under way, or the forecast is gone */
async function queueRun(deps: Deps, scope: Scope, forecastId: string): Promise<boolean> {
  const { workspaceId } = scope
  const runId = deps.ids.next('forecastRun')
  const missed = new Overtaken('busy')
  try {
    await commit(deps, {
      change: [runStore(deps.db, scope).queue({ forecastId, runId, by: null, now: deps.clock.now() })],
      outbox: [runEntry({ workspaceId, runId })],
      expect: { onMissed: () => missed },
    })
    return true
  } catch (error) {
    if (error !== missed) throw error
    return false
  }
}

/** New rows of a dataset: queues a run of every forecast that reads it. None while nothing may be written. */
export async function queueReaders(
  deps: Deps,
  { scope, entitlements }: Pick<Standing, 'scope' | 'entitlements'>,
  datasetId: string,
): Promise<void> {
  if (entitlements.readOnly !== null) return
  const max = entitlements.features.activeForecasts
  await queueRuns(deps, scope, await runStore(deps.db, scope).reading(datasetId, max))
}

/** Given up after several tries. */
export async function giveUp(deps: Deps, { workspaceId, runId }: ForecastRunParams): Promise<void> {
  const scope = Scope.forJob({ workspaceId, userId: '', epoch: '' })
  const claimed = await runStore(deps.db, scope).claim(runId, deps.ids.token(8), deps.clock.now())
  if (claimed)
    await inVain({ deps, key: scope, claimed, making: OWN }, { trouble: BROKEN, rights: '', inputHash: null })
}

const OWNER_GONE: RunTrouble = {
  code: 'owner_gone',
  message: 'Whoever made it has no seat here any more. Save it to take it over.',
}
const TOO_LARGE: RunTrouble = {
  code: 'too_large',
  message: `What it found is larger than ${Math.floor(RESULT_MAX_BYTES / 1_000_000)} MB. Begin later, or split it by less.`,
}
export const BROKEN: RunTrouble = { code: 'internal', message: 'The run broke off. Run it again.' }

function troubleOf({ code, message, details }: ProductError): RunTrouble {
  const { have, need } = details
  return {
    ...{ code: code === 'not_found' ? 'subject_gone' : code },
    ...{ message: code === 'not_found' ? 'What it is about was deleted.' : (fieldOf(details) ?? message) },
    ...(typeof have === 'number' ? { have } : {}),
    ...(typeof need === 'number' ? { need } : {}),
  }
}

/** What is said beside a field says more than that some field needs another look. */
function fieldOf({ fields }: ProductError['details']): string | null {
  if (typeof fields !== 'object' || fields === null) return null
  return Object.values(fields).find((words): words is string => typeof words === 'string') ?? null
}
