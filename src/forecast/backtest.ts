import { SEASONS, type Ask, type Bands, type Forecast, type Frequency } from './contract'
import { forecast } from './forecast'
import { gradeOf, maseOf, measuresOf, scaleOf, type Fold, type Grade, type Measures } from './measures'
import { naiveForecast, seasonalNaive } from './naive-forecast'

const MOST_FOLDS = 8
const FEWEST_KNOWN = 4
/** The blend must beat seasonal naive by this share of its scaled error, or naive is used. */
export const FEWEST_GAIN = 0.02

export interface BacktestAsk extends Omit<Ask, 'values'> {
  /** Without holes. */
  values: readonly number[]
  /** What stands in for the blend: history cut at a break, holidays taken off. Told only what was known at the origin. */
  make?: (past: number[], steps: number, origin: number) => Pick<Forecast, 'mean' | 'bands'> | null
}

export interface Backtest {
  /** Steps between what is repeated by seasonal naive and measured by MASE. */
  season: number
  folds: Fold[]
  blend: Measures
  naive: { mase: number | null; mae: number }
  seasonalNaive: { mase: number | null; mae: number }
  /** Which one is used, and how it is graded. */
  method: 'blend' | 'seasonal naive'
  used: Measures
  /** Null when the past was constant: there is nothing to be better than. */
  grade: Grade | null
}

export const naiveSeason = ({ frequency, season }: { frequency: Frequency; season?: Ask['season'] }): number =>
  season === 'none' ? 1 : typeof season === 'number' ? Math.max(1, season) : SEASONS[frequency]

/** Where forecasts of the past begin, oldest first: the last leaves one horizon; three to eight where the history allows. */
export function foldOrigins(length: number, horizon: number, season: number): number[] {
  const fewest = Math.min(Math.max(FEWEST_KNOWN, 2 * season + 1), Math.max(FEWEST_KNOWN, length - horizon - 2))
  const room = length - horizon - fewest
  if (room < 0) return []
  const count = Math.min(MOST_FOLDS, room + 1)
  const stride = count > 1 ? Math.max(1, Math.min(Math.ceil(horizon / 2), Math.floor(room / (count - 1)))) : 1
  return Array.from({ length: count }, (_, k) => length - horizon - (count - 1 - k) * stride)
}

/**
 * Rolling origins (Tashman 2000): the same horizon again and again over the past, everything (gaps apart) estimated anew from what was
 * known, seasonal indices too. Null when the history has no room for a fold.
 */
export function backtest(ask: BacktestAsk): Backtest | null {
  const { values, horizon, make } = ask
  const season = naiveSeason(ask)
  const folds = foldOrigins(values.length, horizon, season).flatMap((origin): Fold[] => {
    const past = values.slice(0, origin)
    const made = make ? make(past, horizon, origin) : blended(ask, past)
    if (!made) return []
    return [
      {
        origin,
        actual: values.slice(origin, origin + horizon),
        path: made.mean,
        bands: made.bands,
        naive: seasonalNaive(past, horizon, 1),
        seasonalNaive: seasonalNaive(past, horizon, season),
        scale: scaleOf(past, season),
      },
    ]
  })
  return folds.length > 0 ? judged(folds, season, values) : null
}

function blended(ask: BacktestAsk, past: number[]): Forecast | null {
  const made = forecast({ ...ask, values: past })
  return made.kind === 'forecast' ? made : null
}

function judged(folds: Fold[], season: number, values: readonly number[]): Backtest {
  const blend = measuresOf(folds)
  const of = (path: (fold: Fold) => number[]): { mase: number | null; mae: number } => ({
    mase: maseOf(folds, path),
    mae: measuresOf(folds.map((fold) => ({ ...fold, path: path(fold) }))).mae,
  })
  const seasonal = of((fold) => fold.seasonalNaive)
  const beats = blend.mase === null || seasonal.mase === null || blend.mase <= (1 - FEWEST_GAIN) * seasonal.mase
  const used = beats ? blend : measuresOf(folds.map((fold) => asNaive(fold, season, values)))
  return {
    season,
    folds,
    blend,
    naive: of((fold) => fold.naive),
    seasonalNaive: seasonal,
    method: beats ? 'blend' : 'seasonal naive',
    used,
    grade: gradeOf(used.mase),
  }
}

function asNaive(fold: Fold, season: number, values: readonly number[]): Fold {
  const made: { mean: number[]; bands: Bands } = naiveForecast(values.slice(0, fold.origin), fold.actual.length, season)
  return { ...fold, path: made.mean, bands: made.bands }
}
