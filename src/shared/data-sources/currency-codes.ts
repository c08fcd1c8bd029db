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

/** Of currencies that are gone: tables of rates go back. */
const FORMER_CODES = new Set(
  'ATS BEF CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MTL NLG PTE ROL SIT SKK TRL'.split(' '),
)
/** `USD`, `EUR/SEK`, `EURSEK` */
const CODES_ALONE = /^([A-Z]{3})(?:[ /]?([A-Z]{3}))?$/
const isCodesAlone = (label: string): boolean => {
  const codes = CODES_ALONE.exec(label)?.slice(1)
  return (
    codes !== undefined && codes.every((code) => code === undefined || isCurrencyCode(code) || FORMER_CODES.has(code))
  )
}
/** Fewer may be amounts in each of some currencies. */
const RATES_MIN = 3

/**
 * Headings of exchange rates among those of a table: nothing but codes of currencies, at least three of them. Such
 * figures are in no currency, and their sum means nothing.
 */
export function rateHeadings(labels: readonly string[]): ReadonlySet<string> {
  const rates = labels.filter(isCodesAlone)
  return new Set(rates.length < RATES_MIN ? [] : rates)
}

/** Most traded by Nordic businesses, the first of them first. */
const LEADING_CODES = ['USD', 'EUR', 'GBP', 'SEK', 'NOK', 'DKK', 'CHF', 'JPY']
/**
 * How early a heading of rates is shown, the least first: by its leading currency, then others in use, then former ones.
 */
export function rateOrder(label: string): number {
  const codes =
    CODES_ALONE.exec(label)
      ?.slice(1)
      .filter((code) => code !== undefined) ?? []
  const places = codes.map((code) => LEADING_CODES.indexOf(code)).filter((place) => place >= 0)
  if (places.length > 0) return Math.min(...places)
  return LEADING_CODES.length + (codes.every(isCurrencyCode) ? 0 : 1)
}
