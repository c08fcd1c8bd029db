const CURRENCY_CODES = new Set(
  (
    'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KWD MAD MXN MYR ' +
    'NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR'
  ).split(' '),
)

/** Whether a text is the code of a currency in use (ISO 4217), of those that files are read in. */
export function isCurrencyCode(text: string): boolean {
  return CURRENCY_CODES.has(text)
}

/** `USD`, `EUR/SEK`, `EUR SEK`: nothing but codes, those of currencies that are gone included. */
const CODES_ALONE = /^(?:[A-Z]{3}[ /]?)?[A-Z]{3}$/
/** Fewer may be amounts in each of some currencies. */
const RATES_MIN = 3

/**
 * Headings of exchange rates among those of a table: nothing but codes, at least three of them of currencies. Such
 * figures are in no currency, and their sum means nothing.
 */
export function rateHeadings(labels: readonly string[]): ReadonlySet<string> {
  const alone = labels.filter((label) => CODES_ALONE.test(label))
  const known = alone.filter((label) => isCurrencyCode(label.slice(-3)))
  return new Set(known.length < RATES_MIN ? [] : alone)
}
