import { halfEven, RATE_ONE, rateOf } from './decimals'
import { RATE_GAP_DAYS } from '../../shared/currencies'
import type { OwnRateKind, RateSource } from '../../shared/currencies'
import type { CurrencyMode } from '../../shared/query'
import { firstOfMonth, monthIndexOf } from '../../warehouse/query/days'

/** Published reference rates of one day (days since 1970-01-01): units of each currency for one euro, as decimal text. */
export interface PublishedDay {
  day: number
  source: RateSource
  rates: Readonly<Record<string, string>>
}
/** A rate that the workspace set: units of `quote` for one of `base`, for days from `from` to `to` inclusive. */
export interface SetRate {
  kind: OwnRateKind
  base: string
  quote: string
  from: number
  to: number
  rate: string
}
/** A rate in use: units of the target for one of the currency × 10^10, and the days it was published for. */
export interface Rate {
  n: bigint
  from: number
  to: number
  source: RateSource
}
export interface Pair {
  from: string
  to: string
}
/** Rates between two currencies. Null: there is none, and what it would convert is left out. */
export interface PairRates {
  at(day: number): Rate | null
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
export function pairRates(
  book: { days: readonly PublishedDay[]; own: readonly SetRate[] },
  pair: Pair,
  mode: CurrencyMode,
): PairRates {
  const set = (kind: OwnRateKind) => setRates(book.own, kind, pair)
  if (mode === 'budget') return { at: set('budget') }
  const override = set('override')
  const published = publishedRates(book.days, pair)
  if (mode === 'transaction') return { at: (day) => override(day) ?? lastBefore(published, day) }
  const newest = book.days.at(-1)?.day ?? -Infinity
  const ofMonth = mode === 'average' ? average : closing(newest)
  const known = new Map<number, Rate | null>()
  return {
    at(day) {
      const month = monthIndexOf(day)
      const rate = known.has(month)
        ? (known.get(month) ?? null)
        : ofMonth(ratesOfMonth(published, override, month), month)
      known.set(month, rate)
      return rate
    },
  }
}

type OfDay = (day: number) => Rate | null

/** The newest line that covers the day wins; the opposite direction counts as its inverse. */
function setRates(own: readonly SetRate[], kind: OwnRateKind, { from, to }: Pair): OfDay {
  const lines = own.flatMap((line) => {
    const n = line.kind === kind ? rateOf(line.rate) : null
    if (n === null) return []
    if (line.base === from && line.quote === to) return [{ line, n }]
    return line.base === to && line.quote === from ? [{ line, n: halfEven(RATE_ONE * RATE_ONE, n) }] : []
  })
  return (day) => {
    const found = lines.findLast(({ line }) => line.from <= day && day <= line.to)
    return found && found.n > 0n ? { n: found.n, from: day, to: day, source: 'manual' } : null
  }
}

function publishedRates(days: readonly PublishedDay[], { from, to }: Pair): Rate[] {
  const euros = (day: PublishedDay, code: string): bigint | null =>
    code === 'EUR' ? RATE_ONE : rateOf(day.rates[code] ?? '')
  return days.flatMap((each): Rate[] => {
    const [own, target] = [euros(each, from), euros(each, to)]
    if (own === null || target === null) return []
    const n = halfEven(target * RATE_ONE, own)
    return n > 0n ? [{ n, from: each.day, to: each.day, source: each.source }] : []
  })
}

/** Index of the last rate of a day up to this one; −1 when there is none. */
function indexUpTo(rates: readonly Rate[], day: number): number {
  let [low, high] = [0, rates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rates[middle]?.to ?? Infinity) <= day) low = middle + 1
    else high = middle
  }
  return low - 1
}

function lastBefore(rates: readonly Rate[], day: number): Rate | null {
  const last = rates[indexUpTo(rates, day)]
  return last && day - last.to <= RATE_GAP_DAYS ? last : null
}

/** One rate for each day of a month that has one, set ones in place of published ones. */
function ratesOfMonth(published: readonly Rate[], override: OfDay, month: number): Rate[] {
  const [first, next] = [firstOfMonth(month), firstOfMonth(month + 1)]
  let at = indexUpTo(published, first - 1) + 1
  return Array.from({ length: next - first }, (_, i) => first + i).flatMap((day) => {
    const own = published[at]?.to === day ? published[at++] : undefined
    return override(day) ?? own ?? []
  })
}

function average(rates: readonly Rate[]): Rate | null {
  const [first, last] = [rates[0], rates.at(-1)]
  if (!first || !last) return null
  const n = halfEven(
    rates.reduce((total, rate) => total + rate.n, 0n),
    BigInt(rates.length),
  )
  const manual = rates.some(({ source }) => source === 'manual')
  return { n, from: first.from, to: last.to, source: manual ? 'manual' : last.source }
}

const closing =
  (newest: number) =>
  (rates: readonly Rate[], month: number): Rate | null => {
    const last = rates.at(-1)
    const end = Math.min(firstOfMonth(month + 1) - 1, newest)
    return last && end - last.to <= RATE_GAP_DAYS ? last : null
  }
