import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeBetween, contributionTables, ratioEffects } from './contributions'
import type { AnalysisSubject, SubjectDimension } from './subject'

const RUNS = env.LONG === '1' ? 20_000 : 1_000

/** Decimal text as units of 10^−18, so that sums of it are exact. */
function exact(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -units : units
}
const sum = (texts: readonly string[]): bigint => texts.reduce((total, text) => total + exact(text), 0n)
const series = (value: (number | string | null)[]) => ({ value, count: value.map(() => 1) })
const WINDOWS = { then: { from: 0, to: 0 }, now: { from: 1, to: 1 } }

const subject = (over: Partial<AnalysisSubject>): AnalysisSubject => ({
  key: 's',
  label: 'Revenue',
  grain: 'month',
  buckets: ['2026-01-01', '2026-02-01'],
  additive: true,
  total: series([0, 0]),
  dimensions: [],
  direction: 'up',
  ...over,
})

const amount = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((ore) => ore / 100),
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  fc.constant(null),
)
const pair = fc.tuple(amount, amount)

describe('what members account for in the change of a sum', () => {
  it('adds up to the change exactly, whatever is in the total and in no member', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 30 }), pair, fc.constantFrom(2, undefined), (members, total, scale) => {
        const dimension: SubjectDimension = {
          key: 'd',
          label: 'Region',
          members: members.map((value, at) => ({ member: `m${at}`, series: series(value) })),
        }
        const given = subject({ total: series(total), dimensions: [dimension], scale })
        const [table] = contributionTables(given, WINDOWS)
        const change = changeBetween(given, WINDOWS)?.change ?? ''
        if (!table) return members.length <= 1
        return sum(table.lines.map((line) => line.change)) === exact(change)
      }),
      { numRuns: RUNS },
    )
  })

  it('is exact in the cents of amounts past what a double holds', () => {
    const dimension = { key: 'd', label: 'Region', members: [{ member: 'north', series: series(['0', '0.01']) }] }
    const given = subject({
      total: series(['90071992547409931.10', '90071992547409931.12']),
      dimensions: [dimension],
      scale: 2,
    })
    expect(changeBetween(given, WINDOWS)?.change).toBe('0.02')
    expect(contributionTables(given, WINDOWS)[0]?.lines.map((line) => [line.member, line.change])).toEqual([
      ['north', '0.01'],
      [undefined, '0.01'],
    ])
  })

  it('is shown first by what has values: mostly empty columns come last', () => {
    const members = (filled: number, empty: number) => [
      { member: 'north', series: series([0, filled]) },
      { member: 'south', series: series([0, 100 - filled - empty]) },
      { member: null, series: series([0, empty]) },
    ]
    const dimensions = [
      { key: 'company', label: 'Company', members: members(10, 85) },
      { key: 'country', label: 'Country', members: members(60, 0) },
    ]
    const tables = contributionTables(subject({ total: series([0, 100]), dimensions }), WINDOWS)
    expect(tables.map(({ dimension }) => dimension)).toEqual(['country', 'company'])
  })
})

const positive = fc.integer({ min: 0, max: 100_000 })
const side = fc.record({ over: fc.tuple(positive, positive), under: fc.tuple(positive, positive) })

describe('what members account for in the change of a ratio', () => {
  it('adds up to the change exactly, and rate and mix to each line, members that come and go included', () => {
    fc.assert(
      fc.property(fc.array(side, { minLength: 2, maxLength: 25 }), side, (members, rest) => {
        const all = [...members, rest]
        const of = (key: 'over' | 'under', at: 0 | 1): number => all.reduce((total, one) => total + one[key][at], 0)
        if (of('under', 0) === 0 || of('under', 1) === 0) return true
        const given = subject({
          total: series([of('over', 0), of('over', 1)]),
          under: series([of('under', 0), of('under', 1)]),
          dimensions: [
            {
              key: 'd',
              label: 'Group',
              members: members.map(({ over, under }, at) => ({
                member: `m${at}`,
                series: series([...over]),
                under: series([...under]),
              })),
            },
          ],
        })
        const lines = contributionTables(given, WINDOWS)[0]?.lines ?? []
        const whole = sum(lines.map(({ change }) => change)) === exact(changeBetween(given, WINDOWS)?.change ?? '')
        return whole && lines.every(({ change, rate = '', mix = '' }) => exact(change) === exact(rate) + exact(mix))
      }),
      { numRuns: RUNS },
    )
  })

  it('tells own ratios from weights: by hand', () => {
    const whole = { over: { then: 40, now: 52 }, under: { then: 100, now: 100 } }
    // Half of the weight at 0.6 and 0.2; then 0.8 of it at 0.6, at the same own ratios.
    expect(ratioEffects({ over: { then: 30, now: 48 }, under: { then: 50, now: 80 } }, whole)).toEqual({
      change: expect.closeTo(0.3 * (0.6 - 0.46), 12),
      rate: expect.closeTo(0, 12),
      mix: expect.closeTo(0.042, 12),
    })
    // Same weights, own ratio from 0.6 to 0.84.
    expect(ratioEffects({ over: { then: 30, now: 42 }, under: { then: 50, now: 50 } }, whole)).toEqual({
      change: expect.closeTo(0.12, 12),
      rate: expect.closeTo(0.12, 12),
      mix: expect.closeTo(0, 12),
    })
  })

  it('leaves only rounding to the last line, however it is cut', () => {
    const members = Array.from({ length: 40 }, (_, at) => ({
      member: at,
      series: series([at * 7 + 1, at * 5 + 3]),
      under: series([at * 11 + 13, at * 9 + 17]),
    }))
    const total = (key: 'series' | 'under', at: 0 | 1): number =>
      members.reduce((all, one) => all + Number(one[key].value[at]), 0)
    const given = subject({
      total: series([total('series', 0), total('series', 1)]),
      under: series([total('under', 0), total('under', 1)]),
      dimensions: [{ key: 'd', label: 'Group', members }],
    })
    const lines = contributionTables(given, WINDOWS)[0]?.lines ?? []
    const rest = lines.at(-1)
    expect(rest?.others).toBe(28)
    const own = members.filter(({ member }) => !lines.some((line) => line.member === member))
    const of = (key: 'series' | 'under', at: 0 | 1): number =>
      own.reduce((all, one) => all + Number(one[key].value[at]), 0)
    const parts = ratioEffects(
      { over: { then: of('series', 0), now: of('series', 1) }, under: { then: of('under', 0), now: of('under', 1) } },
      {
        over: { then: total('series', 0), now: total('series', 1) },
        under: { then: total('under', 0), now: total('under', 1) },
      },
    )
    expect(Number(rest?.change)).toBeCloseTo(parts.change, 10)
  })
})
