import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Prepared } from '../../shared/forecast-result'
import type { ForecastSettings } from '../../shared/forecasts'
import type { Calendar } from '../../warehouse/contract'

/** Whose figures, by which calendar, and whose public holidays (`settings.country` of the workspace). */
export interface PrepareAt {
  scope: Scope
  calendar: Calendar
  country: string
  /** Metrics that scenarios take figures from: their `driver` steps name them. */
  drivers?: readonly string[] | undefined
}
export interface Preparation {
  prepared: Prepared
  /** What the subject is called. */
  name: string
  /** Ids of the datasets that the figures are from: new rows of these make it stale. */
  datasets: string[]
}

/**
 * What a forecast is made from, on the workspace's calendar, as the scope sees it.
 * @throws ProductError `not_found` for a subject that is gone, `invalid_input` for one without a date, `too_short` when there is
 * nothing, and whatever its questions are refused for
 */
export async function prepare(
  _deps: Pick<Deps, 'db' | 'warehouse' | 'clock'>,
  _at: PrepareAt,
  _settings: ForecastSettings,
): Promise<Preparation> {
  throw new ProductError('busy', { retryAfter: 1 })
}
