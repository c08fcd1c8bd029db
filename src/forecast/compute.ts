import { accumulated, backFrom } from './accumulate'
import type { Engines, Frequency } from './contract'
import { held, type Part } from './hold'
import type { Path } from './reconcile'
import { run, type Ran, type Run, type RunAsk } from './run'
import { runSplit } from './run-split'
import { foldsOf, lacking, told } from './told'
import type { ForecastGrain, ForecastResult, Prepared, PreparedSeries } from '../shared/forecast-result'
import type { ForecastSettings, RunTrouble } from '../shared/forecasts'

/** A result, or why there is none: `too_short` or `too_many_gaps` (with `have` and `need`), or `refused`. */
export type Computed = { ok: true; result: ForecastResult } | { ok: false; trouble: RunTrouble }

const FREQUENCIES: Record<ForecastGrain, Frequency> = {
  ...{ day: 'daily', week: 'weekly', month: 'monthly', quarter: 'quarterly' },
}

/**
 * A forecast from what was prepared: pure, and the same on the server and in a page. `engines`: `workerEngines()` of
 * `engines/in-worker` on the server, those of the browser in its web worker, null without WebAssembly. All that is answered
 * is plain and finite. Floor and ceiling hold what is forecast, events ahead included; as a balance it is not bounded, so
 * that it can be seen to fall.
 */
export function compute(prepared: Prepared, settings: ForecastSettings, engines: Engines | null): Computed {
  const { grain, periods, total, parts } = prepared
  const { horizon, season, holidays, dampOutliers } = settings
  const ask: RunAsk = {
    ...{ values: total.values, frequency: FREQUENCIES[grain], horizon, season, engines },
    ...(periods[0] === undefined ? {} : { start: periods[0] }),
    ...{ country: holidays === 'auto' ? prepared.country : null, dampen: dampOutliers },
  }
  const split = runSplit(
    ask,
    parts.map(({ values }, i) => ({ key: String(i), values })),
  )
  if (split.total.kind !== 'ready') return { ok: false, trouble: troubleOf(split.total, grain) }
  const ran = split.total
  const own = split.parts.map(({ path }, i): Part => ({ path, negative: wasNegative(parts[i]) }))
  const { floor, ceiling } = settings
  const made = held(own.length > 0 && split.reconciled ? split.reconciled : ran, own, {
    ahead: prepared.ahead,
    floor,
    ceiling,
  })
  if (![made.total, ...made.parts].every(isFinitePath)) return { ok: false, trouble: REFUSED }
  return {
    ok: true,
    result: resultOf({ prepared, settings, ask, ran, made, rans: split.parts.map((part) => part.ran) }),
  }
}

interface Made {
  prepared: Prepared
  settings: ForecastSettings
  ask: RunAsk
  ran: Run
  rans: readonly Ran[]
  made: { total: Path; parts: Path[] }
}

function resultOf({ prepared, settings, ask, ran, rans, made }: Made): ForecastResult {
  const { grain, periods, future, total, parts, raw, incomplete, opening, format, direction, conversion } = prepared
  const steps = made.total.mean.length
  const dampened = settings.dampOutliers
  return {
    ...{ v: 1, grain, periods, future: future.slice(0, steps), asked: settings.horizon, values: total.values, raw },
    total: told(total, { ran, path: made.total, dampened }),
    parts: parts.flatMap((part, i) => {
      const [own, path] = [rans[i], made.parts[i]]
      return own && path ? [{ ...told(part, { ran: own, path, dampened }), values: part.values }] : []
    }),
    incomplete,
    balance: opening && {
      ...{ opening: opening.value, source: opening.source, past: backFrom(opening.value, raw) },
      path: accumulated(made.total, opening.value, foldsOf(ran)),
    },
    drivers: prepared.drivers.flatMap(({ metric, name, values }) => {
      const { mean } = { mean: [], ...run({ ...ask, values, horizon: steps }) }
      return mean.length === steps && mean.every(Number.isFinite) ? [{ metric, name, mean }] : []
    }),
    ...(prepared.additive === undefined ? {} : { additive: prepared.additive }),
    ...{ format, direction, conversion, inputHash: prepared.inputHash },
  }
}

const wasNegative = (part: PreparedSeries | undefined): boolean =>
  part?.values.some((v) => v !== null && v < 0) ?? false

const isFinitePath = ({ mean, bands }: Path): boolean =>
  [mean, ...Object.values(bands).flatMap(({ lower, upper }) => [lower, upper])].every((path) =>
    path.every(Number.isFinite),
  )

const REFUSED: RunTrouble = { code: 'refused', message: 'No forecast can be made of these figures.' }

function troubleOf(ran: Exclude<Ran, Run>, grain: ForecastGrain): RunTrouble {
  const { have = 0, need = 0 } = lacking(ran)
  const there = have === 1 ? `There is 1 ${grain}` : `There are ${have} ${grain}s`
  if (ran.kind === 'too_short')
    return { code: ran.kind, have, need, message: `${there} with figures; a forecast takes ${need}.` }
  if (ran.kind === 'too_many_gaps')
    return { code: ran.kind, have, need, message: `${there} with figures and too many without; ${need} are needed.` }
  return REFUSED
}
