import { Temporal } from 'temporal-polyfill'
import { isSameField, operandsOf } from '../../../src/shared/query/plan-fields'
import type { QueryPlan, Measure, WindowMeasure } from '../../../src/shared/query/plan'
import type { Grain, RelativeRange } from '../../../src/shared/query/date-range'
import { add, isFraction, type NaiveValue, type EvaluationContext } from './values'
import type { Calendar } from '../../../src/shared/dates'

/** Periods and buckets by Temporal, for the naive evaluator. */
interface DateRange {
  from: Temporal.PlainDate
  to: Temporal.PlainDate
}
export interface NaivePeriod {
  range: DateRange | null
  compare: DateRange | null
  mode: 'previous' | 'year' | 'none'
  weekly: boolean
}
type Unit = RelativeRange['unit']
const WEEKDAY = { monday: 1, saturday: 6, sunday: 7 }
const MONTHS: Record<string, number> = { month: 1, quarter: 3, fiscalQuarter: 3, year: 12, fiscalYear: 12 }
const compare = (a: Temporal.PlainDate, b: Temporal.PlainDate): number => Temporal.PlainDate.compare(a, b)

export function startOfUnit(date: Temporal.PlainDate, unit: Unit, calendar: Calendar): Temporal.PlainDate {
  if (unit === 'day') return date
  if (unit === 'week') return date.subtract({ days: (date.dayOfWeek - WEEKDAY[calendar.weekStart] + 7) % 7 })
  const first = unit.startsWith('fiscal') ? calendar.fiscalYearStart : 1
  return date.with({ day: 1 }).subtract({ months: (date.month - first + 12) % (MONTHS[unit] ?? 1) })
}
function addUnits(date: Temporal.PlainDate, unit: Unit, n: number): Temporal.PlainDate {
  if (unit === 'day') return date.add({ days: n })
  if (unit === 'week') return date.add({ weeks: n })
  return date.add({ months: (MONTHS[unit] ?? 1) * n })
}
const dayBefore = (date: Temporal.PlainDate): Temporal.PlainDate => date.subtract({ days: 1 })
const endOfMonth = (date: Temporal.PlainDate): Temporal.PlainDate => date.with({ day: date.daysInMonth })
const isWholeMonths = ({ from, to }: DateRange): boolean => from.day === 1 && to.day === to.daysInMonth
const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate => (compare(a, b) < 0 ? a : b)

/** @param rowsEnd the last day with rows; null where it is not known */
export function naivePeriod(
  plan: QueryPlan,
  calendar: Calendar,
  rowsEnd: Temporal.PlainDate | null,
): NaivePeriod | null {
  const { period } = plan
  if (!period) return null
  const today = Temporal.PlainDate.from(calendar.today)
  const { range } = period
  let from: Temporal.PlainDate | null = null
  let to: Temporal.PlainDate | null = null
  if (range.kind === 'absolute') [from, to] = [Temporal.PlainDate.from(range.from), Temporal.PlainDate.from(range.to)]
  else if (range.span === 'this') [from, to] = [startOfUnit(today, range.unit, calendar), today]
  else if (range.span === 'last') {
    const asOf = countedFrom(range, { today, rowsEnd }, calendar)
    const start = startOfUnit(asOf, range.unit, calendar)
    ;[from, to] = [addUnits(start, range.unit, -range.n), range.includeCurrent ? asOf : dayBefore(start)]
  }
  if (period.completeOnly) {
    const split = plan.dimensions.find(
      (each) => each.grain !== undefined && isSameField(each.field, period.field),
    )?.grain
    const own = range.kind === 'relative' && range.span === 'last' ? range.unit : 'day'
    const last = dayBefore(startOfUnit(today, split === 'hour' ? 'day' : (split ?? own), calendar))
    to = to === null ? last : earlier(to, last)
  }
  const mode = from === null ? 'none' : period.compare
  const weekly = range.kind === 'relative' && range.unit === 'week'
  const days = from && to ? { from, to } : null
  const whole = days ?? (to ? { from: Temporal.PlainDate.from('0001-01-01'), to } : null)
  const until = days && comparedUntil(days, today, rowsEnd)
  const compared =
    days && until && mode !== 'none' ? compareRange(days, { mode, range, calendar, today, weekly, until }) : null
  return { range: whole, compare: compared, mode: compared ? mode : 'none', weekly }
}

/** Rows that end before the newest whole unit began: counted back from their end; the unit they end in, if nearly whole, too. */
function countedFrom(
  { unit, includeCurrent }: { unit: Unit; includeCurrent: boolean },
  { today, rowsEnd }: { today: Temporal.PlainDate; rowsEnd: Temporal.PlainDate | null },
  calendar: Calendar,
): Temporal.PlainDate {
  const newestWhole = addUnits(startOfUnit(today, unit, calendar), unit, -1)
  if (!rowsEnd || compare(rowsEnd, newestWhole) >= 0) return today
  const start = startOfUnit(rowsEnd, unit, calendar)
  const next = addUnits(start, unit, 1)
  const missing = rowsEnd.until(next).days - 1
  const isNearlyWhole = missing <= 2 || missing * 10 <= start.until(next).days
  return isNearlyWhole && !includeCurrent ? next : rowsEnd
}

/** How far a period is compared: a running one to today or to the end of its rows, any other to theirs where much is missing. */
function comparedUntil(
  { from, to }: DateRange,
  today: Temporal.PlainDate,
  rowsEnd: Temporal.PlainDate | null,
): Temporal.PlainDate {
  if (compare(to, today) < 0 || compare(from, today) > 0) {
    if (!rowsEnd || compare(rowsEnd, from) < 0 || compare(rowsEnd, to) >= 0) return to
    const [length, missing] = [from.until(to).days + 1, rowsEnd.until(to).days]
    return missing <= Math.max(31, length / 10) ? to : rowsEnd
  }
  const end = rowsEnd ? earlier(today, rowsEnd) : today
  return compare(end, from) < 0 ? to : end
}

type PeriodRange = NonNullable<QueryPlan['period']>['range']
function compareRange(
  days: DateRange,
  at: {
    mode: 'previous' | 'year'
    range: PeriodRange
    calendar: Calendar
    today: Temporal.PlainDate
    weekly: boolean
    until: Temporal.PlainDate
  },
): DateRange {
  const { mode, range, calendar, today, weekly, until } = at
  if (compare(days.to, days.from) < 0) return { from: days.from, to: dayBefore(days.from) }
  if (mode === 'year') {
    if (weekly) return { from: days.from.subtract({ weeks: 52 }), to: until.subtract({ weeks: 52 }) }
    const to = until.subtract({ years: 1 })
    return {
      from: days.from.subtract({ years: 1 }),
      to: isWholeMonths({ from: days.from, to: until }) ? endOfMonth(to) : to,
    }
  }
  if (range.kind === 'relative' && range.unit !== 'day') {
    const { unit } = range
    const lastUnit = startOfUnit(days.to, unit, calendar)
    let units = 1
    while (compare(addUnits(days.from, unit, units - 1), lastUnit) < 0) units += 1
    const reached = startOfUnit(until, unit, calendar)
    const start = addUnits(reached, unit, -units)
    const end = dayBefore(addUnits(start, unit, 1))
    const isPartial = compare(until, today) === 0 || compare(until, dayBefore(addUnits(reached, unit, 1))) < 0
    const elapsed = until.since(reached, { largestUnit: 'days' }).days
    return { from: addUnits(days.from, unit, -units), to: isPartial ? earlier(start.add({ days: elapsed }), end) : end }
  }
  if (isWholeMonths(days)) {
    let months = 1
    while (compare(days.from.add({ months }), days.to) <= 0) months += 1
    const reached = until.subtract({ months })
    const isMonthEnd = compare(until, endOfMonth(until)) === 0
    return { from: days.from.subtract({ months }), to: isMonthEnd ? endOfMonth(reached) : reached }
  }
  const length = days.to.since(days.from, { largestUnit: 'days' }).days + 1
  return { from: days.from.subtract({ days: length }), to: until.subtract({ days: length }) }
}

export function naiveBucket(wall: Temporal.PlainDateTime, grain: Grain, calendar: Calendar): Temporal.PlainDateTime {
  if (grain === 'hour') return wall.with({ minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
  return startOfUnit(wall.toPlainDate(), grain, calendar).toPlainDateTime()
}

/** A comparison's bucket laid over the period's; null past its end. */
export function alignToPeriod(
  bucket: Temporal.PlainDateTime,
  grain: Grain,
  period: NaivePeriod,
  calendar: Calendar,
): Temporal.PlainDateTime | null {
  const { range, compare: before } = period
  if (!range || !before) return bucket
  const unit = grain === 'hour' ? 'day' : grain
  const shifted = bucket.add(stepOf(unit, { range, before, period, calendar }))
  const last = startOfUnit(range.to, unit, calendar).toPlainDateTime()
  const end = grain === 'hour' ? last.with({ hour: 23 }) : last
  return Temporal.PlainDateTime.compare(shifted, end) > 0 ? null : shifted
}

interface AlignedPeriods {
  range: DateRange
  before: DateRange
  period: NaivePeriod
  calendar: Calendar
}
function stepOf(unit: Unit, { range, before, period, calendar }: AlignedPeriods): Temporal.Duration {
  if (unit === 'day' && period.mode === 'year' && !period.weekly) return Temporal.Duration.from({ years: 1 })
  const [a, b] = [startOfUnit(before.from, unit, calendar), startOfUnit(range.from, unit, calendar)]
  return unit === 'day' || unit === 'week' ? a.until(b, { largestUnit: 'days' }) : a.until(b, { largestUnit: 'months' })
}

/** Where a bucket of the comparison lay before it was laid over the period's. */
export function alignToComparison(
  bucket: Temporal.PlainDateTime,
  grain: Grain,
  period: NaivePeriod,
  calendar: Calendar,
): Temporal.PlainDateTime {
  const { range, compare: before } = period
  if (!range || !before) return bucket
  return bucket.subtract(stepOf(grain === 'hour' ? 'day' : grain, { range, before, period, calendar }))
}

/** Figures of other groups than their own, for the naive evaluator: every group looks through all others. */
export interface GroupSet<G> {
  groups: G[]
  keysOf(group: G): NaiveValue[]
  otherOf(group: G): boolean[]
  /** A figure of one group. */
  figure(measure: Measure, group: G): NaiveValue
}
/** The split by time, and whether its buckets were laid over the period's. */
interface TimeAxis {
  at: number
  grain: Grain
  laid: NaivePeriod | null
}

export const isWindowMeasure = (measure: Measure): boolean =>
  measure.kind === 'prev' ||
  measure.kind === 'cumulative' ||
  measure.kind === 'moving' ||
  measure.kind === 'whole' ||
  operandsOf(measure).some(isWindowMeasure)

/** What a top-N ranks by. */
export const firstPlainPart = (measure: Measure): Measure | undefined =>
  isWindowMeasure(measure) ? operandsOf(measure).flatMap((part) => firstPlainPart(part) ?? [])[0] : measure

export function timeAxisOf(context: EvaluationContext, plan: QueryPlan, laid: NaivePeriod | null): TimeAxis | null {
  const at = plan.dimensions.findIndex(
    ({ field, grain, part }) => grain !== undefined || (part === undefined && context.column(field).type === 'date'),
  )
  const found = plan.dimensions[at]
  if (!found) return null
  const isPeriods = plan.period !== undefined && isSameField(plan.period.field, found.field)
  return { at, grain: found.grain ?? 'day', laid: isPeriods ? laid : null }
}

function stepsBack(time: string, steps: number, grain: Grain): string {
  const back = (unit: 'hours' | 'days' | 'weeks' | 'months', n: number): string => {
    const moment = Temporal.PlainDateTime.from(time).subtract({ [unit]: n * steps })
    return unit === 'hours' ? moment.toString({ smallestUnit: 'minute' }) : moment.toPlainDate().toString()
  }
  switch (grain) {
    case 'hour':
      return back('hours', 1)
    case 'day':
      return back('days', 1)
    case 'week':
      return back('weeks', 1)
    case 'month':
      return back('months', 1)
    case 'quarter':
    case 'fiscalQuarter':
      return back('months', 3)
    case 'year':
    case 'fiscalYear':
      return back('months', 12)
  }
}

export function windowValue<G>(
  measure: WindowMeasure,
  group: G,
  at: {
    world: EvaluationContext
    axis: TimeAxis
    among: GroupSet<G>
    isComparison: boolean
    /** Whether units without rows count as 0. */
    countsAll: (measure: Measure) => boolean
  },
): NaiveValue {
  const { world, axis, among, isComparison } = at
  const timeOf = (each: G): string | null => {
    const time = among.keysOf(each)[axis.at]
    return typeof time === 'string' ? time : null
  }
  const rest = (each: G): string =>
    JSON.stringify([among.keysOf(each).filter((_, i) => i !== axis.at), among.otherOf(each)], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  const time = timeOf(group)
  if (time === null) return null
  const series = among.groups.filter((each) => rest(each) === rest(group) && timeOf(each) !== null)
  if (measure.kind === 'prev') {
    const wanted = stepsBack(time, measure.steps, axis.grain)
    const found = series.find((each) => timeOf(each) === wanted)
    return found === undefined ? null : among.figure(measure.of, found)
  }
  if (measure.kind === 'moving') {
    const first = among.groups.flatMap((each) => timeOf(each) ?? []).toSorted()[0] ?? ''
    const times = Array.from({ length: measure.units }, (_, back) =>
      back === 0 ? time : stepsBack(time, back, axis.grain),
    )
    if (times.some((each) => each < first)) return null
    const bucket = Temporal.PlainDateTime.from(time)
    const day = isComparison && axis.laid ? alignToComparison(bucket, axis.grain, axis.laid, world.calendar) : bucket
    const isAhead = Temporal.PlainDate.compare(day.toPlainDate(), Temporal.PlainDate.from(world.calendar.today)) > 0
    if (isAhead && among.figure(measure.of, group) === null) return null
    const all = times.flatMap((each) => series.find((one) => timeOf(one) === each) ?? [])
    const there = all.map((each) => among.figure(measure.of, each)).filter(isFraction)
    if (there.length === 0) return null
    const sum = there.reduce(add)
    const over = at.countsAll(measure.of) ? measure.units : there.length
    return measure.agg === 'sum' ? sum : { n: sum.n, d: sum.d * BigInt(over) }
  }
  const own = (text: string): Temporal.PlainDate => {
    const bucket = Temporal.PlainDateTime.from(text)
    const from = isComparison && axis.laid ? alignToComparison(bucket, axis.grain, axis.laid, world.calendar) : bucket
    return from.toPlainDate()
  }
  const yearOf = (text: string): string =>
    measure.restart === 'never' ? '' : startOfUnit(own(text), measure.restart, world.calendar).toString()
  const isFuture = Temporal.PlainDate.compare(own(time), Temporal.PlainDate.from(world.calendar.today)) > 0
  if (isFuture && among.figure(measure.of, group) === null) return null
  const upTo = series.filter((each) => {
    const then = timeOf(each) ?? ''
    return then <= time && yearOf(then) === yearOf(time)
  })
  const values = upTo.map((each) => among.figure(measure.of, each)).filter(isFraction)
  return values.length === 0 ? null : values.reduce(add)
}

/** Of everything together: the last running total there is; there is no earlier whole. */
export function windowValueOfTotal<G>(measure: WindowMeasure, at: { axis: TimeAxis; among: GroupSet<G> }): NaiveValue {
  if (measure.kind !== 'cumulative') return null
  const ordered = at.among.groups
    .flatMap((group) => {
      const time = at.among.keysOf(group)[at.axis.at]
      return typeof time === 'string' ? [{ time, group }] : []
    })
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))
  const values = ordered.map(({ group }) => at.among.figure(measure, group))
  return values.findLast((value) => value !== null) ?? null
}
