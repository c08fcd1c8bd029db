import { Temporal } from 'temporal-polyfill'
import type { Series } from './series'
import type { AlertGrain } from '../shared/alerts'
import type { Calendar } from '../warehouse/contract'
import { addMonths, dayOfIso, isoOfDay, unitStart } from '../warehouse/query/days'

const dayIn = (iso: string): number => dayOfIso(iso) ?? 0

/** First day of the period that holds a day, `steps` periods later. */
export const startOf = (day: string, grain: AlertGrain, calendar: Calendar, steps = 0): string =>
  isoOfDay(unitStart(dayIn(day), grain, calendar, steps))

/** Last day of the period that begins on `start`. */
export const endOf = (start: string, grain: AlertGrain, calendar: Calendar): string =>
  isoOfDay(unitStart(dayIn(start), grain, calendar, 1) - 1)

/** The period that one is held against. Weeks are held against those 52 weeks earlier, so that weekdays stay in step. */
export function comparedStart(
  start: string,
  { grain, against, calendar }: { grain: AlertGrain; against: 'previous' | 'year'; calendar: Calendar },
): string {
  if (against === 'previous') return startOf(start, grain, calendar, -1)
  return yearEarlier(start, grain)
}

const yearEarlier = (day: string, grain: AlertGrain): string =>
  isoOfDay(grain === 'week' ? dayIn(day) - 364 : addMonths(dayIn(day), -12))

/** As far into the period that a running one is held against as today is into it. */
export function comparedSoFar(
  { from, to }: { from: string; to: string },
  at: { grain: AlertGrain; against: 'previous' | 'year'; calendar: Calendar },
): { from: string; to: string } {
  const start = comparedStart(from, at)
  if (at.against === 'year') return { from: start, to: yearEarlier(to, at.grain) }
  const end = endOf(start, at.grain, at.calendar)
  const asFar = isoOfDay(dayIn(start) + dayIn(to) - dayIn(from))
  return { from: start, to: asFar < end ? asFar : end }
}

/** The last `count` periods up to one, the oldest first. */
export const lastPeriods = (
  last: string,
  count: number,
  { grain, calendar }: { grain: AlertGrain; calendar: Calendar },
): string[] => Array.from({ length: count }, (_, at) => startOf(last, grain, calendar, at - count + 1))

/** The newest period that is over and for which anything was loaded after it was over; null when there is none. */
export function newestLoaded(
  { total, dataAsOf }: Pick<Series, 'total' | 'dataAsOf'>,
  { grain, calendar }: { grain: AlertGrain; calendar: Calendar },
): string | null {
  if (dataAsOf === null) return null
  const loadedOn = Temporal.Instant.from(dataAsOf).toZonedDateTimeISO(calendar.timeZone).toPlainDate().toString()
  const over = [...total.values.keys()].filter((period) => endOf(period, grain, calendar) < loadedOn)
  return over.toSorted().at(-1) ?? null
}
