import type { DateOrder, DecimalMark } from '../data-sources/files'
import { parseMonthDay } from './parse-month'
import { parseIsoDateBytes, parseIsoDatePrefix, parseDate, parseDateTime, parseSerialDate } from './parse-date'
import { DAY_MS } from '../dates'
import { toFloat, parseNumber, toScaledInteger } from './parse-number'

/** What a cell becomes, as the warehouse stores it; in brackets what its scale cannot hold. Undefined: it cannot be read as its column's type. */
export type ParsedCell = string | number | null | [number] | undefined
type TextParser = (text: string) => ParsedCell
/** How the cells of one column are read. */
export interface CellParser {
  parse: TextParser
  /** The same of plain signs that were not decoded. NaN: it takes {@link parse} to say what they are. */
  parseBytes: (bytes: Uint8Array, start: number, end: number) => number
  /** What it holds the values of its column to. */
  units?: UnitConsistency
}
const notPlain = (): number => Number.NaN

const NULL_TOKENS = new Set(['null', '\\n', 'n/a', '#n/a', 'na', '-', '\u2013', '\u2014'])
/** Words that other systems write where there is no value. Never applied to text columns. */
export function isNullToken(text: string): boolean {
  return text.length <= 4 && NULL_TOKENS.has(text.toLowerCase())
}

/** Words for true and for false, as one system writes both. */
export const BOOLEAN_PAIRS = [
  ['true', 'false'],
  ['yes', 'no'],
  ['ja', 'nej'],
  ['ja', 'nei'],
  ['ja', 'nein'],
  ['ja', 'nee'],
  ['oui', 'non'],
  ['sí', 'no'],
  ['kyllä', 'ei'],
  ['sant', 'falskt'],
  ['wahr', 'falsch'],
  ['vrai', 'faux'],
  ['tosi', 'epätosi'],
  ['on', 'off'],
  ['på', 'av'],
  ['y', 'n'],
  ['j', 'n'],
  ['t', 'f'],
] as const
const TRUE_TOKENS = new Set<string>([...BOOLEAN_PAIRS.map(([word]) => word), '1'])
const FALSE_TOKENS = new Set<string>([...BOOLEAN_PAIRS.map(([, word]) => word), '0'])

const isSpace = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x202f
/** Trims only when there is something to trim: nearly no cell has. */
export function trimCell(text: string): string {
  if (text === '' || (!isSpace(text.charCodeAt(0)) && !isSpace(text.charCodeAt(text.length - 1)))) return text
  return text.trim()
}

const NEEDS_NFC = /[^\u0000-\u02ff]/
/** Text stays as in the file, in NFC; blanks alone are no value. */
export const parseText = (text: string): string | null => {
  if (text === '') return null
  if (isSpace(text.charCodeAt(0)) && text.trim() === '') return null
  return NEEDS_NFC.test(text) ? text.normalize('NFC').toWellFormed() : text
}

function parseBoolean(text: string): ParsedCell {
  const word = text.toLowerCase()
  if (TRUE_TOKENS.has(word)) return 1
  return FALSE_TOKENS.has(word) ? 0 : undefined
}
export const textParser: CellParser = { parse: parseText, parseBytes: notPlain }
export const booleanParser: CellParser = { parse: parseBoolean, parseBytes: notPlain }

const PLAIN_MAX_CHARS = 16
/** Up to 15 digits with at most one decimal mark, left in `plainNumber`. False: they need a closer look. */
const plainNumber = { value: 0, decimals: -1 }
function parsePlainNumber(bytes: Uint8Array, start: number, end: number, markCode: number): boolean {
  if (end - start > PLAIN_MAX_CHARS) return false
  const first = bytes[start] === 45 ? start + 1 : start
  let value = 0
  let markAt = -1
  for (let at = first; at < end; at++) {
    const code = bytes[at] ?? 0
    if (code >= 48 && code <= 57) value = value * 10 + (code - 48)
    else if (code === markCode && markAt < 0 && at > first) markAt = at
    else return false
  }
  if (markAt === end - 1 || first === end) return false
  plainNumber.value = first > start && value !== 0 ? -value : value
  plainNumber.decimals = markAt < 0 ? 0 : end - 1 - markAt
  return value <= 999_999_999_999_999
}
const plainChars = new Uint8Array(PLAIN_MAX_CHARS)
function parsePlainText(text: string, markCode: number): boolean {
  if (text.length > PLAIN_MAX_CHARS) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    plainChars[at] = code
  }
  return parsePlainNumber(plainChars, 0, text.length, markCode)
}

const NO_MARK = -1
export function integerParser(mark: DecimalMark): CellParser {
  const units = new UnitConsistency()
  return {
    parse(text) {
      if (parsePlainText(text, NO_MARK)) return plainNumber.value
      const number = parseNumber(text, mark)
      if (!number || !units.fits(number)) return undefined
      return toScaledInteger(number, 0) ?? undefined
    },
    parseBytes: (bytes, start, end) => (parsePlainNumber(bytes, start, end, NO_MARK) ? plainNumber.value : Number.NaN),
    units,
  }
}

const POWERS = [1, 10, 100, 1000, 10_000] as const

/**
 * Refuses what would mix meanings in one column: a second currency, or percents among plain numbers. It holds to the
 * first it meets; how a column is shown plays no part in how it is read.
 */
export class UnitConsistency {
  private currency: string | null = null
  percent: boolean | null = null

  fits(number: { percent: boolean; currency: string | null; digits: string }): boolean {
    if (number.digits !== '0') {
      this.percent ??= number.percent
      if (this.percent !== number.percent) return false
    }
    if (number.currency === null) return true
    this.currency ??= number.currency
    return sameCurrency(this.currency, number.currency)
  }

  /** Forgets what it met meanwhile. */
  without<T>(read: () => T): T {
    const { currency, percent } = this
    const result = read()
    this.currency = currency
    this.percent = percent
    return result
  }
}

const CURRENCY_SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'CLP', 'COP', 'ARS']],
  ['¥', ['JPY', 'CNY']],
  ['€', ['EUR']],
  ['£', ['GBP', 'EGP']],
  ['₹', ['INR']],
])
/** Whether two writings (signs or codes) can mean one currency. */
export function sameCurrency(a: string, b: string): boolean {
  return a === b || (CURRENCY_SIGNS.get(a)?.includes(b) ?? false) || (CURRENCY_SIGNS.get(b)?.includes(a) ?? false)
}
/** The code a sign most likely means. */
export function currencyCode(sign: string): string {
  return CURRENCY_SIGNS.get(sign)?.[0] ?? sign
}

export interface NumberParserOptions {
  mark: DecimalMark
  scale: number | undefined
}

export function numberParser({ mark, scale }: NumberParserOptions): CellParser {
  const markCode = mark.charCodeAt(0)
  const units = new UnitConsistency()
  const careful: TextParser = (text) => {
    const number = parseNumber(text, mark)
    if (!number || !units.fits(number)) return undefined
    if (scale === undefined) return toFloat(number) ?? undefined
    const exact = toScaledInteger(number, scale)
    if (exact !== null) return exact
    const wide = toFloat(number)
    return wide === null ? undefined : [wide]
  }
  // Of the plain number that was just read; NaN when that does not say it.
  const scaled = (): number => {
    if (plainNumber.value !== 0) units.percent = false
    if (scale === undefined) return plainNumber.decimals === 0 ? plainNumber.value : Number.NaN
    // Both factors are whole, so the product is exact whenever it is safe.
    const value = plainNumber.value * (POWERS[scale - plainNumber.decimals] ?? Number.NaN)
    return Number.isSafeInteger(value) ? value : Number.NaN
  }
  return {
    parse(text) {
      const value = units.percent !== true && parsePlainText(text, markCode) ? scaled() : Number.NaN
      return Number.isNaN(value) ? careful(text) : value
    },
    parseBytes: (bytes, start, end) =>
      units.percent !== true && parsePlainNumber(bytes, start, end, markCode) ? scaled() : Number.NaN,
    units,
  }
}

const CACHE_MAX = 20_000
const ISO_CHARS = 10
/** Dates repeat a lot: what was read once is remembered, per column. */
function memoized(read: TextParser): TextParser {
  const known = new Map<string, ParsedCell>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    if (known.size >= CACHE_MAX) known.clear()
    if (value !== undefined) known.set(text, value)
    return value
  }
}

/**
 * Days since 1970. A date with a time of day is one only at midnight, and without an offset; a bare number is a day only in a
 * column of day numbers, a month its first day only in a column of months.
 */
export function dateParser(order: DateOrder, also: { serialDates: boolean; months: boolean }): CellParser {
  const careful = memoized((text) => {
    const days =
      parseDate(text, order) ??
      (also.serialDates ? parseSerialDate(text) : null) ??
      (also.months ? parseMonthDay(text) : null)
    if (days !== null) return days
    const at = parseDateTime(text, order)
    return at !== null && !at.zoned && at.ms % DAY_MS === 0 ? at.ms / DAY_MS : undefined
  })
  // Most are ISO: adding up ten digits is faster than looking the text up.
  return {
    parse: (text) => (text.length === ISO_CHARS ? parseIsoDatePrefix(text) : null) ?? careful(text),
    parseBytes: (bytes, start, end) =>
      (end - start === ISO_CHARS ? parseIsoDateBytes(bytes, start) : null) ?? Number.NaN,
  }
}

export function dateTimeParser(order: DateOrder, zoned: boolean): CellParser {
  return {
    parse(text) {
      const at = parseDateTime(text, order)
      return at !== null && at.zoned === zoned ? at.ms : undefined
    },
    parseBytes: notPlain,
  }
}
