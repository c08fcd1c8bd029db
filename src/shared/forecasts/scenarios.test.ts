import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORECAST_LEVELS, type ForecastPath, type ForecastResult } from './result'
import { applyScenario, findBreaches, resultBreaches, earliestBreach, type ScenarioOutcome } from './scenarios'
import type { ScenarioStep } from './forecasts'

const FUTURE = ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01']
const path = (mean: number[], half = 1): ForecastPath => {
  const band = (times: number) => ({
    lower: mean.map((value) => value - times * half),
    upper: mean.map((value) => value + times * half),
  })
  return { mean, bands: { 50: band(1), 80: band(2), 95: band(3) } }
}
const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)
type Known = Parameters<typeof applyScenario>[0]
function known(parts: { mean: number[]; half: number }[], opening = 50): Known & { opening: number } {
  const total = FUTURE.map((_, at) => sumOf(parts.map(({ mean }) => mean[at] ?? 0)))
  const half = Math.hypot(...parts.map((one) => one.half))
  let balance = opening
  return {
    opening,
    future: FUTURE,
    drivers: [{ metric: 'mtr_orders', name: 'Orders', mean: [10, 20, 30, 40] } as const],
    total: { path: path(total, half) },
    parts: parts.map((one, at) => ({ member: `p${at}`, path: path(one.mean, one.half) })),
    balance: {
      past: [null, opening],
      path: path(
        total.map((value) => (balance += value)),
        2 * half,
      ),
    },
  }
}

const figure = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const forecasts = fc
  .array(
    fc.record({
      mean: fc.array(figure, { minLength: 4, maxLength: 4 }),
      half: fc.double({ min: 0, max: 1e5, noNaN: true }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain((parts) => fc.constantFrom(known(parts), { ...known(parts), parts: [] }))
const span = fc
  .tuple(fc.constantFrom(...FUTURE, '2026-06-01', '2027-02-15'), fc.constantFrom(...FUTURE, '2028-01-01'))
  .map(([from, to]) => ({ from, to }))
const of = fc.constantFrom({}, { part: 'p0' }, { part: 'p1' }, { part: 'gone' })
const step: fc.Arbitrary<ScenarioStep> = fc
  .tuple(
    span,
    of,
    fc.oneof(
      fc.record({ kind: fc.constant('percent' as const), by: fc.double({ min: -1, max: 3, noNaN: true }) }),
      fc.record({
        ...{ kind: fc.constant('amount' as const), value: figure },
        each: fc.constantFrom('period' as const, 'once' as const),
      }),
      fc.record({
        ...{
          kind: fc.constant('driver' as const),
          metric: fc.constantFrom('mtr_orders' as const, 'mtr_gone' as const),
        },
        factor: figure,
      }),
    ),
  )
  .map(([within, part, change]) =>
    change.kind === 'driver' ? { ...change, ...within } : { ...change, ...part, ...within },
  )
const steps = fc.array(step, { maxLength: 6 })
const lines = ({ mean, bands }: ForecastPath): number[][] => [
  mean,
  ...FORECAST_LEVELS.flatMap((level) => [bands[level].lower, bands[level].upper]),
]
const near = (a: number, b: number, size = 1): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a), Math.abs(b), size))
const asMade = ({ total, parts, balance }: Known): Omit<ScenarioOutcome, 'idle'> => ({
  total: total.path,
  parts: parts.map((part) => part.path),
  balance,
})

describe('a scenario', () => {
  it('without steps is the forecast itself, and leaves it as it was', () => {
    fc.assert(
      fc.property(forecasts, steps, (result, list) => {
        const kept = structuredClone(result)
        applyScenario(result, { steps: list })
        expect(result).toEqual(kept)
        expect(applyScenario(result, { steps: [] })).toEqual({ ...asMade(result), idle: [] })
      }),
    )
  })

  it('has parts that add up to the whole exactly, in finite figures, with bands around their middles', () => {
    fc.assert(
      fc.property(forecasts, steps, (result, list) => {
        const { total, parts, balance } = applyScenario(result, { steps: list })
        if (parts.length > 0)
          total.mean.forEach((value, at) => expect(value).toBe(sumOf(parts.map(({ mean }) => mean[at] ?? NaN))))
        for (const one of [total, ...parts, ...(balance ? [balance.path] : [])]) {
          expect(lines(one).flat().every(Number.isFinite)).toBe(true)
          one.mean.forEach((middle, at) => {
            const { lower, upper } = one.bands[80]
            const slack =
              1e-6 * Math.max(1, ...lines(one).flat().map(Math.abs), sumOf(result.total.path.mean.map(Math.abs)))
            expect(lower[at]).toBeLessThanOrEqual(middle + slack)
            expect(upper[at]).toBeGreaterThanOrEqual(middle - slack)
          })
        }
      }),
    )
  })

  it('is what it was before when a step is taken back, by its list or by the opposite step', () => {
    fc.assert(
      fc.property(forecasts, steps, step, (result, list, last) => {
        const before = applyScenario(result, { steps: list })
        const undone = applyScenario(result, { steps: [...list, last].slice(0, -1) })
        expect(undone).toEqual(before)
        if (last.kind !== 'amount') return
        const back = applyScenario(result, { steps: [...list, last, { ...last, value: -last.value }] })
        const size = Math.max(1e6, ...lines(before.total).flat().map(Math.abs))
        back.total.mean.forEach((value, at) => near(value, before.total.mean[at] ?? NaN, 100 * size))
      }),
    )
  })

  it('adds an amount once in the first period of its span alone, and to the balance from there on', () => {
    fc.assert(
      fc.property(forecasts, span, of, figure, (result, within, part, value) => {
        const once: ScenarioStep = { kind: 'amount', each: 'once', value, ...part, ...within }
        const { total, balance, idle } = applyScenario(result, { steps: [once] })
        const first = idle.length > 0 ? -1 : FUTURE.findIndex((start) => start >= within.from && start <= within.to)
        total.mean.forEach((now, at) => {
          near(now, (result.total.path.mean[at] ?? NaN) + (at === first ? value : 0), 1e7)
          const base = result.balance?.path.mean[at] ?? NaN
          near(balance?.path.mean[at] ?? NaN, base + (first >= 0 && at >= first ? value : 0), 1e7)
        })
      }),
    )
  })

  it('recomputes the balance from its opening', () => {
    fc.assert(
      fc.property(forecasts, steps, (result, list) => {
        const { total, balance } = applyScenario(result, { steps: list })
        let sum = result.opening
        const size = Math.max(1e7, ...total.mean.map((value) => 10 * Math.abs(value)))
        total.mean.forEach((value, at) => near(balance?.path.mean[at] ?? NaN, (sum += value), size))
      }),
    )
  })

  it('scales bands by per cents and shifts them by amounts; changes of the whole are shared by size', () => {
    const result = known([
      { mean: [30, 30, 30, 30], half: 3 },
      { mean: [-10, 10, 10, 10], half: 4 },
    ])
    const within = { from: '2027-02-01', to: '2027-02-28' }
    const scaled = applyScenario(result, { steps: [{ kind: 'percent', by: 0.1, ...within }] })
    expect(scaled.total.mean).toEqual([20, 44, 40, 40])
    expect(scaled.total.bands[50].lower[1]).toBeCloseTo(1.1 * (40 - 5))
    expect(scaled.balance?.path.mean.map(Math.round)).toEqual([70, 114, 154, 194])
    const moved = applyScenario(result, { steps: [{ kind: 'amount', each: 'period', value: 8, ...within }] })
    expect(moved.parts.map(({ mean }) => mean[1])).toEqual([36, 12])
    expect(moved.total.bands[50]).toEqual({ lower: [15, 43, 35, 35], upper: [25, 53, 45, 45] })
  })

  it('makes the whole less sure by as much as its parts together, so that all parts by 10 % are the whole by 10 %', () => {
    const result = known([
      { mean: [30, 30, 30, 30], half: 3 },
      { mean: [10, 10, 10, 10], half: 4 },
    ])
    const within = { from: '2027-01-01', to: '2027-12-31' }
    const by = (part?: string): ScenarioStep => ({ kind: 'percent', by: 0.1, ...(part ? { part } : {}), ...within })
    const [each, whole] = [[by('p0'), by('p1')], [by()]].map((list) => applyScenario(result, { steps: list }))
    lines(each?.total ?? path([])).forEach((line, at) =>
      line.forEach((value, place) => near(value, lines(whole?.total ?? path([]))[at]?.[place] ?? NaN)),
    )
  })

  it('takes figures from a metric, and says which steps have no effect and why', () => {
    const result = known([{ mean: [1, 1, 1, 1], half: 1 }])
    const within = { from: '2027-01-01', to: '2027-02-01' }
    const list: ScenarioStep[] = [
      { kind: 'driver', metric: 'mtr_orders', factor: 2, ...within },
      { kind: 'driver', metric: 'mtr_gone', factor: 2, ...within },
      { kind: 'percent', by: 1, part: 'gone', ...within },
      { kind: 'percent', by: 1, from: '2020-01-01', to: '2020-12-31' },
    ]
    const { total, idle } = applyScenario(result, { steps: list })
    expect(total.mean).toEqual([20, 40, 1, 1])
    expect(idle).toEqual([
      { step: 1, why: 'driver' },
      { step: 2, why: 'part' },
      { step: 3, why: 'span' },
    ])
  })
})

describe('levels that matter', () => {
  const cash = (value: number) => ({ name: 'Cash floor', side: 'below' as const, value })
  const falling = path([40, 30, 20, 10], 5)

  it('are broken first by the near end of each band, then by the middle, then for sure', () => {
    const [breach] = findBreaches(falling, { future: FUTURE, now: 50 }, [cash(25)])
    expect(breach).toMatchObject({
      now: false,
      middle: '2027-03-01',
      bands: {
        50: { earliest: '2027-03-01', latest: '2027-04-01' },
        80: { earliest: '2027-02-01', latest: '2027-04-01' },
        95: { earliest: '2027-02-01', latest: null },
      },
    })
  })

  it('are broken already, or from above, or never; the level itself breaks nothing', () => {
    const above = { name: 'Ceiling', side: 'above' as const, value: 42 }
    const all = findBreaches(falling, { future: FUTURE, now: 20 }, [cash(25), above, cash(-100), cash(10)])
    expect(all.map(({ now, middle }) => [now, middle])).toEqual([
      [true, '2027-03-01'],
      [false, null],
      [false, null],
      [false, null],
    ])
    expect(all[1]?.bands[50].earliest).toBe('2027-01-01')
    expect(earliestBreach(all)).toEqual({ threshold: 'Cash floor', period: '2027-03-01' })
  })

  it('are held against the balance where there is one, of the base and of a scenario', () => {
    const base = known([{ mean: [-10, -10, -10, -10], half: 0 }])
    const result: Pick<ForecastResult, 'future' | 'raw' | 'total' | 'balance'> & Known = {
      ...base,
      raw: [1, 2],
      total: SERIES(base.total.path),
      balance: base.balance && { ...base.balance, opening: 50, source: 'person' },
    }
    expect(resultBreaches(result, [cash(25)])[0]?.middle).toBe('2027-03-01')
    const loan = applyScenario(result, {
      steps: [{ kind: 'amount', each: 'once', value: 10, from: FUTURE[0] ?? '', to: FUTURE[3] ?? '' }],
    })
    expect(resultBreaches(result, [cash(25)], loan)[0]?.middle).toBe('2027-04-01')
    expect(resultBreaches({ ...result, balance: null }, [cash(25)])[0]).toMatchObject({ now: true, middle: FUTURE[0] })
  })
})

const SERIES = (made: ForecastPath): ForecastResult['total'] => ({
  ...{ member: null, label: null, state: 'ready', path: made, method: 'blend', card: null, trials: [], filled: [] },
  ...{ outliers: [], from: 0, shape: null, backtest: null, components: null },
})
