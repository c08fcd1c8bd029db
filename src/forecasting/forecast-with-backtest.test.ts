import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileSeries } from '../../test/worker/hostile-series'
import { workerEngines } from './engines/worker-engines'
import { epochDay } from './holidays'
import { forecast } from './forecast'
import { forecastHierarchy } from './forecast-hierarchy'
import { forecastWithBacktest } from './forecast-with-backtest'
import type { BacktestedForecast, ForecastRequest } from './forecast-with-backtest'

const engines = workerEngines()
/** WebAssembly costs most of the time of a long test: only the long run has it there. */
const thorough = env.LONG === '1' ? engines : null

/** Repeatable noise in [−1, 1]. */
const noise = (t: number): number => {
  const x = Math.sin(t * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
const seasonal = (n: number, level = 100): number[] =>
  Array.from(
    { length: n },
    (_, t) => level + 0.3 * t + 0.15 * level * Math.sin((Math.PI * t) / 6) + 2 * noise(t + level),
  )

function ready(ask: Omit<ForecastRequest, 'engines'> & Partial<Pick<ForecastRequest, 'engines'>>): BacktestedForecast {
  const ran = forecastWithBacktest({ engines, ...ask })
  if (ran.kind !== 'ready') throw new Error(ran.kind)
  return ran
}

describe('what cannot be forecast', () => {
  it.each([
    ['seven periods', seasonal(7), 'auto', { kind: 'too_short', have: 7, need: 8 }],
    ['less than two of the seasons asked for', seasonal(23), 12, { kind: 'too_short', have: 23, need: 24 }],
    ['holes around it', [null, ...seasonal(7), null], 'auto', { kind: 'too_short', have: 7, need: 8 }],
  ] as const)('%s are too short', (_name, values, season, why) => {
    expect(forecastWithBacktest({ values, season, frequency: 'monthly', horizon: 6, engines })).toEqual(why)
  })

  it('more values than the model takes, and a frequency it does not know, are refused at once', () => {
    const ask = { horizon: 6, engines } as const
    const many = new Array<number>(20_001).fill(1)
    expect(forecastWithBacktest({ ...ask, values: many, frequency: 'daily' })).toEqual({
      kind: 'refused',
      reason: 'too_many_values',
    })
    const frequency = ['fortnightly'].find((name): name is 'weekly' => name !== 'weekly') ?? 'weekly'
    expect(forecastWithBacktest({ ...ask, values: seasonal(24), frequency })).toEqual({
      kind: 'refused',
      reason: 'unknown_frequency',
    })
  })

  it('a history with less than 70 % of its periods names those it lacks', () => {
    const values = seasonal(19).map((v, t) => (t % 3 === 1 ? null : v))
    expect(forecastWithBacktest({ values, frequency: 'monthly', horizon: 6, engines })).toMatchObject({
      kind: 'too_many_gaps',
      present: 13 / 19,
      missing: [1, 4, 7, 10, 13, 16],
    })
  })
})

/** Every number anywhere in an answer. */
const numbersIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  if (value instanceof Float64Array) return Array.from(value)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

describe('hostile series', () => {
  it('run to finite figures, backtest and decomposition too, or say by name why not', () => {
    fc.assert(
      fc.property(hostileSeries, (series) => {
        const ran = forecastWithBacktest({ ...series, engines: null })
        if (ran.kind === 'ready') expect(numbersIn(ran).every(Number.isFinite)).toBe(true)
      }),
      { numRuns: env.LONG === '1' ? 1_000 : 10 },
    )
  })
})

describe('a run', () => {
  it('reaches half the history at most, and 36 periods', () => {
    expect(ready({ values: seasonal(20), frequency: 'monthly', horizon: 30 }).horizon).toEqual({ asked: 30, used: 10 })
    expect(ready({ values: seasonal(120), frequency: 'monthly', horizon: 99 }).mean).toHaveLength(36)
  })

  it('lists what it filled and what looks odd, and dampens only when asked', () => {
    const values: (number | null)[] = seasonal(72)
    values[10] = null
    values[66] = 500
    const ask = { values, frequency: 'monthly', horizon: 6 } as const
    const { care, mean } = ready(ask)
    expect(care.filled).toEqual([10])
    expect(care.outliers.map(({ at }) => at)).toEqual([66])
    const calm = ready({ ...ask, dampen: true }).mean
    const truth = seasonal(78).slice(72)
    const off = (path: number[]): number => path.reduce((sum, v, i) => sum + Math.abs(v - (truth[i] ?? 0)), 0)
    expect(off(calm)).toBeLessThan(off(mean))
  })

  it.each([
    ['a constant', new Array<number>(24).fill(5), 'constant'],
    ['mostly zeros', Array.from({ length: 40 }, (_, t) => (t % 4 === 0 ? 3 : 0)), 'intermittent'],
  ])('routes %s, and is graded by what is used', (_name, values, method) => {
    const made = ready({ values, frequency: 'monthly', horizon: 6 })
    expect(made.method).toBe(method)
    // Every fourth value repeats: seasonal naive misses nothing, and is not what is used.
    expect(made.backtest).toMatchObject({ method: 'blend', used: { mae: made.backtest?.blend.mae } })
  })

  it('uses the whole history, also where the level has jumped', () => {
    const values = Array.from({ length: 60 }, (_, t) => (t < 30 ? 1_000 : 300) + 20 * noise(t))
    const ran = ready({ values, frequency: 'monthly', horizon: 6 })
    expect(ran).toMatchObject({ trials: [], from: 0, card: { used: 60 } })
  })

  it('finds holidays that matter and leaves those that do not', () => {
    const first = epochDay(2022, 1, 1)
    const days = (effect: number): number[] =>
      Array.from({ length: 1_000 }, (_, t) => {
        const date = new Date((first + t) * 86_400_000).toISOString().slice(5, 10)
        const closed = ['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'].includes(date)
        return (300 + 40 * Math.sin((2 * Math.PI * t) / 7) + 3 * noise(t)) * (closed ? effect : 1)
      })
    const ask = { frequency: 'daily', horizon: 28, start: '2022-01-01', country: 'SE', engines: null } as const
    // The last folds reach over Swedish holidays when the series ends after the new year.
    const shop = ready({ ...ask, values: days(0.2).slice(0, 742) })
    expect(shop.trials.find(({ what }) => what === 'holidays')?.kept).toBe(true)
    const plain = ready({ ...ask, values: days(1).slice(0, 742) })
    expect(plain.trials.find(({ what }) => what === 'holidays')?.kept).not.toBe(true)
  })

  it('bounds only where a person has set a bound', () => {
    const values = seasonal(48, 20).map((v) => v - 32)
    const ask = { values, frequency: 'monthly', horizon: 12 } as const
    expect(Math.min(...ready(ask).bands[95].lower)).toBeLessThan(0)
    const held = ready({ ...ask, floor: 0 })
    expect(Math.min(...held.mean, ...held.bands[95].lower)).toBe(0)
  })
})

describe('days, weeks and months of one series', () => {
  const DAY_MS = 86_400_000
  const FIRST = Date.UTC(2022, 0, 1)
  const WEEKDAYS = [0.2, 1.1, 1.2, 1.15, 1.1, 1.3, 0.6]
  /** Three whole years, with weekdays, a year's season and growth. */
  const days = (growth: number): { at: number; value: number }[] =>
    Array.from({ length: 1_096 }, (_, t) => {
      const at = FIRST + t * DAY_MS
      const level = 100 * (1 + growth) ** t * (WEEKDAYS[new Date(at).getUTCDay()] ?? 1)
      return { at, value: level * (1 + 0.25 * Math.sin((2 * Math.PI * t) / 365.25)) * (1 + 0.2 * noise(t + 7)) }
    })
  const sums = (rows: readonly { at: number; value: number }[], key: (at: number) => number): Map<number, number> =>
    rows.reduce((all, { at, value }) => all.set(key(at), (all.get(key(at)) ?? 0) + value), new Map<number, number>())
  const monthOf = (at: number): number => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()
  const weekOf = (at: number): number => Math.floor((at / DAY_MS + 3) / 7)

  it.each([0, 0.0004, -0.0004])('agree in total within their bands, growing by %s a day', (growth) => {
    const rows = days(growth)
    const ask = (values: number[], frequency: 'daily' | 'weekly' | 'monthly', horizon: number) => {
      const made = forecast({ values, frequency, horizon, engines })
      if (made.kind !== 'forecast') throw new Error(made.reason)
      return { mean: made.mean, ...made.bands[80] }
    }
    const month = ask([...sums(rows, monthOf).values()], 'monthly', 1)
    const daily = ask(
      rows.map(({ value }) => value),
      'daily',
      31,
    )
    const weeks = [...sums(rows, weekOf)].slice(1, -1)
    const weekly = ask(
      weeks.map(([, value]) => value),
      'weekly',
      6,
    )
    const firstWeek = (weeks.at(-1)?.[0] ?? 0) + 1
    const inJanuary = (week: number): number =>
      Array.from({ length: 7 }, (_, day) => ((firstWeek + week) * 7 - 3 + day) * DAY_MS).filter(
        (at) => monthOf(at) === 2025 * 12,
      ).length / 7
    const total = (line: readonly number[], share: (step: number) => number = () => 1): number =>
      line.reduce((sum, v, step) => sum + v * share(step), 0)
    const [lower = 0, upper = 0] = [month.lower[0], month.upper[0]]
    for (const [of, share] of [
      [daily, () => 1],
      [weekly, inJanuary],
    ] as const) {
      expect(total(of.mean, share)).toBeGreaterThan(lower)
      expect(total(of.mean, share)).toBeLessThan(upper)
      expect(total(of.lower, share)).toBeLessThan(month.mean[0] ?? 0)
      expect(total(of.upper, share)).toBeGreaterThan(month.mean[0] ?? 0)
    }
  })
})

describe('a split run', () => {
  it('has parts that add up to the total at every step, ten of them and a backtest in a moment', () => {
    const parts = Array.from({ length: 10 }, (_, i) => ({
      key: `p${i}`,
      values: seasonal(thorough ? 96 : 40, 40 + 15 * i),
    }))
    const total = parts[0]?.values.map((_, t) => parts.reduce((sum, { values }) => sum + (values[t] ?? 0), 0)) ?? []
    const split = forecastHierarchy({ values: total, frequency: 'monthly', horizon: 12, engines: thorough }, parts)
    expect(split.parts).toHaveLength(10)
    split.reconciled?.mean.forEach((v, step) => {
      expect(split.parts.reduce((sum, { path }) => sum + (path.mean[step] ?? 0), 0)).toBe(v)
    })
    expect(split.reconciled?.mean).toHaveLength(12)
  })

  it('keeps why a part cannot be forecast, and still adds up', () => {
    const parts = [
      { key: 'old', values: seasonal(36, 60) },
      { key: 'new', values: [...new Array<null>(33).fill(null), 4, 5, 6] },
    ]
    const total = seasonal(36, 60).map((v, t) => v + (t < 33 ? 0 : t - 29))
    const split = forecastHierarchy({ values: total, frequency: 'monthly', horizon: 6, engines }, parts)
    expect(split.parts[1]?.ran).toEqual({ kind: 'too_short', have: 3, need: 8 })
    const sums = split.reconciled?.mean.map((_, step) =>
      split.parts.reduce((sum, { path }) => sum + (path.mean[step] ?? 0), 0),
    )
    expect(sums).toEqual(split.reconciled?.mean)
  })
})
