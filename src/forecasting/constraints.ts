import { clamp } from './numerics'
import { byLevel, mapPath } from '../shared/forecasts/result'
import type { ForecastLevel, ForecastPath, PredictionIntervals } from '../shared/forecasts/result'

/**
 * Makes parts and their total agree, step by step: what the total says more than the parts is shared among all of them by how unsure
 * each is (weighted least squares of forecast reconciliation, Wickramasuriya, Athanasopoulos and Hyndman 2019; for a total and its parts
 * it has this closed form). `variances` are squared errors; without them, structural scaling: as many as the total sums up. The total is not
 * moved out of the band that holds half of what comes: what its own history says is not overruled by parts that hardly have one.
 * The answered total is the sum of the answered parts, added in order: exactly.
 */
export function reconcile(
  total: ForecastPath,
  parts: readonly ForecastPath[],
  variances?: { total: number; parts: readonly number[] },
): { total: ForecastPath; parts: ForecastPath[] } {
  const own = parts.map((_, i) => Math.max(0, variances?.parts[i] ?? 1))
  const totalVariance = Math.max(0, variances?.total ?? parts.length)
  const among = own.reduce((sum, w) => sum + w, 0)
  const all = among + totalVariance
  const isKnown = all > 0 && Number.isFinite(all)
  const share = own.map((w) => (isKnown && among > 0 ? w / among : 1 / parts.length))
  const given = isKnown ? totalVariance / all : 1 / (parts.length + 1)
  const gaps = total.mean.map((v, step) => {
    const sum = parts.reduce((so, part) => so + (part.mean[step] ?? 0), 0)
    return middleHalf(total, step)(v - (v - sum) * given) - sum
  })
  const moved = parts.map((part, i) =>
    shiftPath(
      part,
      gaps.map((gap) => gap * (share[i] ?? 0)),
    ),
  )
  const sums = total.mean.map((_, step) => moved.reduce((sum, part) => sum + (part.mean[step] ?? 0), 0))
  const whole = shiftPath(
    total,
    sums.map((v, step) => v - (total.mean[step] ?? 0)),
  )
  return { total: { ...whole, mean: sums }, parts: moved }
}

/** Held a hair within the band that half of what comes lies in: sums of parts are not exact. */
const HALF_BAND_SHARE = 1 - 1e-9
const middleHalf =
  ({ mean, bands }: ForecastPath, step: number) =>
  (value: number): number => {
    const own = mean[step] ?? 0
    const edge = (line: readonly number[]): number => own + HALF_BAND_SHARE * ((line[step] ?? own) - own)
    return clamp(value, Math.min(own, edge(bands[50].lower)), Math.max(own, edge(bands[50].upper)))
  }

/** A path and its bands moved by an amount at each step. */
const shiftPath = (path: ForecastPath, by: readonly number[]): ForecastPath =>
  mapPath(path, (line) => line.map((v, step) => v + (by[step] ?? 0)))

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
function boundIntervals(mean: number[], intervals: PredictionIntervals, valueBound: ValueBound): ForecastPath {
  const band = (level: ForecastLevel) => ({
    lower: intervals[level].lower.map((v, step) => Math.min(valueBound(v), mean[step] ?? 0)),
    upper: intervals[level].upper.map((v, step) => Math.max(valueBound(v), mean[step] ?? 0)),
  })
  return { mean, bands: byLevel(band) }
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, v) => sum + v, 0)

/**
 * The figures moved in proportion, so that they add up to something else; what rounding leaves goes to the largest. Those that may not
 * fall below zero stop there, and the others fall for them.
 */
function adjustToTotal(
  figures: readonly number[],
  { wanted, mayFall }: { wanted: number; mayFall: readonly boolean[] },
): number[] {
  const shares = proportionalShares(figures)
  const rest = wanted - sumOf(figures)
  const moved = figures.map((v, i) => v + rest * (shares[i] ?? 0))
  const held = moved.map((v, i) => (mayFall[i] === true ? v : Math.max(0, v)))
  const below = sumOf(held) - wanted
  const falling = proportionalShares(held.map((v, i) => (mayFall[i] === true ? v : 0)))
  const fallen =
    mayFall.includes(true) && below > 0
      ? held.map((v, i) => v - below * (mayFall[i] === true ? (falling[i] ?? 0) : 0))
      : held
  const largest = shares.indexOf(Math.max(...shares))
  return fallen.map((v, i) => (i === largest ? v + (wanted - sumOf(fallen)) : v))
}

/**
 * A whole and its parts with events ahead put on top, within bounds. What is put on or taken off is shared in proportion to
 * what each part is, and the whole is the sum of its parts, added in order. Parts that never were below zero stay above it.
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
        negative ? v : Math.max(0, v),
  )
  const before = parts.map(({ path }, i) => path.mean.map((v) => (holds[i] ?? valueBound)(v)))
  const steps = whole.mean.map((v, step) =>
    adjustToTotal(
      before.map((mean) => mean[step] ?? 0),
      { wanted: valueBound(v), mayFall: parts.map(({ negative }) => negative) },
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
