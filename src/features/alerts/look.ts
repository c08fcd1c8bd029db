import { findingsOf } from './findings-of'
import type { Reading } from './model/triggers'
import { observe, withFindings } from './observe'
import type { Observation, Watch } from './observe'
import { bandsOf, findBandForecast, triedBandsOf } from '../../access/forecast-bands'
import type { Band } from '../../access/forecast-bands'
import type { Scope } from '../../access/scope'
import type { SeriesDeps } from '../../access/series'
import type { Deps } from '../../deps'
import type { AlertRules, AlertTrouble, ConditionOf } from '../../shared/alerts'
import { ProductError } from '../../shared/errors'

export type Trouble = Omit<AlertTrouble, 'since'>
export type Looked = { ok: true; observation: Observation } | { ok: false; trouble: Trouble }

/**
 * What is known of what an alert watches, as its condition wants to know it: with what was found about each period, or with
 * what a forecast had said of it. `isTrial`: where no run spoke of a period, forecasts of the past stand in for it.
 * @throws ProductError what its questions are refused for
 */
export async function lookAt(at: SeriesDeps & { deps: Deps }, watch: Watch & { isTrial?: boolean }): Promise<Looked> {
  const { rules } = watch
  const { condition } = rules
  if (condition.kind === 'band') return lookAtBand(at, { ...watch, condition })
  const observed = await observe(at, watch)
  if (condition.kind !== 'finding') return { ok: true, observation: observed }
  const found = await findingsOf(at.deps, at.scope, { ...rules, calendar: at.calendar })
  return { ok: true, observation: withFindings(observed, found) }
}

const FORECAST_GONE: Trouble = {
  code: 'forecast_gone',
  message: 'The forecast whose band it watches was deleted. Choose another one.',
}
const FORECAST_OTHER: Trouble = {
  code: 'forecast_other',
  message: 'The forecast is of another figure or other periods now. Save the alert again to follow it.',
}
const FORECAST_OTHERS: Trouble = {
  code: 'refused',
  message: 'The forecast was made with other rights to the data than those of whoever made this alert.',
}

type BandWatch = Watch & { isTrial?: boolean; condition: ConditionOf<'band'> }

async function lookAtBand(at: SeriesDeps & { deps: Deps }, watch: BandWatch): Promise<Looked> {
  const { condition, rules, tracked } = watch
  const { forecastId, level } = condition
  const forecast = await findBandForecast(at.deps.db, at.scope, forecastId)
  if (!forecast) return { ok: false, trouble: FORECAST_GONE }
  if (!isOf(rules, forecast)) return { ok: false, trouble: FORECAST_OTHER }
  if (forecast.isOthers) return { ok: false, trouble: FORECAST_OTHERS }
  const filters = [...tracked.filters, ...forecast.filters]
  const { groups, ...rest } = await observe(at, { ...watch, tracked: { ...tracked, filters } })
  const periods = groups.flatMap(({ readings }) => readings.map(({ period }) => period))
  const said = await bandsOf(at.deps.db, at.scope, { forecastId, level, periods })
  const tried = watch.isTrial
    ? await triedBandsOf(at.deps.db, at.scope, { forecastId, level })
    : new Map<string, Band>()
  const bands = new Map([...tried, ...said])
  const told = groups.map((group) => ({ ...group, readings: group.readings.map((one) => withBand(one, bands)) }))
  return { ok: true, observation: { ...rest, groups: told } }
}

/** Nothing that was said: nothing is known that could set it off. */
function withBand(reading: Reading, bands: ReadonlyMap<string, Band>): Reading {
  const band = bands.get(reading.period)
  return band ? { ...reading, compared: band.mean, band } : reading
}

type Of = Pick<AlertRules, 'subject' | 'grain'>
const isOf = (rules: Of, forecast: Pick<AlertRules, 'subject'> & { grain: string }): boolean =>
  rules.grain === forecast.grain && sameSubject(rules.subject, forecast.subject)
const sameSubject = (a: AlertRules['subject'], b: AlertRules['subject']): boolean =>
  a.kind === b.kind && a.id === b.id && (a.kind === 'metric' || b.kind === 'metric' || a.measure === b.measure)

/**
 * That an alert on a band is about what its forecast is of.
 * @throws ProductError `invalid_input`
 */
export async function checkBand(
  { deps, scope }: { deps: Pick<Deps, 'db'>; scope: Scope },
  rules: Of & Pick<AlertRules, 'condition'>,
): Promise<void> {
  if (rules.condition.kind !== 'band') return
  const forecast = await findBandForecast(deps.db, scope, rules.condition.forecastId)
  const said = !forecast
    ? 'It is gone. Choose another forecast.'
    : isOf(rules, forecast)
      ? null
      : 'The alert must be about the figure and the periods of the forecast.'
  if (said !== null) throw new ProductError('invalid_input', { fields: { condition: said } })
}
