import { FORECAST_LEVELS, type PredictionIntervals, type ForecastLevel } from './contract'
import { clamp } from './numbers'
import { shiftPath, type ForecastPath } from './reconcile'

/** A part's path, and whether it was ever below zero. */
export interface ConstrainedPart {
  path: ForecastPath
  negative: boolean
}
/** What is known of the future beside the figures: amounts of events by step, and bounds that a person has set. */
export interface FutureConstraints {
  eventAmounts: readonly number[]
  floor: number | null
  ceiling: number | null
}

type ValueBound = (value: number) => number

/** Shares in proportion to what each is; equal ones where all are nothing. They add up to one. */
export function proportionalShares(figures: readonly number[]): number[] {
  const all = figures.reduce((sum, v) => sum + Math.abs(v), 0)
  return figures.map((v) => (all > 0 && Number.isFinite(all) ? Math.abs(v) / all : 1 / figures.length))
}

/** The bands within bounds, around a middle that may have been moved to their edge. */
function boundIntervals(
  mean: number[],
  predictionIntervals: PredictionIntervals,
  valueBound: ValueBound,
): ForecastPath {
  const band = (forecastLevel: ForecastLevel) => ({
    lower: predictionIntervals[forecastLevel].lower.map((v, step) => Math.min(valueBound(v), mean[step] ?? 0)),
    upper: predictionIntervals[forecastLevel].upper.map((v, step) => Math.max(valueBound(v), mean[step] ?? 0)),
  })
  const [half, most, nearly] = FORECAST_LEVELS.map(band)
  const none = { lower: [], upper: [] }
  return { mean, bands: { 50: half ?? none, 80: most ?? none, 95: nearly ?? none } }
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, v) => sum + v, 0)

/** The figures moved in proportion, so that they add up to something else; what rounding leaves goes to the largest. */
function adjustToTotal(figures: readonly number[], wanted: number): number[] {
  const shares = proportionalShares(figures)
  const rest = wanted - sumOf(figures)
  const moved = figures.map((v, i) => v + rest * (shares[i] ?? 0))
  const largest = shares.indexOf(Math.max(...shares))
  return moved.map((v, i) => (i === largest ? v + (wanted - sumOf(moved)) : v))
}

/**
 * A whole and its parts with events ahead put on top, within bounds. What is put on or taken off is shared in proportion to
 * what each part is, and the whole is the sum of its parts, added in order. Parts that never were below zero stay above it
 * where the whole may not fall below it.
 */
export function applyConstraints(
  total: ForecastPath,
  parts: readonly ConstrainedPart[],
  { eventAmounts, floor, ceiling }: FutureConstraints,
): { total: ForecastPath; parts: ForecastPath[] } {
  const valueBound: ValueBound = (v) => clamp(v, floor ?? -Infinity, ceiling ?? Infinity)
  const whole = shiftPath(total, eventAmounts)
  if (parts.length === 0)
    return { total: boundIntervals(whole.mean.map(valueBound), whole.bands, valueBound), parts: [] }
  const holds = parts.map(
    ({ negative }): ValueBound =>
      (v) =>
        floor !== null && floor >= 0 && !negative ? Math.max(0, v) : v,
  )
  const before = parts.map(({ path }, i) => path.mean.map((v) => (holds[i] ?? valueBound)(v)))
  const steps = whole.mean.map((v, step) =>
    adjustToTotal(
      before.map((mean) => mean[step] ?? 0),
      valueBound(v),
    ),
  )
  const paths = parts.map(({ path }, i) => {
    const mean = steps.map((figures) => figures[i] ?? 0)
    const { bands } = shiftPath(
      path,
      mean.map((v, step) => v - (before[i]?.[step] ?? 0)),
    )
    return boundIntervals(mean, bands, holds[i] ?? valueBound)
  })
  return { total: boundIntervals(steps.map(sumOf), whole.bands, valueBound), parts: paths }
}
