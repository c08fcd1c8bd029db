import { Temporal } from 'temporal-polyfill'
import type { DatePart } from '../../../src/shared/query/date-range'
import type { Calendar } from '../../../src/shared/dates'

const WEEKDAY = { monday: 1, saturday: 6, sunday: 7 }

/** A part of a date: as it is told, and its place in the natural order. */
export function naivePart(
  wall: Temporal.PlainDateTime,
  part: DatePart,
  { weekStart }: Calendar,
): { told: number; order: number } {
  const same = (told: number) => ({ told, order: told })
  switch (part) {
    case 'hourOfDay':
      return same(wall.hour)
    case 'weekday':
      return { told: wall.dayOfWeek, order: (wall.dayOfWeek + 7 - WEEKDAY[weekStart]) % 7 }
    case 'dayOfMonth':
      return same(wall.day)
    case 'monthOfYear':
      return same(wall.month)
    case 'weekOfYear': {
      if (weekStart === 'monday') return same(wall.weekOfYear ?? 0)
      // The week of 1 January is the first; the last days of a year may lie in the first of the next.
      let first = wall.toPlainDate()
      while (first.dayOfWeek !== WEEKDAY[weekStart]) first = first.subtract({ days: 1 })
      const last = first.add({ days: 6 })
      const year = last.year > 9999 ? 9999 : last.year
      let start = Temporal.PlainDate.from({ year, month: 1, day: 1 })
      while (start.dayOfWeek !== WEEKDAY[weekStart]) start = start.subtract({ days: 1 })
      return same(start.until(first, { largestUnit: 'days' }).days / 7 + 1)
    }
  }
}

/** What a place in the natural order is told as. */
export const naivePartOfOrder = (order: number, part: DatePart, { weekStart }: Calendar): number =>
  part === 'weekday' ? ((order + WEEKDAY[weekStart] - 1) % 7) + 1 : order
