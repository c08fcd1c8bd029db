import { DEFAULT_SEASON_LENGTHS, type ForecastEngines, type Frequency } from './contract'
import { hasSeason, estimateSeasonalIndices, restoreSeason, removeSeason, type SeasonalIndices } from './seasonality'

/** Whose season is the year: habits of a year change, those of a day and a week hardly. */
const EVOLVING: ReadonlySet<Frequency> = new Set<Frequency>(['quarterly', 'monthly', 'weekly'])

/** How much of the past is told to members: what lies further back misleads more than it helps, and costs time. */
const TRAINING_PERIODS_MAX: Record<Frequency, number> = {
  yearly: 400,
  quarterly: 400,
  monthly: 240,
  weekly: 270,
  daily: 400,
  hourly: 700,
}
const HOURS_PER_WEEK = 168
/** A longer one is not looked for: three of them would be needed, and the time to test it grows with its square. */
const SEASON_LENGTH_MAX = 400

/** A series as members see it. */
export interface TrainingWindow {
  frequency: Frequency
  values: Float64Array
  /** The values without their season; the values themselves when there is none. */
  deseasonalised: Float64Array
  /** Logarithms of `flat`; null unless all values are positive. */
  logValues: Float64Array | null
  seasonalIndices: SeasonalIndices | null
  /** Steps in the shortest season, found or not. */
  season: number
  /** Seasons for members that take them off themselves. */
  seasons: number[]
  engines: ForecastEngines | null
  /** Puts the season back on a path after the last value. */
  reseasonalise(path: ArrayLike<number>): number[]
}

function seasonLengthFor(frequency: Frequency, asked: 'auto' | 'none' | number): number {
  if (asked === 'none') return 1
  if (asked === 'auto') return DEFAULT_SEASON_LENGTHS[frequency]
  return asked > SEASON_LENGTH_MAX ? 1 : Math.max(1, Math.floor(asked))
}

export function buildTrainingWindow(
  all: Float64Array,
  {
    frequency,
    season: asked,
    engines,
  }: { frequency: Frequency; season: 'auto' | 'none' | number; engines: ForecastEngines | null },
): TrainingWindow {
  const season = seasonLengthFor(frequency, asked)
  const values =
    all.length > TRAINING_PERIODS_MAX[frequency]
      ? all.slice(-Math.max(TRAINING_PERIODS_MAX[frequency], 3 * season))
      : all
  const positive = values.every((v) => v > 0)
  const seasonalIndices = hasSeason(values, season)
    ? estimateSeasonalIndices(values, season, positive ? 'multiplicative' : 'additive', {
        evolves: EVOLVING.has(frequency),
      })
    : null
  const deseasonalised = seasonalIndices ? removeSeason(values, seasonalIndices) : values
  const hasWeeklySeason = frequency === 'hourly' && season === 24 && values.length >= 3 * HOURS_PER_WEEK
  return {
    frequency,
    values,
    deseasonalised,
    logValues: positive && deseasonalised.every((v) => v > 0) ? deseasonalised.map(Math.log) : null,
    seasonalIndices,
    season,
    seasons: seasonalIndices ? (hasWeeklySeason ? [24, HOURS_PER_WEEK] : [season]) : [],
    engines,
    reseasonalise: (path) => (seasonalIndices ? restoreSeason(path, seasonalIndices, values.length) : Array.from(path)),
  }
}
