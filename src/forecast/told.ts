import { naiveForecast } from './naive-forecast'
import type { Decomposition } from './decompose'
import type { Measures } from './measures'
import type { Path } from './reconcile'
import type { Ran, Run } from './run'
import type { Backtested, Errors, SeriesForecast } from '../shared/forecast-result'

/** Significant digits of what is drawn and never added up: folds, components. */
const DIGITS = 7
const short = (values: ArrayLike<number>): number[] => Array.from(values, (v) => Number(v.toPrecision(DIGITS)))

const shortPath = ({ mean, bands }: Path): Path => {
  const band = (level: 50 | 80 | 95) => ({ lower: short(bands[level].lower), upper: short(bands[level].upper) })
  return { mean: short(mean), bands: { 50: band(50), 80: band(80), 95: band(95) } }
}

const errorsOf = ({ mae, mape, mase, bias, coverage, checks, steps }: Measures): Errors => ({
  ...{ mae, mase, bias, coverage, checks, steps },
  mape: mape === null ? null : mape / 100,
})

/** Forecasts of the past as they were used: those of seasonal naive where it is. Origins are places among all periods. */
export function foldsOf({ backtest, care }: Run): Backtested['folds'] {
  if (!backtest) return []
  const { method, season, folds } = backtest
  return folds.map(({ origin, actual, path, bands }) => ({
    origin: care.first + origin,
    actual,
    path:
      method === 'blend'
        ? { mean: path, bands }
        : naiveForecast(care.values.subarray(0, origin), actual.length, season),
  }))
}

function backtestedOf(run: Run): Backtested | null {
  if (!run.backtest) return null
  const { season, used, blend, naive, seasonalNaive, method, grade } = run.backtest
  return {
    ...{ season, naive, seasonalNaive, method, grade },
    used: errorsOf(used),
    blend: { mase: blend.mase, mae: blend.mae },
    folds: foldsOf(run).map(({ origin, actual, path }) => ({ origin, actual, path: shortPath(path) })),
  }
}

function componentsOf({ kind, trend, season, rest }: Decomposition, first: number): SeriesForecast['components'] {
  const all = [trend, season ?? [], rest]
  if (!all.every((values) => values.every(Number.isFinite))) return null
  return { kind, trend: short(trend), season: season && short(season), rest: short(rest), first }
}

const UNTOLD = {
  ...{ method: null, card: null, trials: [], filled: [], outliers: [], from: 0, shape: null },
  ...{ backtest: null, components: null },
} satisfies Partial<SeriesForecast>

const cardOf = ({ card }: Run): SeriesForecast['card'] => {
  const { route, members, dropped, combined, season, seasonKind, longSeason, used, withoutEngines } = card
  return { route, members, dropped, combined, season, seasonKind, longSeason, used, withoutEngines }
}

/** A run, where it leads after it was made to agree with others, and whether what looked odd was drawn in. */
export interface Made {
  ran: Ran
  path: Path
  dampened: boolean
}

/** What a run found, as it is stored and shown. */
export function told(of: Pick<SeriesForecast, 'member' | 'label'>, { ran, path, dampened }: Made): SeriesForecast {
  const named = { member: of.member, label: of.label, path }
  if (ran.kind !== 'ready') return { ...named, ...UNTOLD, state: ran.kind, ...lacking(ran) }
  const { method, trials, care, from, mean } = ran
  const steps = path.mean.length
  if (mean.length < steps)
    return { ...named, ...UNTOLD, state: 'too_short', have: care.values.length, need: 2 * steps, shape: care.shape }
  return {
    ...named,
    state: 'ready',
    method,
    card: cardOf(ran),
    trials,
    filled: care.filled,
    outliers: care.outliers.map(({ at, value, expected }) => ({ at: care.first + at, value, expected, dampened })),
    from,
    shape: care.shape,
    backtest: backtestedOf(ran),
    components: componentsOf(ran.decomposition, care.first),
  }
}

/** Periods with figures that there are, and that it takes. */
export function lacking(ran: Exclude<Ran, Run>): { have?: number; need?: number } {
  if (ran.kind === 'too_short') return { have: ran.have, need: ran.need }
  if (ran.kind === 'refused' || ran.present >= 1) return {}
  const have = Math.round((ran.missing.length * ran.present) / (1 - ran.present))
  return { have, need: Math.ceil(FEWEST_PRESENT * (have + ran.missing.length)) }
}
const FEWEST_PRESENT = 0.7
