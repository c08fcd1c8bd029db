/** How often a subscription renews. */
export const BILLING_INTERVALS = ['monthly', 'yearly'] as const
export type BillingInterval = (typeof BILLING_INTERVALS)[number]
export type BillingCurrency = 'EUR' | 'SEK'

export interface Price {
  /** Whole units of `currency` for the interval (8.5 = 8 euro 50); `null` = custom, set by an administrator. */
  amount: number | null
  currency: BillingCurrency
  /** Key by which the price is found at Stripe: the same in every account. */
  priceId: string | null
  text: string
}

const CURRENCY_FORMATS: Record<BillingCurrency, (amount: string) => string> = {
  EUR: (amount) => `€${amount}`,
  SEK: (amount) => `${amount} kr`,
}
const INTERVAL_NOUNS: Record<BillingInterval, string> = { monthly: 'month', yearly: 'year' }

const priceFor = (
  id: string,
  interval: BillingInterval,
  { amount, currency }: { amount: number; currency: BillingCurrency },
): Price => ({
  amount,
  currency,
  priceId: `${id}_${interval}`,
  text: `${CURRENCY_FORMATS[currency](Number.isInteger(amount) ? String(amount) : amount.toFixed(2))} per ${INTERVAL_NOUNS[interval]}`,
})

/** Both prices of a thing that is sold, in whole units per month and per year. */
export const pricesFor = (
  id: string,
  { monthly, yearly, currency = 'EUR' }: { monthly: number; yearly: number; currency?: BillingCurrency },
): Record<BillingInterval, Price> => ({
  monthly: priceFor(id, 'monthly', { amount: monthly, currency }),
  yearly: priceFor(id, 'yearly', { amount: yearly, currency }),
})

/** Money as it is charged: an integer of the currency's smallest unit (850 = €8.50) and its lower-case code at Stripe. */
export interface MoneyAmount {
  minor: number
  currency: string
}

/** Currencies whose smallest unit is the whole one, as Stripe counts them. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '))
/** Digits after the mark of a currency's amounts, as Stripe counts them. */
export const currencyDecimals = (currency: string): number => (ZERO_DECIMAL.has(currency.toLowerCase()) ? 0 : 2)

/** Whole units to the smallest: 8.5 EUR → 850. */
export const toMinorUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** currencyDecimals(currency))
