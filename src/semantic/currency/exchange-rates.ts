import { RATE_DECIMALS, RATE_GAP_DAYS } from '../../shared/currencies'
import type { OwnRateKind, RateSource, RateSet, RateSetLine, MissingRates } from '../../shared/currencies'
import type { CurrencyMode } from '../../shared/query/currency-modes'
import { firstOfMonth, monthIndexOf } from '../../shared/dates'
import { ProductError } from '../../shared/errors'

/** n / d to the nearest whole number; of two equally near ones the even one. `d` is above zero. */
export function divideHalfEven(n: bigint, d: bigint): bigint {
  const sign = n < 0n ? -1n : 1n
  const size = n * sign
  const [whole, rest] = [size / d, (size % d) * 2n]
  const up = rest > d || (rest === d && whole % 2n === 1n)
  return sign * (up ? whole + 1n : whole)
}

const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS)
const RATE_PATTERN = /^(\d{1,12})(?:\.(\d{1,20}))?$/

/** Decimal text as a rate × 10^10; null when it is no rate. */
export function parseRate(text: string): bigint | null {
  const [, whole, fraction = ''] = RATE_PATTERN.exec(text) ?? []
  if (whole === undefined) return null
  const scaled = BigInt(whole + fraction) * RATE_SCALE
  const rate = divideHalfEven(scaled, 10n ** BigInt(fraction.length))
  return rate > 0n ? rate : null
}

/** A rate × 10^10 as decimal text without needless zeros. */
export function formatRate(rate: bigint): string {
  const digits = rate.toString().padStart(RATE_DECIMALS + 1, '0')
  const fraction = digits.slice(-RATE_DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -RATE_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Published reference rates of one day (days since 1970-01-01): units of each currency for one euro, as decimal text. */
export interface PublishedRates {
  day: number
  source: RateSource
  rates: Readonly<Record<string, string>>
}
/** A rate that the workspace set: units of `quote` for one of `base`, for days from `from` to `to` inclusive. */
export interface ManualRate {
  kind: OwnRateKind
  base: string
  quote: string
  from: number
  to: number
  rate: string
}
/** A rate in use: units of the target for one of the currency × 10^10, and the days it was published for. */
interface ExchangeRate {
  n: bigint
  from: number
  to: number
  source: RateSource
}
export interface CurrencyPair {
  from: string
  to: string
}
/** Rates between two currencies. Null: there is none, and what it would convert is left out. */
export interface RateLookup {
  at(day: number): ExchangeRate | null
}

/**
 * The rates between two currencies by a mode.
 * - `transaction`: of the day; without one, of the last day before with a rate, at most seven days back.
 * - `average`: the mean over the days of the month that have a rate.
 * - `closing`: the last rate of the month; none when it lies more than seven days before the month's end and later ones
 *   were published.
 * - `budget`: as the workspace set it.
 *
 * Between two currencies other than the euro, the cross rate through the euro counts, of days on which both have a rate,
 * rounded half to even at ten decimals. What the workspace set for the pair, in either direction, comes first on its days.
 * @param days published days, ascending
 */
export function createRateLookup(
  rateData: { days: readonly PublishedRates[]; own: readonly ManualRate[] },
  pair: CurrencyPair,
  mode: CurrencyMode,
): RateLookup {
  const set = (kind: OwnRateKind) => manualRateLookup(rateData.own, kind, pair)
  if (mode === 'budget') return { at: set('budget') }
  const override = set('override')
  const published = publishedPairRates(rateData.days, pair)
  if (mode === 'transaction') return { at: (day) => override(day) ?? lastRateOnOrBefore(published, day) }
  const newest = rateData.days.at(-1)?.day ?? -Infinity
  const ofMonth = mode === 'average' ? averageRate : closingRate(newest)
  const rateByMonth = new Map<number, ExchangeRate | null>()
  return {
    at(day) {
      const month = monthIndexOf(day)
      const rate = rateByMonth.has(month)
        ? (rateByMonth.get(month) ?? null)
        : ofMonth(ratesOfMonth(published, override, month), month)
      rateByMonth.set(month, rate)
      return rate
    },
  }
}

type RateOfDay = (day: number) => ExchangeRate | null

/** The newest line that covers the day wins; the opposite direction counts as its inverse. */
function manualRateLookup(own: readonly ManualRate[], kind: OwnRateKind, { from, to }: CurrencyPair): RateOfDay {
  const lines = own.flatMap((line) => {
    const n = line.kind === kind ? parseRate(line.rate) : null
    if (n === null) return []
    if (line.base === from && line.quote === to) return [{ line, n }]
    return line.base === to && line.quote === from ? [{ line, n: divideHalfEven(RATE_SCALE * RATE_SCALE, n) }] : []
  })
  return (day) => {
    const found = lines.findLast(({ line }) => line.from <= day && day <= line.to)
    return found && found.n > 0n ? { n: found.n, from: day, to: day, source: 'manual' } : null
  }
}

function publishedPairRates(days: readonly PublishedRates[], { from, to }: CurrencyPair): ExchangeRate[] {
  const euros = (day: PublishedRates, code: string): bigint | null =>
    code === 'EUR' ? RATE_SCALE : parseRate(day.rates[code] ?? '')
  return days.flatMap((each): ExchangeRate[] => {
    const [own, target] = [euros(each, from), euros(each, to)]
    if (own === null || target === null) return []
    const n = divideHalfEven(target * RATE_SCALE, own)
    return n > 0n ? [{ n, from: each.day, to: each.day, source: each.source }] : []
  })
}

/** Index of the last rate of a day up to this one; −1 when there is none. */
function lastIndexOnOrBefore(rates: readonly ExchangeRate[], day: number): number {
  let [low, high] = [0, rates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rates[middle]?.to ?? Infinity) <= day) low = middle + 1
    else high = middle
  }
  return low - 1
}

function lastRateOnOrBefore(rates: readonly ExchangeRate[], day: number): ExchangeRate | null {
  const last = rates[lastIndexOnOrBefore(rates, day)]
  return last && day - last.to <= RATE_GAP_DAYS ? last : null
}

/** One rate for each day of a month that has one, set ones in place of published ones. */
function ratesOfMonth(published: readonly ExchangeRate[], override: RateOfDay, month: number): ExchangeRate[] {
  const [first, next] = [firstOfMonth(month), firstOfMonth(month + 1)]
  let at = lastIndexOnOrBefore(published, first - 1) + 1
  return Array.from({ length: next - first }, (_, i) => first + i).flatMap((day) => {
    const own = published[at]?.to === day ? published[at++] : undefined
    return override(day) ?? own ?? []
  })
}

function averageRate(rates: readonly ExchangeRate[]): ExchangeRate | null {
  const [first, last] = [rates[0], rates.at(-1)]
  if (!first || !last) return null
  const n = divideHalfEven(
    rates.reduce((total, rate) => total + rate.n, 0n),
    BigInt(rates.length),
  )
  const manual = rates.some(({ source }) => source === 'manual')
  return { n, from: first.from, to: last.to, source: manual ? 'manual' : last.source }
}

const closingRate =
  (newest: number) =>
  (rates: readonly ExchangeRate[], month: number): ExchangeRate | null => {
    const last = rates.at(-1)
    const end = Math.min(firstOfMonth(month + 1) - 1, newest)
    return last && end - last.to <= RATE_GAP_DAYS ? last : null
  }

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
