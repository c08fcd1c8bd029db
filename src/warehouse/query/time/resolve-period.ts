import { addMonths, dayFromIso, isoFromDay, startOfUnit, MONTHS_PER_UNIT } from '../../../shared/dates'
import type { CalendarUnit, Calendar } from '../../../shared/dates'
import { isFirstOfMonth, lastDayOfMonth } from './buckets'
import { invalidPlan } from '../plan/plan-errors'
import { isSameField } from '../../../shared/query/plan-fields'
import type { QueryPlan } from '../../../shared/query/plan'
import type { RelativeRange } from '../../../shared/query/date-range'

/** Days, both inclusive; `from` > `to` holds nothing. */
export interface DayRange {
  from: number
  to: number
}
export interface AbsolutePeriod {
  /** Null: all time. */
  range: DayRange | null
  compare: (DayRange & { yearly: boolean }) | null
  /** First day of the unit that is running today, when today lies in the range; null otherwise. */
  running: number | null
  /** The unit that the last day of the data is of. */
  unit: CalendarUnit
  /** The data ended long before today: units are counted back from their end. */
  isAnchored: boolean
}

type PlanPeriod = NonNullable<QueryPlan['period']>

/**
 * Makes a plan's period absolute by the workspace's calendar. A period is compared as far as it has come: a running one to
 * today, and any to the last day with rows where these end before it does (`dataTo`, null when it is not known).
 */
export function resolvePeriod(plan: QueryPlan, calendar: Calendar, dataTo: number | null): AbsolutePeriod | null {
  const { period } = plan
  if (!period) return null
  const today = dayFromIso(calendar.today) ?? 0
  const asOf = anchorDay(period, { today, dataTo }, calendar)
  const open = periodRange(period, asOf, calendar)
  const unit = currentUnit(plan)
  const running = startOfUnit(today, unit, calendar)
  const end = open.to === null || open.to > running - 1 ? running - 1 : open.to
  const range = period.completeOnly ? { from: open.from, to: end } : open
  const days = range.from === null || range.to === null ? null : { from: range.from, to: range.to }
  // "All time, complete units only" has an end and no beginning: the calendar's first day stands for it.
  const bounded = days ?? (range.to === null ? null : { from: dayFromIso('0001-01-01') ?? 0, to: range.to })
  const to = range.to ?? today
  const isRunning = to >= today && (range.from ?? today) <= today
  const reached = isRunning ? Math.min(today, dataTo ?? today) : endOfRows({ from: range.from ?? to, to }, dataTo)
  // What has no rows yet is held against the whole.
  const until = reached < (range.from ?? reached) ? to : reached
  const compare = days && period.compare !== 'none' ? comparisonRange(period, days, { until, today, calendar }) : null
  return { range: bounded, compare, running: isRunning ? running : null, unit, isAnchored: asOf !== today }
}

/** The unit that may be still running: the grain of the split by the period's column, else the range's own. */
function currentUnit({ period, dimensions }: QueryPlan): CalendarUnit {
  if (!period) return 'day'
  const split = dimensions.find(({ field, grain }) => grain !== undefined && isSameField(field, period.field))
  const grain = split?.grain === 'hour' ? 'day' : split?.grain
  if (grain !== undefined) return grain
  return period.range.kind === 'relative' && period.range.span === 'last' ? period.range.unit : 'day'
}

/** Days that a unit may lack at its end and be taken as whole: this share of it, or so many. */
const MISSING_SHARE = 0.1
const MISSING_DAYS = 2

/** A period that is over and lacks so many days at its end at most is taken as whole: rows may be far apart. */
const MISSING_DAYS_OF_PAST = 31

/** How far rows reach into a period that is over: its end, unless more than a month and a tenth of it is missing there. */
function endOfRows({ from, to }: DayRange, dataTo: number | null): number {
  if (dataTo === null || dataTo < from) return to
  return to - dataTo <= Math.max(MISSING_DAYS_OF_PAST, MISSING_SHARE * (to - from + 1)) ? to : dataTo
}

/**
 * The day that the last units are counted back from: today; where the data ended before the newest whole unit began, the end of the data.
 * The unit that they end in counts when next to nothing of it is missing. What runs (`this`) runs today.
 */
function anchorDay(
  { range }: PlanPeriod,
  { today, dataTo }: { today: number; dataTo: number | null },
  calendar: Calendar,
): number {
  if (range.kind !== 'relative' || range.span !== 'last' || dataTo === null) return today
  if (dataTo >= startOfUnit(today, range.unit, calendar, -1)) return today
  const [start, next] = [startOfUnit(dataTo, range.unit, calendar), startOfUnit(dataTo, range.unit, calendar, 1)]
  const isWhole = next - 1 - dataTo <= Math.max(MISSING_DAYS, MISSING_SHARE * (next - start))
  return isWhole && !range.includeCurrent ? next : dataTo
}

function periodRange(
  { range }: PlanPeriod,
  today: number,
  calendar: Calendar,
): { from: number | null; to: number | null } {
  if (range.kind === 'absolute') {
    const [from, to] = [dayFromIso(range.from), dayFromIso(range.to)]
    if (from === null || to === null) throw invalidPlan('period.range', 'Use years 1–9999.')
    if (from > to) throw invalidPlan('period.range', 'Enter a start date before the end date.')
    return { from, to }
  }
  if (range.span === 'all') return { from: null, to: null }
  const start = startOfUnit(today, range.unit, calendar)
  if (range.span === 'this') return { from: start, to: today }
  return { from: startOfUnit(today, range.unit, calendar, -range.n), to: range.includeCurrent ? today : start - 1 }
}

function comparisonRange(
  { range, compare }: PlanPeriod,
  days: DayRange,
  at: { until: number; today: number; calendar: Calendar },
): DayRange & { yearly: boolean } {
  // A period that has not begun is compared with nothing.
  if (days.to < days.from) return { from: days.from, to: days.from - 1, yearly: false }
  const reached = { from: days.from, to: at.until }
  if (compare === 'year') return sameRangeLastYear(reached, range.kind === 'relative' && range.unit === 'week')
  if (range.kind === 'relative' && range.unit !== 'day') return precedingUnits(range, days, at)
  return { ...precedingRange(days, at.until), yearly: false }
}

/** Weeks are compared with the weeks 52 weeks ago, so that weekdays stay in step; everything else by the calendar. */
function sameRangeLastYear({ from, to }: DayRange, weekly: boolean): DayRange & { yearly: boolean } {
  if (weekly) return { from: from - 364, to: to - 364, yearly: false }
  const start = addMonths(from, -12)
  const wholeMonths = isFirstOfMonth(from) && to === lastDayOfMonth(to)
  const end = addMonths(to, -12)
  return { from: start, to: wholeMonths ? lastDayOfMonth(end) : end, yearly: true }
}

/** Whole units: as many units earlier. A running unit: as far into the unit as it has come, at most to its end. */
function precedingUnits(
  { unit }: RelativeRange,
  { from, to }: DayRange,
  { until, today, calendar }: { until: number; today: number; calendar: Calendar },
): DayRange & { yearly: boolean } {
  const count = unitsBetween(from, startOfUnit(to, unit, calendar), unit) + 1
  const last = startOfUnit(until, unit, calendar)
  const isWhole = until !== today && until === startOfUnit(last, unit, calendar, 1) - 1
  const compareLast = startOfUnit(last, unit, calendar, -count)
  const unitEnd = startOfUnit(last, unit, calendar, 1 - count) - 1
  const end = isWhole ? unitEnd : Math.min(compareLast + (until - last), unitEnd)
  return { from: startOfUnit(from, unit, calendar, -count), to: end, yearly: false }
}

function unitsBetween(from: number, to: number, unit: CalendarUnit): number {
  const months = MONTHS_PER_UNIT[unit]
  if (months === undefined) return Math.round((to - from) / (unit === 'week' ? 7 : 1))
  let count = 0
  for (let at = from; at < to; at = addMonths(at, months)) count += 1
  return count
}

/** As many whole months before when the range is whole months, else as many days; as far into them as `until` is into it. */
function precedingRange({ from, to }: DayRange, until: number): DayRange {
  if (!isFirstOfMonth(from) || to !== lastDayOfMonth(to)) {
    const days = to - from + 1
    return { from: from - days, to: until - days }
  }
  const months = unitsBetween(from, to, 'month')
  const reached = addMonths(until, -months)
  return { from: addMonths(from, -months), to: until === lastDayOfMonth(until) ? lastDayOfMonth(reached) : reached }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "Jan–Jun 2026", "2025", "3 Feb – 9 Mar 2026", "Nov 2025 – Feb 2026". */
export function dayRangeLabel({ from, to }: DayRange): string {
  if (from > to) return 'No dates yet'
  const [a, b] = [dateParts(from), dateParts(to)]
  if (isFirstOfMonth(from) && to === lastDayOfMonth(to)) {
    if (a.year !== b.year) return `${a.month} ${a.year} – ${b.month} ${b.year}`
    if (a.month === b.month) return `${a.month} ${a.year}`
    return a.month === 'Jan' && b.month === 'Dec' ? `${a.year}` : `${a.month}–${b.month} ${a.year}`
  }
  if (from === to) return `${a.day} ${a.month} ${a.year}`
  if (a.year !== b.year) return `${a.day} ${a.month} ${a.year} – ${b.day} ${b.month} ${b.year}`
  return a.month === b.month
    ? `${a.day}–${b.day} ${b.month} ${b.year}`
    : `${a.day} ${a.month} – ${b.day} ${b.month} ${b.year}`
}
function dateParts(day: number): { year: number; month: string; day: number } {
  const [year = 0, month = 1, date = 1] = isoFromDay(day).split('-').map(Number)
  return { year, month: MONTHS[month - 1] ?? '', day: date }
}
