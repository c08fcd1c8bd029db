import {
  backtest,
  naiveSeasonLength,
  scoreAsBlend,
  seasonalNaiveForecast,
  type Backtest,
  type BacktestInput,
} from './backtest'
import { FREQUENCIES, VALUES_MAX } from './contract'
import type { ModelInput, ModelForecast, ModelCardWithGaps, ModelRefusal } from './contract'
import { assessData, horizonMaxFor, type DataAssessment } from './data-quality'
import { decompose, type Decomposition } from './seasonality'
import { epochDayOfIso } from './holidays'
import { treatedForecaster, type TreatmentContext, type Treatment } from './treatments'
import { reconcile } from './constraints'
import { byLevel, mapIntervals, mapPath } from '../shared/forecasts/result'
import type { ForecastMethod, ForecastPath, PredictionIntervals, TreatmentTrial } from '../shared/forecasts/result'

export interface ForecastRequest extends ModelInput {
  /** ISO date of the first value: wanted for holidays only. */
  start?: string
  /** Country whose public holidays are tried on daily values; null or left out for none. */
  country?: string | null
  /** Draws values in that lie far off. */
  dampen?: boolean
  /** Bounds a person has set; nothing is bounded by itself. */
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
  const { tried, treatment, trials } = tryTreatments({ ...plain, values, horizon: used }, around, {
    isVaried: care.shape === 'varied',
    dampen: request.dampen === true,
  })
  const steps = used + care.after
  const modelled = treatedForecaster(plain, treatment, around)(values, steps)
  if (!modelled) return { kind: 'refused', reason: 'no_values' }
  const method = chooseMethod(care.shape, tried)
  const path = method === 'seasonal naive' ? seasonalNaiveForecast(values, steps, around.season) : modelled
  return {
    kind: 'ready',
    method,
    ...applyBounds(
      { mean: path.mean.slice(care.after), bands: mapIntervals(path.bands, (line) => line.slice(care.after)) },
      request,
    ),
    card: modelled.card,
    members: modelled.members.map(({ name, path: own }) => ({ name, path: own.slice(care.after) })),
    backtest: tried && method !== 'seasonal naive' ? scoreAsBlend(tried) : tried,
    trials,
    care,
    horizon: { asked: request.horizon, used },
    from: care.first,
    decomposition: decompose(care.values, around.season),
  }
}

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

const applyBounds = (path: ForecastPath, { floor, ceiling }: ForecastRequest): ForecastPath =>
  mapPath(path, (line) => line.map((v) => Math.min(ceiling ?? Infinity, Math.max(floor ?? -Infinity, v))))

const SERIES_PARTS_MAX = 11

export interface HierarchicalForecast {
  total: ForecastOutcome
  /** In the order asked; a part that cannot be forecast alone keeps why, and its path is its share of what the total leaves. */
  parts: { key: string; ran: ForecastOutcome; path: ForecastPath }[]
  /** Null when the total itself cannot be forecast: the parts' paths are then empty. */
  reconciled: ForecastPath | null
}

const constantPath = (steps: number, value: number): ForecastPath => {
  const path = new Array<number>(steps).fill(value)
  return { mean: path, bands: byLevel(() => ({ lower: path, upper: path })) }
}

/** Mean of the last known values of a part that has no shape of its own. */
function recentMean(values: readonly (number | null)[]): number {
  const known = values.filter((v): v is number => v !== null && Number.isFinite(v)).slice(-4)
  return known.length > 0 ? known.reduce((sum, v) => sum + v / known.length, 0) : 0
}

/** Holidays are tried on parts where the whole gains by them: what does not show in the sum is seldom worth its time in a part. */
const holidayCountryForParts = (whole: ForecastOutcome, { country = null }: ForecastRequest): string | null =>
  whole.kind === 'ready' && whole.trials.some(({ what, kept }) => what === 'holidays' && kept) ? country : null

/** A total and up to ten parts and the rest, each run alone and then made to agree: parts add up to the total at every step. */
export function forecastHierarchy(
  total: ForecastRequest,
  parts: readonly { key: string; values: ForecastRequest['values'] }[],
): HierarchicalForecast {
  if (parts.length > SERIES_PARTS_MAX) throw new RangeError(`at most ${SERIES_PARTS_MAX} parts`)
  const whole = forecastWithBacktest(total)
  const ran = parts.map(({ key, values }) => ({
    key,
    values,
    ran: forecastWithBacktest({ ...total, country: holidayCountryForParts(whole, total), values }),
  }))
  if (whole.kind !== 'ready')
    return {
      total: whole,
      parts: ran.map(({ key, ran: own }) => ({ key, ran: own, path: constantPath(0, 0) })),
      reconciled: null,
    }
  const steps = whole.mean.length
  const paths = ran.map(({ ran: own, values }) =>
    own.kind === 'ready' && own.mean.length >= steps
      ? truncatePath(own, steps)
      : constantPath(steps, recentMean(values)),
  )
  const variances = ran.map(({ ran: own }) => (own.kind === 'ready' ? (own.backtest?.used.mae ?? 0) ** 2 : 0))
  const known = whole.backtest !== null && variances.some((w) => w > 0)
  const agreed = reconcile(
    whole,
    paths,
    known ? { total: (whole.backtest?.used.mae ?? 0) ** 2, parts: variances } : undefined,
  )
  return {
    total: whole,
    parts: ran.map(({ key, ran: own }, i) => ({ key, ran: own, path: agreed.parts[i] ?? constantPath(steps, 0) })),
    reconciled: agreed.total,
  }
}

const truncatePath = (path: ForecastPath, steps: number): ForecastPath => mapPath(path, (line) => line.slice(0, steps))
