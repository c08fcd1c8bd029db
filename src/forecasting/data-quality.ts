import { median } from './numerics'
import { hasSeason, estimateSeasonalIndices, removeSeason, restoreSeason } from './seasonality'
import { DEFAULT_SEASON_LENGTHS, type Frequency } from './contract'
import { isIntermittent } from './members/intermittent'

export interface FilledSeries {
  values: Float64Array
  /** Places in what was given. */
  filled: number[]
  /** Places before the first and after the last known value. */
  before: number
  after: number
}

/**
 * A series without holes: what is unknown at the ends is left out, a hole in between gets the mean of the same place one season before
 * and after, or lies on the line between its neighbours. Values that are no numbers count as unknown.
 */
export function fillGaps(given: readonly (number | null)[], season: number): FilledSeries {
  const known = (at: number): number | null => {
    const v = given[at]
    return typeof v === 'number' && Number.isFinite(v) ? v : null
  }
  let first = 0
  let last = given.length - 1
  while (first <= last && known(first) === null) first++
  while (last >= first && known(last) === null) last--
  const values = new Float64Array(Math.max(0, last - first + 1))
  const filled: number[] = []
  let left = first
  for (let at = first; at <= last; at++) {
    const own = known(at)
    if (own !== null) {
      values[at - first] = own
      left = at
      continue
    }
    filled.push(at)
    const earlier = season > 1 ? known(at - season) : null
    const later = season > 1 ? known(at + season) : null
    values[at - first] = earlier !== null && later !== null ? earlier / 2 + later / 2 : interpolateGap(known, left, at)
  }
  return { values, filled, before: first, after: given.length - 1 - last }
}

/** On the line from the known value at `left` to the next known one. */
function interpolateGap(known: (at: number) => number | null, left: number, at: number): number {
  let right = at + 1
  let end = known(right)
  while (end === null) end = known(++right)
  const share = (at - left) / (right - left)
  return (known(left) ?? 0) * (1 - share) + end * share
}

export interface Outlier {
  at: number
  value: number
  /** What its neighbours and its season say. */
  expected: number
  /** The value drawn in to the edge of what is usual. */
  dampened: number
}

const MEDIAN_REACH = 3
/** Robust deviations a value must lie off to be called an outlier. */
const OUTLIER_DEVIATIONS = 5

/** Median of the values at most `REACH` steps away; at the ends of those that are there. */
const runningMedian = (values: Float64Array): Float64Array =>
  values.map((_, t) => median(values.subarray(Math.max(0, t - MEDIAN_REACH), t + MEDIAN_REACH + 1)))

/** Expected values: the running median of the series without its season, the season put back. */
export function expectedValues(values: Float64Array, season: number): Float64Array {
  if (!hasSeason(values, season)) return runningMedian(values)
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const index = estimateSeasonalIndices(values, season, kind, { robust: true })
  if (kind === 'multiplicative' && index.indices.some((figure) => !(figure > 0.01))) return runningMedian(values)
  return Float64Array.from(restoreSeason(runningMedian(removeSeason(values, index)), index, 0))
}

/** Values far from their neighbours and their season, by median absolute deviation (Hampel 1974). A lasting change is none. */
export function detectOutliers(values: Float64Array, season: number): Outlier[] {
  const expected = expectedValues(values, season)
  const off = values.map((v, t) => v - (expected[t] ?? 0))
  const deviation = 1.4826 * median(off.map(Math.abs).filter((d) => d > 0))
  if (!(deviation > 0)) return []
  return Array.from(values).flatMap((value, at) => {
    const distance = off[at] ?? 0
    if (Math.abs(distance) <= OUTLIER_DEVIATIONS * deviation) return []
    const usual = expected[at] ?? 0
    return [{ at, value, expected: usual, dampened: usual + Math.sign(distance) * 2 * deviation }]
  })
}

export function dampenOutliers(values: Float64Array, outliers: readonly Outlier[]): Float64Array {
  const calm = values.slice()
  for (const { at, dampened } of outliers) calm[at] = dampened
  return calm
}

const PERIODS_MIN = 8
const HORIZON_MAX = 36
/** Two days. */
const HOURS_AHEAD_MAX = 48
const SEASONS_MIN = 2
export const PRESENT_SHARE_MIN = 0.7

export interface AssessmentInput {
  /** On the workspace's calendar, oldest first, without the period that is still running; null where nothing is known. */
  values: readonly (number | null)[]
  frequency: Frequency
  season: 'auto' | 'none' | number
}

export type DataAssessment =
  | { kind: 'too_short'; have: number; need: number }
  /** Share of periods with a value between the first and the last known one, and those without. */
  | { kind: 'too_many_gaps'; present: number; missing: number[] }
  | {
      kind: 'ready'
      values: Float64Array
      /** Place of the first used value in what was given, and how many places after the last known one are empty. */
      first: number
      after: number
      /** Places in what was given that were filled in. */
      filled: number[]
      outliers: Outlier[]
      shape: 'varied' | 'constant' | 'mostly_zero'
    }

/** Steps ahead that a history of so many periods can carry: half of it, 36 at most (48 hours). */
export const horizonMaxFor = (periods: number, frequency: Frequency): number =>
  Math.min(frequency === 'hourly' ? HOURS_AHEAD_MAX : HORIZON_MAX, Math.floor(periods / 2))

/** Periods wanted: eight, and two full seasons where a season was asked for. */
const requiredPeriods = (season: 'auto' | 'none' | number): number =>
  typeof season === 'number' ? Math.max(PERIODS_MIN, SEASONS_MIN * season) : PERIODS_MIN

/** Whether a series can be forecast, what was done to it, and what looks odd in it. */
export function assessData({ values: given, frequency, season }: AssessmentInput): DataAssessment {
  const length = season === 'none' ? 1 : season === 'auto' ? DEFAULT_SEASON_LENGTHS[frequency] : season
  const { values, filled, before, after } = fillGaps(given, length)
  const need = requiredPeriods(season)
  if (values.length < need) return { kind: 'too_short', have: values.length, need }
  const present = 1 - filled.length / values.length
  if (present < PRESENT_SHARE_MIN) return { kind: 'too_many_gaps', present, missing: filled }
  const isConstant = values.every((v) => v === values[0])
  const shape = isConstant ? 'constant' : isIntermittent(values) ? 'mostly_zero' : 'varied'
  const outliers = shape === 'varied' ? detectOutliers(values, length) : []
  return { kind: 'ready', values, first: before, after, filled, outliers, shape }
}
