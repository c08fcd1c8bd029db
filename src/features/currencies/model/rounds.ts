import { Temporal } from 'temporal-polyfill'
import type { EcbFile } from '../../../outbound/ecb-rates'

/** When rates are looked for. The bank publishes towards 16:00 in Frankfurt, on days on which its payments run. */
const ZONE = 'Europe/Berlin'
const PUBLICATION_TIME = { hour: 16, minute: 15 }

/** The round that an instant (epoch ms) belongs to: the day of the last publication time before it, ISO. */
export function publicationDay(now: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE)
  const today = local.toPlainDate()
  const early = Temporal.PlainTime.compare(local.toPlainTime(), PUBLICATION_TIME) < 0
  return (early ? today.subtract({ days: 1 }) : today).toString()
}

const FRIDAY = 5
/** The newest day that should have rates in a round: that of the round, or the Friday before a weekend. */
export function expectedDay(round: string): string {
  const day = Temporal.PlainDate.from(round)
  return day.subtract({ days: Math.max(0, day.dayOfWeek - FRIDAY) }).toString()
}

const QUARTER_DAYS = 80
/** The smallest file that holds every day after the last known one. */
export function chooseFile(last: string | null, expected: string): EcbFile {
  if (last === null) return 'history'
  const days = Temporal.PlainDate.from(last).until(expected, { largestUnit: 'days' }).days
  const overWeekend = Temporal.PlainDate.from(last).dayOfWeek === FRIDAY && days === 3
  if (days <= 1 || overWeekend) return 'daily'
  return days <= QUARTER_DAYS ? 'quarter' : 'history'
}

const MINUTE = 60_000
const LATE_TRIES = 8
/** Days without rates are holidays: after some hours the round is done without them. */
export const isComplete = (newest: string | null, expected: string, tries: number): boolean =>
  (newest !== null && newest >= expected) || tries >= LATE_TRIES
/** Ms until a round is tried again: half an hour when the day is not there yet, longer each time when fetching failed. */
export const retryDelay = (outcome: 'late' | 'failed', tries: number): number =>
  outcome === 'late' ? 30 * MINUTE : Math.min(5 * MINUTE * 2 ** Math.min(tries, 10), 360 * MINUTE)
