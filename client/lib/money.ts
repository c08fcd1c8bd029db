import { useCallback } from 'react'
import { useSession } from './session'
import { currencyDecimals, toMinorUnits, type MoneyAmount, type Price } from '../../src/shared/billing/prices'

/** Money exactly as it is charged, in a workspace's notation and in one form everywhere: `195,00 €`, `8,50 €`. */
export function formatMoney({ minor, currency }: MoneyAmount, locale: string): string {
  const decimals = currencyDecimals(currency)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(minor / 10 ** decimals)
}

export type MoneyFormat = (moneyAmount: MoneyAmount) => string

const DEFAULT_LOCALE = 'sv-SE'

/** {@link formatMoney} in the notation of this tab's workspace. */
export function useMoney(): MoneyFormat {
  const locale = useSession().workspace?.settings.numberLocale ?? DEFAULT_LOCALE
  return useCallback((amount) => formatMoney(amount, locale), [locale])
}

/** What `count` of a thing with this price cost per interval; null = the price is agreed with each customer. */
export function amountOf(price: Price | null, count = 1): MoneyAmount | null {
  if (price === null || price.amount === null) return null
  return { minor: toMinorUnits(price.amount, price.currency) * count, currency: price.currency.toLowerCase() }
}
