import { addMonths, periodEnd, periodsBetween, yearGrainOf } from '../shared/targets/periods'
import type { TargetLine, TargetTable, LineProgress, PeriodProgress, TargetProgress } from '../shared/targets/targets'
import type { MonitoredMetric } from '../shared/monitored-metric'
import { memberKey, readMetricSeries, type MemberSeries, type MetricSeries } from './metric-series'
import { toTargetCells, expectedShare, periodProgress, sumTargets, yearToDate } from '../shared/targets/pace'
import type { TargetCells } from '../shared/targets/pace'
import { toTargetUnits } from '../shared/targets/spread'
import { lastDayWithData } from './newest-periods'
import type { QueryContext } from './query-service'

const TARGET_SCALE = 10_000
/** A target's exact decimal as a number. */
const targetNumber = (decimal: string): number => Number(toTargetUnits(decimal)) / TARGET_SCALE

/** What a line needs: the year so far by period, and the same part and whole of last year's running period. */
interface TargetFigures {
  now: MetricSeries
  soFar: MetricSeries
  whole: MetricSeries
}

/**
 * How the running period and the year have come along, for the whole and for every member that has targets.
 * @throws ProductError what its questions are refused for
 */
export async function readTargetProgress(
  at: QueryContext,
  metric: MonitoredMetric,
  table: TargetTable,
): Promise<TargetProgress> {
  const { fiscalYearStart } = at.calendar
  const { grain, by } = table
  const { asOf, current, now, dataTo } = await readNewestYear(at, metric, table)
  const today = lastDayWithRows(now, { grain, running: current.running, today: asOf, dataTo })
  const year = yearToDate(today, { grain, fiscalYearStart })
  const before = { from: addMonths(year.running, -12), to: addMonths(today, -12) }
  const [soFar, whole] = await Promise.all([
    readMetricSeries(at, metric, { ...before, by }),
    readMetricSeries(at, metric, {
      from: before.from,
      to: addMonths(periodEnd(year.running, grain), -12),
      by,
    }),
  ])
  const line = { tracked: metric, table, today, fiscalYearStart, year, figures: { now, soFar, whole } }
  return {
    ...{ grain, today, direction: metric.direction, format: now.format, dataAsOf: now.dataAsOf },
    lines: table.lines.map((one) => targetLineProgress(one, line)),
  }
}

interface NewestYear {
  asOf: string
  current: ReturnType<typeof yearToDate>
  now: MetricSeries
  /** The last day with data; null where that is not known. */
  dataTo: string | null
}

/** The year so far; where the data ended in an earlier one, that year up to their end. */
async function readNewestYear(
  at: QueryContext,
  metric: MonitoredMetric,
  { grain, by }: TargetTable,
): Promise<NewestYear> {
  const { fiscalYearStart, today } = at.calendar
  const upTo = async (asOf: string) => {
    const current = yearToDate(asOf, { grain, fiscalYearStart })
    return { asOf, current, now: await readMetricSeries(at, metric, { grain, from: current.start, to: asOf, by }) }
  }
  const [found, dataTo] = await Promise.all([upTo(today), lastDayWithData(at, metric)])
  if (found.now.total.values.size > 0 || dataTo === null || dataTo >= found.current.start) return { ...found, dataTo }
  return { ...(await upTo(dataTo)), dataTo }
}

/**
 * As far as figures have come: the last day with data, and no further than today; the end of the newest period of the year with
 * rows where the running one has none yet. What is not loaded is not behind.
 */
function lastDayWithRows(
  { total }: MetricSeries,
  { grain, running, ...days }: { grain: TargetTable['grain']; running: string; today: string; dataTo: string | null },
): string {
  const newest = [...total.values.keys()].toSorted().at(-1)
  const last = newest === undefined || newest >= running ? days.today : periodEnd(newest, grain)
  return days.dataTo !== null && days.dataTo < last && days.dataTo >= (newest ?? running) ? days.dataTo : last
}

interface TargetLineContext {
  tracked: MonitoredMetric
  table: TargetTable
  today: string
  fiscalYearStart: number
  year: ReturnType<typeof yearToDate>
  figures: TargetFigures
}

const seriesOfLine = ({ total, members }: MetricSeries, { member }: TargetLine): MemberSeries | undefined =>
  member === undefined ? total : members.find((one) => memberKey(one.member) === memberKey(member))

function targetLineProgress(line: TargetLine, context: TargetLineContext): LineProgress {
  const { tracked, year, figures, table, today } = context
  const cells = toTargetCells(line)
  const values = seriesOfLine(figures.now, line)?.values ?? new Map<string, number>()
  const lastYear = {
    soFar: seriesOfLine(figures.soFar, line)?.values.get('') ?? null,
    whole: seriesOfLine(figures.whole, line)?.values.get('') ?? null,
  }
  const range = { from: year.running, to: periodEnd(year.running, table.grain), today }
  const pace = tracked.additive ? expectedShare(range, lastYear) : null
  const actual = values.get(year.running) ?? (tracked.additive && figures.now.total.values.size > 0 ? 0 : null)
  const target = cells.get(year.running)
  const { direction } = tracked
  const now =
    target === undefined
      ? null
      : periodProgress({ period: year.running, actual, target: targetNumber(target), pace, direction })
  const name = seriesOfLine(figures.now, line)?.label ?? targetLineLabel(line)
  return {
    ...(line.member === undefined ? {} : { member: line.member }),
    label: name,
    now,
    year: pace === null ? null : targetYearProgress(cells, values, { ...context, pace }),
  }
}
const targetLineLabel = ({ member }: TargetLine): string | null =>
  member === undefined ? null : member === null || member === '' ? 'No value' : String(member)

type ExpectedPace = ReturnType<typeof expectedShare>

/** Null where a period of the year has no target, or the year is one period. */
function targetYearProgress(
  targetCells: TargetCells,
  values: MemberSeries['values'],
  at: TargetLineContext & { pace: ExpectedPace },
): PeriodProgress | null {
  const { table, fiscalYearStart, year, pace, tracked } = at
  const { grain } = table
  const end = periodEnd(year.start, yearGrainOf(grain))
  const periods = periodsBetween(year.start, end, { grain, fiscalYearStart })
  const whole = sumTargets(targetCells, periods)
  if (whole === null || periods.length === 1) return null
  const target = targetNumber(whole)
  const over = year.over.length === 0 ? 0 : targetNumber(sumTargets(targetCells, year.over) ?? '0')
  const expected = over + targetNumber(targetCells.get(year.running) ?? '0') * pace.share
  const actual = [...values.values()].reduce((sum, value) => sum + value, 0)
  const { direction } = tracked
  const share = target === 0 ? 1 : expected / target
  return periodProgress({ period: year.start, actual, target, pace: { share, basis: pace.basis }, direction })
}
