import { describe, expect, it } from 'vitest'
import { createRateLookup, divideHalfEven, parseRate, formatRate, buildRateSet } from './exchange-rates'
import type { PublishedRates, ManualRate } from './exchange-rates'
import type { CurrencyMode } from '../../shared/query/currency-modes'
import { dayFromIso, isoFromDay } from '../../shared/dates'

const d = (iso: string): number => dayFromIso(iso) ?? 0
const day = (iso: string, rates: Record<string, string>): PublishedRates => ({ day: d(iso), source: 'ecb', rates })

/** As the European Central Bank published them: Thursday, Friday, Monday; then after a gap; JPY only on some days. */
const DAYS: PublishedRates[] = [
  day('2024-01-30', { SEK: '11.2605', USD: '1.0846', JPY: '159.97' }),
  day('2024-01-31', { SEK: '11.3', USD: '1.08', JPY: '160' }),
  day('2024-02-01', { SEK: '11.25', USD: '1.0814', JPY: '158.96' }),
  day('2024-02-02', { SEK: '11.35', USD: '1.09' }),
  day('2024-02-05', { SEK: '11.37', USD: '1.0746' }),
]
const override: ManualRate = {
  kind: 'override',
  base: 'EUR',
  quote: 'SEK',
  from: d('2024-02-02'),
  to: d('2024-02-03'),
  rate: '11.5',
}
const asked =
  (mode: CurrencyMode, from: string, to: string, own: ManualRate[] = []) =>
  (iso: string): [string, string] | null => {
    const rate = createRateLookup({ days: DAYS, own }, { from, to }, mode).at(d(iso))
    return rate && [formatRate(rate.n), isoFromDay(rate.to)]
  }

describe('the rate of a row’s day', () => {
  const sek = asked('transaction', 'EUR', 'SEK')

  it('is that of the day', () => {
    expect(sek('2024-02-01')).toEqual(['11.25', '2024-02-01'])
  })
  it('is Friday’s on a Saturday and a Sunday', () => {
    expect(sek('2024-02-03')).toEqual(['11.35', '2024-02-02'])
    expect(sek('2024-02-04')).toEqual(['11.35', '2024-02-02'])
  })
  it('is there for seven days after the last, and not on the eighth', () => {
    expect(sek('2024-02-12')).toEqual(['11.37', '2024-02-05'])
    expect(sek('2024-02-13')).toBeNull()
  })
  it('is missing before the first', () => {
    expect(sek('2024-01-29')).toBeNull()
  })
  it('crosses through the euro, rounded at ten decimals', () => {
    // 11.35 / 1.09 = 10.41284403669…
    expect(asked('transaction', 'USD', 'SEK')('2024-02-02')).toEqual(['10.4128440367', '2024-02-02'])
    // 1 / 160 and 11.3 / 160
    expect(asked('transaction', 'JPY', 'EUR')('2024-01-31')).toEqual(['0.00625', '2024-01-31'])
    expect(asked('transaction', 'JPY', 'SEK')('2024-01-31')).toEqual(['0.070625', '2024-01-31'])
  })
  it('is of a day on which both currencies have one', () => {
    expect(asked('transaction', 'JPY', 'SEK')('2024-02-05')?.[1]).toBe('2024-02-01')
  })
  it('gives way to one that was set, on its days alone and in both directions', () => {
    const own = asked('transaction', 'EUR', 'SEK', [override])
    expect(own('2024-02-03')).toEqual(['11.5', '2024-02-03'])
    expect(own('2024-02-04')).toEqual(['11.35', '2024-02-02'])
    expect(asked('transaction', 'SEK', 'EUR', [override])('2024-02-02')?.[0]).toBe('0.0869565217')
    expect(asked('transaction', 'USD', 'SEK', [override])('2024-02-02')?.[0]).toBe('10.4128440367')
  })
})

describe('rates of a month', () => {
  it('averages the days that have one', () => {
    // February: (11.25 + 11.35 + 11.37) / 3; January: (11.2605 + 11.3) / 2.
    expect(asked('average', 'EUR', 'SEK')('2024-02-20')).toEqual(['11.3233333333', '2024-02-05'])
    expect(asked('average', 'EUR', 'SEK')('2024-01-01')).toEqual(['11.28025', '2024-01-31'])
  })
  it('takes the last of the month at its close, which is not the average', () => {
    expect(asked('closing', 'EUR', 'SEK')('2024-01-02')).toEqual(['11.3', '2024-01-31'])
    expect(asked('closing', 'EUR', 'SEK')('2024-02-29')).toEqual(['11.37', '2024-02-05'])
  })
  it('has no close where rates stop more than seven days before it', () => {
    const later = [...DAYS, day('2024-02-28', { SEK: '11.2' })]
    const closing = (code: string) => createRateLookup({ days: later, own: [] }, { from: 'EUR', to: code }, 'closing')
    expect(closing('USD').at(d('2024-02-10'))).toBeNull()
    expect(formatRate(closing('SEK').at(d('2024-02-10'))?.n ?? 0n)).toBe('11.2')
  })
  it('counts what was set among the days', () => {
    // 1 Feb 11.25; 2 and 3 Feb 11.5; 5 Feb 11.37.
    expect(asked('average', 'EUR', 'SEK', [override])('2024-02-10')?.[0]).toBe('11.405')
    const month = { ...override, from: d('2024-02-01'), to: d('2024-02-29') }
    expect(asked('average', 'EUR', 'SEK', [month])('2024-02-10')?.[0]).toBe('11.5')
    expect(asked('closing', 'EUR', 'SEK', [month])('2024-02-10')?.[0]).toBe('11.5')
  })
  it('is missing in a month without any', () => {
    expect(asked('average', 'EUR', 'SEK')('2024-03-01')).toBeNull()
    expect(asked('closing', 'EUR', 'SEK')('2024-03-01')).toBeNull()
  })
})

it('takes budget rates as they were set, and no others', () => {
  const budget: ManualRate = { ...override, kind: 'budget', from: d('2024-01-01'), to: d('2024-12-31'), rate: '11' }
  expect(asked('budget', 'EUR', 'SEK', [budget])('2024-07-01')?.[0]).toBe('11')
  expect(asked('budget', 'EUR', 'SEK', [budget])('2025-01-01')).toBeNull()
  expect(asked('budget', 'EUR', 'USD', [budget])('2024-07-01')).toBeNull()
  expect(asked('transaction', 'EUR', 'SEK', [budget])('2024-02-01')?.[0]).toBe('11.25')
})

it('rounds half to even', () => {
  expect([5n, 15n, 25n, -5n, -15n, 14n, 16n].map((n) => divideHalfEven(n, 10n))).toEqual([0n, 2n, 2n, 0n, -2n, 1n, 2n])
  expect(parseRate('0')).toBeNull()
  expect(parseRate('1e3')).toBeNull()
  expect(formatRate(parseRate('17413.43') ?? 0n)).toBe('17413.43')
})

it('travels as lines of equal rates, days without one in none', () => {
  const wanted = { key: 'k', code: 'SEK', mode: 'transaction', currencies: ['EUR'] } as const
  const { lines } = buildRateSet(
    { days: DAYS, own: [] },
    { ...wanted, currencies: [...wanted.currencies], from: d('2024-01-28'), to: d('2024-02-20') },
  )
  expect(lines.map(({ from, to, n }) => [isoFromDay(from), isoFromDay(to), formatRate(BigInt(n))])).toEqual([
    ['2024-01-30', '2024-01-30', '11.2605'],
    ['2024-01-31', '2024-01-31', '11.3'],
    ['2024-02-01', '2024-02-01', '11.25'],
    ['2024-02-02', '2024-02-04', '11.35'],
    ['2024-02-05', '2024-02-12', '11.37'],
  ])
})

it('refuses more rates than one call carries: those that a workspace sets are other lines each day', () => {
  const codes = Array.from({ length: 40 }, (_, n) => `X${String.fromCharCode(65 + (n % 26), 65 + Math.floor(n / 26))}`)
  const own = codes.map((quote): ManualRate => ({ ...override, quote, from: 0, to: 10_000 }))
  const wanted = { key: 'k', code: 'EUR', mode: 'transaction' as const, from: 0, to: 9_999 }
  expect(buildRateSet({ days: [], own }, { ...wanted, currencies: codes.slice(0, 2) }).lines.length).toBe(20_000)
  expect(() => buildRateSet({ days: [], own }, { ...wanted, currencies: codes })).toThrow(
    expect.objectContaining({ code: 'query_too_complex' }),
  )
})
