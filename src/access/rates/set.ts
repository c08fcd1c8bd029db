import { createRateLookup } from './book'
import type { PublishedRates, ExchangeRate, ManualRate } from './book'
import { ProductError } from '../../shared/errors'
import type { RateSet, RateSetLine, MissingRates } from '../../shared/currencies'

/** Lines of one set: what one call between the parts of the product carries. */
const RATE_LINES_MAX = 250_000

/**
 * Rates of some currencies to one, as lines of days with the same rate; days without a rate are in none.
 * @throws ProductError `query_too_complex`
 */
export function buildRateSet(
  rateData: { days: readonly PublishedRates[]; own: readonly ManualRate[] },
  wanted: MissingRates,
): RateSet {
  let count = 0
  const lines = wanted.currencies.flatMap((currency) => {
    const pair = createRateLookup(rateData, { from: currency, to: wanted.code }, wanted.mode)
    const found: RateSetLine[] = []
    for (let day = wanted.from; day <= wanted.to; day += 1) {
      const rate = pair.at(day)
      const last = found.at(-1)
      if (rate && last && last.to === day - 1 && hasSameRate(last, rate)) last.to = day
      else if (rate && (count += 1) > RATE_LINES_MAX)
        throw new ProductError('query_too_complex', { what: 'rates', max: RATE_LINES_MAX })
      else if (rate) found.push(toRateSetLine(currency, day, rate))
    }
    return found
  })
  return { key: wanted.key, lines }
}

const hasSameRate = (line: RateSetLine, { n, from, to, source }: ExchangeRate): boolean =>
  line.n === n.toString() && line.source === source && line.rateFrom === from && line.rateTo === to

const toRateSetLine = (currency: string, day: number, { n, from, to, source }: ExchangeRate): RateSetLine => ({
  currency,
  from: day,
  to: day,
  n: n.toString(),
  rateFrom: from,
  rateTo: to,
  source,
})
