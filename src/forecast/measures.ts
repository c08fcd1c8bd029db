import { LEVELS, type Bands, type Level } from './contract'
import { mean } from './numbers'

/** A forecast of the past beside what came. */
export interface Fold {
  /** How many values the forecast was made from; everything was estimated anew from these alone. */
  origin: number
  actual: number[]
  path: number[]
  bands: Bands
  naive: number[]
  seasonalNaive: number[]
  /** Mean absolute change over a season within the values of the origin: what MASE is told in. */
  scale: number
}

export interface StepMeasure {
  step: number
  mae: number
  /** Share of folds whose value at this step lay in the band. */
  coverage: Record<Level, number>
}

export interface Measures {
  /** Mean absolute error, in units of the series. */
  mae: number
  /** Mean absolute error in percent of the value; null when a value is zero. */
  mape: number | null
  /** Mean absolute error over that of a seasonal naive forecast within the past (Hyndman and Koehler 2006); null for a constant past. */
  mase: number | null
  /** Mean of forecast less value: above zero tells of too high forecasts. */
  bias: number
  coverage: Record<Level, number>
  /** Values that were checked. */
  checks: number
  steps: StepMeasure[]
}

/** In-sample mean absolute change over `season` steps; over one step when the series is no longer than a season. */
export function scaleOf(values: ArrayLike<number>, season: number): number {
  const lag = values.length > season ? season : 1
  const count = Math.max(0, values.length - lag)
  return mean(Array.from({ length: count }, (_, t) => Math.abs((values[t + lag] ?? 0) - (values[t] ?? 0))))
}

const absolute = (path: readonly number[], actual: readonly number[]): number[] =>
  actual.map((v, i) => Math.abs(v - (path[i] ?? 0)))

/** A share of next to nothing can pass all figures: there is then none to tell. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Mean scaled error of one of a fold's paths over all folds whose past was not constant. */
export function maseOf(folds: readonly Fold[], path: (fold: Fold) => readonly number[]): number | null {
  const told = folds.filter(({ scale }) => scale > 0)
  return told.length > 0 ? finite(mean(told.map((fold) => mean(absolute(path(fold), fold.actual)) / fold.scale))) : null
}

const shares = (of: (level: Level) => number): Record<Level, number> => ({ 50: of(50), 80: of(80), 95: of(95) })

const inside = ({ bands, actual }: Fold, level: Level, step: number): boolean => {
  const value = actual[step] ?? NaN
  return value >= (bands[level].lower[step] ?? NaN) && value <= (bands[level].upper[step] ?? NaN)
}

export function measuresOf(folds: readonly Fold[]): Measures {
  const errors = folds.flatMap(({ path, actual }) => absolute(path, actual))
  const values = folds.flatMap(({ actual }) => actual)
  const horizon = Math.max(0, ...folds.map(({ actual }) => actual.length))
  const hits = shares((level) =>
    mean(folds.flatMap((fold) => fold.actual.map((_, step) => (inside(fold, level, step) ? 1 : 0)))),
  )
  return {
    mae: mean(errors),
    mape: values.some((v) => v === 0) ? null : finite(mean(errors.map((e, i) => (100 * e) / Math.abs(values[i] ?? 1)))),
    mase: maseOf(folds, ({ path }) => path),
    bias: mean(folds.flatMap(({ path, actual }) => actual.map((v, i) => (path[i] ?? 0) - v))),
    coverage: hits,
    checks: errors.length,
    steps: Array.from({ length: horizon }, (_, step) => {
      const reached = folds.filter(({ actual }) => actual.length > step)
      return {
        step: step + 1,
        mae: mean(reached.map(({ path, actual }) => Math.abs((actual[step] ?? 0) - (path[step] ?? 0)))),
        coverage: shares((level) => mean(reached.map((fold) => (inside(fold, level, step) ? 1 : 0)))),
      }
    }),
  }
}

/** Every level's measured share in words of counts: how often a band held, of how many checks. */
export const heldCounts = ({ coverage, checks }: Measures): { level: Level; held: number; of: number }[] =>
  LEVELS.map((level) => ({ level, held: Math.round(coverage[level] * checks), of: checks }))

export type Grade = 'A' | 'B' | 'C' | 'D'

/** A below 0.7, B below 0.9, C below 1: by the mean scaled error. D is no better than repeating the last season. */
export const gradeOf = (mase: number | null): Grade | null =>
  mase === null ? null : mase < 0.7 ? 'A' : mase < 0.9 ? 'B' : mase < 1 ? 'C' : 'D'
