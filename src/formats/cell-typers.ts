import type { DateOrder, DecimalMark } from '../shared/files'
import type { StorageValue } from '../warehouse/contract'
import { DAY_MS, isoAtStart, readDate, readDateTime } from './date-text'
import { floatOf, readNumber, scaledInteger } from './number-text'

/** What a cell becomes; undefined when it cannot be read as its column's type. */
export type CellValue = StorageValue | [number] | undefined
export type CellTyper = (text: string) => CellValue

const NO_VALUE = new Set(['null', '\\n', 'n/a', '#n/a', 'na', '-', '\u2013', '\u2014'])
/** Words that other systems write where there is no value. Never applied to text columns. */
export function isNoValue(text: string): boolean {
  return text.length <= 4 && NO_VALUE.has(text.toLowerCase())
}

const TRUE = new Set(['true', 'yes', 'ja', 'sant', 'y', 't', 'j', '1'])
const FALSE = new Set(['false', 'no', 'nej', 'falskt', 'n', 'f', '0'])

const isSpace = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x202f
/** Trims only when there is something to trim: nearly no cell has. */
export function trimmed(text: string): string {
  if (text === '' || (!isSpace(text.charCodeAt(0)) && !isSpace(text.charCodeAt(text.length - 1)))) return text
  return text.trim()
}

const WIDE = /[^\u0000-\u02ff]/
/** Text stays as in the file, in NFC; blanks alone are no value. */
export const typeText: CellTyper = (text) => {
  if (text === '') return null
  if (isSpace(text.charCodeAt(0)) && text.trim() === '') return null
  return WIDE.test(text) ? text.normalize('NFC').toWellFormed() : text
}

export const typeBoolean: CellTyper = (text) => {
  const word = text.toLowerCase()
  if (TRUE.has(word)) return 1
  return FALSE.has(word) ? 0 : undefined
}

/** Up to 15 digits with at most one decimal mark, left in `plain`. False: the text needs a closer look. */
const plain = { value: 0, decimals: -1 }
function readPlain(text: string, markCode: number): boolean {
  const length = text.length
  if (length > 16) return false
  let at = text.charCodeAt(0) === 45 ? 1 : 0
  const first = at
  let value = 0
  let markAt = -1
  for (; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) value = value * 10 + (code - 48)
    else if (code === markCode && markAt < 0 && at > first) markAt = at
    else return false
  }
  if (markAt === length - 1 || first === length) return false
  plain.value = first === 1 && value !== 0 ? -value : value
  plain.decimals = markAt < 0 ? 0 : length - 1 - markAt
  return value <= 999_999_999_999_999
}

export function integerTyper(mark: DecimalMark): CellTyper {
  const meaning = new Meaning()
  return (text) => {
    if (readPlain(text, -1)) return plain.value
    const number = readNumber(text, mark)
    if (!number || !meaning.fits(number)) return undefined
    return scaledInteger(number, 0) ?? undefined
  }
}

const POWERS = [1, 10, 100, 1000, 10_000] as const

/**
 * Refuses what would mix meanings in one column: a second currency, or percents among plain numbers. It holds to the
 * first it meets; how a column is shown plays no part in how it is read.
 */
class Meaning {
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
}

const SIGNS: Record<string, readonly string[]> = {
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'CLP', 'COP', 'ARS'],
  '¥': ['JPY', 'CNY'],
  '€': ['EUR'],
  '£': ['GBP', 'EGP'],
  '₹': ['INR'],
}
/** Whether two writings (signs or codes) can mean one currency. */
export function sameCurrency(a: string, b: string): boolean {
  return a === b || (SIGNS[a]?.includes(b) ?? false) || (SIGNS[b]?.includes(a) ?? false)
}
/** The code a sign most likely means. */
export function currencyCode(sign: string): string {
  return SIGNS[sign]?.[0] ?? sign
}

export interface NumberColumn {
  mark: DecimalMark
  scale: number | undefined
  /** Told the decimals of every value that does not fit the scale; null for more than four. */
  onWider: (decimals: number | null) => void
}

export function numberTyper({ mark, scale, onWider }: NumberColumn): CellTyper {
  const markCode = mark.charCodeAt(0)
  const meaning = new Meaning()
  const careful: CellTyper = (text) => {
    const number = readNumber(text, mark)
    if (!number || !meaning.fits(number)) return undefined
    if (scale === undefined) return floatOf(number) ?? undefined
    const exact = scaledInteger(number, scale)
    if (exact !== null) return exact
    const wide = floatOf(number)
    if (wide === null) return undefined
    const roomy = number.decimals <= 4 && scaledInteger(number, number.decimals) !== null
    onWider(roomy && number.decimals > scale ? number.decimals : null)
    return [wide]
  }
  return (text) => {
    if (meaning.percent === true || !readPlain(text, markCode)) return careful(text)
    if (plain.value !== 0) meaning.percent = false
    if (scale === undefined) return plain.decimals === 0 ? plain.value : careful(text)
    const power = POWERS[scale - plain.decimals]
    if (power === undefined) return careful(text)
    // Both factors are whole, so the product is exact whenever it is safe.
    const value = plain.value * power
    return Number.isSafeInteger(value) ? value : careful(text)
  }
}

const CACHE_MAX = 20_000
const ISO_CHARS = 10
/** Dates repeat a lot: what was read once is remembered, per column. */
function remembered(read: CellTyper): CellTyper {
  const known = new Map<string, CellValue>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    if (known.size >= CACHE_MAX) known.clear()
    if (value !== undefined) known.set(text, value)
    return value
  }
}

/** Days since 1970. A date with a time of day is one only at midnight, and without an offset. */
export function dateTyper(order: DateOrder): CellTyper {
  const careful = remembered((text) => {
    const days = readDate(text, order)
    if (days !== null) return days
    const at = readDateTime(text, order)
    return at !== null && !at.zoned && at.ms % DAY_MS === 0 ? at.ms / DAY_MS : undefined
  })
  // Most are ISO: adding up ten digits is faster than looking the text up.
  return (text) => (text.length === ISO_CHARS ? isoAtStart(text) : null) ?? careful(text)
}

export function dateTimeTyper(order: DateOrder, zoned: boolean): CellTyper {
  return (text) => {
    const at = readDateTime(text, order)
    return at !== null && at.zoned === zoned ? at.ms : undefined
  }
}
