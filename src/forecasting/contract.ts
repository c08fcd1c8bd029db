import type { ModelCard, PredictionIntervals } from '../shared/forecasts/result'

export const FREQUENCIES = ['yearly', 'quarterly', 'monthly', 'weekly', 'daily', 'hourly'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** More values than this are no question; of those that are, the newest are used. */
export const VALUES_MAX = 20_000

/** Places in a season when a caller names none: quarters and months of a year, weeks of a year, days of a week, hours of a day. */
export const DEFAULT_SEASON_LENGTHS: Record<Frequency, number> = {
  yearly: 1,
  quarterly: 4,
  monthly: 12,
  weekly: 52,
  daily: 7,
  hourly: 24,
}

/**
 * Exponential smoothing with its form chosen by AICc (`ets`), and the same after STL seasons are taken off (`mstl`). Made by augurs'
 * WebAssembly, which each platform loads in its own way. Both answer `horizon` values or throw.
 */
export interface ForecastEngines {
  ets(values: Float64Array, horizon: number): number[]
  mstl(values: Float64Array, horizon: number, seasons: readonly number[]): number[]
}

export interface ModelInput {
  /** On a regular grid, oldest first; null where nothing is known. */
  values: readonly (number | null)[]
  frequency: Frequency
  /** Steps ahead, 1 … 1 000. */
  horizon: number
  /** `auto`: the frequency's season if a test finds it; `none`; or a number of steps, still to be found by the test. */
  season?: 'auto' | 'none' | number
  /** Null where the platform has no WebAssembly: fewer members, said in the card. */
  engines: ForecastEngines | null
}

export interface ModelCardWithGaps extends ModelCard {
  /** Places in `values` that were null and filled in. */
  filled: number[]
}

export interface EnsembleMember {
  name: string
  path: number[]
}

export interface ModelForecast {
  kind: 'forecast'
  mean: number[]
  bands: PredictionIntervals
  members: EnsembleMember[]
  card: ModelCardWithGaps
}

export interface ModelRefusal {
  kind: 'refused'
  reason: 'no_values' | 'bad_horizon' | 'too_many_values' | 'unknown_frequency'
}
