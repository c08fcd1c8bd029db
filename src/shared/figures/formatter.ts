import { DAY_MS } from '../dates'
import {
  MISSING_VALUE,
  formatAmount,
  formatChangeInWords,
  formatDecimal,
  formatFigureInSentence,
  formatNumber,
  formatPoints,
  formatRangeInSentence,
  formatShare,
  formatShareTick,
  formatShort,
  formatShortList,
  formatTick,
  type ChangeInput,
  type NumericValue,
} from './figures'
import { dateFormat, numberFormat } from './kept-formats'
import type { ColumnFormat } from '../data-sources/files'
import type { WorkspaceSettings } from '../workspaces/workspaces'

export type FormatSettings = Pick<WorkspaceSettings, 'numberLocale' | 'currency' | 'timeZone'> & {
  /** How this person writes dates and times; absent or null = in English. */
  dateLocale?: string | null
}

/** Figures, dates and changes of one workspace in its own notation. */
export function createFormatter({ numberLocale: locale, currency, timeZone, dateLocale = null }: FormatSettings) {
  const decimal = (value: NumericValue, decimals = 2, least = 0): string =>
    formatDecimal(value, locale, { most: decimals, least })
  const money = (value: NumericValue, code = currency, minor = false): string =>
    formatAmount(value, locale, code, minor)
  return {
    /** In whose notation. */
    locale,
    /** The same of values of splits: names of weekdays are those of the person's dates. */
    textLocale: { numbers: locale, dates: dateLocale ?? 'en-GB' },
    decimal,
    /** With exactly this many decimals, so that figures line up: `1 957,70`. */
    fixed: (value: NumericValue, decimals: number): string =>
      formatNumber(value, locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    percent: (share: NumericValue, options: { signed?: boolean; even?: boolean } = {}): string =>
      formatShare(share, locale, options),
    /** A change of a share: `−0,3 pp`. */
    points: (share: NumericValue): string => formatPoints(share, locale),
    money,
    /** As on a mark of a picture: `1,2 M`, in the unit of `like`. */
    short: (value: NumericValue, like?: number): string => formatShort(value, locale, { like }),
    /** As on a mark of a picture: `1,2 Mkr`. */
    shortMoney: (value: NumericValue, code = currency, like?: number): string =>
      formatShort(value, locale, { code, like }),
    /** Short figures one below the other, with the same unit and decimals. */
    shortList: (values: readonly number[], code?: string): string[] => formatShortList(values, locale, code),
    /** A mark of an axis, with the decimals of its step, in the unit of the largest: `0,25 Mkr`. */
    tick: (value: number, format: ColumnFormat, scale: { like: number; step: number }): string =>
      format.style === 'percent'
        ? formatShareTick(value, locale, scale.step)
        : formatTick(value, locale, { ...scale, code: format.style === 'currency' ? format.currency : undefined }),
    /** Within a sentence: from 100 000 on three digits and a unit. */
    sentence: (value: NumericValue, format: ColumnFormat, how: { signed?: boolean; decimals?: number } = {}): string =>
      formatFigureInSentence(value, format, locale, how),
    /** The same of both ends of a range, in one unit. */
    sentenceRange: (ends: readonly [number, number], format: ColumnFormat, decimals?: number): string =>
      formatRangeInSentence(ends, format, locale, decimals),
    /** What groups thousands and parts whole and fraction: a no-break space and a comma in Sweden. */
    marks: numberMarks(locale),
    count: (value: NumericValue): string => decimal(value, 0),
    bytes: (value: number): string => formatBytes(value, locale),
    change: (change: ChangeInput): string => formatChangeInWords(change, locale),
    date: (day: string | null | undefined): string => formatDate(day, dateLocale),
    day: (instant: string | null | undefined): string => formatInstantDay(instant, timeZone, dateLocale),
    dateTime: (instant: string | null | undefined): string => formatDateTime(instant, timeZone, dateLocale),
    /** An instant on the workspace's clock, the time alone when it is of the day of `now` (epoch ms): `14:05`. */
    asOf: (instant: string, now: number): string =>
      formatInstantDay(instant, timeZone, dateLocale) ===
      formatInstantDay(new Date(now).toISOString(), timeZone, dateLocale)
        ? formatTime(instant, timeZone, dateLocale)
        : formatDateTime(instant, timeZone, dateLocale),
    /** A date and time of a file: on the workspace's clock when it names a zone, as it was written otherwise. */
    moment: (text: string): string =>
      ZONED.test(text)
        ? formatDateTime(text, timeZone, dateLocale)
        : formatDateTime(`${text.trim().replace(' ', 'T')}Z`, 'UTC', dateLocale),
    ago: formatRelativeTime,
    /** How this person writes dates; null = in English. */
    dateLocale,
  }
}
export type Formatter = ReturnType<typeof createFormatter>

function numberMarks(locale: string): { group: string; decimal: string } {
  const parts = numberFormat(locale, {}).formatToParts(1_234_567.5)
  const mark = (type: string, usual: string): string => parts.find((part) => part.type === type)?.value ?? usual
  return { group: mark('group', '\u00a0'), decimal: mark('decimal', '.') }
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** File sizes in powers of 1024, as file managers name them. */
function formatBytes(value: number, locale: string): string {
  if (!Number.isFinite(value) || value < 0) return MISSING_VALUE
  const step = value < 1024 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), BYTE_UNITS.length - 1)
  const unit = BYTE_UNITS[step] ?? 'byte'
  return formatNumber(value / 1024 ** step, locale, { style: 'unit', unit, maximumFractionDigits: step === 0 ? 0 : 1 })
}

/** A date in English; months of a short date have three letters, September too. */
const formatEnglishDate = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  dateFormat('en-GB', options)
    .format(date)
    .replace(/\bSept\b/, 'Sep')
const parseInstant = (text: string | null | undefined): Date | null => {
  if (text === null || text === undefined) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A date as a person writes it, in English where nobody said how. */
export const formatLocalDate = (date: Date, options: Intl.DateTimeFormatOptions, locale: string | null): string =>
  locale === null || locale === 'en-GB' ? formatEnglishDate(date, options) : dateFormat(locale, options).format(date)

const DAY_OPTIONS = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME_OPTIONS = { hour: '2-digit', minute: '2-digit' } as const
type InstantText = string | null | undefined

function formatInstant(instant: InstantText, options: Intl.DateTimeFormatOptions, locale: string | null): string {
  const date = parseInstant(instant)
  return date ? formatLocalDate(date, options, locale) : MISSING_VALUE
}

/** A day without a zone: `20 Nov 2026`. */
export const formatDate = (day: InstantText, locale: string | null = null): string =>
  formatInstant(day?.slice(0, 10), { ...DAY_OPTIONS, timeZone: 'UTC' }, locale)

const ZONED = /(Z|[+-]\d{2}:?\d{2})$/i

/** An instant on the workspace's clock: `20 Nov 2026, 14:05`. */
export const formatDateTime = (instant: InstantText, timeZone: string, locale: string | null = null): string =>
  formatInstant(instant, { ...DAY_OPTIONS, ...TIME_OPTIONS, timeZone }, locale)

/** The time of an instant on the workspace's clock: `14:05`. */
const formatTime = (instant: string, timeZone: string, locale: string | null): string =>
  formatInstant(instant, { ...TIME_OPTIONS, timeZone }, locale)

/** The day of an instant on the workspace's calendar: `20 Nov 2026`. */
const formatInstantDay = (instant: InstantText, timeZone: string, locale: string | null = null): string =>
  formatInstant(instant, { ...DAY_OPTIONS, timeZone }, locale)

/** Days until an instant, one that has begun counting as whole; 0 or less once it is past. Both in epoch ms. */
export const daysUntil = (until: number, now: number): number => Math.ceil((until - now) / DAY_MS)

const AGE_UNITS = [
  { limit: 60, size: 1, unit: null },
  { limit: 3600, size: 60, unit: 'minute' },
  { limit: 86_400, size: 3600, unit: 'hour' },
  { limit: 30 * 86_400, size: 86_400, unit: 'day' },
  { limit: 365 * 86_400, size: 30 * 86_400, unit: 'month' },
  { limit: Infinity, size: 365 * 86_400, unit: 'year' },
] as const

/** "just now", "5 minutes ago", "yesterday". `now` in epoch ms. */
export function formatRelativeTime(instant: string | null | undefined, now: number): string {
  const date = parseInstant(instant)
  if (!date) return 'never'
  const seconds = Math.max(0, (now - date.getTime()) / 1000)
  const age = AGE_UNITS.find(({ limit }) => seconds < limit)
  if (!age?.unit) return 'just now'
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(seconds / age.size), age.unit)
}

const NBSP = '\u00a0'

/** A rough count of what is still being counted: `412 000`, `1,0 M`. */
export function formatApproximateCount(format: Formatter, count: number): string {
  if (count >= 999_500) return format.short(count)
  const step = count >= 100_000 ? 1000 : count >= 1000 ? 100 : 1
  return format.count(Math.round(count / step) * step)
}

export const formatRowCount = (format: Formatter, rows: number): string =>
  `${format.count(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** `1 025 rows`; `about 1,0 M rows` where they are estimated. */
export const describeRows = ({ count, exact }: { count: number; exact: boolean }, format: Formatter): string =>
  exact ? formatRowCount(format, count) : `about ${formatApproximateCount(format, count)} rows`

export const formatCountOf = (format: Formatter, count: number, noun: string): string =>
  `${format.count(count)} ${count === 1 ? noun : `${noun}s`}`

export const formatPersonCount = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** A length of time: `4 s`, `3 min`, `1 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))}${NBSP}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}${NBSP}min`
  return `${Math.floor(minutes / 60)}${NBSP}h${minutes % 60 === 0 ? '' : ` ${minutes % 60}${NBSP}min`}`
}
