import type { ColumnFormat } from '../data-sources/files'
import type { Cell, CurrencyConversion } from '../query/result'

export const FORECAST_GRAINS = ['day', 'week', 'month', 'quarter'] as const
export type ForecastGrain = (typeof FORECAST_GRAINS)[number]

/** Shares of future values, in percent, that a band is made to hold. */
export const FORECAST_LEVELS = [50, 80, 95] as const
export type ForecastLevel = (typeof FORECAST_LEVELS)[number]
export type AccuracyGrade = 'A' | 'B' | 'C' | 'D'

export interface IntervalPath {
  lower: number[]
  upper: number[]
}
export type PredictionIntervals = Record<ForecastLevel, IntervalPath>

/** A path into the future: the middle, and the ends of each band. */
export interface ForecastPath {
  mean: number[]
  bands: PredictionIntervals
}

export const byLevel = <T>(of: (level: ForecastLevel) => T): Record<ForecastLevel, T> => ({
  50: of(50),
  80: of(80),
  95: of(95),
})
type PathChange = (path: readonly number[]) => number[]
/** The ends of all bands, changed alike. */
export const mapIntervals = (bands: PredictionIntervals, change: PathChange): PredictionIntervals =>
  byLevel((level) => ({ lower: change(bands[level].lower), upper: change(bands[level].upper) }))
/** The middle and the ends of all bands, changed alike. */
export const mapPath = ({ mean, bands }: ForecastPath, change: PathChange): ForecastPath => ({
  mean: change(mean),
  bands: mapIntervals(bands, change),
})

/** The figures of one series on a regular grid, as the model is given them. */
export interface InputSeries {
  /** The whole has no label. What is left of the other members is named "Other". */
  member: Cell
  label: string | null
  /** Null: nothing is there, or it was left out. */
  values: (number | null)[]
}

/**
 * What a forecast is made from, by the workspace's calendar: a page that previews computes from this what a run computes
 * on the server, by the same code.
 */
export interface ForecastInput {
  grain: ForecastGrain
  /** First days of the periods of the past, oldest first, and of those ahead. */
  periods: string[]
  future: string[]
  total: InputSeries
  /** The whole before the first period, where a person left it out: grades are measured by all there is. */
  earlier?: (number | null)[]
  /** At most ten members and the rest, which add up to the total; empty without a split or where they do not add up. */
  parts: InputSeries[]
  /** The whole as it is in the rows, before events were taken off. */
  raw: (number | null)[]
  /** What events add to each period ahead. */
  ahead: number[]
  /** The running period, which is left out; `counted`: a balance begins with what it has come to so far. */
  incomplete: { period: string; value: number | null; counted?: boolean } | null
  /** Where the figures add up to a balance: what it is before the first period ahead. */
  opening: { value: number; source: 'person' | 'books' | 'sum' } | null
  /** Metrics that scenarios take figures from. */
  drivers: { metric: string; name: string; values: (number | null)[] }[]
  country: string | null
  format: ColumnFormat
  direction: 'up' | 'down' | 'none'
  /** Figures of periods add up. */
  additive?: boolean
  dataAsOf: string | null
  conversion: CurrencyConversion | null
  /** Equal figures and settings have equal ones, and equal forecasts. */
  inputHash: string
}

/** How well forecasts of the past did, in the words of the model card. Shares are parts of one. */
export interface BacktestErrors {
  /** Mean absolute error, in the unit of the series. */
  mae: number
  /** Mean absolute error as a part of the value; null when a value is zero. */
  mape: number | null
  /** Mean absolute error over that of seasonal naive within the past; null for a constant past. */
  mase: number | null
  /** Mean of forecast less value. */
  bias: number
  coverage: Record<ForecastLevel, number>
  /** Values that were checked. */
  checks: number
  steps: { step: number; mae: number; coverage: Record<ForecastLevel, number> }[]
}
export type BenchmarkErrors = Pick<BacktestErrors, 'mase' | 'mae'>
export interface BacktestSummary {
  season: number
  /** Origins: how many values each was made from; what came, what was said. */
  folds: { origin: number; actual: number[]; path: ForecastPath }[]
  used: BacktestErrors
  blend: BenchmarkErrors
  naive: BenchmarkErrors
  seasonalNaive: BenchmarkErrors
  method: 'blend' | 'seasonal naive'
  grade: AccuracyGrade | null
}
export interface SeriesComponents {
  kind: 'multiplicative' | 'additive'
  trend: number[]
  season: number[] | null
  rest: number[]
}

/** How a series was taken: by the blend, or by one of the ways for series that have no shape to blend. */
export type ModelRoute = 'blend' | 'constant' | 'intermittent' | 'short'
export interface ModelCard {
  route: ModelRoute
  /** Members that took part, in the order of the pool. */
  members: string[]
  /** Members that failed or ran away, and so did not. */
  dropped: string[]
  combined: 'median' | 'trimmed mean' | 'single'
  /** Steps in a season; null when none was found. */
  season: number | null
  seasonKind: 'multiplicative' | 'additive' | null
  /** A second, longer season that was taken off (365 for days). */
  longSeason: number | null
  /** Values given to the members, after gaps were filled and the far past left out. */
  used: number
  withoutEngines: boolean
}
/** What was tried beyond the plain blend, and what the backtest said. */
export interface TreatmentTrial {
  /** `cut`, the values after a break alone, is in older results only: it cost more than it gained. */
  what: 'cut' | 'holidays'
  /** Share of the scaled error that it saved; below zero it cost. */
  gain: number
  kept: boolean
}
export type ForecastMethod = 'blend' | 'seasonal naive' | 'intermittent' | 'constant'

/** A series and what comes of it. */
export interface SeriesForecast {
  member: Cell
  label: string | null
  /** A part that cannot be forecast alone takes its share of the whole. */
  state: 'ready' | 'too_short' | 'too_many_gaps' | 'refused'
  have?: number
  need?: number
  path: ForecastPath
  method: ForecastMethod | null
  card: ModelCard | null
  trials: TreatmentTrial[]
  /** Places among the periods of the past. */
  filled: number[]
  outliers: { at: number; value: number; expected: number; dampened: boolean }[]
  /** The first place that the forecast was made from. */
  from: number
  shape: 'varied' | 'constant' | 'mostly_zero' | null
  backtest: BacktestSummary | null
  /** Begins at the first place with a value. */
  components: (SeriesComponents & { first: number }) | null
}

/** What a run found: complete in itself, so that it can be shown years later. */
export interface ForecastResult {
  v: 1
  grain: ForecastGrain
  periods: string[]
  future: string[]
  /** Periods ahead that were asked for; `future` is as many as the past carries. */
  asked: number
  values: (number | null)[]
  raw: (number | null)[]
  total: SeriesForecast
  /** Their paths add up to that of the total at every step. */
  parts: (SeriesForecast & { values: (number | null)[] })[]
  incomplete: ForecastInput['incomplete']
  /** As a balance: the past back from the opening, and the path ahead, whose bands are of sums of errors. */
  balance: { opening: number; source: 'person' | 'books' | 'sum'; past: (number | null)[]; path: ForecastPath } | null
  drivers: { metric: string; name: string; mean: number[] }[]
  format: ColumnFormat
  direction: 'up' | 'down' | 'none'
  /** Figures of periods add up; absent in what was computed before this was told. */
  additive?: boolean
  conversion: CurrencyConversion | null
  inputHash: string
}
