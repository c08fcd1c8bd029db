import { Temporal } from 'temporal-polyfill'
import type { DigestCadence } from '../../../shared/digest'

/** When it goes out, on the workspace's own clock. */
const DIGEST_HOUR = 7

interface DigestClock {
  /** Epoch milliseconds. */
  now: number
  timeZone: string
  weekStart: 'monday' | 'sunday' | 'saturday'
}
const FIRST_DAY = { monday: 1, saturday: 6, sunday: 7 } as const

/**
 * The period (its first day) whose digest is due, null when none is: the newest whose morning has come, once. After days
 * of sleep there is one, not one for each day; where clocks are put forward or back the morning still comes once.
 */
export function duePeriod(
  cadence: DigestCadence,
  last: string | null,
  { now, timeZone, weekStart }: DigestClock,
): string | null {
  if (cadence === 'off') return null
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const today = here.toPlainDate()
  const back = cadence === 'daily' ? 0 : (today.dayOfWeek - FIRST_DAY[weekStart] + 7) % 7
  const begun = today.subtract({ days: back })
  const morning = begun.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(DIGEST_HOUR) })
  const early = Temporal.ZonedDateTime.compare(here, morning) < 0
  const period = early ? begun.subtract({ days: cadence === 'daily' ? 1 : 7 }) : begun
  const key = period.toString()
  return last !== null && last >= key ? null : key
}

/** The instant at which the digest of a period (its first day) goes out at the earliest, in epoch milliseconds. */
export const sendTimeOf = (period: string, timeZone: string): number =>
  Temporal.PlainDate.from(period).toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(DIGEST_HOUR) })
    .epochMilliseconds

/** The instant of the next morning on which one may be due, in epoch milliseconds. */
export function nextSendTime({ now, timeZone }: Pick<DigestClock, 'now' | 'timeZone'>): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const at = (days: number): Temporal.ZonedDateTime =>
    here
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(DIGEST_HOUR) })
  const today = at(0).epochMilliseconds
  return today > now ? today : at(1).epochMilliseconds
}
