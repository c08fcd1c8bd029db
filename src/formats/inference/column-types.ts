import type { DateOrder, DecimalMark, ColumnFormat, ColumnType } from '../../shared/data-sources/files'
import { BOOLEAN_PAIRS, isNullToken, sameCurrency, currencyCode } from '../../shared/values/cell-parsers'
import { isGapWord } from '../../shared/values/gap-words'
import { parseDateTime, parseSerialDate, parseShortDate } from '../../shared/values/parse-date'
import { DAY_MS } from '../../shared/dates'
import { parseNumber } from '../../shared/values/parse-number'
import { TYPE_MIN_SHARE } from '../../shared/limits'
import { collectMonth, emptyMonthStats, isMonthColumn, type MonthStats } from './month-columns'
import { mayBeTimeLabel, saysBirth, saysDate } from './date-labels'

/** What the values of a column can be read as, counted over its sample. */
export interface ColumnStats {
  /** Values that are neither empty nor a word for nothing. */
  filled: number
  distinct: number
  /** Digits that must not become a number: leading zeros, too many, phone numbers. */
  codes: number
  words: ReadonlyMap<string, number>
  /** Words for nothing, as they are written first, by what they are in small letters. */
  markers: ReadonlyMap<string, string>
  /** Words for nothing among figures and dates, which are values in a column of texts: how many, and the first ones. */
  gaps: { count: number; words: string[] }
  numbers: Record<DecimalMark, NumberStats>
  dates: Record<DateOrder, DateStats>
  compactDates: number
  /** Bare numbers that may be days: by which a spreadsheet counts them, or `yymmdd`. */
  serialDates: number
  /** Of six digits: the days that they are as `yymmdd`, as `ddmmyy`, and how many may be months (`yyyymm`). */
  shortDates: Record<'ymd' | 'dmy', DateStats> & { months: number }
  months: MonthStats
  currencyCodes: number
  /** The same in small letters. */
  smallCurrencyCodes: number
  /** Values written in digits alone, and the least and most of them. */
  digits: { filled: number; least: number; most: number }
}
interface NumberStats {
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
  /** Values with the other mark before their last three digits: thousands, or decimals of another writing. */
  openGroups: { count: number; example: string }
  /** Values in which the other mark can only part thousands. */
  groupProofs: number
}
interface DateStats {
  fits: number
  zoned: number
  midnight: boolean
  /** Sum of instants: two orders that differ in it read different days. */
  sum: number
  /** The first and the last of them. */
  least: number
  most: number
}

const CODE_VALUE = /^(0\d+|[+-]?\d{16,}|\+\d{7,})$/
const PLAIN_DIGITS = /^\d{1,15}$/
const COMPACT_DATE = /^(19|20)\d{6}(\d{6})?$/
const CURRENCY_CODE = /^[A-Z]{3}$/
const SMALL_CURRENCY_CODE = /^[a-z]{3}$/
const MONTH_NUMBER = /^(19|20)\d\d(0[1-9]|1[0-2])$/
const DATE_LIKE = /\d[-/. T]|[-/. ]\d/
const WORDS_MAX = 50
const GAP_WORDS_MAX = 3
/** By decimal mark: one group of thousands, which the other mark would make three decimals. */
const OPEN_GROUP = { '.': /^\D*[1-9]\d{0,2},\d{3}\D*$/, ',': /^\D*[1-9]\d{0,2}\.\d{3}\D*$/ } as const
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
  openGroups: { count: 0, example: '' },
  groupProofs: 0,
})
const emptyDateStats = (): DateStats => ({
  fits: 0,
  zoned: 0,
  midnight: true,
  sum: 0,
  least: Infinity,
  most: -Infinity,
})

export function collectColumnStats(texts: string[], isCode: (text: string) => boolean): ColumnStats {
  const counts = new Map<string, number>()
  const markers = new Map<string, string>()
  for (const raw of texts) {
    const text = raw.trim()
    if (text === '') continue
    if (isNullToken(text)) markers.set(text.toLowerCase(), markers.get(text.toLowerCase()) ?? text)
    else counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const words = new Map<string, number>()
  const found: ColumnStats = {
    filled: 0,
    distinct: counts.size,
    codes: 0,
    words,
    markers,
    gaps: { count: 0, words: [] },
    numbers: { '.': emptyNumberStats(), ',': emptyNumberStats() },
    dates: { ymd: emptyDateStats(), dmy: emptyDateStats(), mdy: emptyDateStats() },
    compactDates: 0,
    serialDates: 0,
    shortDates: { ymd: emptyDateStats(), dmy: emptyDateStats(), months: 0 },
    months: emptyMonthStats(),
    currencyCodes: 0,
    smallCurrencyCodes: 0,
    digits: { filled: 0, least: Infinity, most: -Infinity },
  }
  for (const [text, times] of counts) {
    found.filled += times
    if (words.size < WORDS_MAX) words.set(text.toLowerCase(), times)
    if (CODE_VALUE.test(text)) found.codes += times
    if (CURRENCY_CODE.test(text) && isCode(text)) found.currencyCodes += times
    if (SMALL_CURRENCY_CODE.test(text) && isCode(text.toUpperCase())) found.smallCurrencyCodes += times
    if (PLAIN_DIGITS.test(text)) collectDigits(found.digits, Number(text), times)
    if (isGapWord(text)) {
      found.gaps.count += times
      if (found.gaps.words.length < GAP_WORDS_MAX) found.gaps.words.push(text)
      continue
    }
    collectNumber(found, text, times)
    const isCompact = COMPACT_DATE.test(text) && parseDateTime(text, 'ymd') !== null
    if (isCompact) found.compactDates += times
    if (parseSerialDate(text) !== null) found.serialDates += times
    collectShortDate(found.shortDates, text, times)
    collectMonth(found.months, text, times)
    if (isCompact || DATE_LIKE.test(text)) collectDate(found, text, times)
  }
  return found
}

function collectDigits(digits: ColumnStats['digits'], value: number, times: number): void {
  digits.filled += times
  digits.least = Math.min(digits.least, value)
  digits.most = Math.max(digits.most, value)
}

function collectNumber(found: ColumnStats, text: string, times: number): void {
  if (!/[\d\u2212\u2013-]/.test(text)) return
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
    if (OPEN_GROUP[mark].test(text)) {
      stats.openGroups.count += times
      stats.openGroups.example ||= text
    } else if (text.includes(mark === '.' ? ',' : '.')) stats.groupProofs += times
    if (number.currency === null) continue
    stats.withCurrency += times
    const known = stats.currencies.some((sign) => sameCurrency(sign, number.currency ?? ''))
    if (!known) stats.currencies.push(number.currency)
  }
}

function collectShortDate(found: ColumnStats['shortDates'], text: string, times: number): void {
  for (const order of ['ymd', 'dmy'] as const) {
    const day = parseShortDate(text, order)
    if (day !== null) addDate(found[order], day * DAY_MS, times)
  }
  if (MONTH_NUMBER.test(text)) found.months += times
}

function addDate(stats: DateStats, ms: number, times: number): void {
  stats.fits += times
  stats.sum += ms * times
  stats.least = Math.min(stats.least, ms)
  stats.most = Math.max(stats.most, ms)
}

function collectDate(found: ColumnStats, text: string, times: number): void {
  for (const order of DATE_ORDERS) {
    const at = parseDateTime(text, order)
    if (!at) continue
    const stats = found.dates[order]
    addDate(stats, at.ms, times)
    if (at.zoned) stats.zoned += times
    if (at.zoned || at.ms % DAY_MS !== 0) stats.midnight = false
  }
}

/** What a file or person says beyond one column; settles what the column's own values leave open. */
export interface LocaleHint {
  decimalMark: DecimalMark
  dateOrder: DateOrder | null
}
export interface InferredType {
  type: ColumnType
  scale?: number
  zoned?: boolean
  format: ColumnFormat
  decimalMark?: DecimalMark
  dateOrder?: DateOrder
  /** Whether the values themselves settle mark and order. */
  sure: { mark: boolean; order: boolean }
  /** A value read as thousands, though nothing else in the column parts them so: it may be a decimal of another writing. */
  oddGroup?: string
  /** Numbers among the values are days as a spreadsheet counts them. */
  serial?: true
  /** Its values are all months of years, whether it is a column of dates or of texts. */
  months?: true
  /** Most values fit a type that the column cannot have: what the odd ones are. */
  mixed: 'numbers' | 'dates' | 'currencies' | 'percents' | 'zones' | null
}

const MIXED_MIN_SHARE = 0.5
const SCALE_MAX = 4
const SAFE_DIGITS = 15
const PLAIN_FORMAT: ColumnFormat = { style: 'plain' }
const CERTAIN = { mark: true, order: true }
const textType = (mixed: InferredType['mixed']): InferredType => ({
  type: 'text',
  format: PLAIN_FORMAT,
  sure: CERTAIN,
  mixed,
})

const BOOLEAN_LABEL = /^(is|has|är|har)[_ ]|[_ ]flag$|\?$/i

/** True and false in one pair of words; 0 and 1 only when the name asks a question. */
function isBooleanColumn(values: ColumnStats, label: string): boolean {
  const words = [...values.words.keys()]
  if (words.length === 0 || words.length > 2 || values.distinct > 6) return false
  const within = (pair: readonly string[]): boolean => words.every((word) => pair.includes(word))
  if (BOOLEAN_LABEL.test(label) && within(['0', '1'])) return true
  return BOOLEAN_PAIRS.some((pair) => within(pair) && (pair[0].length > 2 || words.length === 2))
}

/** The type of a column: months of years where all its values are, else the first that at least 98 % of them have. */
export function inferType(values: ColumnStats, label: string, localeHint: LocaleHint): InferredType {
  const filled = values.filled - values.gaps.count
  if (filled === 0 || values.months.fits < filled) return inferTypeOfValues(values, label, localeHint)
  if (isMonthColumn(values.months, label)) return { ...textType(null), type: 'date', dateOrder: 'ymd', months: true }
  const found = inferTypeOfValues(values, label, localeHint)
  return found.type === 'text' ? { ...found, months: true } : found
}

function inferTypeOfValues(values: ColumnStats, label: string, localeHint: LocaleHint): InferredType {
  const filled = values.filled - values.gaps.count
  const enough = filled * TYPE_MIN_SHARE
  if (filled === 0) return textType(null)
  if (isBooleanColumn(values, label)) return { ...textType(null), type: 'boolean' }
  if (values.compactDates >= enough && mayBeTimeLabel(label)) return dateType(values, { order: 'ymd', sure: true })
  const serial = serialDateType(values, label, enough)
  if (serial) return serial
  if (values.codes > 0) return textType(null)
  const mark = inferDecimalMark(values, localeHint)
  const numbers = values.numbers[mark.mark]
  if (numbers.fits >= enough) return numberType(numbers, mark)
  const order = inferDateOrder(values, localeHint)
  const dates = values.dates[order.order]
  if (dates.fits >= enough) return dateType(values, order)
  if (dates.fits >= filled * MIXED_MIN_SHARE) return textType('dates')
  const either = Math.max(
    numbers.fits,
    values.numbers['.'].marked + numbers.fits,
    values.numbers[','].marked + numbers.fits,
  )
  return textType(either >= filled * MIXED_MIN_SHARE ? 'numbers' : null)
}

/** Dates of which some or all are numbers of days: cells of a spreadsheet that lost their format. */
function serialDateType(values: ColumnStats, label: string, enough: number): InferredType | null {
  if (values.serialDates === 0 || !saysDate(label)) return null
  const { order, sure } = inferDateOrder(values, { decimalMark: '.', dateOrder: null })
  const dates = values.dates[order]
  if (values.serialDates + dates.fits < enough || !dates.midnight || !areYearFirst(values.shortDates)) return null
  if (values.shortDates.ymd.fits > 0 && saysBirth(label)) return null
  return { ...textType(null), type: 'date', dateOrder: order, serial: true, sure: { mark: true, order: sure } }
}

/** Whether numbers of six digits, where there are some, are days with their year first rather than last, and no months. */
function areYearFirst({ ymd, dmy, months }: ColumnStats['shortDates']): boolean {
  if (ymd.fits === 0) return true
  if (months >= ymd.fits * MIXED_MIN_SHARE || dmy.fits > ymd.fits) return false
  return dmy.fits < ymd.fits || ymd.most - ymd.least <= dmy.most - dmy.least
}

function inferDecimalMark(values: ColumnStats, localeHint: LocaleHint): { mark: DecimalMark; sure: boolean } {
  const { '.': point, ',': comma } = values.numbers
  if (point.fits !== comma.fits) return { mark: point.fits > comma.fits ? '.' : ',', sure: true }
  const open = point.whole !== comma.whole || point.decimals !== comma.decimals
  return { mark: localeHint.decimalMark, sure: !open }
}

function numberType(stats: NumberStats, { mark, sure }: { mark: DecimalMark; sure: boolean }): InferredType {
  const isOdd = stats.marked > 0 && stats.openGroups.count > 0 && stats.groupProofs === 0
  const odd = isOdd ? { oddGroup: stats.openGroups.example } : {}
  const base = { ...textType(null), ...odd, decimalMark: mark, sure: { mark: sure, order: true } }
  if (stats.wholeDigits > SAFE_DIGITS) return textType(null)
  if (stats.currencies.length > 1) return textType('currencies')
  if (stats.percents > 0 && stats.percents + stats.zeros < stats.fits) return textType('percents')
  const [currency] = stats.currencies
  const format: ColumnFormat =
    stats.percents > 0
      ? { style: 'percent' }
      : currency !== undefined && stats.withCurrency >= stats.fits * MIXED_MIN_SHARE
        ? { style: 'currency', currency: currencyCode(currency) }
        : PLAIN_FORMAT
  if (stats.whole && currency === undefined) return { ...base, type: 'integer', format }
  // Room for hundredths where the file writes them: 5,00 today is 5,25 tomorrow.
  const scale = Math.max(stats.decimals, Math.min(stats.written, 2), currency === undefined ? 0 : 2)
  const exact = scale <= SCALE_MAX && stats.wholeDigits + scale <= SAFE_DIGITS
  return { ...base, type: 'number', format, ...(exact ? { scale } : {}) }
}

/** By so many times closer together lie the dates of one order than those of another, or they decide nothing. */
const CLOSER = 3
/** What leaves no question: years that were days would be spread over decades. */
const FAR_CLOSER = 10

/** Of the orders that fit as many values as any, the one whose dates lie far closer together; null when there is none. */
export function closestOrder({ dates }: ColumnStats, closer = CLOSER): DateOrder | null {
  const most = Math.max(...DATE_ORDERS.map((order) => dates[order].fits))
  const [first, second] = DATE_ORDERS.filter((order) => dates[order].fits === most)
    .map((order) => ({ order, span: dates[order].most - dates[order].least }))
    .sort((a, b) => a.span - b.span)
  return most > 1 && first && second && first.span * closer < second.span ? first.order : null
}

function inferDateOrder(values: ColumnStats, localeHint: LocaleHint): { order: DateOrder; sure: boolean } {
  const { dates } = values
  const { ymd, dmy, mdy } = dates
  const best = Math.max(ymd.fits, dmy.fits, mdy.fits)
  const isOpen = (a: DateStats, b: DateStats): boolean => a.fits === best && b.fits === best && a.sum !== b.sum
  const isYearOpen = isOpen(ymd, dmy) || isOpen(ymd, mdy)
  const closest = isYearOpen && !isOpen(dmy, mdy) ? closestOrder(values, FAR_CLOSER) : null
  if (closest) return { order: closest, sure: true }
  if (isYearOpen || isOpen(dmy, mdy)) {
    const preferred = localeHint.dateOrder
    const fallback = dmy.fits === best ? 'dmy' : 'mdy'
    return { order: preferred && dates[preferred].fits === best ? preferred : fallback, sure: false }
  }
  if (ymd.fits === best && dmy.fits === mdy.fits) return { order: 'ymd', sure: true }
  if (dmy.fits === best) return { order: 'dmy', sure: true }
  return { order: mdy.fits === best ? 'mdy' : 'ymd', sure: true }
}

function dateType(values: ColumnStats, { order, sure }: { order: DateOrder; sure: boolean }): InferredType {
  const stats = values.dates[order]
  const base = { ...textType(null), dateOrder: order, sure: { mark: true, order: sure } }
  if (stats.midnight) return { ...base, type: 'date' }
  const zoned = stats.zoned >= stats.fits * TYPE_MIN_SHARE
  if (!zoned && stats.zoned > stats.fits * (1 - TYPE_MIN_SHARE)) return textType('zones')
  return { ...base, type: 'datetime', zoned }
}
