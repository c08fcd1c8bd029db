import { findingKindsByPeriod } from './findings-of'
import type { PeriodReading } from './model/triggers'
import { observe, withFindings } from './observe'
import type { AlertObservation, ObservationQuery } from './observe'
import { readForecastIntervals, findMonitoredForecast, readBacktestIntervals } from '../../access/forecast-bands'
import type { PredictionInterval } from '../../access/forecast-bands'
import type { Scope } from '../../access/scope'
import type { SeriesContext } from '../../access/series'
import type { Deps } from '../../deps'
import type { AlertRules, AlertProblem, ConditionOf } from '../../shared/alerts'
import { ProductError } from '../../shared/errors'

export type EvaluationProblem = Omit<AlertProblem, 'since'>
export type ObservationResult = { ok: true; observation: AlertObservation } | { ok: false; trouble: EvaluationProblem }

/**
 * What is known of what an alert watches, as its condition wants to know it: with what was found about each period, or with
 * what a forecast had said of it. `isTrial`: where no run spoke of a period, forecasts of the past stand in for it.
 * @throws ProductError what its questions are refused for
 */
export async function observeForCondition(
  at: SeriesContext & { deps: Deps },
  watch: ObservationQuery & { isTrial?: boolean },
): Promise<ObservationResult> {
  const { rules } = watch
  const { condition } = rules
  if (condition.kind === 'band') return observeBand(at, { ...watch, condition })
  const observed = await observe(at, watch)
  if (condition.kind !== 'finding') return { ok: true, observation: observed }
  const found = await findingKindsByPeriod(at.deps, at.scope, { ...rules, calendar: at.calendar })
  return { ok: true, observation: withFindings(observed, found) }
}

const FORECAST_GONE: EvaluationProblem = {
  code: 'forecast_gone',
  message: 'The forecast whose band it watches was deleted. Choose another one.',
}
const FORECAST_CHANGED: EvaluationProblem = {
  code: 'forecast_other',
  message: 'The forecast is of another figure or other periods now. Save the alert again to follow it.',
}
const FORECAST_OTHER_RIGHTS: EvaluationProblem = {
  code: 'refused',
  message: 'The forecast was made with other rights to the data than those of whoever made this alert.',
}

type BandQuery = ObservationQuery & { isTrial?: boolean; condition: ConditionOf<'band'> }

async function observeBand(at: SeriesContext & { deps: Deps }, watch: BandQuery): Promise<ObservationResult> {
  const { condition, rules, tracked } = watch
  const { forecastId, level } = condition
  const forecast = await findMonitoredForecast(at.deps.db, at.scope, forecastId)
  if (!forecast) return { ok: false, trouble: FORECAST_GONE }
  if (!matchesForecast(rules, forecast)) return { ok: false, trouble: FORECAST_CHANGED }
  if (forecast.isOfOtherAccess) return { ok: false, trouble: FORECAST_OTHER_RIGHTS }
  const filters = [...tracked.filters, ...forecast.filters]
  const { groups, ...rest } = await observe(at, { ...watch, tracked: { ...tracked, filters } })
  const periods = groups.flatMap(({ readings }) => readings.map(({ period }) => period))
  const said = await readForecastIntervals(at.deps.db, at.scope, { forecastId, level, periods })
  const tried = watch.isTrial
    ? await readBacktestIntervals(at.deps.db, at.scope, { forecastId, level })
    : new Map<string, PredictionInterval>()
  const bands = new Map([...tried, ...said])
  const told = groups.map((group) => ({ ...group, readings: group.readings.map((one) => withBand(one, bands)) }))
  return { ok: true, observation: { ...rest, groups: told } }
}

/** Nothing that was said: nothing is known that could set it off. */
function withBand(periodReading: PeriodReading, bands: ReadonlyMap<string, PredictionInterval>): PeriodReading {
  const band = bands.get(periodReading.period)
  return band ? { ...periodReading, compared: band.mean, band } : periodReading
}

type ForecastScope = Pick<AlertRules, 'subject' | 'grain'>
const matchesForecast = (rules: ForecastScope, forecast: Pick<AlertRules, 'subject'> & { grain: string }): boolean =>
  rules.grain === forecast.grain && sameSubject(rules.subject, forecast.subject)
const sameSubject = (a: AlertRules['subject'], b: AlertRules['subject']): boolean =>
  a.kind === b.kind && a.id === b.id && (a.kind === 'metric' || b.kind === 'metric' || a.measure === b.measure)

/**
 * That an alert on a band is about what its forecast is of.
 * @throws ProductError `invalid_input`
 */
export async function validateBand(
  { deps, scope }: { deps: Pick<Deps, 'db'>; scope: Scope },
  rules: ForecastScope & Pick<AlertRules, 'condition'>,
): Promise<void> {
  if (rules.condition.kind !== 'band') return
  const forecast = await findMonitoredForecast(deps.db, scope, rules.condition.forecastId)
  const said = !forecast
    ? 'It is gone. Choose another forecast.'
    : matchesForecast(rules, forecast)
      ? null
      : 'The alert must be about the figure and the periods of the forecast.'
  if (said !== null) throw new ProductError('invalid_input', { fields: { condition: said } })
}
