import { firstWhole, holesOf, HISTORY_MAX, onGrid, periodsFrom } from './model/grid'
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
 * over and was loaded after it was over (`never`: to the newest with a figure). A partial first period, cut by the first
 * day that is looked at, is left out too.
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
  const last = ignoreIncomplete === 'never' ? known.at(-1) : newestLoaded(series, { grain, calendar })
  const first = known[0]
  if (first === undefined || last === undefined || last === null || last < first) throw nothing()
  const periods = periodsFrom(first, last, { grain, calendar })
  const end = endOf(last, grain, calendar)
  const asked: Asked = { at, tracked, grain, periods, end }
  const after = startOf(last, grain, calendar, 1)
  const left = known.find((period) => period >= after)
  return {
    ...asked,
    series,
    values: onGrid(periods, series.total.values, { additive: tracked.additive, holes: await holes(asked, series) }),
    incomplete: left === undefined ? null : { period: left, value: series.total.values.get(left) ?? null },
  }
}

const nothing = (): ProductError =>
  new ProductError('too_short', { have: 0, need: 8 }, 'There is no period with figures yet.')

/** Places without a figure in which not even rows of the dataset were loaded, so long that it was no quiet time. */
async function holes({ at, tracked, grain, periods, end }: Asked, { total }: Series): Promise<Set<number>> {
  const empty = periods.map((period) => !total.values.has(period))
  const [from] = periods
  if (from === undefined || !tracked.additive || !empty.includes(true)) return new Set()
  const figures = figuresFor(at.deps, at)
  const plan = await figures.resolved(seriesPlan(tracked, { grain, from, to: end }))
  const dataset = measuredDataset(plan)
  if (dataset === undefined) return holesOf(empty, grain)
  const { rows } = await figures.answer({
    ...{ v: 2, kind: 'aggregate', dataset, measures: [{ kind: 'column', agg: 'count', dataset }] },
    ...{ dimensions: plan.dimensions, filters: [], ...(plan.period ? { period: plan.period } : {}) },
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
  })
  const there = new Set(rows.map(([period]) => period))
  return holesOf(
    periods.map((period, i) => empty[i] === true && !there.has(period)),
    grain,
  )
}
