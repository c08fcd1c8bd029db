import type { DateOrder, DecimalMark } from '../shared/files'
import { isNullToken, sameCurrency } from './cell-typers'
import { DAY_MS, parseDateTime } from './date-text'
import { parseNumber } from './number-text'

/** What the values of a column can be read as, counted over its sample. */
export interface ColumnStats {
  /** Values that are neither empty nor a word for nothing. */
  filled: number
  distinct: number
  /** Digits that must not become a number: leading zeros, too many, phone numbers. */
  codes: number
  words: ReadonlyMap<string, number>
  numbers: Record<DecimalMark, NumberStats>
  dates: Record<DateOrder, DateStats>
  compactDates: number
  currencyCodes: number
}
export interface NumberStats {
  fits: number
  whole: boolean
  decimals: number
  written: number
  wholeDigits: number
  percents: number
  currencies: string[]
  withCurrency: number
  zeros: number
  /** Values that prove this mark: they cannot be read with the other one, and hold it. */
  marked: number
}
export interface DateStats {
  fits: number
  timed: number
  zoned: number
  midnight: boolean
  /** Sum of instants: two orders that differ in it read different days. */
  sum: number
}

const CODE_VALUE = /^(0\d+|[+-]?\d{16,}|\+\d{7,})$/
const COMPACT_DATE = /^(19|20)\d{6}$/
const CURRENCY_CODE = /^[A-Z]{3}$/
const DATE_LIKE = /\d[-/. T]|[-/. ]\d/
const WORDS_MAX = 50
const DECIMAL_MARKS = ['.', ','] as const
const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const

const emptyNumberStats = (): NumberStats => ({
  fits: 0,
  whole: true,
  decimals: 0,
  written: 0,
  wholeDigits: 0,
  percents: 0,
  currencies: [],
  withCurrency: 0,
  zeros: 0,
  marked: 0,
})
const emptyDateStats = (): DateStats => ({ fits: 0, timed: 0, zoned: 0, midnight: true, sum: 0 })

export function collectColumnStats(texts: string[], isCode: (text: string) => boolean): ColumnStats {
  const counts = new Map<string, number>()
  for (const raw of texts) {
    const text = raw.trim()
    if (text !== '' && !isNullToken(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const words = new Map<string, number>()
  const found: ColumnStats = {
    filled: 0,
    distinct: counts.size,
    codes: 0,
    words,
    numbers: { '.': emptyNumberStats(), ',': emptyNumberStats() },
    dates: { ymd: emptyDateStats(), dmy: emptyDateStats(), mdy: emptyDateStats() },
    compactDates: 0,
    currencyCodes: 0,
  }
  for (const [text, times] of counts) {
    found.filled += times
    if (words.size < WORDS_MAX) words.set(text.toLowerCase(), times)
    if (CODE_VALUE.test(text)) found.codes += times
    if (CURRENCY_CODE.test(text) && isCode(text)) found.currencyCodes += times
    collectNumber(found, text, times)
    if (COMPACT_DATE.test(text) && parseDateTime(text, 'ymd')) found.compactDates += times
    else if (DATE_LIKE.test(text)) collectDate(found, text, times)
  }
  return found
}

function collectNumber(found: ColumnStats, text: string, times: number): void {
  if (!/\d/.test(text)) return
  const read = { '.': parseNumber(text, '.'), ',': parseNumber(text, ',') }
  for (const mark of DECIMAL_MARKS) {
    const number = read[mark]
    if (!number) continue
    const stats = found.numbers[mark]
    stats.fits += times
    if (number.decimals > 0 || number.written > 0 || number.percent) stats.whole = false
    stats.decimals = Math.max(stats.decimals, number.decimals)
    stats.written = Math.max(stats.written, number.written + (number.percent ? 2 : 0))
    stats.wholeDigits = Math.max(stats.wholeDigits, number.digits.length - number.decimals)
    if (number.percent) stats.percents += times
    if (number.digits === '0') stats.zeros += times
    if (!read[mark === '.' ? ',' : '.']) stats.marked += times
    if (number.currency === null) continue
    stats.withCurrency += times
    const known = stats.currencies.some((sign) => sameCurrency(sign, number.currency ?? ''))
    if (!known) stats.currencies.push(number.currency)
  }
}

function collectDate(found: ColumnStats, text: string, times: number): void {
  for (const order of DATE_ORDERS) {
    const at = parseDateTime(text, order)
    if (!at) continue
    const stats = found.dates[order]
    stats.fits += times
    stats.sum += at.ms * times
    if (at.timed) stats.timed += times
    if (at.zoned) stats.zoned += times
    if (at.zoned || at.ms % DAY_MS !== 0) stats.midnight = false
  }
}
