/**
 * Currencies that Stripe counts in whole units, and in thousandths. By its own list, which differs from ISO 4217: amounts in
 * Icelandic krónur and Ugandan shillings have two decimals there, which are always zero.
 */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** An amount in a currency's smallest unit as a decimal number of whole ones; null where there is none. */
export function stripeAmount(value: unknown, currency: unknown): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return null
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  if (WHOLE.has(code)) return String(value)
  const decimals = THOUSANDTHS.has(code) ? 3 : 2
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
