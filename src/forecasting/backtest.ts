import { DEFAULT_SEASON_LENGTHS, type ModelInput, type ModelForecast, type Frequency } from './contract'
import { mean } from './numerics'
import { forecast } from './forecast'
import { FORECAST_LEVELS, byLevel } from '../shared/forecasts/result'
import type {
  AccuracyGrade,
  BacktestErrors,
  BenchmarkErrors,
  ForecastLevel,
  ForecastPath,
  IntervalPath,
  PredictionIntervals,
} from '../shared/forecasts/result'

/**
 * Half-widths in deviations of the changes over a season. A normal distribution would have 0.67, 1.28 and 1.96, which hold too little:
 * the tails of real series are heavier (decision 042).
 */
const NAIVE_HALF_WIDTHS: Record<ForecastLevel, number> = { 50: 0.67, 80: 1.45, 95: 2.6 }

/** The last season again and again; the last value again when the series is shorter than a season. */
function seasonalNaivePath(values: ArrayLike<number>, horizon: number, season: number): number[] {
  const lag = values.length >= season ? season : 1
  return Array.from({ length: horizon }, (_, step) => values[values.length - lag + (step % lag)] ?? 0)
}

/**
 * Seasonal naive with bands that widen by the square root of the seasons ahead. Of exactly one season there is no change over
 * a season yet: it is repeated as it is, in the bands that changes over one step give.
 */
export function seasonalNaiveForecast(values: ArrayLike<number>, horizon: number, season: number): ForecastPath {
  const lag = values.length > season ? season : 1
  const mean = seasonalNaivePath(values, horizon, season)
  let unit = 0
  for (let t = lag; t < values.length; t++) unit = Math.max(unit, Math.abs((values[t] ?? 0) - (values[t - lag] ?? 0)))
  let squares = 0
  for (let t = lag; t < values.length; t++) squares += (((values[t] ?? 0) - (values[t - lag] ?? 0)) / (unit || 1)) ** 2
  const deviation = unit * Math.sqrt(squares / Math.max(1, values.length - lag))
  const band = (level: ForecastLevel): IntervalPath => {
    const width = (step: number): number => NAIVE_HALF_WIDTHS[level] * deviation * Math.sqrt(Math.floor(step / lag) + 1)
    return { lower: mean.map((v, step) => v - width(step)), upper: mean.map((v, step) => v + width(step)) }
  }
  return { mean, bands: byLevel(band) }
}

/** A forecast of the past beside what came. */
export interface BacktestFold {
  /** How many values the forecast was made from; everything was estimated anew from these alone. */
  origin: number
  actual: number[]
  path: number[]
  bands: PredictionIntervals
  naive: number[]
  seasonalNaive: number[]
  /** Mean absolute change over a season within the values of the origin: what MASE is told in. */
  scale: number
}

/** `mape` is told in percent of the value here. */
export type AccuracyMeasures = BacktestErrors

/** In-sample mean absolute change over `season` steps; over one step when the series is no longer than a season. */
export function maseScale(values: ArrayLike<number>, season: number): number {
  const lag = values.length > season ? season : 1
  const count = Math.max(0, values.length - lag)
  return mean(Array.from({ length: count }, (_, t) => Math.abs((values[t + lag] ?? 0) - (values[t] ?? 0))))
}

const absoluteErrors = (path: readonly number[], actual: readonly number[]): number[] =>
  actual.map((v, i) => Math.abs(v - (path[i] ?? 0)))

/** A share of next to nothing can pass all figures: there is then none to tell. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Mean scaled error of one of a fold's paths over all folds whose past was not constant. */
function meanAbsoluteScaledError(
  folds: readonly BacktestFold[],
  path: (fold: BacktestFold) => readonly number[],
): number | null {
  const scoredFolds = folds.filter(({ scale }) => scale > 0)
  return scoredFolds.length > 0
    ? finiteOrNull(mean(scoredFolds.map((fold) => mean(absoluteErrors(path(fold), fold.actual)) / fold.scale)))
    : null
}

const isWithinInterval = ({ bands, actual }: BacktestFold, level: ForecastLevel, step: number): boolean => {
  const value = actual[step] ?? NaN
  return value >= (bands[level].lower[step] ?? NaN) && value <= (bands[level].upper[step] ?? NaN)
}

export function measureAccuracy(folds: readonly BacktestFold[]): AccuracyMeasures {
  const errors = folds.flatMap(({ path, actual }) => absoluteErrors(path, actual))
  const values = folds.flatMap(({ actual }) => actual)
  const horizon = Math.max(0, ...folds.map(({ actual }) => actual.length))
  const hits = byLevel((level) =>
    mean(folds.flatMap((fold) => fold.actual.map((_, step) => (isWithinInterval(fold, level, step) ? 1 : 0)))),
  )
  return {
    mae: mean(errors),
    mape: values.some((v) => v === 0)
      ? null
      : finiteOrNull(mean(errors.map((e, i) => (100 * e) / Math.abs(values[i] ?? 1)))),
    mase: meanAbsoluteScaledError(folds, ({ path }) => path),
    bias: mean(folds.flatMap(({ path, actual }) => actual.map((v, i) => (path[i] ?? 0) - v))),
    coverage: hits,
    checks: errors.length,
    steps: Array.from({ length: horizon }, (_, step) => {
      const reached = folds.filter(({ actual }) => actual.length > step)
      return {
        step: step + 1,
        mae: mean(reached.map(({ path, actual }) => Math.abs((actual[step] ?? 0) - (path[step] ?? 0)))),
        coverage: byLevel((level) => mean(reached.map((fold) => (isWithinInterval(fold, level, step) ? 1 : 0)))),
      }
    }),
  }
}

/** Every level's measured share in words of counts: how often a band held, of how many checks. */
export const coverageCounts = ({
  coverage,
  checks,
}: AccuracyMeasures): { level: ForecastLevel; held: number; of: number }[] =>
  FORECAST_LEVELS.map((level) => ({ level, held: Math.round(coverage[level] * checks), of: checks }))

/** A below 0.7, B below 0.9, C below 1: by the mean scaled error. D is no better than repeating the last season. */
export const gradeFor = (mase: number | null): AccuracyGrade | null =>
  mase === null ? null : mase < 0.7 ? 'A' : mase < 0.9 ? 'B' : mase < 1 ? 'C' : 'D'

/** What repeats itself by season is not foreseen by who leaves the season out, however small the error. */
export const seasonBlindGrade = (grade: AccuracyGrade | null): AccuracyGrade | null =>
  grade === 'A' || grade === 'B' ? 'C' : grade

const FOLDS_MAX = 8
const HISTORY_MIN = 4
/** From this many times the scaled error of seasonal naive on, the blend has not understood the series and naive is used. */
const BLEND_LOSS_MAX = 2

export interface BacktestInput extends Omit<ModelInput, 'values'> {
  /** Without holes. */
  values: readonly number[]
  /** What lies before them where only a part of the history is used: errors are told in the changes of the whole. */
  earlier?: ArrayLike<number>
  /** What stands in for the blend: history cut at a break, holidays taken off. Told only what was known at the origin. */
  forecaster?: (past: number[], steps: number, origin: number) => Pick<ModelForecast, 'mean' | 'bands'> | null
}

export interface Backtest {
  /** Steps between what is repeated by seasonal naive and measured by MASE. */
  season: number
  folds: BacktestFold[]
  /** The same with the paths that were used: of seasonal naive where it is. */
  shown: BacktestFold[]
  blend: AccuracyMeasures
  naive: BenchmarkErrors
  seasonalNaive: BenchmarkErrors
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

/** What is repeated and measured in: the season that the frequency has, whatever season was asked for. */
const benchmarkSeasonLength = ({ frequency }: Pick<ModelInput, 'frequency'>): number =>
  DEFAULT_SEASON_LENGTHS[frequency]

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
export function backtest(input: BacktestInput): Backtest | null {
  const { values, horizon, forecaster, earlier = [] } = input
  const season = benchmarkSeasonLength(input)
  const whole = Float64Array.from([...Array.from(earlier), ...values])
  const folds = foldOrigins(values.length, horizon, season).flatMap((origin): BacktestFold[] => {
    const past = values.slice(0, origin)
    const made = forecaster ? forecaster(past, horizon, origin) : blendForecast(input, past)
    if (!made) return []
    return [
      {
        origin,
        actual: values.slice(origin, origin + horizon),
        path: made.mean,
        bands: made.bands,
        naive: seasonalNaivePath(past, horizon, 1),
        seasonalNaive: seasonalNaivePath(past, horizon, season),
        scale: maseScale(whole.subarray(0, earlier.length + origin), season),
      },
    ]
  })
  return folds.length > 0 ? scoreFolds(folds, season, values) : null
}

function blendForecast(input: BacktestInput, past: number[]): ModelForecast | null {
  const made = forecast({ ...input, values: past })
  return made.kind === 'forecast' ? made : null
}

function isFarWorse(folds: readonly BacktestFold[]): boolean {
  const blend = meanAbsoluteScaledError(folds, ({ path }) => path)
  const seasonal = meanAbsoluteScaledError(folds, ({ seasonalNaive }) => seasonalNaive)
  return blend !== null && seasonal !== null && blend > 0 && blend >= BLEND_LOSS_MAX * seasonal
}

/** The older half of a short series is told from a few values: what the blend misses there says little of what it knows now. */
const newerHalf = (folds: readonly BacktestFold[]): readonly BacktestFold[] => folds.slice(Math.floor(folds.length / 2))

function scoreFolds(folds: BacktestFold[], season: number, values: readonly number[]): Backtest {
  const blend = measureAccuracy(folds)
  const of = (path: (fold: BacktestFold) => number[]): BenchmarkErrors => ({
    mase: meanAbsoluteScaledError(folds, path),
    mae: measureAccuracy(folds.map((fold) => ({ ...fold, path: path(fold) }))).mae,
  })
  const seasonal = of((fold) => fold.seasonalNaive)
  const beats = !isFarWorse(folds) || !isFarWorse(newerHalf(folds))
  const shown = beats ? folds : folds.map((fold) => withNaiveForecast(fold, season, values))
  const scored = { season, folds, blend, naive: of((fold) => fold.naive), seasonalNaive: seasonal }
  return scoreAsShown({ ...scored, method: beats ? 'blend' : 'seasonal naive' }, shown)
}

/** The same measured by other paths than those of the blend. */
export function scoreAsShown(tried: Omit<Backtest, 'shown' | 'used' | 'grade'>, shown: BacktestFold[]): Backtest {
  const used = measureAccuracy(shown)
  return { ...tried, shown, used, grade: gradeFor(used.mase) }
}

/** The same scored as the blend, for series whose shape decides that it is used whatever repeating the season would have cost. */
export const scoreAsBlend = (tried: Backtest): Backtest => scoreAsShown({ ...tried, method: 'blend' }, tried.folds)

function withNaiveForecast(fold: BacktestFold, season: number, values: readonly number[]): BacktestFold {
  const made = seasonalNaiveForecast(values.slice(0, fold.origin), fold.actual.length, season)
  return { ...fold, path: made.mean, bands: made.bands }
}
