import { isCurrencyCode } from './number-text'
import { namesNoAmount } from '../shared/currencies'

/** Only those that leave little doubt: `$` and `¥` stand for several. */
const SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['us$', 'USD'],
  ['kr', 'SEK'],
])
/** Codes that are words too: taken for a currency only in brackets. */
const WORDS = new Set(['TRY', 'PEN', 'COP', 'MAD', 'RON'])
/** The currency that a heading says its amounts are in: `Belopp (EUR)`, `Amount USD`, `price_eur`; null when it says none. */
export function currencyInLabel(label: string): string | null {
  if (namesNoAmount(label)) return null
  const bracketed = [...label.matchAll(/[([]\s*([^()[\]]{1,5}?)\s*[)\]]/gu)].map(([, text = '']) => codeOf(text, true))
  const plain = label
    .replace(/[([][^()[\]]*[)\]]/gu, ' ')
    .split(/[^\p{L}\p{Sc}]+/u)
    .map((text) => codeOf(text, text === text.toUpperCase() || label.includes('_')))
    .map((code) => (code !== null && WORDS.has(code) ? null : code))
  const found = new Set([...bracketed, ...plain].filter((code) => code !== null))
  const [only] = found
  return found.size === 1 && only !== undefined ? only : null
}

function codeOf(text: string, anyCase: boolean): string | null {
  const sign = SIGNS.get(text.toLowerCase())
  if (sign !== undefined) return sign
  const code = text.toUpperCase()
  return anyCase && /^[A-Z]{3}$/.test(code) && isCurrencyCode(code) ? code : null
}
