import {
  DEFAULT_SEASON_LENGTHS,
  type ModelInput,
  type PredictionIntervals,
  type ModelForecast,
  type Frequency,
} from './contract'
import { forecast } from './forecast'
import {
  gradeFor,
  meanAbsoluteScaledError,
  measureAccuracy,
  maseScale,
  type BacktestFold,
  type AccuracyGrade,
  type AccuracyMeasures,
} from './measures'
import { seasonalNaiveForecast, seasonalNaivePath } from './naive-forecast'

const FOLDS_MAX = 8
const HISTORY_MIN = 4
/** The blend must beat seasonal naive by this share of its scaled error, or naive is used. */
export const BLEND_GAIN_MIN = 0.02

export interface BacktestInput extends Omit<ModelInput, 'values'> {
  /** Without holes. */
  values: readonly number[]
  /** What stands in for the blend: history cut at a break, holidays taken off. Told only what was known at the origin. */
  forecaster?: (past: number[], steps: number, origin: number) => Pick<ModelForecast, 'mean' | 'bands'> | null
}

export interface Backtest {
  /** Steps between what is repeated by seasonal naive and measured by MASE. */
  season: number
  folds: BacktestFold[]
  blend: AccuracyMeasures
  naive: { mase: number | null; mae: number }
  seasonalNaive: { mase: number | null; mae: number }
  /** Which one is used, and how it is graded. */
  method: 'blend' | 'seasonal naive'
  used: AccuracyMeasures
  /** Null when the past was constant: there is nothing to be better than. */
  grade: AccuracyGrade | null
}

export const naiveSeasonLength = ({
  frequency,
  season,
}: {
  frequency: Frequency
  season?: ModelInput['season']
}): number =>
  season === 'none' ? 1 : typeof season === 'number' ? Math.max(1, season) : DEFAULT_SEASON_LENGTHS[frequency]

/** Where forecasts of the past begin, oldest first: the last leaves one horizon; three to eight where the history allows. */
export function foldOrigins(length: number, horizon: number, season: number): number[] {
  const fewest = Math.min(Math.max(HISTORY_MIN, 2 * season + 1), Math.max(HISTORY_MIN, length - horizon - 2))
  const room = length - horizon - fewest
  if (room < 0) return []
  const count = Math.min(FOLDS_MAX, room + 1)
  const stride = count > 1 ? Math.max(1, Math.min(Math.ceil(horizon / 2), Math.floor(room / (count - 1)))) : 1
  return Array.from({ length: count }, (_, k) => length - horizon - (count - 1 - k) * stride)
}

/**
 * Rolling origins (Tashman 2000): the same horizon again and again over the past, everything (gaps apart) estimated anew from what was
 * known, seasonal indices too. Null when the history has no room for a fold.
 */
export function backtest(ask: BacktestInput): Backtest | null {
  const { values, horizon, forecaster } = ask
  const season = naiveSeasonLength(ask)
  const folds = foldOrigins(values.length, horizon, season).flatMap((origin): BacktestFold[] => {
    const past = values.slice(0, origin)
    const made = forecaster ? forecaster(past, horizon, origin) : blendForecast(ask, past)
    if (!made) return []
    return [
      {
        origin,
        actual: values.slice(origin, origin + horizon),
        path: made.mean,
        bands: made.bands,
        naive: seasonalNaivePath(past, horizon, 1),
        seasonalNaive: seasonalNaivePath(past, horizon, season),
        scale: maseScale(past, season),
      },
    ]
  })
  return folds.length > 0 ? scoreFolds(folds, season, values) : null
}

function blendForecast(ask: BacktestInput, past: number[]): ModelForecast | null {
  const made = forecast({ ...ask, values: past })
  return made.kind === 'forecast' ? made : null
}

function scoreFolds(folds: BacktestFold[], season: number, values: readonly number[]): Backtest {
  const blend = measureAccuracy(folds)
  const of = (path: (backtestFold: BacktestFold) => number[]): { mase: number | null; mae: number } => ({
    mase: meanAbsoluteScaledError(folds, path),
    mae: measureAccuracy(folds.map((fold) => ({ ...fold, path: path(fold) }))).mae,
  })
  const seasonal = of((fold) => fold.seasonalNaive)
  const beats = blend.mase === null || seasonal.mase === null || blend.mase <= (1 - BLEND_GAIN_MIN) * seasonal.mase
  const used = beats ? blend : measureAccuracy(folds.map((fold) => withNaiveForecast(fold, season, values)))
  return {
    season,
    folds,
    blend,
    naive: of((fold) => fold.naive),
    seasonalNaive: seasonal,
    method: beats ? 'blend' : 'seasonal naive',
    used,
    grade: gradeFor(used.mase),
  }
}

function withNaiveForecast(backtestFold: BacktestFold, season: number, values: readonly number[]): BacktestFold {
  const made: { mean: number[]; bands: PredictionIntervals } = seasonalNaiveForecast(
    values.slice(0, backtestFold.origin),
    backtestFold.actual.length,
    season,
  )
  return { ...backtestFold, path: made.mean, bands: made.bands }
}
