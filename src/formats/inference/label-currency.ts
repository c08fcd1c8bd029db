import { isCurrencyCode } from '../../shared/data-sources/currency-codes'
import { isNonAmountName } from '../../shared/currencies'

/** Only those that leave little doubt: `$` and `¥` stand for several. */
const LABEL_CURRENCIES = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['us$', 'USD'],
  ['kr', 'SEK'],
])
/** Codes that are words too: taken for a currency only in brackets. */
const AMBIGUOUS_CODES = new Set(['TRY', 'PEN', 'COP', 'MAD', 'RON'])
/** The currency that a heading says its amounts are in: `Belopp (EUR)`, `Amount USD`, `price_eur`; null when it says none. */
export function currencyInLabel(label: string): string | null {
  if (isNonAmountName(label)) return null
  const bracketed = [...label.matchAll(/[([]\s*([^()[\]]{1,5}?)\s*[)\]]/gu)].map(([, text = '']) =>
    currencyCodeOf(text, true),
  )
  const plain = label
    .replace(/[([][^()[\]]*[)\]]/gu, ' ')
    .split(/[^\p{L}\p{Sc}]+/u)
    .map((text) => currencyCodeOf(text, text === text.toUpperCase() || label.includes('_')))
    .map((code) => (code !== null && AMBIGUOUS_CODES.has(code) ? null : code))
  const found = new Set([...bracketed, ...plain].filter((code) => code !== null))
  const [only] = found
  return found.size === 1 && only !== undefined ? only : null
}

function currencyCodeOf(text: string, anyCase: boolean): string | null {
  const sign = LABEL_CURRENCIES.get(text.toLowerCase())
  if (sign !== undefined) return sign
  const code = text.toUpperCase()
  return anyCase && /^[A-Z]{3}$/.test(code) && isCurrencyCode(code) ? code : null
}
