import type { Grain } from '../../../shared/query/date-range'
import type { ColumnVector } from './statistics'

/** Buckets after which the same season comes again; 1 where there is none. */
const SEASON_LENGTHS: Record<Grain, number> = {
  hour: 24,
  day: 7,
  week: 52,
  month: 12,
  quarter: 4,
  fiscalQuarter: 4,
  year: 1,
  fiscalYear: 1,
}
export const seasonLength = (grain: Grain): number => SEASON_LENGTHS[grain]
/** Grains whose season is the year: the same bucket last year is something to hold against. */
export const isYearlySeason = (grain: Grain): boolean => !['hour', 'day', 'year', 'fiscalYear'].includes(grain)

/** Buckets needed before each place in the season has a level of its own. */
export const hasFullSeasons = (n: number, season: number): boolean => season > 1 && season <= 24 && n >= 2.5 * season

/**
 * Columns for the season at places `at`: one for each place but the first when there are at least two and a half
 * seasons, else the first one or two waves of it, which is what so few buckets can tell from a shift or a trend.
 */
export function seasonColumns(at: readonly number[], season: number): ColumnVector[] {
  if (season <= 1) return []
  if (hasFullSeasons(at.length, season))
    return Array.from({ length: season - 1 }, (_, place) =>
      Float64Array.from(at, (t) => (t % season === place + 1 ? 1 : 0)),
    )
  return fourierColumns(at, season)
}

/** The first wave of a season, and its second where two seasons are there to tell it. */
export function fourierColumns(at: readonly number[], season: number): ColumnVector[] {
  const waves = at.length >= 2 * season && season > 4 ? 2 : 1
  return Array.from({ length: waves }, (_, k) => (2 * Math.PI * (k + 1)) / season).flatMap((turn) => [
    Float64Array.from(at, (t) => Math.sin(turn * t)),
    Float64Array.from(at, (t) => Math.cos(turn * t)),
  ])
}

/** Level and trend of places in time. */
export const trendColumns = (at: readonly number[]): ColumnVector[] => [
  Float64Array.from(at, () => 1),
  Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0)),
]
