import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  backtest,
  foldOrigins,
  gradeFor,
  coverageCounts,
  measureAccuracy,
  maseScale,
  seasonalNaiveForecast,
} from './backtest'
import type { BacktestFold } from './backtest'

/** Repeatable noise in [−1, 1]. */
const noise = (t: number): number => {
  const x = Math.sin(t * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
const seasonal = (n: number): number[] =>
  Array.from({ length: n }, (_, t) => 100 + 0.5 * t + 15 * Math.sin((Math.PI * t) / 6) + 2 * noise(t))
/** A random walk: nothing beats its last value. */
const walk = (n: number): number[] => {
  let level = 1_000
  return Array.from({ length: n }, (_, t) => (level += 10 * noise(t * 7.3)))
}
const ask = { frequency: 'monthly', horizon: 6, engines: null } as const

describe('rolling origins', () => {
  it('are three to eight where the history allows, each with a whole horizon after it, the last one at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 300 }), fc.integer({ min: 1, max: 36 }), (length, horizon) => {
        fc.pre(horizon <= length / 2)
        const origins = foldOrigins(length, horizon, 12)
        expect(origins.length).toBeLessThanOrEqual(8)
        if (length >= 12) expect(origins.length).toBeGreaterThanOrEqual(3)
        expect(origins.at(-1)).toBe(length - horizon)
        expect(origins).toEqual([...new Set(origins)].sort((a, b) => a - b))
      }),
    )
  })

  it('see nothing of what came after them', () => {
    const values = seasonal(60)
    const other = values.map((v, t) => (t < 48 ? v : 9_999 * noise(t)))
    const before = backtest({ ...ask, values })?.folds.filter(({ origin }) => origin <= 48)
    const after = backtest({ ...ask, values: other })?.folds.filter(({ origin }) => origin <= 48)
    expect(before?.length).toBeGreaterThan(2)
    expect(after?.map(({ path, bands, scale }) => ({ path, bands, scale }))).toEqual(
      before?.map(({ path, bands, scale }) => ({ path, bands, scale })),
    )
  })

  it('have no fold where there is no room', () => {
    expect(backtest({ ...ask, values: [1, 2, 3, 4, 5, 6] })).toBeNull()
  })
})

describe('repeating the season', () => {
  it('repeats it also where the past is exactly one, with a band of its own', () => {
    const year = Array.from({ length: 12 }, (_, month) => 100 + 10 * month)
    const { mean, bands } = seasonalNaiveForecast(year, 14, 12)
    expect(mean).toEqual([...year, 100, 110])
    expect(bands[80].upper.every((bound, step) => bound > (mean[step] ?? Infinity))).toBe(true)
  })

  it('is measured as it is used', () => {
    const values = Array.from({ length: 24 }, (_, t) => (t % 12 === 8 ? 100 : 800 + 40 * noise(t)))
    const tried = backtest({
      ...{ ...ask, horizon: 12, values },
      forecaster: (_past, steps) => ({ ...seasonalNaiveForecast([0], steps, 12) }),
    })
    expect(tried?.method).toBe('seasonal naive')
    expect(tried?.used.mae).toBeCloseTo(tried?.seasonalNaive.mae ?? 0, 9)
  })
})

describe('the judgement', () => {
  it('uses the blend where it beats repeating the last season', () => {
    const tried = backtest({ ...ask, values: seasonal(84) })
    expect(tried).toMatchObject({ method: 'blend', season: 12 })
    expect(tried?.blend.mase).toBeLessThan(0.98 * (tried?.seasonalNaive.mase ?? 0))
    expect(tried?.used).toEqual(tried?.blend)
  })

  it.each([
    ['stays with the blend where it is worse than seasonal naive by less than as much again', () => 1.9, 'blend'],
    ['uses seasonal naive, and its own measures, where the blend is twice as bad', () => 2.1, 'seasonal naive'],
    [
      'stays with the blend where only its older forecasts are bad, made from the least history',
      (origin: number) => (origin < 45 ? 9 : 1.2),
      'blend',
    ],
    [
      'stays with the blend where only its newer forecasts are twice as bad',
      (origin: number) => (origin < 45 ? 0.2 : 2.1),
      'blend',
    ],
  ] as const)('%s', (_name, worse, method) => {
    const values = walk(60)
    const tried = backtest({
      ...ask,
      frequency: 'yearly',
      values,
      forecaster: (past, steps, origin) => {
        const last = past.at(-1) ?? 0
        const mean = Array.from({ length: steps }, (_, step) => {
          const came = values[origin + step] ?? 0
          return came + worse(origin) * (last - came)
        })
        const band = { lower: mean, upper: mean }
        return { mean, bands: { 50: band, 80: band, 95: band } }
      },
    })
    expect(tried?.method).toBe(method)
    const measured = method === 'blend' ? tried?.blend : tried?.seasonalNaive
    expect(tried?.used.mase).toBe(measured?.mase)
  })

  it.each([
    [0.69, 'A'],
    [0.7, 'B'],
    [0.9, 'C'],
    [1, 'D'],
    [null, null],
  ])('grades %s as %s', (mase, grade) => expect(gradeFor(mase)).toBe(grade))
})

describe('measures', () => {
  const band = (lower: number[], upper: number[]) => ({ lower, upper })
  const fold: BacktestFold = {
    origin: 10,
    actual: [10, 20],
    path: [12, 16],
    bands: { 50: band([11, 15], [13, 17]), 80: band([9, 15], [13, 19]), 95: band([5, 5], [30, 30]) },
    naive: [8, 8],
    seasonalNaive: [10, 10],
    scale: 2,
  }

  it('are told by hand', () => {
    const measures = measureAccuracy([fold])
    expect(measures).toMatchObject({ mae: 3, mape: 20, mase: 1.5, bias: -1, checks: 2 })
    expect(measures.coverage).toEqual({ 50: 0, 80: 0.5, 95: 1 })
    expect(measures.steps).toEqual([
      { step: 1, mae: 2, coverage: { 50: 0, 80: 1, 95: 1 } },
      { step: 2, mae: 4, coverage: { 50: 0, 80: 0, 95: 1 } },
    ])
    expect(coverageCounts(measures)).toContainEqual({ level: 80, held: 1, of: 2 })
  })

  it('tell no percent where a value is zero, and no scaled error of a constant past', () => {
    expect(measureAccuracy([{ ...fold, actual: [0, 20] }]).mape).toBeNull()
    expect(measureAccuracy([{ ...fold, scale: 0 }]).mase).toBeNull()
    expect(maseScale([1, 2, 4, 8], 2)).toBe(4.5)
  })
})
