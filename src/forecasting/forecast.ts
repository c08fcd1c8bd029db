import { combineMembers } from './ensemble'
import {
  DISAGREEMENT_WEIGHT,
  LEVEL_GROWTH_POWER,
  INTERVAL_HALF_WIDTHS,
  intervalComponents,
  segmentWidth,
  skewedBand,
} from './prediction-intervals'
import { DEFAULT_SEASON_LENGTHS, FREQUENCIES, VALUES_MAX } from './contract'
import type { ModelInput, ModelForecast, Frequency, ModelCardWithGaps, ModelRefusal } from './contract'
import { fillGaps } from './data-quality'
import {
  hasSeason,
  restoreYearlySeason,
  removeYearlySeason,
  detectYearlySeason,
  type YearlySeason,
} from './seasonality'
import { intermittentMethods, intermittentMedian, isIntermittent } from './members/intermittent'
import { mean as meanOf } from './numerics'
import { buildTrainingWindow } from './training-window'
import { byLevel, mapIntervals, type ForecastLevel, type ModelRoute } from '../shared/forecasts/result'

const HORIZON_STEPS_MAX = 1_000
/** Eleven years of days: what lies before them has no say, and costs time. */
const NEWEST_VALUES_MAX = 4_096
/** Fewer than so many have no shape to blend. */
const BLENDED_VALUES_MIN = 4

type ScaledForecast = Omit<ModelForecast, 'kind' | 'card'> & {
  card: Omit<ModelCardWithGaps, 'used' | 'filled' | 'withoutEngines'>
}

/**
 * What comes after a series, with bands that are calibrated to hold 50, 80 and 95 % of what comes. Always answers: refused is only what
 * is no question. Deterministic. Whether the forecast is good enough to show is said by the backtest.
 */
export function forecast({
  values: given,
  frequency,
  horizon,
  season = 'auto',
  engines,
}: ModelInput): ModelForecast | ModelRefusal {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > HORIZON_STEPS_MAX)
    return { kind: 'refused', reason: 'bad_horizon' }
  if (!FREQUENCIES.includes(frequency)) return { kind: 'refused', reason: 'unknown_frequency' }
  if (given.length > VALUES_MAX) return { kind: 'refused', reason: 'too_many_values' }
  const length = season === 'none' ? 1 : season === 'auto' ? DEFAULT_SEASON_LENGTHS[frequency] : season
  const { values, filled, after } = fillGaps(given, length)
  if (values.length === 0) return { kind: 'refused', reason: 'no_values' }
  const unit = scaleUnit(values)
  const scaled = values.map((v) => v / unit)
  const steps = horizon + after
  const answer = forecastByRoute(scaled.slice(-NEWEST_VALUES_MAX), steps, { frequency, season, engines })
  const back = (path: readonly number[]): number[] => path.slice(after).map((v) => toOriginalScale(v, unit))
  return {
    kind: 'forecast',
    mean: back(answer.mean),
    bands: mapIntervals(answer.bands, back),
    members: answer.members.map(({ name, path }) => ({ name, path: back(path) })),
    card: { ...answer.card, used: values.length, filled, withoutEngines: engines === null },
  }
}

/** A power of two near the largest value: dividing by it loses nothing, and squares of what remains stay finite. */
function scaleUnit(values: Float64Array): number {
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  return largest > 0 ? 2 ** Math.max(-1_020, Math.min(1_020, Math.round(Math.log2(largest)))) : 1
}

const toOriginalScale = (value: number, unit: number): number =>
  Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value * unit))

type RouteOptions = Pick<ModelInput, 'engines'> & { frequency: Frequency; season: 'auto' | 'none' | number }

function forecastByRoute(values: Float64Array, steps: number, options: RouteOptions): ScaledForecast {
  const [first = 0] = values
  if (values.every((v) => v === first))
    return forecastConstant({ route: 'constant', name: 'naive', value: first }, steps, () => ({
      lower: first,
      upper: first,
    }))
  if (isIntermittent(values) && values.every((v) => v >= 0)) return forecastIntermittent(values, steps)
  if (values.length < BLENDED_VALUES_MIN) return forecastShortSeries(values, steps, options.frequency)
  return forecastBlend(values, steps, options)
}

/** One figure for all steps. */
function forecastConstant(
  { route, name, value }: { route: ModelRoute; name: string; value: number },
  steps: number,
  band: (level: ForecastLevel, step: number) => { lower: number; upper: number },
): ScaledForecast {
  const path = new Array<number>(steps).fill(value)
  return {
    mean: path,
    bands: byLevel((share) => ({
      lower: path.map((_, step) => band(share, step).lower),
      upper: path.map((_, step) => band(share, step).upper),
    })),
    members: [{ name, path }],
    card: { route, members: [name], dropped: [], combined: 'single', season: null, seasonKind: null, longSeason: null },
  }
}

/** Croston's kind; bands are quantiles of the last hundred values, zeros among them. */
function forecastIntermittent(values: Float64Array, steps: number): ScaledForecast {
  const ways = intermittentMethods(values)
  const value = intermittentMedian(ways)
  const sorted = values.slice(-100).sort()
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const answer = forecastConstant({ route: 'intermittent', name: 'median', value }, steps, (share) => ({
    lower: Math.min(value, quantile((100 - share) / 200)),
    upper: Math.max(value, quantile((100 + share) / 200)),
  }))
  return {
    ...answer,
    members: ways.map(({ name, value: own }) => ({ name, path: new Array<number>(steps).fill(own) })),
    card: { ...answer.card, members: ways.map(({ name }) => name), combined: 'median' },
  }
}

/** The last value, as wide as a random walk of the changes seen. */
function forecastShortSeries(values: Float64Array, steps: number, frequency: Frequency): ScaledForecast {
  const changes = Float64Array.from({ length: values.length - 1 }, (_, i) =>
    Math.abs((values[i + 1] ?? 0) - (values[i] ?? 0)),
  )
  const last = values.at(-1) ?? 0
  return forecastConstant({ route: 'short', name: 'naive', value: last }, steps, (share, step) => {
    const width = 2 * INTERVAL_HALF_WIDTHS[frequency][share] * meanOf(changes) * Math.sqrt(step + 1)
    return { lower: last - width, upper: last + width }
  })
}

/** Of days beside that of the week; of weeks where the single weeks of a year are too many to tell. */
function yearlySeasonOf(values: Float64Array, { frequency, season }: RouteOptions): YearlySeason | null {
  if (season === 'none') return null
  if (frequency === 'daily') return detectYearlySeason(values)
  const { weekly } = DEFAULT_SEASON_LENGTHS
  const isWeekly = frequency === 'weekly' && season === 'auto'
  return isWeekly && !hasSeason(values, weekly) ? detectYearlySeason(values, weekly) : null
}

function forecastBlend(all: Float64Array, steps: number, options: RouteOptions): ScaledForecast {
  const year = yearlySeasonOf(all, options)
  const view = buildTrainingWindow(year ? removeYearlySeason(all, year) : all, options)
  const made = combineMembers(view, steps)
  const parts = intervalComponents(view, steps, made)
  const long = (path: readonly number[], isWidth = false): number[] =>
    restoreYearlySeason(path, year, all.length, isWidth)
  const widths = long(
    parts.fitted.map(
      (fitted, step) =>
        (parts.seasonalScales[step] ?? 1) *
        (parts.growth[step] ?? 1) ** LEVEL_GROWTH_POWER *
        Math.hypot(fitted, parts.originErrors[step] ?? 0, DISAGREEMENT_WEIGHT * (parts.disagreement[step] ?? 0)),
    ),
    true,
  )
  const mean = long(made.mean)
  const segment = segmentWidth(view)
  const isPositive = all.every((v) => v > 0)
  return {
    mean,
    bands: byLevel((share) => {
      const factor = segment * INTERVAL_HALF_WIDTHS[options.frequency][share]
      const ends = mean.map((v, step) => skewedBand(v, factor * (widths[step] ?? 0), isPositive))
      return { lower: ends.map(({ lower }) => lower), upper: ends.map(({ upper }) => upper) }
    }),
    members: made.members.map(({ name, path }) => ({ name, path: long(path) })),
    card: {
      route: 'blend',
      members: made.members.map(({ name }) => name),
      dropped: made.dropped,
      combined: made.combined,
      season: view.seasonalIndices ? view.season : null,
      seasonKind: view.seasonalIndices?.kind ?? null,
      longSeason: year?.length ?? null,
    },
  }
}
