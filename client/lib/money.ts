import { useCallback } from 'react'
import { useSession } from './session'
import { currencyDecimals, toMinorUnits, type MoneyAmount, type Price } from '../../src/shared/billing/prices'

/**
 * Money exactly as it is charged, in a workspace's notation: `195 €`, `8,50 €`. Minor units are shown only where there
 * are any; `isColumn` shows them always, so that the figures of a column line up.
 */
export function formatMoney({ minor, currency }: MoneyAmount, locale: string, isColumn = false): string {
  const decimals = currencyDecimals(currency)
  const unit = 10 ** decimals
  const shown = isColumn || minor % unit !== 0 ? decimals : 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(minor / unit)
}

export type MoneyFormat = (moneyAmount: MoneyAmount, options?: { column?: boolean }) => string

const DEFAULT_LOCALE = 'sv-SE'

/** {@link formatMoney} in the notation of this tab's workspace. */
export function useMoney(): MoneyFormat {
  const locale = useSession().workspace?.settings.numberLocale ?? DEFAULT_LOCALE
  return useCallback((amount, { column = false } = {}) => formatMoney(amount, locale, column), [locale])
}

/** What `count` of a thing with this price cost per interval; null = the price is agreed with each customer. */
export function amountOf(price: Price | null, count = 1): MoneyAmount | null {
  if (price === null || price.amount === null) return null
  return { minor: toMinorUnits(price.amount, price.currency) * count, currency: price.currency.toLowerCase() }
}
