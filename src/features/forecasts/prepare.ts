import { eventAmounts, removeEvents } from './model/events'
import { openingBalance, runningPeriodSurplus } from './opening-balance'
import { loadParts, loadGridSeries, type GridSeries } from './prepare-series'
import { startOfPeriod } from '../../semantic/calendar'
import type { Scope } from '../../scope'
import { findMonitoredMetric } from '../../semantic/monitored-metric'
import { isTransient, ProductError } from '../../shared/errors'
import type { ForecastInput, InputSeries } from '../../shared/forecasts/result'
import type { ForecastSettings } from '../../shared/forecasts/forecasts'
import type { MonitoredMetric } from '../../shared/monitored-metric'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import type { Calendar } from '../../shared/dates'
import type { QueryContext } from '../../semantic/query-service'

/** Whose figures, by which calendar, and whose public holidays (`settings.country` of the workspace). */
interface PrepareContext {
  scope: Scope
  calendar: Calendar
  country: string
  /** Metrics that scenarios take figures from: their `driver` steps name them. */
  drivers?: readonly string[] | undefined
}
export interface PreparedForecast {
  prepared: ForecastInput
  /** What the subject is called. */
  name: string
  /** Ids of the datasets that the figures are from: new rows of these make it stale. */
  datasets: string[]
}

/** Grows with every change of what the same figures and settings lead to. */
const PREPARATION_VERSION = 4

/**
 * What a forecast is made from, on the workspace's calendar, as the scope sees it. Figures that add up are 0 in a period
 * without rows between others, and unknown where nothing was loaded for long; figures that do not add up are unknown.
 * @throws ProductError `not_found` for a subject that is gone, `invalid_input` for one without a date, `too_short` when there is
 * nothing, and whatever its questions are refused for
 */
export async function prepareForecast(
  deps: QueryContext['deps'],
  { scope, calendar, country, drivers = [] }: PrepareContext,
  settings: ForecastSettings,
): Promise<PreparedForecast> {
  const at: QueryContext = { deps, scope, calendar }
  const found = await findMonitoredMetric(deps, scope, settings.subject)
  if (!found.ok) throw subjectError(found.why)
  const monitoredMetric: MonitoredMetric = {
    ...found.monitoredMetric,
    filters: [...found.monitoredMetric.filters, ...settings.filters],
  }
  const figure = await loadGridSeries(at, monitoredMetric, settings)
  const { grain, periods, series, values } = figure
  const total: InputSeries = { member: null, label: null, values }
  const parts = settings.by ? await loadParts(figure, { by: settings.by, whole: values }) : []
  const first = startOfPeriod(periods.at(-1) ?? calendar.today, grain, calendar, 1)
  const future = Array.from({ length: settings.horizon }, (_, step) => startOfPeriod(first, grain, calendar, step))
  const { events } = settings
  const driverSeries = await loadDriverSeries(figure, { settings, ids: drivers })
  const opening = await openingBalance(figure, { settings, before: first })
  // A balance goes on from what is booked: the rest of the running period is what is usual after its days so far.
  const booked = opening === null ? null : await runningPeriodSurplus(figure, first)
  const ahead = eventAmounts(future, events, { grain, calendar })
  const made = {
    ...{ grain, periods, future, raw: values, earlier: await loadEarlier(figure, settings) },
    ...removeEvents({ total, parts }, { periods, events, grain, calendar }),
    ahead: ahead.map((amount, step) => amount + (step === 0 ? (booked ?? 0) : 0)),
    opening,
    drivers: driverSeries.map(({ metric, name, values: own }) => ({ metric, name, values: own })),
    country: grain === 'day' && settings.holidays === 'auto' ? country : null,
    ...{ format: series.format, direction: monitoredMetric.direction },
  }
  const incomplete = figure.incomplete && booked !== null ? { ...figure.incomplete, counted: true } : figure.incomplete
  const { dataAsOf, conversion, datasets } = series
  return {
    prepared: {
      ...{ ...made, incomplete, dataAsOf, conversion, additive: monitoredMetric.additive },
      inputHash: inputHashOf(made, settings),
    },
    name: found.name,
    datasets: [...new Set([...datasets, ...driverSeries.flatMap((one) => one.datasets)])],
  }
}

const subjectError = (why: 'gone' | 'no_date'): ProductError =>
  why === 'gone'
    ? new ProductError('not_found', {}, 'Source deleted.')
    : new ProductError(
        'invalid_input',
        { fields: { subject: 'No date column, or a moving figure. Choose another.' } },
        'No date column.',
      )

/** The running period is no part of it, but of a balance: new rows of it change no other forecast. Nor is the band that is drawn. */
function inputHashOf(
  made: Omit<ForecastInput, 'incomplete' | 'dataAsOf' | 'conversion' | 'inputHash'>,
  { horizon, season, dampOutliers, floor, ceiling }: ForecastSettings,
): string {
  return sha256HexSync(
    canonicalJson({ v: PREPARATION_VERSION, made, settings: { horizon, season, dampOutliers, floor, ceiling } }),
  )
}

/** The figures before those that a person has the forecast made from: what it is graded by. */
async function loadEarlier(
  { at, tracked, periods }: GridSeries,
  settings: ForecastSettings,
): Promise<(number | null)[]> {
  const first = periods[0]
  if (settings.historyFrom === null || first === undefined) return []
  const whole = await loadGridSeries(at, tracked, { ...settings, historyFrom: null })
  return whole.values.slice(0, Math.max(0, whole.periods.indexOf(first)))
}

type DriverSeries = ForecastInput['drivers'][number] & { datasets: string[] }

/** Figures of metrics over the same periods; those that are gone or cannot be asked are left out. */
async function loadDriverSeries(
  { at, grain, periods }: GridSeries,
  { settings, ids }: { settings: ForecastSettings; ids: readonly string[] },
): Promise<DriverSeries[]> {
  const drivers: DriverSeries[] = []
  for (const id of new Set(ids)) {
    const found = await findMonitoredMetric(at.deps, at.scope, { kind: 'metric', id })
    if (!found.ok) continue
    try {
      const { historyFrom } = settings
      const own = await loadGridSeries(at, found.monitoredMetric, { grain, historyFrom, ignoreIncomplete: 'never' })
      const values = new Map(own.periods.map((period, i) => [period, own.values[i] ?? null]))
      const { datasets } = own.series
      drivers.push({ metric: id, name: found.name, datasets, values: periods.map((one) => values.get(one) ?? null) })
    } catch (error) {
      if (!(error instanceof ProductError) || isTransient(error)) throw error
    }
  }
  return drivers
}
