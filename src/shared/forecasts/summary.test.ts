import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ForecastFormatter } from './model-card-text'
import type { ForecastPath, ForecastResult } from './result'
import { describeRunFailure } from './run-failure-text'
import { summariseForecast, type SummaryInput, type SummaryLine } from './summary'

const WORDS: ForecastFormatter = {
  figure: (value) => `${Math.round(value)} kr`,
  percent: (part) => `${Math.round(part * 100)} %`,
  count: String,
  period: (start) => start.slice(0, 7),
  when: (start) => `in ${start.slice(0, 7)}`,
}
const months = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1 + at, 1)).toISOString().slice(0, 10),
  )
const path = (mean: number[]): ForecastPath => {
  const band = (by: number) => ({ lower: mean.map((one) => one - by), upper: mean.map((one) => one + by) })
  return { mean, bands: { 50: band(5), 80: band(10), 95: band(20) } }
}
const season = (at: number): number => (at % 12 === 11 ? 1.2 : at % 12 === 6 ? 0.85 : 1)
const errors = { mae: 4, mape: 0.04, mase: 0.8, bias: 0, coverage: { 50: 0.5, 80: 0.75, 95: 1 }, checks: 36, steps: [] }
const RESULT: ForecastResult = {
  ...{ v: 1, grain: 'month', periods: months('2024-01-01', 36), future: months('2027-01-01', 12), asked: 12 },
  values: Array.from({ length: 36 }, () => 100),
  raw: Array.from({ length: 36 }, () => 100),
  total: {
    ...{
      member: null,
      label: null,
      state: 'ready',
      path: path(Array.from({ length: 12 }, () => 105)),
      method: 'blend',
    },
    card: {
      ...{ route: 'blend', members: ['theta'], dropped: [], combined: 'median', season: 12, longSeason: null },
      ...{ seasonKind: 'multiplicative', used: 36, withoutEngines: false },
    },
    ...{ trials: [], filled: [], outliers: [], from: 0, shape: 'varied' },
    backtest: {
      ...{ season: 12, used: errors, blend: { mase: 0.8, mae: 4 }, naive: { mase: 1.2, mae: 6 } },
      seasonalNaive: { mase: 1, mae: 5 },
      ...{ method: 'blend', grade: 'B' },
      folds: Array.from({ length: 3 }, () => ({ origin: 24, actual: [], path: path([]) })),
    },
    components: {
      ...{ kind: 'multiplicative', trend: [], rest: [], first: 0 },
      season: Array.from({ length: 36 }, (_, at) => season(at)),
    },
  },
  ...{ parts: [], incomplete: null, balance: null, drivers: [], direction: 'up', conversion: null, inputHash: 'h' },
  format: { style: 'plain' },
}
const said = (over: Partial<SummaryInput> = {}, total: Partial<ForecastResult['total']> = {}): string[] => {
  const { result = RESULT, ...more } = over
  const about = {
    name: 'Sales',
    level: 80 as const,
    ...more,
    result: { ...result, total: { ...result.total, ...total } },
  }
  return summariseForecast(about, WORDS).map(({ text }) => text)
}
const of = (kind: SummaryLine['kind'], summarised: Partial<SummaryInput>): string[] =>
  summariseForecast({ name: 'Sales', level: 80, result: RESULT, ...summarised }, WORDS).flatMap((line) =>
    line.kind === kind ? [line.text] : [],
  )

describe('the summary of a forecast', () => {
  it('says what is expected against the year before, how sure, the season, and what the past says', () => {
    expect(said({ additive: true })).toEqual([
      'The forecast for “Sales” adds up to 1260 kr over the 12 months from 2027-01 to 2027-12, 5 % more than the same months a year before (1200 kr).',
      'It says 105 kr in 2027-01, likely between 95 kr and 115 kr, and 105 kr in 2027-12, likely between 95 kr and 115 kr. The band is made to hold 8 of 10 months.',
      'Of the months, December is usually highest (20 % above the trend) and July lowest (15 % below it).',
      'Tried on the past 3 times, it missed by 4 kr on average (4 % of the value). Its 80 % band held 27 of 36 values (75 %).',
      'Repeating the last season would have missed by 5 kr. Grade B: better than repeating last season usually is.',
    ])
  })

  it('adds figures up only where they do, and holds no more against the year before than is known of it', () => {
    expect(of('expected', {})[0]).toContain('averages 105 kr a month over the 12 months')
    const long = { ...RESULT, future: months('2027-01-01', 14) }
    long.total = { ...RESULT.total, path: path(Array.from({ length: 14 }, (_, at) => (at < 12 ? 90 : 500))) }
    expect(of('expected', { result: long, additive: true })[0]).toContain(
      ', of which the first 12 months are 10 % less than the same months a year before (1200 kr).',
    )
    const young = { ...RESULT, periods: months('2026-06-01', 7), raw: [1, 2, 3, 4, 5, 6, 7] }
    expect(of('expected', { result: young })[0]).toMatch(/to 2027-12\.$/)
  })

  it('says that the last season is repeated where the method does no better, and how it is graded', () => {
    const { backtest } = RESULT.total
    const naive = backtest && { ...backtest, method: 'seasonal naive' as const, grade: 'D' as const }
    expect(said({}, { backtest: naive })).toContain(
      'Repeating the last season did as well, so that is what is shown. Grade D: no better than repeating last season usually is.',
    )
    const good = backtest && { ...backtest, method: 'seasonal naive' as const }
    expect(said({}, { backtest: good })).toContain(
      'Repeating the last season did as well, so that is what is shown. Grade B: it missed by 80 % of the usual change from one season to the next.',
    )
    expect(said({}, { backtest: null })).toContain(
      'There is too little history to try the forecast on the past, so how far it misses is not measured.',
    )
    const constant = said({}, { shape: 'constant', backtest: null, components: null })
    expect(constant[1]).toContain('can say nothing about when that changes')
    expect(constant).toHaveLength(2)
  })

  it('says what was left out, filled in and cut', () => {
    const part = { ...RESULT.total, values: [], member: 'NO', label: 'Norway', state: 'too_short' as const }
    const result: ForecastResult = {
      ...{ ...RESULT, asked: 24, incomplete: { period: '2027-01-01', value: 3 }, parts: [part] },
      total: {
        ...RESULT.total,
        ...{ filled: [0, 1, 2, 3, 4], from: 12, trials: [{ what: 'cut', gain: 0.1, kept: true }] },
        outliers: [{ at: 20, value: 900, expected: 100, dampened: false }],
      },
    }
    const span = { from: '2025-01-01', to: '2025-01-31' }
    const events = [{ name: 'Fire', ...span, effect: { kind: 'leaveOut' as const } }]
    expect(of('leftOut', { result, events })).toEqual([
      '2027-01 is still running and was left out.',
      '5 months without figures were filled in: 2024-01, 2024-02, 2024-03 and 2 more.',
      '1 month lies far from what stands around it and was used as it is: 2025-09.',
      'Left out as out of the ordinary: Fire.',
      'Only figures from 2025-01 on were used: tried on the past, that did better.',
      '24 months were asked for; 12 months are shown, as there is too little history for more.',
      'One part has too little history alone and takes its share of the whole: Norway.',
    ])
  })

  it('says when the balance breaks a level, and what a scenario does about it', () => {
    const mean = RESULT.future.map((_, at) => 100 - 10 * (at + 1))
    const flow = path(RESULT.future.map(() => -10))
    const result: ForecastResult = {
      ...{ ...RESULT, total: { ...RESULT.total, path: flow } },
      balance: { opening: 100, source: 'books', past: [], path: path(mean) },
    }
    const floor = { name: 'Cash floor', side: 'below' as const, value: 45 }
    const loan = {
      ...{ id: 'aaaaaa', name: 'Loan' },
      steps: [{ kind: 'amount' as const, value: 200, each: 'once' as const, from: '2027-02-01', to: '2027-02-28' }],
    }
    const about = { result, thresholds: [floor], scenarios: [loan] }
    expect(of('balance', about)).toEqual([
      'The balance begins at 100 kr (by the books) and is expected to be -20 kr at the end of 2027-12, likely between -30 kr and -10 kr.',
    ])
    expect(of('breach', about)).toEqual([
      'Cash floor (45 kr): the forecast falls below it in 2027-06; by the 80 % band it may be as early as 2027-05, and it is 2027-07 at the latest.',
    ])
    expect(of('scenario', about)).toEqual([
      'Loan: 80 kr in all, 200 kr more than the forecast. The balance ends at 180 kr instead of -20 kr.',
      'Cash floor is then not broken, instead of in 2027-06.',
    ])
    const never = { ...about, thresholds: [{ ...floor, value: -45 }] }
    expect(of('breach', never)[0]).toBe('Cash floor (-45 kr): the forecast stays above it, the whole 80 % band too.')
  })

  it('never says NaN, null or undefined, whatever the figures', () => {
    const figures = fc.array(fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null }), {
      maxLength: 30,
    })
    const ahead = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 14 })
    fc.assert(
      fc.property(figures, ahead, fc.boolean(), fc.constantFrom(50, 80, 95), (raw, mean, additive, level) => {
        const periods = months('2024-01-01', raw.length)
        const future = months('2024-01-01', raw.length + mean.length).slice(raw.length)
        const result = { ...RESULT, periods, raw, future, total: { ...RESULT.total, path: path(mean) } }
        const thresholds = [{ name: 'Level', side: 'above' as const, value: 10 }]
        for (const line of said({ result, additive, thresholds, level: level === 50 ? 50 : level === 80 ? 80 : 95 }))
          expect(line).not.toMatch(/NaN|null|undefined|Infinity/)
      }),
    )
  })
})

describe('a run without a result', () => {
  it('says what is lacking and what to do', () => {
    expect(describeRunFailure({ code: 'too_short', message: '', have: 5, need: 24 }, 'month')).toEqual({
      title: 'There is too little history',
      advice:
        'There are 5 months with figures; it takes 24 months. Load older rows, let the history begin earlier, or forecast by week.',
    })
    expect(describeRunFailure({ code: 'refused', message: 'Nothing can be said of these figures.' }, 'day')).toEqual({
      title: 'It could not be computed',
      advice: 'Nothing can be said of these figures. Run it again, or change its settings.',
    })
  })
})
