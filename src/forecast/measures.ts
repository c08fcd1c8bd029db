import { FORECAST_LEVELS, type PredictionIntervals, type ForecastLevel } from './contract'
import { mean } from './numbers'

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

export interface StepAccuracy {
  step: number
  mae: number
  /** Share of folds whose value at this step lay in the band. */
  coverage: Record<ForecastLevel, number>
}

export interface AccuracyMeasures {
  /** Mean absolute error, in units of the series. */
  mae: number
  /** Mean absolute error in percent of the value; null when a value is zero. */
  mape: number | null
  /** Mean absolute error over that of a seasonal naive forecast within the past (Hyndman and Koehler 2006); null for a constant past. */
  mase: number | null
  /** Mean of forecast less value: above zero tells of too high forecasts. */
  bias: number
  coverage: Record<ForecastLevel, number>
  /** Values that were checked. */
  checks: number
  steps: StepAccuracy[]
}

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
export function meanAbsoluteScaledError(
  folds: readonly BacktestFold[],
  path: (backtestFold: BacktestFold) => readonly number[],
): number | null {
  const scoredFolds = folds.filter(({ scale }) => scale > 0)
  return scoredFolds.length > 0
    ? finiteOrNull(mean(scoredFolds.map((fold) => mean(absoluteErrors(path(fold), fold.actual)) / fold.scale)))
    : null
}

const byLevel = (of: (forecastLevel: ForecastLevel) => number): Record<ForecastLevel, number> => ({
  50: of(50),
  80: of(80),
  95: of(95),
})

const isWithinInterval = ({ bands, actual }: BacktestFold, forecastLevel: ForecastLevel, step: number): boolean => {
  const value = actual[step] ?? NaN
  return value >= (bands[forecastLevel].lower[step] ?? NaN) && value <= (bands[forecastLevel].upper[step] ?? NaN)
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

export type AccuracyGrade = 'A' | 'B' | 'C' | 'D'

/** A below 0.7, B below 0.9, C below 1: by the mean scaled error. D is no better than repeating the last season. */
export const gradeFor = (mase: number | null): AccuracyGrade | null =>
  mase === null ? null : mase < 0.7 ? 'A' : mase < 0.9 ? 'B' : mase < 1 ? 'C' : 'D'
