import { DEFAULT_SEASON_LENGTHS, type Frequency } from './contract'
import { fillGaps } from './gaps'
import { isIntermittent } from './members/intermittent'
import { detectOutliers, type Outlier } from './outliers'

export const PERIODS_MIN = 8
export const HORIZON_MAX = 36
const SEASONS_MIN = 2
const PRESENT_SHARE_MIN = 0.7

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

/** Steps ahead that a history of so many periods can carry: half of it, 36 at most. */
export const horizonMaxFor = (periods: number): number => Math.min(HORIZON_MAX, Math.floor(periods / 2))

/** Periods wanted: eight, and two full seasons where a season was asked for. */
export const requiredPeriods = (season: 'auto' | 'none' | number): number =>
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
