import { endOfPeriod, latestCompletePeriod, startOfPeriod } from './calendar'
import { readMetricSeries, type MetricSeries } from './metric-series'
import { queryService, type QueryContext } from './query-service'
import type { AlertGrain } from '../shared/alerts'
import { seriesPlan, type MonitoredMetric, type SeriesQuery } from '../shared/monitored-metric'
import type { Field } from '../shared/query/field'
import { measuredDataset } from '../shared/query/plan-fields'

const ALL_TIME = { kind: 'relative', span: 'all', unit: 'month', n: 1, includeCurrent: true } as const

/**
 * The last day with rows of the dataset that a figure is of, whatever it is filtered by; null where there are none.
 * @throws ProductError what the question is refused for
 */
export async function lastDayWithData(at: QueryContext, tracked: MonitoredMetric): Promise<string | null> {
  const { today } = at.calendar
  const dataset = tracked.dataset ?? measuredDataset(seriesPlan(tracked, { from: today, to: today, by: null }))
  return lastDayOf(at, { dataset, time: tracked.time })
}

/**
 * The last day with rows of a dataset, by one of its dates; null where there are none.
 * @throws ProductError what the question is refused for
 */
export async function lastDayOf(
  at: QueryContext,
  { dataset, time }: { dataset: string | undefined; time: Field },
): Promise<string | null> {
  // Rows are counted: amounts of several currencies would not be added.
  const { period, rowCount } = await queryService(at.deps, at).answer({
    ...{ v: 2, kind: 'aggregate', dimensions: [], filters: [] },
    measures: [{ kind: 'column', agg: 'count', dataset }],
    period: { field: time, range: ALL_TIME, compare: 'none', completeOnly: false },
  })
  return period && rowCount > 0 ? period.to : null
}

export interface NewestPeriods {
  series: MetricSeries
  /** The newest complete period of the data; null where there is none. */
  last: string | null
  /** The last day with data, where they ended before the periods that are newest today. */
  dataTo: string | null
}

/** The newest periods may not have come yet: so many more are asked for before the end of the data is looked for. */
const SPARE_PERIODS = 3
const PERIODS_TO_JUDGE = 12

/**
 * A figure over so many periods up to the newest complete one of the data: counted back from today, and where the data ended before
 * that, from their end.
 * @throws ProductError what the questions are refused for
 */
export async function readNewestPeriods(
  at: QueryContext,
  { tracked, grain, periods }: { tracked: MonitoredMetric; grain: AlertGrain; periods: number },
  read: (ask: SeriesQuery) => Promise<MetricSeries> = (ask) => readMetricSeries(at, tracked, ask),
): Promise<NewestPeriods> {
  const { calendar } = at
  const span = (newest: string, count: number) => ({
    from: startOfPeriod(newest, grain, calendar, -count),
    to: endOfPeriod(newest, grain, calendar),
  })
  const upTo = async (newest: string, dataTo: string | null): Promise<NewestPeriods> => {
    const series = await read({ grain, ...span(newest, periods + SPARE_PERIODS) })
    const last = latestCompletePeriod(series, { grain, calendar })
    if (last === null || !series.partial.has(last)) return { series, last, dataTo }
    // Few periods do not say whether the newest one is cut: more are asked for.
    const longer = await readMetricSeries(at, tracked, { grain, ...span(newest, periods + PERIODS_TO_JUDGE) })
    return { series, last: latestCompletePeriod(longer, { grain, calendar }), dataTo }
  }
  const newest = startOfPeriod(calendar.today, grain, calendar, -1)
  const found = await upTo(newest, null)
  if (found.last !== null && found.last >= startOfPeriod(newest, grain, calendar, -SPARE_PERIODS)) return found
  const end = await lastDayWithData(at, tracked)
  const anchor = end === null ? null : startOfPeriod(end, grain, calendar)
  return anchor === null || anchor >= newest ? found : upTo(anchor, end)
}
