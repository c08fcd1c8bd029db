import { DAY_MS, dayFromCivil, isoFromDay } from '../dates'
import type { DateOrder } from '../data-sources/files'
import { monthByName, withoutWeekday } from './month-names'
import { parseOffsetMs, ZONE_NAMES } from './time-zones'

const TEXT_MAX_CHARS = 48
/** What may follow the figure of a day: `15.`, `3rd`, `1er`, `2:a`. */
const ORDINAL = String.raw`(?:\.|st|nd|rd|th|er|:[ae])?`
const DATE_PATTERN = new RegExp(
  String.raw`^(\d{1,4})(?:([-/.])(\d{1,2}|\p{L}{3,12})\2|${ORDINAL}(?: de | of | )(\p{L}{3,12})\.?,?(?: de | ))'?(\d{1,4})$`,
  'iu',
)
const MONTH_FIRST_PATTERN = new RegExp(String.raw`^(\p{L}{3,12})\.? (\d{1,2})${ORDINAL},? (\d{4})$`, 'iu')
const TIME_PATTERN = new RegExp(
  String.raw`(?:T|,? +(?:kl\.? |at )?)(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AP])\.?M\.?)?` +
    String.raw`(?: ?(${ZONE_NAMES}|[+-]\d{2}(?::?\d{2})?)(?:\[[\w/+-]{1,40}\])?)?$`,
  'i',
)
const COMPACT_TIME = /^(\d{8})[T ]?(\d{2})(\d{2})(\d{2})(Z|[+-]\d{2}:?\d{2})?$/i
/** The days that a spreadsheet counts as 1955 to 2119: what it saves where a cell lost its format. */
const SERIAL_DATE = /^[2-7]\d{4}$/
const SERIAL_OF_1970 = 25_569
const SHORT_DATE = /^\d{6}$/

/** Days since 1970-01-01 of a proleptic Gregorian date, or null when there is no such day. Years 1–9999. */
export function epochDay(year: number, month: number, day: number): number | null {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1)) return null
  if (day > 28 && day > daysInMonth(year, month)) return null
  return dayFromCivil({ year, month, day })
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** ISO text of milliseconds since 1970, with Z for instants. */
export function formatIsoDateTime(ms: number, zoned: boolean): string {
  const days = Math.floor(ms / DAY_MS)
  const pad = (n: number, width = 2): string => String(n).padStart(width, '0')
  const rest = ms - days * DAY_MS
  const time = `${pad(Math.floor(rest / 3_600_000))}:${pad(Math.floor(rest / 60_000) % 60)}:${pad(Math.floor(rest / 1000) % 60)}`
  const fraction = rest % 1000 === 0 ? '' : `.${pad(rest % 1000, 3)}`
  return `${isoFromDay(days)}T${time}${fraction}${zoned ? 'Z' : ''}`
}

const digitOf = (code: number): number => (code >= 48 && code <= 57 ? code - 48 : Number.NaN)
const twoDigitsAt = (text: string, at: number): number =>
  digitOf(text.charCodeAt(at)) * 10 + digitOf(text.charCodeAt(at + 1))

/** `yyyy-mm-dd` at the start of a text. NaN digits fail the range checks of {@link epochDay}. */
export function parseIsoDatePrefix(text: string): number | null {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return null
  return epochDay(twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2), twoDigitsAt(text, 5), twoDigitsAt(text, 8))
}

const twoDigitsIn = (bytes: Uint8Array, at: number): number =>
  digitOf(bytes[at] ?? 0) * 10 + digitOf(bytes[at + 1] ?? 0)
/** The same of ten bytes. */
export function parseIsoDateBytes(bytes: Uint8Array, at: number): number | null {
  if (bytes[at + 4] !== 45 || bytes[at + 7] !== 45) return null
  const year = twoDigitsIn(bytes, at) * 100 + twoDigitsIn(bytes, at + 2)
  return epochDay(year, twoDigitsIn(bytes, at + 5), twoDigitsIn(bytes, at + 8))
}

/** Two-digit years turn at 70, as POSIX has it: 69 is 2069, 70 is 1970. */
export const fullYear = (text: string): number => {
  const year = Number(text)
  if (text.length === 4) return year
  if (text.length !== 2) return Number.NaN
  return year < 70 ? 2000 + year : 1900 + year
}

/**
 * Day number of a date in text. A four-digit year in front is always year-month-day, a month's name settles its
 * place, eight digits are `yyyymmdd`; else `order` decides. Null when it is no date or no such day exists.
 */
export function parseDate(text: string, order: DateOrder): number | null {
  if (text.length === 10) {
    const iso = parseIsoDatePrefix(text)
    if (iso !== null) return iso
  }
  if (text.length > TEXT_MAX_CHARS || text.length < 6) return null
  const match = DATE_PATTERN.exec(text)
  if (match) return dateFromParts([match[1] ?? '', match[3] ?? match[4] ?? '', match[5] ?? ''], order)
  if (!FIRST_DIGIT.test(text)) return parseWordyDate(text, order)
  if (text.length === 8 && /^\d{8}$/.test(text)) {
    return epochDay(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)))
  }
  return null
}

const FIRST_DIGIT = /^\d/
/** A date that begins with the name of a month, or of a day of the week. */
function parseWordyDate(text: string, order: DateOrder): number | null {
  const named = MONTH_FIRST_PATTERN.exec(text)
  const month = named && monthByName(named[1] ?? '')
  if (named && month) return epochDay(Number(named[3]), month, Number(named[2]))
  const rest = withoutWeekday(text)
  return rest.length < text.length ? parseDate(rest, order) : null
}

/**
 * Day number of a date that is a bare number: what a spreadsheet counts its days by (`45292` is 2024-01-01), or six digits as
 * `yymmdd`. Null for any other text.
 */
export const parseSerialDate = (text: string): number | null =>
  SERIAL_DATE.test(text) ? Number(text) - SERIAL_OF_1970 : parseShortDate(text, 'ymd')

/** Day number of six digits: year, month and day, of two each. */
export function parseShortDate(text: string, order: 'ymd' | 'dmy'): number | null {
  if (!SHORT_DATE.test(text)) return null
  const [first, month, last] = [text.slice(0, 2), Number(text.slice(2, 4)), text.slice(4)]
  const [year, day] = order === 'ymd' ? [first, last] : [last, first]
  return epochDay(fullYear(year), month, Number(day))
}

function dateFromParts([a, b, c]: [string, string, string], order: DateOrder): number | null {
  const name = monthByName(b) ?? undefined
  if (a.length === 4) return c.length > 2 ? null : epochDay(Number(a), name ?? Number(b), Number(c))
  if (a.length > 2) return null
  if (name !== undefined) return epochDay(fullYear(c), name, Number(a))
  if (order === 'ymd') return a.length === 2 && c.length <= 2 ? epochDay(fullYear(a), Number(b), Number(c)) : null
  const [day, month] = order === 'dmy' ? [a, b] : [b, a]
  return epochDay(fullYear(c), Number(month), Number(day))
}

/** Milliseconds since 1970-01-01T00:00: an instant when `zoned`, else the wall-clock time as if it were UTC. */
export interface ParsedDateTime {
  ms: number
  zoned: boolean
}

/** Reads a date with a time of day, AM/PM, fraction and offset; a date alone is its midnight. */
export function parseDateTime(text: string, order: DateOrder): ParsedDateTime | null {
  return parseIsoDateTime(text) ?? parseLenientDateTime(text, order)
}

function parseLenientDateTime(text: string, order: DateOrder): ParsedDateTime | null {
  if (text.length > TEXT_MAX_CHARS) return null
  const match = TIME_PATTERN.exec(text)
  const days = parseDate(match ? text.slice(0, match.index) : text, order)
  if (days === null) return parseCompactDateTime(text)
  if (!match) return { ms: days * DAY_MS, zoned: false }
  const time = parseTimeOfDay(match)
  const offset = parseOffsetMs(match[6])
  if (time === null || offset === null) return null
  return { ms: days * DAY_MS + time - offset, zoned: match[6] !== undefined }
}

/** `20240115T103000`, with or without what stands between and behind. */
function parseCompactDateTime(text: string): ParsedDateTime | null {
  const match = COMPACT_TIME.exec(text)
  if (!match) return null
  const [, day = '', hour, minute, second, zone] = match
  const days = parseDate(day, 'ymd')
  const offset = parseOffsetMs(zone)
  if (days === null || offset === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return { ms: days * DAY_MS + time - offset, zoned: zone !== undefined }
}

/** `yyyy-mm-ddThh:mm:ss` with or without Z: what most machines write. */
function parseIsoDateTime(text: string): ParsedDateTime | null {
  const zoned = text.length === 20
  if (text.length !== 19 && !(zoned && text.charCodeAt(19) === 90)) return null
  const gap = text.charCodeAt(10)
  if ((gap !== 84 && gap !== 32) || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return null
  const days = parseIsoDatePrefix(text)
  const [hour, minute, second] = [twoDigitsAt(text, 11), twoDigitsAt(text, 14), twoDigitsAt(text, 17)]
  if (days === null || !(hour < 24 && minute < 60 && second < 60)) return null
  return { ms: days * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1000, zoned }
}

function parseTimeOfDay(match: RegExpExecArray): number | null {
  const [, h, m, s = '0', fraction = '', half] = match
  let hour = Number(h)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  }
  if (hour > 23 || Number(m) > 59 || Number(s) > 59) return null
  return ((hour * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}
