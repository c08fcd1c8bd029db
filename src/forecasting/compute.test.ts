import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeForecast } from './compute'
import { workerEngines } from './engines/worker-engines'
import { generateCompany } from '../sample/sample-company'
import { findBreaches } from '../shared/forecasts/scenarios'
import { previewForecastSchema, type ForecastSettings, type ForecastSettingsInput } from '../shared/forecasts/forecasts'
import type { ForecastInput, ForecastPath, ForecastResult, InputSeries } from '../shared/forecasts/result'

const engines = workerEngines()
const noise = (t: number): number => Math.sin(t * t * 1.7)
const sales = (n: number, level = 1000): number[] =>
  Array.from(
    { length: n },
    (_, t) => level * (1 + 0.004 * t + 0.2 * Math.sin((Math.PI * t) / 6) + 0.02 * noise(t + level)),
  )

const months = (from: number, n: number): string[] =>
  Array.from({ length: n }, (_, t) => new Date(Date.UTC(from, t, 1)).toISOString().slice(0, 10))
const settingsOf = (over: Partial<ForecastSettingsInput> = {}): ForecastSettings =>
  previewForecastSchema.parse({ subject: { kind: 'metric', id: 'met_00000000000000000001' }, ...over })
const series = (values: (number | null)[], label: string | null = null): InputSeries => ({
  member: label,
  label,
  values,
})

function prepared(total: InputSeries, over: Partial<ForecastInput> = {}): ForecastInput {
  const n = total.values.length
  return {
    ...{ grain: 'month', periods: months(2020, n), future: months(2020, n + 36).slice(n), total, parts: [] },
    ...{ raw: total.values, ahead: [], incomplete: null, opening: null, drivers: [], country: null },
    ...{ format: { style: 'plain' }, direction: 'up', dataAsOf: null, conversion: null, inputHash: 'h' },
    ...over,
  }
}
function result(of: ForecastInput, over: Partial<ForecastSettingsInput> = {}): ForecastResult {
  const made = computeForecast(of, settingsOf({ horizon: 6, ...over }), engines)
  if (!made.ok) throw new Error(made.trouble.message)
  return made.result
}
const splitOf = (parts: (number | null)[][], over: Partial<ForecastInput> = {}): ForecastInput => {
  const total = parts[0]?.map((_, t) => parts.reduce((sum, part) => sum + (part[t] ?? 0), 0)) ?? []
  return prepared(series(total), { parts: parts.map((values, i) => series(values, `part ${i}`)), ...over })
}

/** Every number anywhere within. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  if (ArrayBuffer.isView(value)) throw new Error('not plain')
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}
const bandsHold = ({ mean, bands }: ForecastPath): boolean =>
  mean.every((v, step) =>
    ([50, 80, 95] as const).every(
      (level) => (bands[level].lower[step] ?? NaN) <= v && v <= (bands[level].upper[step] ?? NaN),
    ),
  )

describe('a forecast from what was prepared', () => {
  it('finds the season of sales and is plain, finite and the same each time', () => {
    const of = prepared(series(sales(60)))
    const made = result(of, { horizon: 12 })
    expect(made.total).toMatchObject({
      state: 'ready',
      method: 'blend',
      card: { season: 12 },
      backtest: { grade: 'A' },
    })
    expect(JSON.parse(JSON.stringify(made))).toEqual(made)
    expect(numbersIn(made).every(Number.isFinite)).toBe(true)
    expect(result(of, { horizon: 12 })).toEqual(made)
    const truth = sales(72).slice(60)
    made.total.path.mean.forEach((v, step) => expect(Math.abs(v / (truth[step] ?? 0) - 1)).toBeLessThan(0.06))
  })

  it('finds the season of two years and a half of months', () => {
    const truth = sales(36).slice(30)
    const { card, path } = result(prepared(series(sales(30)))).total
    expect(card?.season).toBe(12)
    path.mean.forEach((v, step) => expect(Math.abs(v / (truth[step] ?? 0) - 1)).toBeLessThan(0.1))
  })

  it('goes half the history ahead, and says what was asked', () => {
    const made = result(prepared(series(sales(20))), { horizon: 18 })
    expect([made.asked, made.future.length, made.total.path.mean.length]).toEqual([18, 10, 10])
  })

  it.each([
    ['too_short', sales(5), { have: 5, need: 8, message: 'There are 5 months with figures; a forecast takes 8.' }],
    ['too_many_gaps', sales(19).map((v, t) => (t % 3 === 1 ? null : v)), { have: 13, need: 14 }],
    ['too_short', new Array<null>(9).fill(null), { have: 0, need: 8 }],
  ])('answers %s with what there is and what it takes', (code, values, why) => {
    expect(computeForecast(prepared(series(values)), settingsOf(), null)).toMatchObject({
      ok: false,
      trouble: { code, ...why },
    })
  })

  it('shows forecasts of the past as they were used, at places among all periods', () => {
    const walk = Array.from({ length: 40 }, (_, t) => 50 + (t % 2 === 0 ? 1 : -1) * 20 * noise(3 * t))
    const made = result(prepared(series([null, null, ...walk])), { season: 'none' })
    const { backtest } = made.total
    const fold = backtest?.folds.at(-1)
    expect(fold?.origin).toBe(42 - 6)
    fold?.actual.forEach((v, step) => expect(v).toBeCloseTo(walk[34 + step] ?? NaN, 4))
    const misses = backtest?.folds.flatMap(({ actual, path }) =>
      actual.map((v, i) => Math.abs(v - (path.mean[i] ?? 0))),
    )
    const mae = (misses ?? []).reduce((sum, v) => sum + v, 0) / (misses?.length ?? 1)
    expect(mae).toBeCloseTo(backtest?.used.mae ?? NaN, 3)
  })
})

describe('parts', () => {
  it('add up exactly, whatever the figures, events and bounds', () => {
    const part = fc.array(fc.option(fc.integer({ min: -500, max: 5000 }), { freq: 9 }), {
      minLength: 24,
      maxLength: 24,
    })
    const bound = fc.option(fc.integer({ min: 0, max: 2000 }))
    const ahead = fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), bound, ahead, (parts, floor, more) => {
        const made = computeForecast(splitOf(parts, { ahead: more }), settingsOf({ horizon: 6, floor }), null)
        if (!made.ok) return
        const { total, parts: own } = made.result
        expect(numbersIn(made.result).every(Number.isFinite)).toBe(true)
        total.path.mean.forEach((v, step) => {
          expect(own.reduce((sum, { path }) => sum + (path.mean[step] ?? 0), 0)).toBe(v)
          if (floor !== null) expect(v).toBeGreaterThanOrEqual(floor - 1e-9 * (1 + floor))
        })
        expect([total.path, ...own.map(({ path }) => path)].every(bandsHold)).toBe(true)
      }),
      { numRuns: 12 },
    )
  })

  it('ten and the rest are taken, and one too young takes its share', () => {
    const parts = Array.from({ length: 11 }, (_, i) => sales(36, 100 * (i + 1)))
    const young = [...new Array<null>(30).fill(null), ...sales(6, 800)]
    const made = result(splitOf([...parts.slice(0, 10), young]))
    expect(made.parts).toHaveLength(11)
    expect(made.parts.at(-1)).toMatchObject({ state: 'too_short', have: 6, need: 8, backtest: null })
    expect(made.parts.at(-1)?.path.mean[0]).toBeGreaterThan(400)
  })
})

describe('a grade', () => {
  it('is never good for a flat line where there is a season, and the same whatever part of the history is used', () => {
    const values = Array.from(
      { length: 96 },
      (_, t) => 1_000 + 30 * t + 60 * Math.sin((Math.PI * t) / 6) + 4 * noise(t),
    )
    const flat = result(prepared(series(values)), { season: 'none' })
    expect(flat.total.backtest).toMatchObject({ season: 12, grade: 'C' })
    const whole = result(prepared(series(values))).total.backtest
    const cut = prepared(series(values.slice(24)), { earlier: values.slice(0, 24) })
    const [part, alone] = [result(cut), result({ ...cut, earlier: [] })].map(({ total }) => total.backtest)
    expect(part?.seasonalNaive.mae).toBe(whole?.seasonalNaive.mae)
    expect(part?.seasonalNaive.mase).toBeCloseTo(whole?.seasonalNaive.mase ?? NaN, 9)
    expect(part?.seasonalNaive.mase).not.toBeCloseTo(alone?.seasonalNaive.mase ?? NaN, 9)
  })

  it('of a split total is measured on the sum of the parts as it is shown', () => {
    const made = result(splitOf([sales(48), sales(48, 400), Array.from({ length: 48 }, (_, t) => 90 + 60 * noise(t))]))
    const misses = made.total.backtest?.folds.flatMap(({ origin, actual, path }) =>
      actual.map((came, step) => {
        const sum = made.parts.reduce((all, part) => {
          const fold = part.backtest?.folds.find((one) => one.origin === origin)
          return all + (fold?.path.mean[step] ?? NaN)
        }, 0)
        expect(sum / (path.mean[step] ?? NaN)).toBeCloseTo(1, 5)
        return Math.abs(came - (path.mean[step] ?? NaN))
      }),
    )
    const mae = (misses ?? []).reduce((all, miss) => all + miss, 0) / (misses?.length ?? 1)
    expect(mae).toBeCloseTo(made.total.backtest?.used.mae ?? NaN, 2)
  })
})

describe('what is known of the future', () => {
  const flat = new Array<number>(24).fill(100)

  it('adds events and keeps within what a person has set', () => {
    const made = result(prepared(series(flat), { ahead: [0, 50, -80, 0, 0, 0] }), { floor: 30, ceiling: 120 })
    expect(made.total.path.mean).toEqual([100, 120, 30, 100, 100, 100])
    const split = result(splitOf([flat, flat.map((v) => 3 * v)], { ahead: [0, 40] }))
    expect(split.parts.map(({ path }) => path.mean.slice(0, 2))).toEqual([
      [100, 110],
      [300, 330],
    ])
  })

  it('is not negative for what never was, parts too', () => {
    const falling = Array.from({ length: 30 }, (_, t) => Math.max(0, 300 - 11 * t) + 3 + noise(t))
    const made = result(prepared(series(falling)), { horizon: 12 })
    expect(Math.min(...made.total.path.mean, ...made.total.path.bands[95].lower)).toBeGreaterThanOrEqual(0)
    const loss = Array.from({ length: 30 }, (_, t) => -20 - 12 * t + noise(t))
    const [part, other] = result(splitOf([falling, loss]), { horizon: 12 }).parts
    expect(Math.min(...(part?.path.mean ?? []), ...(part?.path.bands[95].lower ?? []))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...(other?.path.mean ?? []))).toBeLessThan(0)
  })

  it('accumulates to a balance whose band is never narrower than that of the first step', () => {
    const flows = Array.from({ length: 48 }, (_, t) => 40 * noise(t) - 5)
    const made = result(prepared(series(flows), { opening: { value: 1000, source: 'books' } }), { floor: -10 })
    const { balance, total } = made
    expect(balance?.past.at(-1)).toBe(1000)
    expect(balance?.past.at(-2)).toBeCloseTo(1000 - (flows.at(-1) ?? 0), 9)
    expect(balance?.path.mean.at(-1)).toBeCloseTo(1000 + total.path.mean.reduce((sum, v) => sum + v, 0), 9)
    const widths = balance?.path.bands[80].upper.map((v, step) => v - (balance.path.bands[80].lower[step] ?? 0)) ?? []
    expect(widths).toEqual(widths.toSorted((a, b) => a - b))
    const first = (total.path.bands[80].upper[0] ?? 0) - (total.path.bands[80].lower[0] ?? 0)
    expect(widths[0]).toBeGreaterThanOrEqual(first - 1e-9)
    expect(balance && bandsHold(balance.path)).toBe(true)
  })

  it('a balance falls below its floor in the month that the sums say, whatever bounds the figures', () => {
    const of = prepared(series(new Array<number>(24).fill(-100)), { opening: { value: 1000, source: 'books' } })
    const { balance, future } = result(of, { floor: -100 })
    const floor = { name: 'Cash floor', side: 'below' as const, value: 450 }
    const [breach] = balance ? findBreaches(balance.path, { future, now: 1000 }, [floor]) : []
    expect(balance?.path.mean).toEqual([900, 800, 700, 600, 500, 400])
    expect(breach).toMatchObject({ now: false, middle: '2022-06-01', bands: { 95: { earliest: '2022-06-01' } } })
  })

  it('a balance is not known before a hole', () => {
    const made = result(
      prepared(series(flat), { raw: [...flat.slice(0, 22), null, 100], opening: { value: 500, source: 'sum' } }),
    )
    expect(made.balance?.past.slice(-3)).toEqual([null, 400, 500])
  })

  it('figures of drivers go as far as the whole, and those that cannot are left out', () => {
    const drivers = [
      { metric: 'a', name: 'Visits', values: flat },
      { metric: 'b', name: 'New', values: [...new Array<null>(20).fill(null), 1, 2, 3, 4] },
    ]
    expect(result(prepared(series(sales(24)), { drivers })).drivers).toEqual([
      { metric: 'a', name: 'Visits', mean: new Array<number>(6).fill(100) },
    ])
  })
})

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, v) => sum + v, 0)

describe('the sample company', () => {
  const { orders, years } = generateCompany('2026-07-15')
  const months = (postings: Iterable<{ day: number; amount: number }>): { periods: string[]; values: number[] } => {
    const sums = new Map<string, number>()
    for (const { day, amount } of postings) {
      const month = `${new Date(day * 86_400_000).toISOString().slice(0, 7)}-01`
      sums.set(month, (sums.get(month) ?? 0) + amount / 100)
    }
    const periods = [...sums.keys()].toSorted().slice(0, -1)
    return { periods, values: periods.map((period) => sums.get(period) ?? 0) }
  }

  it('sells by a season, which thirty months are enough to find', () => {
    const { periods, values } = months(orders)
    const made = result(prepared(series(values), { periods }))
    expect([values.length, made.total.card?.season, made.total.backtest?.grade]).toEqual([
      30,
      12,
      expect.stringMatching(/[AB]/),
    ])
  })

  it.each([
    ['products', (order: (typeof orders)[number]) => order.product.name],
    ['countries', (order: (typeof orders)[number]) => order.customer.country],
  ] as const)('has as a total of its %s what it has unsplit, within half of the chances', (_name, of) => {
    const { periods, values } = months(orders)
    const members = new Map<string, number[]>()
    for (const order of orders) {
      const at = periods.indexOf(`${new Date(order.day * 86_400_000).toISOString().slice(0, 7)}-01`)
      if (at < 0) continue
      const own = members.get(of(order)) ?? periods.map(() => 0)
      own[at] = (own[at] ?? 0) + order.amount / 100
      members.set(of(order), own)
    }
    const ranked = [...members.values()].toSorted((a, b) => sumOf(b) - sumOf(a))
    const rest = periods.map((_, at) => sumOf(ranked.slice(10).map((own) => own[at] ?? 0)))
    const parts = [...ranked.slice(0, 10), ...(ranked.length > 10 ? [rest] : [])]
    const whole = result(prepared(series(values), { periods })).total.path
    const split = result(prepared(series(values), { periods, parts: parts.map((own, i) => series(own, `part ${i}`)) }))
    split.total.path.mean.forEach((v, step) => {
      expect(v).toBeGreaterThanOrEqual(whole.bands[50].lower[step] ?? NaN)
      expect(v).toBeLessThanOrEqual(whole.bands[50].upper[step] ?? NaN)
    })
  })

  it('has as much in the bank at the end of each month as its books say', () => {
    const cash = years.flatMap(({ vouchers }) =>
      vouchers.flatMap(({ day, entries }) =>
        entries.flatMap(({ account, amount }) => (/^19/.test(String(account)) ? [{ day, amount }] : [])),
      ),
    )
    const { periods, values } = months(cash)
    const opened = [...(years[0]?.opening ?? [])].reduce(
      (sum, [account, amount]) => sum + (/^19/.test(String(account)) ? amount / 100 : 0),
      0,
    )
    const value = values.reduce((sum, v) => sum + v, opened)
    const { balance } = result(prepared(series(values), { periods, opening: { value, source: 'books' } }))
    let running = opened
    values.forEach((v, at) => expect(balance?.past[at]).toBeCloseTo((running += v), 4))
    expect(balance?.path.mean.every(Number.isFinite)).toBe(true)
  })
})
