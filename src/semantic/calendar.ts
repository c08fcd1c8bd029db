import { Temporal } from 'temporal-polyfill'
import type { Membership } from '../scope'
import type { Clock } from '../shared/ids'
import type { MetricSeries } from './metric-series'
import type { AlertGrain } from '../shared/alerts'
import { addMonths, dayFromIso, isoFromDay, startOfUnit } from '../shared/dates'
import type { Calendar } from '../shared/dates'
import type { ReadContext } from '../deps'

/** The workspace's calendar at this instant: `today` is the date on its own wall. */
export function calendarOf({ settings }: Pick<Membership, 'settings'>, clock: Clock): Calendar {
  const { timeZone, weekStart, fiscalYearStart, numberLocale } = settings
  const now = Temporal.Instant.fromEpochMilliseconds(clock.now())
  return {
    timeZone,
    weekStart,
    fiscalYearStart,
    numberLocale,
    today: now.toZonedDateTimeISO(timeZone).toPlainDate().toString(),
  }
}

/** What looking at figures for somebody takes. */
export interface CalendarContext extends ReadContext {
  calendar: Calendar
}
/** The same, with the calendar of the member's workspace. */
export const withCalendar = <T extends ReadContext & { membership: Pick<Membership, 'settings'> }>(
  context: T,
): T & { calendar: Calendar } => ({ ...context, calendar: calendarOf(context.membership, context.deps.clock) })

const dayNumberOf = (iso: string): number => dayFromIso(iso) ?? 0

/** First day of the period that holds a day, `steps` periods later. */
export const startOfPeriod = (day: string, grain: AlertGrain, calendar: Calendar, steps = 0): string =>
  isoFromDay(startOfUnit(dayNumberOf(day), grain, calendar, steps))

/** Last day of the period that begins on `start`. */
export const endOfPeriod = (start: string, grain: AlertGrain, calendar: Calendar): string =>
  isoFromDay(startOfUnit(dayNumberOf(start), grain, calendar, 1) - 1)

/** The period that one is held against. Days and weeks are held against those 52 weeks earlier, so that weekdays stay in step. */
export function comparisonStart(
  start: string,
  { grain, against, calendar }: { grain: AlertGrain; against: 'previous' | 'year'; calendar: Calendar },
): string {
  if (against === 'previous') return startOfPeriod(start, grain, calendar, -1)
  return oneYearEarlier(start, grain)
}

const oneYearEarlier = (day: string, grain: AlertGrain): string =>
  isoFromDay(grain === 'week' || grain === 'day' ? dayNumberOf(day) - 364 : addMonths(dayNumberOf(day), -12))

/** As far into the period that a running one is held against as today is into it. */
export function comparisonToDate(
  { from, to }: { from: string; to: string },
  at: { grain: AlertGrain; against: 'previous' | 'year'; calendar: Calendar },
): { from: string; to: string } {
  const start = comparisonStart(from, at)
  if (at.against === 'year') return { from: start, to: oneYearEarlier(to, at.grain) }
  const end = endOfPeriod(start, at.grain, at.calendar)
  const asFar = isoFromDay(dayNumberOf(start) + dayNumberOf(to) - dayNumberOf(from))
  return { from: start, to: asFar < end ? asFar : end }
}

/** The last `count` periods up to one, the oldest first. */
export const trailingPeriods = (
  last: string,
  count: number,
  { grain, calendar }: { grain: AlertGrain; calendar: Calendar },
): string[] => Array.from({ length: count }, (_, at) => startOfPeriod(last, grain, calendar, at - count + 1))

/** Of fewer periods with rows it cannot be told how they usually end. */
const PERIODS_TO_TELL = 5

/**
 * The newest period that is over, for which anything was loaded after it was over, and which the rows do not end in the middle of; null
 * when there is none.
 */
export function latestCompletePeriod(
  { total, dataAsOf, partial }: Pick<MetricSeries, 'total' | 'dataAsOf'> & Partial<Pick<MetricSeries, 'partial'>>,
  { grain, calendar }: { grain: AlertGrain; calendar: Calendar },
): string | null {
  if (dataAsOf === null) return null
  const loadedOn = Temporal.Instant.from(dataAsOf).toZonedDateTimeISO(calendar.timeZone).toPlainDate().toString()
  const over = [...total.values.keys()].filter((period) => endOfPeriod(period, grain, calendar) < loadedOn).toSorted()
  const last = over.at(-1)
  const isCut = last !== undefined && over.length >= PERIODS_TO_TELL && partial?.has(last) === true
  return (isCut ? over.at(-2) : last) ?? null
}
