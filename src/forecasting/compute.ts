import type { AccuracyMeasures } from './backtest'
import { PRESENT_SHARE_MIN } from './data-quality'
import type { Decomposition } from './seasonality'
import { applyConstraints, type ConstrainedPart } from './constraints'
import { forecastHierarchy } from './forecast-hierarchy'
import { forecastWithBacktest } from './forecast-with-backtest'
import type { ForecastOutcome, BacktestedForecast, ForecastRequest } from './forecast-with-backtest'
import { accumulatePath, pastBalances } from './balance'
import type { ForecastEngines, Frequency } from './contract'
import type { ForecastSettings, RunFailure } from '../shared/forecasts/forecasts'
import { mapPath } from '../shared/forecasts/result'
import type {
  BacktestErrors,
  BacktestSummary,
  ForecastGrain,
  ForecastInput,
  ForecastPath,
  ForecastResult,
  InputSeries,
  ModelCard,
  SeriesForecast,
} from '../shared/forecasts/result'

/** Significant digits of what is drawn and never added up: folds, components. */
const SIGNIFICANT_DIGITS = 7
const roundSignificant = (values: ArrayLike<number>): number[] =>
  Array.from(values, (v) => Number(v.toPrecision(SIGNIFICANT_DIGITS)))

const roundPath = (path: ForecastPath): ForecastPath => mapPath(path, roundSignificant)

const toBacktestErrors = ({ mape, ...errors }: AccuracyMeasures): BacktestErrors => ({
  ...errors,
  mape: mape === null ? null : mape / 100,
})

/** Forecasts of the past as they were used. Origins are places among all periods. */
const effectiveFolds = ({ backtest, care }: BacktestedForecast): BacktestSummary['folds'] =>
  (backtest?.shown ?? []).map(({ origin, actual, path, bands }) => ({
    origin: care.first + origin,
    actual,
    path: { mean: path, bands },
  }))

function toBacktestSummary(forecast: BacktestedForecast): BacktestSummary | null {
  if (!forecast.backtest) return null
  const { season, used, blend, naive, seasonalNaive, method, grade } = forecast.backtest
  return {
    ...{ season, naive, seasonalNaive, method, grade },
    used: toBacktestErrors(used),
    blend: { mase: blend.mase, mae: blend.mae },
    folds: effectiveFolds(forecast).map(({ origin, actual, path }) => ({
      origin,
      actual,
      path: roundPath(path),
    })),
  }
}

function toComponents({ kind, trend, season, rest }: Decomposition, first: number): SeriesForecast['components'] {
  const all = [trend, season ?? [], rest]
  if (!all.every((values) => values.every(Number.isFinite))) return null
  return {
    kind,
    trend: roundSignificant(trend),
    season: season && roundSignificant(season),
    rest: roundSignificant(rest),
    first,
  }
}

const EMPTY_RESULT = {
  method: null,
  card: null,
  trials: [],
  filled: [],
  outliers: [],
  from: 0,
  shape: null,
  backtest: null,
  components: null,
} satisfies Partial<SeriesForecast>

const toModelCard = ({ card: { filled: _filled, ...card } }: BacktestedForecast): ModelCard => card

/** A run, where it leads after it was made to agree with others, and whether what looked odd was drawn in. */
interface SeriesOutcome {
  outcome: ForecastOutcome
  path: ForecastPath
  dampened: boolean
}

/** What a run found, as it is stored and shown. */
function toResult(
  of: Pick<SeriesForecast, 'member' | 'label'>,
  { outcome, path, dampened }: SeriesOutcome,
): SeriesForecast {
  const identified = { member: of.member, label: of.label, path }
  if (outcome.kind !== 'ready')
    return { ...identified, ...EMPTY_RESULT, state: outcome.kind, ...historyShortfall(outcome) }
  const { method, trials, care, from, mean } = outcome
  const steps = path.mean.length
  if (mean.length < steps)
    return {
      ...identified,
      ...EMPTY_RESULT,
      state: 'too_short',
      have: care.values.length,
      need: 2 * steps,
      shape: care.shape,
    }
  return {
    ...identified,
    state: 'ready',
    method,
    card: toModelCard(outcome),
    trials,
    filled: care.filled,
    outliers: care.outliers.map(({ at, value, expected }) => ({ at: care.first + at, value, expected, dampened })),
    from,
    shape: care.shape,
    backtest: toBacktestSummary(outcome),
    components: toComponents(outcome.decomposition, care.first),
  }
}

/** Periods with figures that there are, and that it takes. */
function historyShortfall(ran: Exclude<ForecastOutcome, BacktestedForecast>): { have?: number; need?: number } {
  if (ran.kind === 'too_short') return { have: ran.have, need: ran.need }
  if (ran.kind === 'refused' || ran.present >= 1) return {}
  const have = Math.round((ran.missing.length * ran.present) / (1 - ran.present))
  return { have, need: Math.ceil(PRESENT_SHARE_MIN * (have + ran.missing.length)) }
}

/** A result, or why there is none: `too_short` or `too_many_gaps` (with `have` and `need`), or `refused`. */
export type ComputeOutcome = { ok: true; result: ForecastResult } | { ok: false; trouble: RunFailure }

const FREQUENCY_BY_GRAIN: Record<ForecastGrain, Frequency> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  quarter: 'quarterly',
}

/**
 * A forecast from what was prepared: pure, and the same on the server and in a page. `engines`: `workerEngines()` of
 * `engines/worker-engines` on the server, those of the browser in its web worker, null without WebAssembly. All that is answered
 * is plain and finite. Floor and ceiling hold what is forecast, events ahead included, and what never was negative is not
 * forecast to be; as a balance it is not bounded, so that it can be seen to fall.
 */
export function computeForecast(
  input: ForecastInput,
  settings: ForecastSettings,
  engines: ForecastEngines | null,
): ComputeOutcome {
  const { grain, periods, total, parts, earlier = [] } = input
  const { horizon, season, holidays, dampOutliers } = settings
  const ask: ForecastRequest = {
    ...{ values: total.values, earlier, frequency: FREQUENCY_BY_GRAIN[grain], horizon, season, engines },
    ...(periods[0] === undefined ? {} : { start: periods[0] }),
    ...{ country: holidays === 'auto' ? input.country : null, dampen: dampOutliers },
  }
  const split = forecastHierarchy(
    ask,
    parts.map(({ values }, i) => ({ key: String(i), values })),
  )
  if (split.total.kind !== 'ready') return { ok: false, trouble: toRunFailure(split.total, grain) }
  const ran = split.total
  const own = split.parts.map(({ path }, i): ConstrainedPart => ({
    path,
    negative: parts[i] === undefined || wasNegative(parts[i]),
  }))
  const { ceiling } = settings
  const floor = settings.floor ?? (wasNegative(total, input.raw, earlier) ? null : 0)
  const made = applyConstraints(own.length > 0 && split.reconciled ? split.reconciled : ran, own, {
    eventAmounts: input.ahead,
    floor,
    ceiling,
  })
  if (![made.total, ...made.parts].every(isFinitePath)) return { ok: false, trouble: REFUSED_FAILURE }
  return {
    ok: true,
    result: toForecastResult({
      prepared: input,
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
      const { mean } = { mean: [], ...forecastWithBacktest({ ...ask, values, earlier: [], horizon: steps }) }
      return mean.length === steps && mean.every(Number.isFinite) ? [{ metric, name, mean }] : []
    }),
    ...(prepared.additive === undefined ? {} : { additive: prepared.additive }),
    ...{ format, direction, conversion, inputHash: prepared.inputHash },
  }
}

const isNegative = (value: number | null): boolean => value !== null && value < 0
const wasNegative = ({ values }: InputSeries, ...more: readonly (readonly (number | null)[])[]): boolean =>
  [values, ...more].some((all) => all.some(isNegative))

const isFinitePath = ({ mean, bands }: ForecastPath): boolean =>
  [mean, ...Object.values(bands).flatMap(({ lower, upper }) => [lower, upper])].every((path) =>
    path.every(Number.isFinite),
  )

const REFUSED_FAILURE: RunFailure = { code: 'refused', message: 'Couldn’t forecast this data.' }

function toRunFailure(ran: Exclude<ForecastOutcome, BacktestedForecast>, grain: ForecastGrain): RunFailure {
  const { have = 0, need = 0 } = historyShortfall(ran)
  const there = have === 1 ? `There is 1 ${grain}` : `There are ${have} ${grain}s`
  if (ran.kind === 'too_short')
    return { code: ran.kind, have, need, message: `${there} with figures; a forecast takes ${need}.` }
  if (ran.kind === 'too_many_gaps')
    return { code: ran.kind, have, need, message: `${there} with figures and too many without; ${need} are needed.` }
  return REFUSED_FAILURE
}
