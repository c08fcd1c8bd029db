const SIGNS: Record<string, string> = { eur: '€', usd: '$', gbp: '£' }

/** As Stripe words amounts in descriptions: €450.00, SEK 4,950.00. */
export const amountInWords = (minor: number, currency: string): string =>
  `${SIGNS[currency] ?? `${currency.toUpperCase()} `}${(minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** The share of an amount that falls on part of a period, rounded to the smallest unit, halves away from nothing. */
export const prorate = (amount: number, part: number, whole: number): number => {
  const exact = (Math.abs(amount) * part) / whole
  return Math.sign(amount) * Math.round(exact) || 0
}
