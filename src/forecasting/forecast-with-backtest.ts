import {
  backtest,
  naiveSeasonLength,
  scoreAsBlend,
  scoreAsShown,
  seasonalNaiveForecast,
  seasonBlindGrade,
  type Backtest,
  type BacktestInput,
} from './backtest'
import { DEFAULT_SEASON_LENGTHS, FREQUENCIES, VALUES_MAX } from './contract'
import type { ModelInput, ModelForecast, ModelCardWithGaps, ModelRefusal } from './contract'
import { assessData, fillGaps, horizonMaxFor, type DataAssessment } from './data-quality'
import { decompose, hasSeason, type Decomposition } from './seasonality'
import { epochDayOfIso } from './holidays'
import { treatedForecaster, type TreatmentContext, type Treatment } from './treatments'
import { mapIntervals, mapPath } from '../shared/forecasts/result'
import type { ForecastMethod, ForecastPath, PredictionIntervals, TreatmentTrial } from '../shared/forecasts/result'

export interface ForecastRequest extends ModelInput {
  /** ISO date of the first value: wanted for holidays only. */
  start?: string
  /** Country whose public holidays are tried on daily values; null or left out for none. */
  country?: string | null
  /** Draws values in that lie far off. */
  dampen?: boolean
  /** What lies before `values` where a person left it out: grades are measured by the whole history. */
  earlier?: readonly (number | null)[]
  /** Bounds a person has set. What never was negative stays so by itself. */
  floor?: number | null
  ceiling?: number | null
}

export interface BacktestedForecast {
  kind: 'ready'
  method: ForecastMethod
  mean: number[]
  bands: PredictionIntervals
  card: ModelCardWithGaps
  members: ModelForecast['members']
  /** There is a season that the forecast does not have: no good grade. */
  isSeasonBlind: boolean
  /** Null when the history has no room for a fold. */
  backtest: Backtest | null
  trials: TreatmentTrial[]
  care: Extract<DataAssessment, { kind: 'ready' }>
  horizon: { asked: number; used: number }
  /** Place in what was given of the first value that the forecast was made from. */
  from: number
  decomposition: Decomposition
}

/** Sums and differences of larger values are no numbers any more. */
const VALUE_ABS_MAX = 1e301

export type ForecastOutcome =
  | BacktestedForecast
  | Exclude<DataAssessment, { kind: 'ready' }>
  | { kind: 'refused'; reason: ModelRefusal['reason'] | 'too_large' }

/** Share of the scaled error that taking off holidays must save. */
const HOLIDAYS_GAIN_MIN = 0.005

/**
 * A forecast as people get it: data looked after, holidays tried and kept only if the backtest gains, the blend used unless it is far
 * worse than seasonal naive, every figure of the card measured on forecasts of the past.
 */
export function forecastWithBacktest(request: ForecastRequest): ForecastOutcome {
  const { frequency, season = 'auto', engines } = request
  if (request.values.length > VALUES_MAX) return { kind: 'refused', reason: 'too_many_values' }
  if (!FREQUENCIES.includes(frequency)) return { kind: 'refused', reason: 'unknown_frequency' }
  const care = assessData({ values: request.values, frequency, season })
  if (care.kind !== 'ready') return care
  if (!Number.isInteger(request.horizon) || request.horizon < 1) return { kind: 'refused', reason: 'bad_horizon' }
  if (care.values.some((v) => Math.abs(v) > VALUE_ABS_MAX)) return { kind: 'refused', reason: 'too_large' }
  const used = Math.min(request.horizon, horizonMaxFor(care.values.length, frequency))
  const around: TreatmentContext = {
    season: naiveSeasonLength({ frequency, season }),
    country: frequency === 'daily' ? (request.country ?? null) : null,
    firstDay: request.start === undefined ? null : epochDayOfIso(request.start) + care.first,
  }
  const plain = { frequency, season, engines }
  const values = Array.from(care.values)
  const earlier = earlierValues(request, care)
  const { tried, treatment, trials } = tryTreatments({ ...plain, values, earlier, horizon: used }, around, {
    isVaried: care.shape === 'varied',
    dampen: request.dampen === true,
  })
  const steps = used + care.after
  const modelled = treatedForecaster(plain, treatment, around)(values, steps)
  if (!modelled) return { kind: 'refused', reason: 'no_values' }
  const method = chooseMethod(care.shape, tried)
  const isNaive = method === 'seasonal naive' && tried !== null
  const path = isNaive ? seasonalNaiveForecast(values, steps, tried.season) : modelled
  const bounds = boundsOf(request, [...earlier, ...values])
  const isSeasonBlind = !isNaive && hasNoSeason(modelled.card) && hasUsualSeason([...earlier, ...values], frequency)
  return {
    kind: 'ready',
    method,
    ...applyBounds(
      { mean: path.mean.slice(care.after), bands: mapIntervals(path.bands, (line) => line.slice(care.after)) },
      bounds,
    ),
    card: modelled.card,
    members: modelled.members.map(({ name, path: own }) => ({ name, path: own.slice(care.after) })),
    isSeasonBlind,
    backtest: tried && gradeHonestly(boundBacktest(isNaive ? tried : scoreAsBlend(tried), bounds), isSeasonBlind),
    trials,
    care,
    horizon: { asked: request.horizon, used },
    from: care.first,
    decomposition: decompose(care.values, around.season),
  }
}

/** The history before what is used, without holes; none where what is used begins the history. */
function earlierValues(
  { earlier = [], values, frequency }: ForecastRequest,
  { values: used }: Extract<DataAssessment, { kind: 'ready' }>,
): number[] {
  if (earlier.length === 0) return []
  const whole = fillGaps([...earlier, ...values], DEFAULT_SEASON_LENGTHS[frequency]).values
  return Array.from(whole.subarray(0, Math.max(0, whole.length - used.length)))
}

/** Newest values that are looked at for a season. */
const SEASON_TEST_MAX = 1_200
const hasUsualSeason = (values: readonly number[], frequency: ForecastRequest['frequency']): boolean =>
  hasSeason(Float64Array.from(values.slice(-SEASON_TEST_MAX)), DEFAULT_SEASON_LENGTHS[frequency])

const hasNoSeason = ({ season, longSeason }: ModelCardWithGaps): boolean => season === null && longSeason === null

/** A forecast without the season that there is gets no good grade. */
export const gradeHonestly = (tried: Backtest, isSeasonBlind: boolean): Backtest =>
  isSeasonBlind ? { ...tried, grade: seasonBlindGrade(tried.grade) } : tried

function chooseMethod(shape: 'varied' | 'constant' | 'mostly_zero', tried: Backtest | null): ForecastMethod {
  if (shape === 'constant') return 'constant'
  if (shape === 'mostly_zero') return 'intermittent'
  return tried?.method ?? 'blend'
}

/** The plain blend, then with holidays taken off where there are any. */
function tryTreatments(
  input: BacktestInput,
  around: TreatmentContext,
  { isVaried, dampen }: { isVaried: boolean; dampen: boolean },
): { tried: Backtest | null; treatment: Treatment; trials: TreatmentTrial[] } {
  const test = (treatment: Treatment): Backtest | null =>
    backtest({ ...input, forecaster: treatedForecaster(input, treatment, around) })
  const plain: Treatment = { holidays: false, dampen }
  const tried = test(plain)
  const before = tried?.blend.mase
  if (!isVaried || around.country === null || around.firstDay === null || before === null || before === undefined)
    return { tried, treatment: plain, trials: [] }
  const treatment = { ...plain, holidays: true }
  const after = test(treatment)
  const gain = before > 0 ? 1 - (after?.blend.mase ?? Infinity) / before : 0
  const kept = gain >= HOLIDAYS_GAIN_MIN
  const trials = [{ what: 'holidays' as const, gain, kept }]
  return kept ? { tried: after, treatment, trials } : { tried, treatment: plain, trials }
}

interface Bounds {
  least: number
  most: number
}

/** What a person has set; what never was negative in its whole history stays so. */
const boundsOf = ({ floor, ceiling }: ForecastRequest, values: readonly number[]): Bounds => ({
  least: floor ?? (values.every((v) => v >= 0) ? 0 : -Infinity),
  most: ceiling ?? Infinity,
})

const applyBounds = (path: ForecastPath, { least, most }: Bounds): ForecastPath =>
  mapPath(path, (line) => line.map((v) => Math.min(most, Math.max(least, v))))

function boundBacktest(tried: Backtest, bounds: Bounds): Backtest {
  const shown = tried.shown.map((fold) => {
    const { mean, bands } = applyBounds({ mean: fold.path, bands: fold.bands }, bounds)
    return { ...fold, path: mean, bands }
  })
  return scoreAsShown(tried, shown)
}
