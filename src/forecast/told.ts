import { seasonalNaiveForecast } from './naive-forecast'
import type { Decomposition } from './decompose'
import type { AccuracyMeasures } from './measures'
import type { ForecastPath } from './reconcile'
import type { ForecastOutcome, BacktestedForecast } from './run'
import type { BacktestSummary, BacktestErrors, SeriesForecast } from '../shared/forecast-result'

/** Significant digits of what is drawn and never added up: folds, components. */
const SIGNIFICANT_DIGITS = 7
const roundSignificant = (values: ArrayLike<number>): number[] =>
  Array.from(values, (v) => Number(v.toPrecision(SIGNIFICANT_DIGITS)))

const roundPath = ({ mean, bands }: ForecastPath): ForecastPath => {
  const band = (level: 50 | 80 | 95) => ({
    lower: roundSignificant(bands[level].lower),
    upper: roundSignificant(bands[level].upper),
  })
  return { mean: roundSignificant(mean), bands: { 50: band(50), 80: band(80), 95: band(95) } }
}

const toBacktestErrors = ({ mae, mape, mase, bias, coverage, checks, steps }: AccuracyMeasures): BacktestErrors => ({
  ...{ mae, mase, bias, coverage, checks, steps },
  mape: mape === null ? null : mape / 100,
})

/** Forecasts of the past as they were used: those of seasonal naive where it is. Origins are places among all periods. */
export function effectiveFolds({ backtest, care }: BacktestedForecast): BacktestSummary['folds'] {
  if (!backtest) return []
  const { method, season, folds } = backtest
  return folds.map(({ origin, actual, path, bands }) => ({
    origin: care.first + origin,
    actual,
    path:
      method === 'blend'
        ? { mean: path, bands }
        : seasonalNaiveForecast(care.values.subarray(0, origin), actual.length, season),
  }))
}

function toBacktestSummary(backtestedForecast: BacktestedForecast): BacktestSummary | null {
  if (!backtestedForecast.backtest) return null
  const { season, used, blend, naive, seasonalNaive, method, grade } = backtestedForecast.backtest
  return {
    ...{ season, naive, seasonalNaive, method, grade },
    used: toBacktestErrors(used),
    blend: { mase: blend.mase, mae: blend.mae },
    folds: effectiveFolds(backtestedForecast).map(({ origin, actual, path }) => ({
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
  ...{ method: null, card: null, trials: [], filled: [], outliers: [], from: 0, shape: null },
  ...{ backtest: null, components: null },
} satisfies Partial<SeriesForecast>

const toModelCard = ({ card }: BacktestedForecast): SeriesForecast['card'] => {
  const { route, members, dropped, combined, season, seasonKind, longSeason, used, withoutEngines } = card
  return { route, members, dropped, combined, season, seasonKind, longSeason, used, withoutEngines }
}

/** A run, where it leads after it was made to agree with others, and whether what looked odd was drawn in. */
export interface SeriesOutcome {
  outcome: ForecastOutcome
  path: ForecastPath
  dampened: boolean
}

/** What a run found, as it is stored and shown. */
export function toResult(
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
export function historyShortfall(ran: Exclude<ForecastOutcome, BacktestedForecast>): { have?: number; need?: number } {
  if (ran.kind === 'too_short') return { have: ran.have, need: ran.need }
  if (ran.kind === 'refused' || ran.present >= 1) return {}
  const have = Math.round((ran.missing.length * ran.present) / (1 - ran.present))
  return { have, need: Math.ceil(PRESENT_SHARE_MIN * (have + ran.missing.length)) }
}
const PRESENT_SHARE_MIN = 0.7
