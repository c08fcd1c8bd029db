import { FORECAST_LEVELS } from '../shared/forecasts/result'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileSeries } from '../../test/worker/hostile-series'
import type { ModelForecast, Frequency } from './contract'
import { workerEngines } from './engines/worker-engines'
import { forecast } from './forecast'

const LONG = env.LONG === '1'
const engines = workerEngines()

/** Repeatable noise in [−1, 1]. */
const noise = (t: number): number => {
  const x = Math.sin(t * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
const monthly = (n: number, amplitude = 20): number[] =>
  Array.from({ length: n }, (_, t) => 200 + t + amplitude * Math.sin((Math.PI * t) / 6) + 3 * noise(t))

function made(values: readonly (number | null)[], frequency: Frequency = 'monthly', horizon = 12): ModelForecast {
  const answer = forecast({ values, frequency, horizon, engines })
  if (answer.kind !== 'forecast') throw new Error(answer.reason)
  return answer
}

const figures = ({ mean, bands, members }: ModelForecast): number[] => [
  ...mean,
  ...FORECAST_LEVELS.flatMap((level) => [...bands[level].lower, ...bands[level].upper]),
  ...members.flatMap(({ path }) => path),
]

describe('a forecast', () => {
  it('follows trend and season, and says what it was made of', () => {
    const { mean, card } = made(monthly(96))
    const truth = monthly(108).slice(96)
    mean.forEach((v, step) => expect(Math.abs(v - (truth[step] ?? 0))).toBeLessThan(12))
    expect(card).toMatchObject({ route: 'blend', season: 12, seasonKind: 'multiplicative', withoutEngines: false })
    expect(card.members).toContain('mstl')
  })

  it('has bands that contain each other and the mean, and widen with the level', () => {
    const { mean, bands } = made(monthly(60))
    mean.forEach((v, step) => {
      const edges = [
        bands[95].lower[step],
        bands[80].lower[step],
        bands[50].lower[step],
        v,
        bands[50].upper[step],
        bands[80].upper[step],
        bands[95].upper[step],
      ].map((edge) => edge ?? NaN)
      expect(edges).toEqual([...edges].sort((a, b) => a - b))
    })
  })

  it('is the same for the same input, in any order of asking', () => {
    const first = made(monthly(70))
    made(monthly(30), 'quarterly', 4)
    expect(made(monthly(70))).toEqual(first)
  })

  it('knows no units: values twice as large give a forecast twice as large, to the last digit', () => {
    const values = monthly(48)
    const small = figures(made(values))
    expect(figures(made(values.map((v) => v * 2 ** 40)))).toEqual(small.map((v) => v * 2 ** 40))
  })

  it('adds seasons to values that go below zero, and does not hold them above', () => {
    const values = monthly(72, 60).map((v) => v - 250)
    const { mean, card } = made(values)
    expect(card).toMatchObject({ season: 12, seasonKind: 'additive' })
    expect(Math.min(...mean)).toBeLessThan(-20)
  })

  it('goes on without WebAssembly and says so', () => {
    const answer = forecast({ values: monthly(72), frequency: 'monthly', horizon: 6, engines: null })
    expect(answer).toMatchObject({ kind: 'forecast', card: { withoutEngines: true, season: 12 } })
  })

  it('fills holes, lists them, and begins after the last period asked for, not after the last value', () => {
    const full = monthly(72)
    const holed = full.map((v, t) => (t === 20 || t > 69 ? null : v))
    const { mean, card } = made(holed)
    expect(card.filled).toEqual([20])
    const whole = made(full).mean
    mean.forEach((v, step) => expect(Math.abs(v - (whole[step] ?? 0))).toBeLessThan(8))
  })

  it('takes both seasons of ten years of days', () => {
    const day = (t: number): number =>
      500 + 80 * Math.sin((2 * Math.PI * t) / 7) + 120 * Math.cos((2 * Math.PI * t) / 365) + 10 * noise(t)
    const { mean, card } = made(
      Array.from({ length: 3_650 }, (_, t) => day(t)),
      'daily',
      90,
    )
    expect(card).toMatchObject({ season: 7, longSeason: 365 })
    const off = mean.reduce((sum, v, step) => sum + Math.abs(v - day(3_650 + step)) / 90, 0)
    expect(off).toBeLessThan(40)
  })
})

describe('series without a shape', () => {
  it.each([
    ['constant', [7, 7, 7, 7, 7, 7, 7, 7, 7], 'constant', 7],
    ['one value', [3], 'constant', 3],
    ['two values', [3, 5], 'short', 5],
    ['all zero', [0, 0, 0, 0, 0, 0], 'constant', 0],
  ])('%s repeat what was last', (_name, values, route, last) => {
    const answer = made(values)
    expect(answer.card.route).toBe(route)
    expect(answer.mean).toEqual(new Array(12).fill(last))
  })

  it('mostly zero get a demand per period, bounded by what was seen', () => {
    const values = Array.from({ length: 60 }, (_, t) => (t % 5 === 0 ? 10 : 0))
    const { mean, bands, card } = made(values)
    expect(card).toMatchObject({ route: 'intermittent', members: ['croston', 'sba', 'tsb'] })
    expect(mean[0]).toBeGreaterThan(1.5)
    expect(mean[0]).toBeLessThan(2.5)
    expect([bands[95].lower[0], bands[95].upper[0]]).toEqual([0, 10])
  })

  it('that ended are expected to stay away', () => {
    const values = Array.from({ length: 80 }, (_, t) => (t < 20 && t % 2 === 0 ? 10 : 0))
    const path = made(values).members.find(({ name }) => name === 'tsb')?.path[0]
    expect(path).toBeLessThan(0.1)
  })

  it.each([
    ['nothing', [], 12, 'no_values'],
    ['holes alone', [null, null], 12, 'no_values'],
    ['no step ahead', [1, 2, 3], 0, 'bad_horizon'],
    ['half a step', [1, 2, 3], 0.5, 'bad_horizon'],
    ['too much', new Array<number>(20_001).fill(1), 12, 'too_many_values'],
  ])('%s is refused', (_name, values, horizon, reason) => {
    expect(forecast({ values, frequency: 'monthly', horizon, engines })).toEqual({ kind: 'refused', reason })
  })
})

describe('hostile series', () => {
  it('are answered in finite figures, bands around the mean, or refused by name', () => {
    fc.assert(
      fc.property(hostileSeries, (series) => {
        const answer = forecast({ ...series, engines })
        if (answer.kind === 'refused') return
        expect(answer.mean).toHaveLength(series.horizon)
        expect(figures(answer).every(Number.isFinite)).toBe(true)
        answer.mean.forEach((v, step) => {
          expect(answer.bands[95].lower[step]).toBeLessThanOrEqual(v)
          expect(answer.bands[95].upper[step]).toBeGreaterThanOrEqual(v)
        })
      }),
      { numRuns: LONG ? 1_000 : 30 },
    )
  })

  it('that double each step keep the members that see growth', () => {
    const answer = made(Array.from({ length: 36 }, (_, t) => 2 ** t))
    expect(answer.card.dropped).toEqual([])
    expect(answer.members.find(({ name }) => name === 'dotm of growth')?.path.at(-1)).toBeGreaterThan(2 ** 46)
  })

  it('one value of 1e300 does not carry the others away', () => {
    const values = monthly(60)
    values[30] = 1e300
    expect(figures(made(values)).every(Number.isFinite)).toBe(true)
  })
})
