import { SEASONS, type Engines, type Frequency } from './contract'
import { hasSeason, seasonIndex, withSeason, withoutSeason, type SeasonIndex } from './season'

/** How much of the past is told to members: what lies further back misleads more than it helps, and costs time. */
const MOST_USED: Record<Frequency, number> = {
  yearly: 400,
  quarterly: 400,
  monthly: 240,
  weekly: 320,
  daily: 400,
  hourly: 700,
}
const HOURS_A_WEEK = 168
/** A longer one is not looked for: three of them would be needed, and the time to test it grows with its square. */
const LONGEST_SEASON = 400

/** A series as members see it. */
export interface View {
  frequency: Frequency
  values: Float64Array
  /** The values without their season; the values themselves when there is none. */
  flat: Float64Array
  /** Logarithms of `flat`; null unless all values are positive. */
  logs: Float64Array | null
  index: SeasonIndex | null
  /** Steps in the shortest season, found or not. */
  season: number
  /** Seasons for members that take them off themselves. */
  seasons: number[]
  engines: Engines | null
  /** Puts the season back on a path after the last value. */
  restore(path: ArrayLike<number>): number[]
}

function seasonFor(frequency: Frequency, asked: 'auto' | 'none' | number): number {
  if (asked === 'none') return 1
  if (asked === 'auto') return SEASONS[frequency]
  return asked > LONGEST_SEASON ? 1 : Math.max(1, Math.floor(asked))
}

export function viewOf(
  all: Float64Array,
  {
    frequency,
    season: asked,
    engines,
  }: { frequency: Frequency; season: 'auto' | 'none' | number; engines: Engines | null },
): View {
  const season = seasonFor(frequency, asked)
  const values = all.length > MOST_USED[frequency] ? all.slice(-Math.max(MOST_USED[frequency], 3 * season)) : all
  const positive = values.every((v) => v > 0)
  const index = hasSeason(values, season) ? seasonIndex(values, season, positive ? 'multiplicative' : 'additive') : null
  const flat = index ? withoutSeason(values, index) : values
  const isLong = frequency === 'hourly' && season === 24 && values.length >= 3 * HOURS_A_WEEK
  return {
    frequency,
    values,
    flat,
    logs: positive && flat.every((v) => v > 0) ? flat.map(Math.log) : null,
    index,
    season,
    seasons: index ? (isLong ? [24, HOURS_A_WEEK] : [season]) : [],
    engines,
    restore: (path) => (index ? withSeason(path, index, values.length) : Array.from(path)),
  }
}
