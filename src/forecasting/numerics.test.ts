import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose, hasSeason } from './seasonality'
import { minimise } from './numerics'
import { reconcile } from './constraints'
import type { ForecastPath } from '../shared/forecasts/result'

const noise = (t: number): number => Math.sin(t * t * 1.7)

describe('a decomposition', () => {
  it.each([
    ['multiplicative', (t: number) => (100 + t) * (1 + 0.2 * Math.sin((Math.PI * t) / 6)) + noise(t)],
    ['additive', (t: number) => t - 40 + 12 * Math.sin((Math.PI * t) / 6) + noise(t)],
  ] as const)('%s gives back each value', (kind, of) => {
    const values = Float64Array.from({ length: 84 }, (_, t) => of(t))
    const parts = decompose(values, 12)
    expect(parts.kind).toBe(kind)
    values.forEach((v, t) => {
      const [trend, season, rest] = [parts.trend[t] ?? 0, parts.season?.[t] ?? 0, parts.rest[t] ?? 0]
      expect(kind === 'multiplicative' ? trend * season * rest : trend + season + rest).toBeCloseTo(v, 8)
    })
  })

  it('tells no season where there is none', () => {
    expect(
      decompose(
        Float64Array.from({ length: 60 }, (_, t) => 5 * t + noise(t)),
        12,
      ).season,
    ).toBeNull()
  })
})

describe('reconciling', () => {
  const path = (mean: number[], width = 5): ForecastPath => {
    const band = { lower: mean.map((v) => v - width), upper: mean.map((v) => v + width) }
    return { mean, bands: { 50: band, 80: band, 95: band } }
  }

  it('adds up exactly, whatever the figures', () => {
    const figure = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(figure, fc.array(figure, { minLength: 1, maxLength: 10 }), (total, parts) => {
        const made = reconcile(
          path([total]),
          parts.map((v) => path([v])),
        )
        expect(made.parts.reduce((sum, { mean }) => sum + (mean[0] ?? 0), 0)).toBe(made.total.mean[0])
      }),
    )
  })

  it('moves most what is least sure, and bands with it', () => {
    const made = reconcile(path([110]), [path([40]), path([60])], { total: 1, parts: [0, 3] })
    expect(made.parts.map(({ mean }) => mean[0])).toEqual([40, 67.5])
    expect(made.total.mean).toEqual([107.5])
    expect(made.parts[1]?.bands[95]).toEqual({ lower: [62.5], upper: [72.5] })
  })

  it('leaves the total within the half that its own forecast expects values in, whatever the parts say', () => {
    const made = reconcile(path([110], 2), [path([40]), path([30])], { total: 3, parts: [1, 0] })
    expect(made.total.mean[0]).toBeCloseTo(108, 6)
    expect(made.parts.map(({ mean }) => mean[0])).toEqual([expect.closeTo(78, 6), 30])
  })
})

describe('a season', () => {
  /** Independent normal figures, the same every time. */
  function normals(seed: number): () => number {
    let state = seed
    const next = (): number => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
      const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
      return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 2 ** 32
    }
    return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
  }

  it.each([
    ['quarters', 4, [16, 40, 80]],
    ['months', 12, [30, 84, 200]],
    ['weeks', 52, [110, 260]],
    ['days', 7, [30, 120, 400]],
  ] as const)('is seen in at most a tenth of random walks of %s', (_name, season, lengths) => {
    for (const length of lengths) {
      const normal = normals(season * 1_000 + length)
      let seen = 0
      for (let run = 0; run < 400; run++) {
        let level = 1_000
        if (
          hasSeason(
            Float64Array.from({ length }, () => (level += 5 * normal())),
            season,
          )
        )
          seen++
      }
      expect(seen / 400).toBeLessThanOrEqual(0.1)
    }
  })

  it('is seen under a trend, and in two and a half years of months', () => {
    const normal = normals(7)
    const values = (n: number, slope: number): Float64Array =>
      Float64Array.from({ length: n }, (_, t) => 500 + slope * t + 40 * Math.sin((Math.PI * t) / 6) + 8 * normal())
    expect([values(96, 30), values(30, 2)].map((own) => hasSeason(own, 12))).toEqual([true, true])
  })
})

describe('minimise', () => {
  it('finds the foot of a bent valley (Rosenbrock)', () => {
    const cost = ([x = 0, y = 0]: readonly number[]): number => (1 - x) ** 2 + 100 * (y - x * x) ** 2
    const { at } = minimise(cost, [-1.2, 1], { steps: [0.5, 0.5], most: 600, within: 1e-14 })
    expect(at[0]).toBeCloseTo(1, 3)
    expect(at[1]).toBeCloseTo(1, 3)
  })
})
