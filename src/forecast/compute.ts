import { accumulatePath, pastBalances } from './accumulate'
import type { ForecastEngines, Frequency } from './contract'
import { applyConstraints, type ConstrainedPart } from './hold'
import type { ForecastPath } from './reconcile'
import { forecastWithBacktest, type ForecastOutcome, type BacktestedForecast, type ForecastRequest } from './run'
import { forecastHierarchy } from './run-split'
import { effectiveFolds, historyShortfall, toResult } from './told'
import type { ForecastGrain, ForecastResult, ForecastInput, InputSeries } from '../shared/forecast-result'
import type { ForecastSettings, RunFailure } from '../shared/forecasts'

/** A result, or why there is none: `too_short` or `too_many_gaps` (with `have` and `need`), or `refused`. */
export type ComputeOutcome = { ok: true; result: ForecastResult } | { ok: false; trouble: RunFailure }

const FREQUENCY_BY_GRAIN: Record<ForecastGrain, Frequency> = {
  ...{ day: 'daily', week: 'weekly', month: 'monthly', quarter: 'quarterly' },
}

/**
 * A forecast from what was prepared: pure, and the same on the server and in a page. `engines`: `workerEngines()` of
 * `engines/in-worker` on the server, those of the browser in its web worker, null without WebAssembly. All that is answered
 * is plain and finite. Floor and ceiling hold what is forecast, events ahead included; as a balance it is not bounded, so
 * that it can be seen to fall.
 */
export function computeForecast(
  forecastInput: ForecastInput,
  settings: ForecastSettings,
  engines: ForecastEngines | null,
): ComputeOutcome {
  const { grain, periods, total, parts } = forecastInput
  const { horizon, season, holidays, dampOutliers } = settings
  const ask: ForecastRequest = {
    ...{ values: total.values, frequency: FREQUENCY_BY_GRAIN[grain], horizon, season, engines },
    ...(periods[0] === undefined ? {} : { start: periods[0] }),
    ...{ country: holidays === 'auto' ? forecastInput.country : null, dampen: dampOutliers },
  }
  const split = forecastHierarchy(
    ask,
    parts.map(({ values }, i) => ({ key: String(i), values })),
  )
  if (split.total.kind !== 'ready') return { ok: false, trouble: toRunFailure(split.total, grain) }
  const ran = split.total
  const own = split.parts.map(({ path }, i): ConstrainedPart => ({ path, negative: wasNegative(parts[i]) }))
  const { floor, ceiling } = settings
  const made = applyConstraints(own.length > 0 && split.reconciled ? split.reconciled : ran, own, {
    eventAmounts: forecastInput.ahead,
    floor,
    ceiling,
  })
  if (![made.total, ...made.parts].every(isFinitePath)) return { ok: false, trouble: REFUSED_FAILURE }
  return {
    ok: true,
    result: toForecastResult({
      prepared: forecastInput,
      settings,
      ask,
      ran,
      made,
      rans: split.parts.map((part) => part.ran),
    }),
  }
}

interface ComputedForecast {
  prepared: ForecastInput
  settings: ForecastSettings
  ask: ForecastRequest
  ran: BacktestedForecast
  rans: readonly ForecastOutcome[]
  made: { total: ForecastPath; parts: ForecastPath[] }
}

function toForecastResult({ prepared, settings, ask, ran: outcome, rans, made }: ComputedForecast): ForecastResult {
  const { grain, periods, future, total, parts, raw, incomplete, opening, format, direction, conversion } = prepared
  const steps = made.total.mean.length
  const dampened = settings.dampOutliers
  return {
    ...{ v: 1, grain, periods, future: future.slice(0, steps), asked: settings.horizon, values: total.values, raw },
    total: toResult(total, { outcome, path: made.total, dampened }),
    parts: parts.flatMap((part, i) => {
      const [own, path] = [rans[i], made.parts[i]]
      return own && path ? [{ ...toResult(part, { outcome: own, path, dampened }), values: part.values }] : []
    }),
    incomplete,
    balance: opening && {
      ...{ opening: opening.value, source: opening.source, past: pastBalances(opening.value, raw) },
      path: accumulatePath(made.total, opening.value, effectiveFolds(outcome)),
    },
    drivers: prepared.drivers.flatMap(({ metric, name, values }) => {
      const { mean } = { mean: [], ...forecastWithBacktest({ ...ask, values, horizon: steps }) }
      return mean.length === steps && mean.every(Number.isFinite) ? [{ metric, name, mean }] : []
    }),
    ...(prepared.additive === undefined ? {} : { additive: prepared.additive }),
    ...{ format, direction, conversion, inputHash: prepared.inputHash },
  }
}

const wasNegative = (part: InputSeries | undefined): boolean => part?.values.some((v) => v !== null && v < 0) ?? false

const isFinitePath = ({ mean, bands }: ForecastPath): boolean =>
  [mean, ...Object.values(bands).flatMap(({ lower, upper }) => [lower, upper])].every((path) =>
    path.every(Number.isFinite),
  )

const REFUSED_FAILURE: RunFailure = { code: 'refused', message: 'No forecast can be made of these figures.' }

function toRunFailure(ran: Exclude<ForecastOutcome, BacktestedForecast>, grain: ForecastGrain): RunFailure {
  const { have = 0, need = 0 } = historyShortfall(ran)
  const there = have === 1 ? `There is 1 ${grain}` : `There are ${have} ${grain}s`
  if (ran.kind === 'too_short')
    return { code: ran.kind, have, need, message: `${there} with figures; a forecast takes ${need}.` }
  if (ran.kind === 'too_many_gaps')
    return { code: ran.kind, have, need, message: `${there} with figures and too many without; ${need} are needed.` }
  return REFUSED_FAILURE
}
