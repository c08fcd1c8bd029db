import { pairRates } from './book'
import type { PublishedDay, Rate, SetRate } from './book'
import { ProductError } from '../../shared/errors'
import type { RateSet, RateSetLine, RatesWanted } from '../../shared/currencies'

/** Lines of one set: what one call between the parts of the product carries. */
const LINES_MAX = 250_000

/**
 * Rates of some currencies to one, as lines of days with the same rate; days without a rate are in none.
 * @throws ProductError `query_too_complex`
 */
export function rateSet(
  book: { days: readonly PublishedDay[]; own: readonly SetRate[] },
  wanted: RatesWanted,
): RateSet {
  let count = 0
  const lines = wanted.currencies.flatMap((currency) => {
    const pair = pairRates(book, { from: currency, to: wanted.code }, wanted.mode)
    const found: RateSetLine[] = []
    for (let day = wanted.from; day <= wanted.to; day += 1) {
      const rate = pair.at(day)
      const last = found.at(-1)
      if (rate && last && last.to === day - 1 && isSame(last, rate)) last.to = day
      else if (rate && (count += 1) > LINES_MAX)
        throw new ProductError('query_too_complex', { what: 'rates', max: LINES_MAX })
      else if (rate) found.push(lineOf(currency, day, rate))
    }
    return found
  })
  return { key: wanted.key, lines }
}

const isSame = (line: RateSetLine, { n, from, to, source }: Rate): boolean =>
  line.n === n.toString() && line.source === source && line.rateFrom === from && line.rateTo === to

const lineOf = (currency: string, day: number, { n, from, to, source }: Rate): RateSetLine => ({
  currency,
  from: day,
  to: day,
  n: n.toString(),
  rateFrom: from,
  rateTo: to,
  source,
})
