import { firstWhole, holesOf, HISTORY_MAX, isCutShort, onGrid, periodsFrom, within } from './model/grid'
import { figuresFor } from '../../access/figures'
import { endOf, newestLoaded, startOf } from '../../access/periods'
import { seriesOf } from '../../access/series'
import type { Series, SeriesDeps } from '../../access/series'
import { ProductError } from '../../shared/errors'
import type { ForecastGrain, Prepared } from '../../shared/forecast-result'
import type { ForecastSettings } from '../../shared/forecasts'
import { measuredDataset } from '../../shared/plan-fields'
import { seriesPlan } from '../../shared/tracked'
import type { Tracked } from '../../shared/tracked'
import { dayOfIso } from '../../warehouse/query/days'

/** A figure on its grid. */
export interface Asked {
  at: SeriesDeps
  tracked: Tracked
  grain: ForecastGrain
  periods: string[]
  /** Last day of the last of them. */
  end: string
}
export interface OnGrid extends Asked {
  series: Series
  values: (number | null)[]
  incomplete: Prepared['incomplete']
}

type Span = Pick<ForecastSettings, 'grain' | 'historyFrom' | 'ignoreIncomplete'>

/**
 * A figure on the regular grid of the workspace's calendar, from the first period with a figure to the newest one that is
 * over, was loaded after it was over, and does not stop half-way (`never`: to the newest with a figure). A first period that
 * the first day looked at cuts in two is left out too.
 * @throws ProductError `too_short` when there is nothing; what the question is refused for
 */
export async function seriesOnGrid(
  at: SeriesDeps,
  tracked: Tracked,
  { grain, historyFrom, ignoreIncomplete }: Span,
): Promise<OnGrid> {
  const { calendar } = at
  const running = startOf(calendar.today, grain, calendar)
  const oldest = startOf(running, grain, calendar, -HISTORY_MAX[grain])
  const wanted = historyFrom === null ? oldest : firstWhole(historyFrom, { grain, calendar })
  const from = wanted > oldest ? wanted : oldest
  if (from > running) throw nothing()
  const series = await seriesOf(at, tracked, { grain, from, to: endOf(running, grain, calendar) })
  const known = [...series.total.values.keys()].toSorted()
  const first = known[0]
  if (first === undefined) throw nothing()
  const rows = await lastRows({ at, tracked, grain, periods: [first], end: endOf(running, grain, calendar) })
  const { total, dataAsOf } = series
  // Without rows of its own a sum is 0, if others came in the same period.
  const seen = tracked.additive ? new Map([...rows.keys()].map((period) => [period, 0])) : total.values
  const over = newestLoaded({ total: { ...total, values: seen }, dataAsOf }, { grain, calendar })
  const newest = ignoreIncomplete === 'never' ? known.at(-1) : over
  if (newest === undefined || newest === null || newest < first) throw nothing()
  const all = periodsFrom(first, newest, { grain, calendar })
  const early = all.map((period) => daysEarly(rows.get(period), endOf(period, grain, calendar)))
  const periods =
    ignoreIncomplete === 'auto' && grain !== 'day' && isCutShort(early, DAYS[grain]) ? all.slice(0, -1) : all
  const last = periods.at(-1)
  if (last === undefined) throw nothing()
  const rowless = periods.map((period) => !series.total.values.has(period) && !rows.has(period))
  const holes = holesOf(rowless, grain)
  // What has no rate is left out of sums: no figure there is no 0.
  for (const span of series.conversion?.missing ?? [])
    within(periods, span, { grain, calendar }).forEach((is, place) => is && holes.add(place))
  const left = known.find((period) => period > last)
  return {
    ...{ at, tracked, grain, periods, series, end: endOf(last, grain, calendar) },
    values: onGrid(periods, total.values, { additive: tracked.additive, holes }),
    incomplete: left === undefined ? null : { period: left, value: series.total.values.get(left) ?? null },
  }
}

const DAYS = { week: 7, month: 30, quarter: 91 } as const

const nothing = (): ProductError =>
  new ProductError('too_short', { have: 0, need: 8 }, 'There is no period with figures yet.')

const daysEarly = (last: string | undefined, end: string): number | null => {
  const [from, to] = [last === undefined ? null : dayOfIso(last), dayOfIso(end)]
  return from === null || to === null ? null : to - from
}

/** The last day of each period for which the dataset has any row, whatever the figure is of. */
async function lastRows({ at, tracked, grain, periods, end }: Asked): Promise<Map<string, string>> {
  const figures = figuresFor(at.deps, at)
  const plan = await figures.resolved(seriesPlan(tracked, { grain, from: periods[0] ?? end, to: end }))
  const dataset = measuredDataset(plan)
  const { rows } = await figures.answer({
    ...{ v: 2, kind: 'aggregate', dimensions: plan.dimensions, filters: [] },
    measures: [{ kind: 'column', agg: 'max', field: tracked.time, ...(tracked.time.via ? { dataset } : {}) }],
    ...(dataset === undefined ? {} : { dataset }),
    ...(plan.period ? { period: plan.period } : {}),
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
  })
  return new Map(
    rows.flatMap(([period, day]): [string, string][] =>
      typeof period === 'string' ? [[period, typeof day === 'string' ? day.slice(0, 10) : period]] : [],
    ),
  )
}
