import { bucketCoverage, ROW_DAYS_MAX } from '../../../shared/bucket-coverage'
import { dayFromIso, isoFromDay, startOfUnit, type Calendar, type CalendarUnit } from '../../../shared/dates'
import { isSameField } from '../../../shared/query/plan-fields'
import type { Dimension, QueryPlan } from '../../../shared/query/plan'
import type { PartialBucket } from '../../../shared/query/partial-bucket'
import type { QueryResult, ResultColumn } from '../../../shared/query/result'
import type { DayRange } from './resolve-period'

/** A split by units longer than a day, and between which days the rows lie that its dates are of. */
export interface TimeSplit {
  /** Place among the splits. */
  at: number
  dimension: Dimension
  unit: CalendarUnit
  data: DayRange
  /** The plan's period is of the same dates. */
  ofPeriod: boolean
}

/** The splits of a plan in whose first or last bucket rows may begin or end. */
export function timeSplits(plan: QueryPlan, daysOf: (field: Dimension['field']) => DayRange | null): TimeSplit[] {
  return plan.dimensions.flatMap((dimension, at): TimeSplit[] => {
    const { grain, grouping, field } = dimension
    if (grain === undefined || grain === 'day' || grain === 'hour' || grouping !== undefined) return []
    const data = daysOf(field)
    const ofPeriod = plan.period !== undefined && isSameField(plan.period.field, field)
    return data === null ? [] : [{ at, dimension, unit: grain, data, ofPeriod }]
  })
}

/** The part of some days that is asked about. */
function within(days: DayRange, { ofPeriod }: TimeSplit, period: QueryResult['period']): DayRange {
  if (!ofPeriod || period === null) return days
  const [from, to] = [dayFromIso(period.from), dayFromIso(period.to)]
  return { from: Math.max(days.from, from ?? days.from), to: Math.min(days.to, to ?? days.to) }
}

/** Whether the rows may begin or end in the middle of a bucket that is shown, by what is known without asking. */
function mayBeCut(
  split: TimeSplit,
  { rows, period }: Pick<QueryResult, 'rows' | 'period'>,
  calendar: Calendar,
): boolean {
  const { at, unit } = split
  const data = within(split.data, split, period)
  const shown = new Set(rows.map((row) => row[at]))
  // Days of moments are known to a day: clocks of the workspace may be ahead of them or behind.
  const isShown = (day: number): boolean =>
    [day - 1, day, day + 1].some((near) => shown.has(isoFromDay(startOfUnit(near, unit, calendar))))
  const isWhole = startOfUnit(data.to, unit, calendar, 1) - 1 === data.to
  const runs = period?.runningFrom !== undefined && isoFromDay(data.to) >= period.runningFrom
  return (
    (data.from !== startOfUnit(data.from, unit, calendar) && isShown(data.from)) ||
    (!isWhole && !runs && isShown(data.to))
  )
}

/** Which buckets the rows, or the period, begin and end in the middle of. */
function cutBuckets(
  split: TimeSplit,
  { rows, period }: Pick<QueryResult, 'rows' | 'period'>,
  { calendar, rowDays }: { calendar: Calendar; rowDays: readonly number[] },
): PartialBucket[] {
  const { at, unit, data } = split
  const shown = new Set(rows.map((row) => row[at]))
  const coverage = bucketCoverage(rowDays, unit, calendar)
  const earliest = rowDays.length < ROW_DAYS_MAX ? (rowDays[0] ?? data.from) : data.from
  const { from: first, to: last } = within({ from: earliest, to: rowDays.at(-1) ?? data.to }, split, period)
  const [begins, ends] = [first, last].map((day) => isoFromDay(startOfUnit(day, unit, calendar)))
  const from = coverage.beginsInside(first) ? { from: isoFromDay(first) } : null
  // The running bucket is told by itself, whatever the rows reach.
  const to = coverage.endsInside(last) && ends !== period?.runningFrom ? { to: isoFromDay(last) } : null
  const found =
    begins === ends
      ? [{ start: begins, ...from, ...to }]
      : [
          { start: begins, ...from },
          { start: ends, ...to },
        ]
  return found.flatMap(({ start = '', ...days }) =>
    shown.has(start) && Object.keys(days).length > 0 ? [{ start, ...days }] : [],
  )
}

/** The days that rows lie on, the newest of them, whatever a question asks of them. */
export const rowDaysPlan = ({ dataset, column }: Dimension['field']): QueryPlan => ({
  ...{ v: 1, kind: 'aggregate', dataset, filters: [] },
  measures: [{ kind: 'column', agg: 'count', dataset }],
  dimensions: [{ field: { dataset, column }, grain: 'day' }],
  sort: [{ by: { dimension: 0 }, dir: 'desc' }],
  limit: ROW_DAYS_MAX,
})

export const rowDaysOf = ({ rows }: Pick<QueryResult, 'rows'>): number[] =>
  rows.flatMap(([day]) => (typeof day === 'string' ? (dayFromIso(day) ?? []) : [])).toReversed()

/**
 * The columns of an answer, told which of their buckets the rows begin or end in the middle of: judged by the rows of the
 * dataset that the dates are of, not by those that filters leave. Asks for days only where a bucket may be cut.
 */
export function* withPartialBuckets<Step>(
  columns: readonly ResultColumn[],
  of: { splits: readonly TimeSplit[]; result: Pick<QueryResult, 'rows' | 'period'>; calendar: Calendar },
  rowDays: (field: Dimension['field']) => Generator<Step, readonly number[]>,
): Generator<Step, ResultColumn[]> {
  const told = [...columns]
  for (const split of of.splits) {
    const column = told[split.at]
    if (!column || !mayBeCut(split, of.result, of.calendar)) continue
    const days = yield* rowDays(split.dimension.field)
    const partial = cutBuckets(split, of.result, { calendar: of.calendar, rowDays: days })
    if (partial.length > 0) told[split.at] = { ...column, partial }
  }
  return told
}
