import {
  firstWholePeriod,
  missingPeriods,
  HISTORY_MAX,
  isCutShort,
  toGrid,
  listPeriods,
  overlappingPeriods,
  partToGrid,
  remainderPart,
  type GridSettings,
} from './model/period-grid'
import { queryService, type QueryContext } from '../../semantic/query-service'
import { endOfPeriod, latestCompletePeriod, startOfPeriod } from '../../semantic/calendar'
import { readMetricSeries, type MetricSeries, type MemberSeries } from '../../semantic/metric-series'
import { ProductError } from '../../shared/errors'
import type { ForecastGrain, ForecastInput, InputSeries } from '../../shared/forecasts/result'
import { FORECAST_PARTS_MAX, type ForecastSettings } from '../../shared/forecasts/forecasts'
import { measuredDataset } from '../../shared/query/plan-fields'
import { seriesPlan, type MonitoredMetric, type MemberField } from '../../shared/monitored-metric'
import type { Cell } from '../../shared/query/result'
import { dayFromIso } from '../../shared/dates'
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
  const running = startOfPeriod(calendar.today, grain, calendar)
  const oldest = startOfPeriod(running, grain, calendar, -HISTORY_MAX[grain])
  const wanted = historyFrom === null ? oldest : firstWholePeriod(historyFrom, { grain, calendar })
  const from = wanted > oldest ? wanted : oldest
  if (from > running) throw noFiguresError()
  const series = await readMetricSeries(at, metric, { grain, from, to: endOfPeriod(running, grain, calendar) })
  const known = [...series.total.values.keys()].toSorted()
  const first = known[0]
  if (first === undefined) throw noFiguresError()
  const rows = await rowDays({
    at,
    tracked: metric,
    grain,
    periods: [first],
    end: endOfPeriod(running, grain, calendar),
  })
  const { total, dataAsOf } = series
  // Without rows of its own a sum is 0, if others came in the same period.
  const seen = metric.additive ? new Map([...rows.keys()].map((period) => [period, 0])) : total.values
  const over = latestCompletePeriod({ total: { ...total, values: seen }, dataAsOf }, { grain, calendar })
  const newest = ignoreIncomplete === 'never' ? known.at(-1) : over
  if (newest === undefined || newest === null || newest < first) throw noFiguresError()
  const all = listPeriods(first, newest, { grain, calendar })
  const periods = ignoreIncomplete === 'never' ? all : wholePeriods(all, rows, { grain, calendar })
  const last = periods.at(-1)
  if (last === undefined) throw noFiguresError()
  const rowless = periods.map((period) => !series.total.values.has(period) && !rows.has(period))
  const holes = missingPeriods(rowless, grain)
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

const PERIOD_DAYS = { week: 7, month: 30, quarter: 91 } as const

const noFiguresError = (): ProductError =>
  new ProductError('too_short', { have: 0, need: 8 }, 'No periods with data yet.')

/** The periods without a first and a last one in the middle of which what was loaded begins or ends. */
function wholePeriods(
  periods: string[],
  rows: ReadonlyMap<string, RowDays>,
  { grain, calendar }: GridSettings,
): string[] {
  if (grain === 'day') return periods
  const days = PERIOD_DAYS[grain]
  const before = periods.map((period) => daysBetween(period, rows.get(period)?.first))
  const after = periods.map((period) => daysBetween(rows.get(period)?.last, endOfPeriod(period, grain, calendar)))
  const [from, to] = [isCutShort(before.toReversed(), days) ? 1 : 0, isCutShort(after, days) ? -1 : undefined]
  return periods.slice(from, to)
}

const daysBetween = (from: string | undefined, to: string | undefined): number | null => {
  const [first, last] = [from, to].map((day) => (day === undefined ? null : dayFromIso(day)))
  return first == null || last == null ? null : last - first
}

/** The first and the last day in a period for which the dataset has any row. */
interface RowDays {
  first: string
  last: string
}

/** Of each period, whatever the figure is of. */
async function rowDays({ at, tracked, grain, periods, end }: GridQuery): Promise<Map<string, RowDays>> {
  const figures = queryService(at.deps, at)
  const plan = await figures.resolve(seriesPlan(tracked, { grain, from: periods[0] ?? end, to: end }))
  const dataset = measuredDataset(plan)
  const day = { kind: 'column', field: tracked.time, ...(tracked.time.via ? { dataset } : {}) } as const
  const { rows } = await figures.answer({
    ...{ v: 2, kind: 'aggregate', dimensions: plan.dimensions, filters: [] },
    measures: [
      { ...day, agg: 'min' },
      { ...day, agg: 'max' },
    ],
    ...(dataset === undefined ? {} : { dataset }),
    ...(plan.period ? { period: plan.period } : {}),
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
  })
  const dayOf = (cell: Cell | undefined, period: string) => (typeof cell === 'string' ? cell.slice(0, 10) : period)
  return new Map(
    rows.flatMap(([period, first, last]): [string, RowDays][] =>
      typeof period === 'string' ? [[period, { first: dayOf(first, period), last: dayOf(last, period) }]] : [],
    ),
  )
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
