import { formatIsoDateTime, parseDateTime } from '../../shared/values/parse-date'
import { DAY_MS, isoFromDay } from '../../shared/dates'
import type { NumberFormat } from './number-format'

/** Days from 1970-01-01 back to day 0 of a workbook's calendar. */
const EPOCH_1900 = -25_569
const EPOCH_1904 = -24_107
/** Excel holds 1900 for a leap year: day 60 is its 29 February, and the days before it count one less. */
const FALSE_LEAP_DAY = 60
const DAYS_MIN = -719_162
const DAYS_MAX = 2_932_896

export interface DateSystem {
  date1904: boolean
}

/** Milliseconds since 1970 (wall clock), to the millisecond; null outside the years 1–9999. */
function serialToMs(serial: number, { date1904 }: DateSystem): number | null {
  const shift = !date1904 && serial >= 1 && serial < FALSE_LEAP_DAY ? 1 : 0
  const ms = Math.round((serial + (date1904 ? EPOCH_1904 : EPOCH_1900) + shift) * DAY_MS)
  return ms >= DAYS_MIN * DAY_MS && ms < (DAYS_MAX + 1) * DAY_MS ? ms : null
}

/**
 * Text of a serial number under a date, time or duration format: `2026-01-31`, `2026-01-31T12:00:00`, `12:00:00`;
 * a duration is its hours as a number. Null when there is no such moment.
 */
export function serialToText(serial: number, kind: NumberFormat['kind'], system: DateSystem): string | null {
  if (kind === 'duration') return msToHoursText(serial * DAY_MS)
  if (kind === 'time' && serial >= 0 && serial < 1) {
    const ms = Math.round(serial * DAY_MS)
    // 23:59:59.9999 is the end of the day, not a time of the next.
    return msToTimeText(Math.min(ms, DAY_MS - 1))
  }
  const ms = serialToMs(serial, system)
  if (ms === null) return null
  return kind === 'date' && ms % DAY_MS === 0 ? isoFromDay(ms / DAY_MS) : formatIsoDateTime(ms, false)
}

/** A date that the file spells out; a midnight is the date alone, what is no date stays as it is. */
export function normalizeIsoText(text: string): string {
  const at = parseDateTime(text.trim(), 'ymd')
  if (!at) return text
  return at.zoned || at.ms % DAY_MS !== 0 ? formatIsoDateTime(at.ms, at.zoned) : isoFromDay(at.ms / DAY_MS)
}

/** A time of day in milliseconds, as `12:30:00`. */
export const msToTimeText = (ms: number): string => formatIsoDateTime(ms, false).slice(11)

/** Milliseconds as hours. */
export const msToHoursText = (ms: number): string => numberToText(Math.round(ms) / 3_600_000)

const INTEGER_PATTERN = /^-?\d+$/

/** The shortest text that reads back as the same number; a whole number keeps its digits where a double would not. */
export function numberToText(value: number, written = ''): string {
  if (Object.is(value, -0)) return '0'
  return INTEGER_PATTERN.test(written) ? written : String(value)
}

const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/
const ZONED = /(Z|[+-]\d{2}:?\d{2})$/i
/** The first day whose number all programs agree on: Excel takes 1900 for a leap year. */
const FIRST_SAFE_SERIAL = 61

/**
 * The serial number of a day or moment (ISO text), a moment that names its zone on the clock of `timeZone`; null for what
 * is neither, and for days before March 1900.
 */
export function toSerial(text: string, timeZone: string): number | null {
  const wall = ZONED.test(text) ? wallClock(text, timeZone) : text
  const parts = WALL.exec(wall ?? '')
  if (!parts) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const serial = ms / DAY_MS - EPOCH_1900
  return serial >= FIRST_SAFE_SERIAL ? serial : null
}

function wallClock(text: string, timeZone: string): string | null {
  const at = Date.parse(text.replace(' ', 'T'))
  if (Number.isNaN(at)) return null
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(at)
}
