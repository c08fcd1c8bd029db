import { SEASONS, type Frequency } from './contract'
import { withoutGaps } from './gaps'
import { isIntermittent } from './members/intermittent'
import { outliersOf, type Outlier } from './outliers'

export const FEWEST_PERIODS = 8
export const MOST_HORIZON = 36
const FEWEST_SEASONS = 2
const FEWEST_PRESENT = 0.7

export interface CareAsk {
  /** On the workspace's calendar, oldest first, without the period that is still running; null where nothing is known. */
  values: readonly (number | null)[]
  frequency: Frequency
  season: 'auto' | 'none' | number
}

export type Care =
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
export const horizonCap = (periods: number): number => Math.min(MOST_HORIZON, Math.floor(periods / 2))

/** Periods wanted: eight, and two full seasons where a season was asked for. */
export const periodsWanted = (season: 'auto' | 'none' | number): number =>
  typeof season === 'number' ? Math.max(FEWEST_PERIODS, FEWEST_SEASONS * season) : FEWEST_PERIODS

/** Whether a series can be forecast, what was done to it, and what looks odd in it. */
export function careFor({ values: given, frequency, season }: CareAsk): Care {
  const length = season === 'none' ? 1 : season === 'auto' ? SEASONS[frequency] : season
  const { values, filled, before, after } = withoutGaps(given, length)
  const need = periodsWanted(season)
  if (values.length < need) return { kind: 'too_short', have: values.length, need }
  const present = 1 - filled.length / values.length
  if (present < FEWEST_PRESENT) return { kind: 'too_many_gaps', present, missing: filled }
  const isConstant = values.every((v) => v === values[0])
  const shape = isConstant ? 'constant' : isIntermittent(values) ? 'mostly_zero' : 'varied'
  const outliers = shape === 'varied' ? outliersOf(values, length) : []
  return { kind: 'ready', values, first: before, after, filled, outliers, shape }
}
