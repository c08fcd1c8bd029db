import { isCurrencyCode } from '../data-sources/currency-codes'
import type { DecimalMark } from '../data-sources/files'

/** A number as written, exactly: value = ± digits × 10^−decimals. */
export interface ParsedNumber {
  negative: boolean
  /** No leading zeros; `0` for zero. */
  digits: string
  /** Fraction digits without trailing zeros; a percent counts two more (12,4 % is 0.124). */
  decimals: number
  /** Fraction digits as written: 5,00 has two. */
  written: number
  percent: boolean
  /** Sign or code of the currency as written: `kr`, `€`, `SEK`. */
  currency: string | null
}

const TEXT_MAX_CHARS = 64
const PREFIX_PATTERN = /^(US\$|[A-Za-z]{3}(?![A-Za-z])|kr\.?(?![A-Za-z])|[$€£¥₹])\s*/i
const SUFFIX_PATTERN = /\s*(:-|[A-Za-z]{3}|kr\.?|[$€£¥₹]|%)$/i
const SPECIAL_SPACES = /[\u00a0\u202f\u2009]/g
const NUMBER_PATTERN = {
  '.': /^([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+|\d*)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i,
  ',': /^([1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+|\d*)(?:,(\d+))?(?:e([+-]?\d{1,3}))?$/i,
} as const

/** The signs around a number, taken off one by one. */
interface StrippedNumber {
  body: string
  negative: boolean
  percent: boolean
  currency: string | null
}

function currencyOfToken(token: string): string | null {
  const upper = token.toUpperCase()
  if (token.length === 3 && isCurrencyCode(upper)) return upper
  if (/^kr\.?$/i.test(token)) return 'kr'
  if (upper === 'US$') return 'USD'
  return /^[$€£¥₹]$/.test(token) ? token : null
}

const isMinus = (sign: string | undefined): boolean => sign === '-' || sign === '\u2212' || sign === '\u2013'

/** @returns null when a sign stands twice or letters are no currency. */
function stripAffixes(text: string): StrippedNumber | null {
  let body = text
  const found: StrippedNumber = { body, negative: false, percent: false, currency: null }
  let signs = 0
  if (body.startsWith('(') && body.endsWith(')')) {
    body = body.slice(1, -1).trim()
    signs++
    found.negative = true
  }
  const sign = (char: string | undefined): void => {
    signs++
    found.negative ||= isMinus(char)
  }
  const currency = (token: string): boolean => {
    if (token === ':-') return true
    if (found.currency !== null) return false
    found.currency = currencyOfToken(token)
    return found.currency !== null
  }
  for (let turn = 0; turn < 3; turn++) {
    const match = PREFIX_PATTERN.exec(body)
    if (match) {
      if (!currency(match[1] ?? '')) return null
      body = body.slice(match[0].length)
    } else if (isMinus(body[0]) || body[0] === '+') {
      sign(body[0])
      body = body.slice(1).trimStart()
    } else break
  }
  for (let turn = 0; turn < 3; turn++) {
    const match = SUFFIX_PATTERN.exec(body)
    if (match?.[1] === '%') {
      if (found.percent) return null
      found.percent = true
    } else if (match && !currency(match[1] ?? '')) return null
    if (match) body = body.slice(0, match.index)
    else if (isMinus(body.at(-1))) {
      sign('-')
      body = body.slice(0, -1).trimEnd()
    } else break
  }
  // `(5,00) kr`: the brackets stand inside of the currency.
  if (/^\(.*\)$/.test(body)) {
    body = body.slice(1, -1).trim()
    sign('-')
  }
  if (signs > 1) return null
  return { ...found, body }
}

/** `$ -`, `- kr`: how accountants write that an amount is nothing. */
const isAccountingZero = ({ body, negative, currency }: StrippedNumber): boolean =>
  body === '' && negative && currency !== null
const ACCOUNTING_ZERO: ParsedNumber = {
  negative: false,
  digits: '0',
  decimals: 0,
  written: 0,
  percent: false,
  currency: null,
}

/** Reads a number in the writing of finance people, exactly and by text alone. Answers null for anything else. */
export function parseNumber(text: string, mark: DecimalMark): ParsedNumber | null {
  if (text.length > TEXT_MAX_CHARS) return null
  const peeled = stripAffixes(text.trim())
  if (!peeled) return null
  const match = NUMBER_PATTERN[mark].exec(peeled.body.replace(SPECIAL_SPACES, ' ').replaceAll('\u2019', "'"))
  if (!match) return null
  const [, whole = '', fraction = '', exponent] = match
  if (whole === '' && fraction === '') return isAccountingZero(peeled) ? ACCOUNTING_ZERO : null
  const grouped = whole !== '' && /[^\d]/.test(whole)
  if (exponent !== undefined && (grouped || peeled.percent || peeled.currency !== null)) return null
  const exact = normalizeDigits((grouped ? whole.replace(/[^\d]/g, '') : whole) + fraction, {
    decimals: fraction.length + (peeled.percent ? 2 : 0) - Number(exponent ?? 0),
  })
  const { negative, percent, currency } = peeled
  return { ...exact, negative, percent, currency, written: fraction.length }
}

function normalizeDigits(written: string, at: { decimals: number }): { digits: string; decimals: number } {
  let digits = written.replace(/^0+(?=\d)/, '')
  let decimals = at.decimals
  if (digits === '0') return { digits, decimals: 0 }
  if (decimals < 0) digits += '0'.repeat(-decimals)
  decimals = Math.max(0, decimals)
  let zeros = 0
  while (zeros < decimals && digits.charCodeAt(digits.length - 1 - zeros) === 48) zeros++
  return { digits: zeros > 0 ? digits.slice(0, -zeros) : digits, decimals: decimals - zeros }
}

/** The value × 10^scale as an exact integer within ±(2^53−1), or null when it is none. */
export function toScaledInteger(number: ParsedNumber, scale: number): number | null {
  if (number.decimals > scale) return null
  const digits = number.digits + '0'.repeat(scale - number.decimals)
  if (digits.length > 16 && number.digits !== '0') return null
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) return null
  return number.negative && value !== 0 ? -value : value
}

/** The nearest floating-point number, or null when the whole part is past what can be kept exactly, or it is lost. */
export function toFloat(number: ParsedNumber): number | null {
  // What a text says in sixteen digits and more, a floating-point number would change; 3.4e38 it says as it is.
  if (number.digits.length - number.decimals > 15 && number.digits.replace(/0+$/, '').length > 15) return null
  const value = Number(`${number.digits}e-${number.decimals}`)
  if (!Number.isFinite(value) || (value === 0 && number.digits !== '0')) return null
  return number.negative && value !== 0 ? -value : value
}
