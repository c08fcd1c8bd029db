import { amountsOf, withoutEvents } from './model/events'
import { openingOf } from './prepare-opening'
import { partsOf } from './prepare-parts'
import { seriesOnGrid } from './prepare-series'
import type { OnGrid } from './prepare-series'
import { startOf } from '../../access/periods'
import type { Scope } from '../../access/scope'
import type { SeriesDeps } from '../../access/series'
import { findTracked } from '../../access/tracked'
import type { Deps } from '../../deps'
import { isPassing, ProductError } from '../../shared/errors'
import type { Prepared, PreparedSeries } from '../../shared/forecast-result'
import type { ForecastSettings } from '../../shared/forecasts'
import type { Tracked } from '../../shared/tracked'
import type { Calendar } from '../../warehouse/contract'
import { canonical, sha256 } from '../../warehouse/query/hash'

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

/** Grows with every change of what the same figures and settings lead to. */
const VERSION = 1

/**
 * What a forecast is made from, on the workspace's calendar, as the scope sees it. Figures that add up are 0 in a period
 * without rows between others, and unknown where nothing was loaded for long; figures that do not add up are unknown.
 * @throws ProductError `not_found` for a subject that is gone, `invalid_input` for one without a date, `too_short` when there is
 * nothing, and whatever its questions are refused for
 */
export async function prepare(
  deps: Pick<Deps, 'db' | 'warehouse' | 'clock'>,
  { scope, calendar, country, drivers = [] }: PrepareAt,
  settings: ForecastSettings,
): Promise<Preparation> {
  const at: SeriesDeps = { deps, scope, calendar }
  const found = await findTracked(deps, scope, settings.subject)
  if (!found.ok) throw unfollowed(found.why)
  const tracked: Tracked = { ...found.tracked, filters: [...found.tracked.filters, ...settings.filters] }
  const figure = await seriesOnGrid(at, tracked, settings)
  const { grain, periods, series, values } = figure
  const total: PreparedSeries = { member: null, label: null, values }
  const parts = settings.by ? await partsOf(figure, { by: settings.by, whole: values }) : []
  const first = startOf(periods.at(-1) ?? calendar.today, grain, calendar, 1)
  const future = Array.from({ length: settings.horizon }, (_, step) => startOf(first, grain, calendar, step))
  const { events } = settings
  const driven = await driversOf(figure, { settings, ids: drivers })
  const made = {
    ...{ grain, periods, future, raw: values },
    ...withoutEvents({ total, parts }, { periods, events, grain, calendar }),
    ahead: amountsOf(future, events, { grain, calendar }),
    opening: await openingOf(figure, { settings, before: first }),
    drivers: driven.map(({ metric, name, values: own }) => ({ metric, name, values: own })),
    country: grain === 'day' && settings.holidays === 'auto' ? country : null,
    ...{ format: series.format, direction: tracked.direction },
  }
  const { incomplete } = figure
  const { dataAsOf, conversion, datasets } = series
  return {
    prepared: {
      ...{ ...made, incomplete, dataAsOf, conversion, additive: tracked.additive },
      inputHash: hashOf(made, settings),
    },
    name: found.name,
    datasets: [...new Set([...datasets, ...driven.flatMap((one) => one.datasets)])],
  }
}

const unfollowed = (why: 'gone' | 'no_date'): ProductError =>
  why === 'gone'
    ? new ProductError('not_found', {}, 'What it is about was deleted.')
    : new ProductError(
        'invalid_input',
        { fields: { subject: 'It has no date to follow it over.' } },
        'What it is about has no date to follow it over.',
      )

/** The running period is no part of it: new rows of it change no forecast. Nor is the band that is drawn. */
function hashOf(
  made: Omit<Prepared, 'incomplete' | 'dataAsOf' | 'conversion' | 'inputHash'>,
  { horizon, season, dampOutliers, floor, ceiling }: ForecastSettings,
): string {
  return sha256(canonical({ v: VERSION, made, settings: { horizon, season, dampOutliers, floor, ceiling } }))
}

type Driven = Prepared['drivers'][number] & { datasets: string[] }

/** Figures of metrics over the same periods; those that are gone or cannot be asked are left out. */
async function driversOf(
  { at, grain, periods }: OnGrid,
  { settings, ids }: { settings: ForecastSettings; ids: readonly string[] },
): Promise<Driven[]> {
  const drivers: Driven[] = []
  for (const id of new Set(ids)) {
    const found = await findTracked(at.deps, at.scope, { kind: 'metric', id })
    if (!found.ok) continue
    try {
      const { historyFrom } = settings
      const own = await seriesOnGrid(at, found.tracked, { grain, historyFrom, ignoreIncomplete: 'never' })
      const values = new Map(own.periods.map((period, i) => [period, own.values[i] ?? null]))
      const { datasets } = own.series
      drivers.push({ metric: id, name: found.name, datasets, values: periods.map((one) => values.get(one) ?? null) })
    } catch (error) {
      if (!(error instanceof ProductError) || isPassing(error)) throw error
    }
  }
  return drivers
}
