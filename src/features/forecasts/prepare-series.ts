import {
  firstWholePeriod,
  missingPeriods,
  HISTORY_MAX,
  toGrid,
  listPeriods,
  overlappingPeriods,
  partToGrid,
  remainderPart,
} from './model/period-grid'
import { lastDayWithData } from '../../semantic/newest-periods'
import { queryService, type QueryContext } from '../../semantic/query-service'
import { endOfPeriod, latestCompletePeriod, startOfPeriod } from '../../semantic/calendar'
import { readMetricSeries, type MetricSeries, type MemberSeries } from '../../semantic/metric-series'
import { ProductError } from '../../shared/errors'
import type { ForecastGrain, ForecastInput, InputSeries } from '../../shared/forecasts/result'
import { FORECAST_PARTS_MAX, type ForecastSettings } from '../../shared/forecasts/forecasts'
import { measuredDataset } from '../../shared/query/plan-fields'
import { seriesPlan, type MonitoredMetric, type MemberField } from '../../shared/monitored-metric'
import { QUERY_ROWS_MAX } from '../../shared/limits'

/** A figure on its grid. */
interface GridQuery {
  at: QueryContext
  tracked: MonitoredMetric
  grain: ForecastGrain
  periods: string[]
  /** Last day of the last of them. */
  end: string
}
export interface GridSeries extends GridQuery {
  series: MetricSeries
  values: (number | null)[]
  incomplete: ForecastInput['incomplete']
}

type HistorySettings = Pick<ForecastSettings, 'grain' | 'historyFrom' | 'ignoreIncomplete'>

/**
 * A figure on the regular grid of the workspace's calendar, from the first period with a figure to the newest one that is
 * over and was loaded after it was over (`never`: to the newest with a figure). A first period that the first day looked at cuts
 * in two is left out; so are, unless `never`, a first and a last one in the middle of which what was loaded begins or ends.
 * @throws ProductError `too_short` when there is nothing; what the question is refused for
 */
export async function loadGridSeries(
  at: QueryContext,
  metric: MonitoredMetric,
  { grain, historyFrom, ignoreIncomplete }: HistorySettings,
): Promise<GridSeries> {
  const { calendar } = at
  const { running, series } = await readHistory(at, metric, { grain, historyFrom })
  const known = [...series.total.values.keys()].toSorted()
  const first = known[0]
  if (first === undefined) throw noFiguresError()
  const { loaded, partial } = await loadedPeriods({
    at,
    tracked: metric,
    grain,
    periods: [first],
    end: endOfPeriod(running, grain, calendar),
  })
  const { total, dataAsOf } = series
  // Without rows of its own a sum is 0, if others came in the same period.
  const seen = metric.additive ? new Map([...loaded.keys()].map((period) => [period, 0])) : total.values
  const over = latestCompletePeriod({ total: { ...total, values: seen }, dataAsOf }, { grain, calendar })
  const newest = ignoreIncomplete === 'never' ? known.at(-1) : over
  if (newest === undefined || newest === null || newest < first) throw noFiguresError()
  const all = listPeriods(first, newest, { grain, calendar })
  const periods = ignoreIncomplete === 'never' ? all : all.filter((period) => !partial.has(period))
  const last = periods.at(-1)
  if (last === undefined) throw noFiguresError()
  const rows = periods.map((period) => loaded.get(period) ?? Number(series.total.values.has(period)))
  const holes = missingPeriods(rows, grain)
  // What has no rate is left out of sums: no figure there is no 0.
  for (const span of series.conversion?.missing ?? [])
    overlappingPeriods(periods, span, { grain, calendar }).forEach((is, place) => is && holes.add(place))
  const left = known.find((period) => period > last)
  return {
    ...{ at, tracked: metric, grain, periods, series, end: endOfPeriod(last, grain, calendar) },
    values: toGrid(periods, total.values, { additive: metric.additive, holes }),
    incomplete: left === undefined ? null : { period: left, value: series.total.values.get(left) ?? null },
  }
}

/** The newest periods there are, up to the one that runs today; of data that ended before, up to their end. */
async function readHistory(
  at: QueryContext,
  metric: MonitoredMetric,
  { grain, historyFrom }: Pick<HistorySettings, 'grain' | 'historyFrom'>,
): Promise<{ running: string; series: MetricSeries }> {
  const { calendar } = at
  const upTo = async (running: string): Promise<{ running: string; series: MetricSeries }> => {
    const oldest = startOfPeriod(running, grain, calendar, -HISTORY_MAX[grain])
    const wanted = historyFrom === null ? oldest : firstWholePeriod(historyFrom, { grain, calendar })
    const from = wanted > oldest ? wanted : oldest
    if (from > running) throw noFiguresError()
    return {
      running,
      series: await readMetricSeries(at, metric, { grain, from, to: endOfPeriod(running, grain, calendar) }),
    }
  }
  const today = startOfPeriod(calendar.today, grain, calendar)
  const found = await upTo(today)
  const newest = [...found.series.total.values.keys()].toSorted().at(-1)
  if (newest !== undefined && newest >= startOfPeriod(today, grain, calendar, -1)) return found
  // Whatever the figure is filtered by: other rows tell how far what was loaded reaches.
  const end = await lastDayWithData(at, metric)
  const after = end === null ? today : startOfPeriod(end, grain, calendar, 1)
  return after < today ? upTo(after) : found
}

const noFiguresError = (): ProductError =>
  new ProductError('too_short', { have: 0, need: 8 }, 'No periods with data yet.')

/** How many rows the dataset has in each period that has any, and which of them what was loaded begins or ends in the middle of. */
interface LoadedPeriods {
  loaded: Map<string, number>
  partial: Set<string>
}

/** Of each period, whatever the figure is of: as charts tell them. */
async function loadedPeriods({ at, tracked, grain, periods, end }: GridQuery): Promise<LoadedPeriods> {
  const figures = queryService(at.deps, at)
  const plan = await figures.resolve(seriesPlan(tracked, { grain, from: periods[0] ?? end, to: end }))
  const dataset = measuredDataset(plan)
  const { columns, rows } = await figures.answer({
    ...{ v: 2, kind: 'aggregate', dimensions: plan.dimensions, filters: [] },
    measures: [{ kind: 'column', agg: 'count', ...(dataset === undefined ? {} : { dataset }) }],
    ...(dataset === undefined ? {} : { dataset }),
    ...(plan.period ? { period: plan.period } : {}),
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
  })
  return {
    loaded: new Map(
      rows.flatMap(([period, count]) => (typeof period === 'string' ? [[period, Number(count)] as const] : [])),
    ),
    partial: new Set((columns[0]?.partial ?? []).map(({ start }) => start)),
  }
}

/** Periods of a year: which members are the largest is asked over the last one. */
const PERIODS_PER_YEAR = { day: 365, week: 52, month: 12, quarter: 4 } as const

/**
 * The ten largest members over the last year and what is left of the whole, which add up to it in every period. None for
 * figures that do not add up.
 * @throws ProductError what the questions are refused for
 */
export async function loadParts(
  { at, tracked, grain, periods, end }: GridQuery,
  { by, whole }: { by: MemberField; whole: readonly (number | null)[] },
): Promise<InputSeries[]> {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!tracked.additive || first === undefined || last === undefined) return []
  const year = startOfPeriod(last, grain, at.calendar, 1 - PERIODS_PER_YEAR[grain])
  const lastYear = await readMetricSeries(at, tracked, { from: year > first ? year : first, to: end, by })
  const size = ({ values }: MemberSeries): number => Math.abs(values.get('') ?? 0)
  const largest = lastYear.members.toSorted((a, b) => size(b) - size(a)).slice(0, FORECAST_PARTS_MAX)
  const each = Math.max(1, Math.floor(QUERY_ROWS_MAX / periods.length))
  const found: MemberSeries[] = []
  for (let from = 0; from < largest.length; from += each) {
    const only = largest.slice(from, from + each).map(({ member }) => member)
    const { members } = await readMetricSeries(at, tracked, { grain, from: first, to: end, by, only })
    found.push(...members)
  }
  const parts = largest.flatMap(({ member, label }): InputSeries[] => {
    const own = found.find((one) => one.member === member)
    return own ? [{ member, label, values: partToGrid(periods, own.values, whole) }] : []
  })
  const rest = remainderPart(whole, parts)
  return rest ? [...parts, rest] : parts
}
