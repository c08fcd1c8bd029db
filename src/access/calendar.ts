import { Temporal } from 'temporal-polyfill'
import type { Membership } from './actor'
import type { Clock } from '../shared/ids'
import type { Calendar } from '../warehouse/contract'

/** The workspace's calendar at this instant: `today` is the date on its own wall. */
export function calendarOf({ settings }: Pick<Membership, 'settings'>, clock: Clock): Calendar {
  const { timeZone, weekStart, fiscalYearStart } = settings
  const now = Temporal.Instant.fromEpochMilliseconds(clock.now())
  return {
    timeZone,
    weekStart,
    fiscalYearStart,
    today: now.toZonedDateTimeISO(timeZone).toPlainDate().toString(),
  }
}
