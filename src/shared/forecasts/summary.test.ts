import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ForecastFormatter, SentenceFigures } from './model-card-text'
import type { ForecastPath, ForecastResult } from './result'
import { describeRunFailure } from './run-failure-text'
import { createForecastFormatter } from './forecast-formatter'
import { createCellFormatter } from '../figures/cell-formatter'
import { createFormatter } from '../figures/formatter'
import { summariseForecast, type SummaryInput, type SummaryLine } from './summary'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthName = (start: string): string => `${MONTHS[Number(start.slice(5, 7)) - 1] ?? ''} ${start.slice(0, 4)}`
const FIGURES: SentenceFigures = {
  rounded: (value) => `${Math.round(value)} kr`.replace('-', '−'),
  range: (lower, upper) => `${FIGURES.rounded(lower)}${upper < 0 ? ' – ' : '–'}${FIGURES.rounded(upper)}`,
}
const WORDS: ForecastFormatter = {
  figure: (value) => `${Math.round(value)} kr`,
  ...FIGURES,
  inOneSentence: () => FIGURES,
  percent: (part) => `${Math.round(part * 100)} %`,
  share: (part) => `${Math.round(part * 100)} %`,
  points: (part) => `${Math.round(part * 100)} pp`,
  count: String,
  period: (start) => monthName(start),
  when: (start) => `in ${monthName(start)}`,
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
const SEASONAL = Array.from({ length: 36 }, (_, at) => 100 * season(at))
const errors = { mae: 4, mape: 0.04, mase: 0.8, bias: 0, coverage: { 50: 0.5, 80: 0.75, 95: 1 }, checks: 36, steps: [] }
const RESULT: ForecastResult = {
  ...{ v: 1, grain: 'month', periods: months('2024-01-01', 36), future: months('2027-01-01', 12), asked: 12 },
  values: SEASONAL,
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
      ...{ kind: 'multiplicative', trend: SEASONAL.map(() => 100), rest: [], first: 0 },
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
      'Sales: 1260 kr expected for Jan–Dec 2027, up 5 % vs a year earlier (1200 kr).',
      'Jan 2027: 105 kr (80 % interval 95 kr–115 kr). Dec 2027: 105 kr (80 % interval 95 kr–115 kr).',
      'Seasonality: December +20 %, July −15 % vs trend.',
      'Backtest (3 runs): average error 4 kr (4 %); 27 of 36 actuals in the 80 % interval. Seasonal naive: 5 kr.',
      'Grade B: error below the usual seasonal change.',
    ])
  })

  it('adds figures up only where they do, and holds no more against the year before than is known of it', () => {
    expect(of('expected', {})[0]).toContain('Sales: 105 kr per month expected for Jan–Dec 2027')
    const long = { ...RESULT, future: months('2027-01-01', 14) }
    long.total = { ...RESULT.total, path: path(Array.from({ length: 14 }, (_, at) => (at < 12 ? 90 : 500))) }
    expect(of('expected', { result: long, additive: true })[0]).toContain(
      'Jan 2027 – Feb 2028, first 12 months: down 10 % vs a year earlier (1200 kr).',
    )
    const young = { ...RESULT, periods: months('2026-06-01', 7), raw: [1, 2, 3, 4, 5, 6, 7] }
    expect(of('expected', { result: young })[0]).toBe('Sales: 105 kr per month expected for Jan–Dec 2027.')
  })

  it('tells a change of a percentage in points, and one from nothing or less as an amount', () => {
    const percent = { ...RESULT, format: { style: 'percent' as const }, raw: RESULT.raw.map(() => 100) }
    expect(of('expected', { result: percent })[0]).toContain(', up 500 pp vs a year earlier (100 kr).')
    const loss = { ...RESULT, raw: RESULT.raw.map(() => -10) }
    expect(of('expected', { result: loss })[0]).toContain(', up 115 kr vs a year earlier (−10 kr).')
    const equal = { ...RESULT, raw: RESULT.raw.map(() => 105) }
    expect(of('expected', { result: equal })[0]).toContain(', in line with a year earlier (105 kr).')
  })

  it('says that the last season is repeated where the method does no better, and how it is graded', () => {
    const { backtest } = RESULT.total
    const naive = backtest && { ...backtest, method: 'seasonal naive' as const, grade: 'D' as const }
    expect(said({}, { backtest: naive })).toContain(
      'Backtest (3 runs): average error 4 kr (4 %); 27 of 36 actuals in the 80 % interval. Seasonal naive is far better: used.',
    )
    expect(said({}, { backtest: naive })).toContain('Grade D: error not below the usual seasonal change.')
    const few = backtest && { ...backtest, season: 1, used: { ...backtest.used, checks: 4 } }
    expect(said({}, { backtest: few }).join(' ')).toContain('Naive: 5 kr. Small sample.')
    expect(said({}, { backtest: null })).toContain('Not enough history for a backtest.')
    const constant = said({}, { shape: 'constant', backtest: null, components: null })
    expect(constant[1]).toBe('Constant so far; the forecast repeats 105 kr.')
    expect(constant).toHaveLength(2)
  })

  it('names the highest and the lowest place only where they were so in most seasons', () => {
    const from = (place: (at: number) => number): string[] =>
      of('season', { result: { ...RESULT, values: SEASONAL.map((v, at) => v * place(at)) } })
    const inJune = (at: number): number => (at % 12 === 5 ? 1.5 : 1)
    expect(from((at) => (at < 12 ? inJune(at) : 1))).toEqual(['Seasonality: December +20 %, July −15 % vs trend.'])
    expect(from((at) => (at >= 24 ? inJune(at) : at >= 12 && at % 12 === 2 ? 1.5 : 1))).toEqual([
      'Seasonality: July −15 % vs trend.',
    ])
  })

  it('says what a history too short for a season lacks', () => {
    const card = RESULT.total.card && { ...RESULT.total.card, season: null }
    const young = { ...RESULT, values: SEASONAL.slice(16), total: { ...RESULT.total, card, components: null } }
    expect(of('season', { result: young })).toEqual(['Seasonality unknown: 20 of the 24 months a yearly season takes.'])
    expect(of('season', { result: { ...young, values: SEASONAL } })).toEqual([])
  })

  it('holds days against the same weekdays a year before, and says so', () => {
    const day = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
    const periods = Array.from({ length: 370 }, (_, at) => day(at))
    const raw = periods.map((start) => (new Date(start).getUTCDay() === 0 ? 10 : 105))
    const days = { ...RESULT, ...{ grain: 'day' as const, periods, raw, values: raw, future: [day(370), day(371)] } }
    days.total = { ...RESULT.total, path: path([105, 105]) }
    expect(of('expected', { result: days, additive: true })[0]).toContain(
      'in line with the same weekdays a year earlier (210 kr)',
    )
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
      'Jan 2027 is incomplete and excluded.',
      '5 missing months filled in: Jan 2024, Feb 2024, Mar 2024 and 2 more.',
      '1 outlier kept: Sep 2025.',
      'Events excluded: Fire.',
      'History from Jan 2025 used: better backtest.',
      '12 of 24 months: not enough history.',
      'Share of total, too little history: Norway.',
    ])
  })

  it('says when the balance breaks a level, and what a scenario does about it', () => {
    const mean = RESULT.future.map((_, at) => 100 - 10 * (at + 1))
    const flow = path(RESULT.future.map(() => -10))
    const result: ForecastResult = {
      ...{ ...RESULT, total: { ...RESULT.total, path: flow } },
      balance: { opening: 100, source: 'books', past: [], path: path(mean) },
    }
    const floor = { name: 'Minimum cash', side: 'below' as const, value: 45 }
    const loan = {
      ...{ id: 'aaaaaa', name: 'Loan' },
      steps: [{ kind: 'amount' as const, value: 200, each: 'once' as const, from: '2027-02-01', to: '2027-02-28' }],
    }
    const about = { result, thresholds: [floor], scenarios: [loan] }
    expect(of('balance', about)).toEqual([
      'Balance: 100 kr (ledger), −20 kr expected end of Dec 2027 (80 % interval −30 kr – −10 kr).',
    ])
    expect(of('breach', about)).toEqual(['Minimum cash (45 kr): first below in Jun 2027 (80 % interval May–Jul 2027).'])
    expect(of('scenario', about)).toEqual([
      'Loan: 80 kr in total, 200 kr above baseline. Closing balance 180 kr vs −20 kr.',
      'Minimum cash: never below (baseline Jun 2027).',
    ])
    const idle = { ...loan, steps: loan.steps.map((step) => ({ ...step, from: '2020-01-01', to: '2020-01-31' })) }
    expect(of('scenario', { ...about, scenarios: [idle] })).toEqual([
      'Loan: −120 kr in total. Same as baseline.',
      '1 step has no effect.',
    ])
    const already = { ...about, thresholds: [{ ...floor, value: 145 }] }
    expect(of('breach', already)[0]).toBe('Minimum cash (145 kr): already below.')
    const possible = { ...about, thresholds: [{ ...floor, value: -25 }] }
    expect(of('breach', possible)[0]).toBe('Minimum cash (−25 kr): not expected, possible from Dec 2027.')
    const maybe = { ...about, thresholds: [{ ...floor, value: -15 }] }
    expect(of('breach', maybe)[0]).toBe(
      'Minimum cash (−15 kr): first below in Dec 2027 (80 % interval Nov 2027 – never).',
    )
    const never = { ...about, thresholds: [{ ...floor, value: -45 }] }
    expect(of('breach', never)[0]).toBe('Minimum cash (−45 kr): stays above, interval included.')
  })

  it('writes the figures of a sentence with the same decimals, and both ends of an interval in one unit', () => {
    const swedish = createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' })
    const format = { style: 'currency' as const, currency: 'SEK' }
    const words = createForecastFormatter({ format, grain: 'month' }, createCellFormatter(swedish))
    const lines = (mean: number, by: number): string[] => {
      const band = { lower: [mean - by], upper: [mean + by] }
      const result = {
        ...{ ...RESULT, format, future: months('2027-01-01', 1), raw: RESULT.raw.map(() => 70.5) },
        total: { ...RESULT.total, path: { mean: [mean], bands: { 50: band, 80: band, 95: band } } },
      }
      return summariseForecast({ name: 'Sales', level: 80, result }, words)
        .map(({ text }) => text.replaceAll(/\s/g, ' '))
        .slice(0, 2)
    }
    expect(lines(105, 3.25)).toEqual([
      'Sales: 105,00 kr expected for Jan 2027, up 48,9 % vs a year earlier (70,50 kr).',
      'Jan 2027: 105,00 kr (80 % interval 101,75 kr–108,25 kr).',
    ])
    expect(lines(676_530, 603_471)[1]).toBe('Jan 2027: 677 tkr (80 % interval 0,07 Mkr–1,28 Mkr).')
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
      title: 'Not enough history: 5 of 24 months',
      advice: 'Import more or forecast by week.',
    })
    expect(describeRunFailure({ code: 'mixed_currency', message: '' }, 'month').title).toBe('Mixed currencies')
    expect(describeRunFailure({ code: 'refused', message: 'Query too large.' }, 'day')).toEqual({
      title: 'Forecast failed',
      advice: 'Query too large. Run again or change the settings.',
    })
  })
})
