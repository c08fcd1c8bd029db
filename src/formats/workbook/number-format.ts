import { isCurrencyCode } from '../../shared/data-sources/currency-codes'

/** What a number format says of the numbers it is laid on. */
export interface NumberFormat {
  kind: 'number' | 'percent' | 'date' | 'time' | 'duration'
  /** ISO code, where the format names exactly one currency. */
  currency?: string
}

export const PLAIN_NUMBER_FORMAT: NumberFormat = { kind: 'number' }
const PERCENT: NumberFormat = { kind: 'percent' }
const DATE: NumberFormat = { kind: 'date' }
const TIME: NumberFormat = { kind: 'time' }
const DURATION: NumberFormat = { kind: 'duration' }

/** Quoted and escaped signs, padding and fillers: shown as they are. */
const LITERALS = /"[^"]*"?|\\.|_.|\*./gs
const BRACKETS = /\[[^\]]*\]?/g
const ELAPSED = /\[(?:h+|m+|s+)\]/i
const SYMBOL_WITH_LOCALE = /\[\$([^\]-]*)(?:-([0-9a-f]+))?\]/gi

/** Signs that mean one currency wherever they stand. */
const SYMBOL_CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
])
/** What a shared sign means by the language identifier beside it. */
const LOCALE_CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['kr-41D', 'SEK'],
  ['kr-414', 'NOK'],
  ['kr-814', 'NOK'],
  ['kr-406', 'DKK'],
  ['kr.-406', 'DKK'],
  ['kr.-40F', 'ISK'],
  ['$-409', 'USD'],
  ['$-1009', 'CAD'],
  ['$-C09', 'AUD'],
  ['$-1409', 'NZD'],
  ['¥-411', 'JPY'],
  ['¥-804', 'CNY'],
])

/** Formats that a workbook names by number alone, in the same meaning everywhere. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return PERCENT
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return DATE
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return TIME
  return id === 46 ? DURATION : PLAIN_NUMBER_FORMAT
}

/** Reads a format code such as `yyyy-mm-dd`, `0.0%`, `#,##0.00 [$kr-41D]`, `[h]:mm`; only the part for positive numbers counts. */
export function parseNumberFormat(code: string): NumberFormat {
  const first = firstSection(code)
  if (/^\s*general\s*$/i.test(first) || first.trim() === '@') return PLAIN_NUMBER_FORMAT
  const signs = first.replace(LITERALS, '')
  if (ELAPSED.test(signs)) return DURATION
  const bare = signs.replace(BRACKETS, '').replace(/general/gi, '')
  const timed = /[hs]|am\/pm|a\/p/i.test(bare)
  const dated = /[yd]|e(?![+-])|m{3}/i.test(bare) || (/m/i.test(bare) && !timed)
  if (dated) return DATE
  if (timed) return TIME
  if (bare.includes('%')) return PERCENT
  const currency = currencyInFormat(first)
  return currency === null ? PLAIN_NUMBER_FORMAT : { kind: 'number', currency }
}

function firstSection(code: string): string {
  let quoted = false
  for (let at = 0; at < code.length; at++) {
    const sign = code[at]
    if (sign === '"') quoted = !quoted
    else if (sign === '\\' && !quoted) at++
    else if (sign === ';' && !quoted) return code.slice(0, at)
  }
  return code
}

/** The currency that a format names without doubt: a bare `$` or `kr` could be several. */
function currencyInFormat(section: string): string | null {
  const found = new Set<string>()
  for (const [, symbol = '', place] of section.matchAll(SYMBOL_WITH_LOCALE)) {
    const name = symbol.trim()
    if (name === '') continue
    const code = isCurrencyCode(name)
      ? name
      : (SYMBOL_CURRENCIES.get(name) ?? LOCALE_CURRENCIES.get(`${name}-${(place ?? '').toUpperCase()}`))
    if (code === undefined) return null
    found.add(code)
  }
  const rest = section.replace(BRACKETS, '').replaceAll('\\', '')
  for (const word of rest.match(/[A-Z]{3}(?![A-Za-z])|[€£₹]/g) ?? [])
    if (SYMBOL_CURRENCIES.has(word) || isCurrencyCode(word)) found.add(SYMBOL_CURRENCIES.get(word) ?? word)
  const [only] = found
  return found.size === 1 && only !== undefined ? only : null
}
