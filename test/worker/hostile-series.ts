import fc from 'fast-check'
import { FREQUENCIES, type Frequency } from '../../src/forecasting/contract'

export interface HostileSeries {
  values: (number | null)[]
  frequency: Frequency
  horizon: number
  season: 'auto' | 'none' | number
}

const odd = fc.constantFrom<number | null>(null, 0, -0, 1e300, -1e300, 5e-324, Number.MAX_VALUE, NaN, Infinity, 1e-9, 1)
const plain = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const any = fc.double()
const count = fc.nat({ max: 4 })

/** Shapes that break models: constants, ramps, growth without bound, spikes, mostly zeros, alternating signs, holes. */
const shaped = fc
  .record({
    shape: fc.nat({ max: 6 }),
    n: fc.integer({ min: 0, max: 260 }),
    a: plain,
    b: plain,
    noise: fc.array(plain, { maxLength: 20 }),
  })
  .map(({ shape, n, a, b, noise }) =>
    Array.from({ length: n }, (_, t): number | null => {
      const wobble = noise.length > 0 ? (noise[t % noise.length] ?? 0) : 0
      const ways = [
        a,
        a + b * t,
        Math.abs(a) * 1.3 ** t,
        t % 17 === 3 ? b : 0,
        t % 2 === 0 ? a : -a,
        a * Math.sin(t / 2) + wobble,
      ]
      return ways[shape] ?? (t % 5 === 1 ? null : wobble)
    }),
  )

const values = fc.oneof(
  shaped,
  fc.array(fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: odd }), { maxLength: 150 }),
  fc.array(fc.oneof(odd, any), { maxLength: 60 }),
)

export const hostileSeries: fc.Arbitrary<HostileSeries> = fc.record({
  values,
  frequency: fc.constantFrom(...FREQUENCIES),
  horizon: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, -1, 1.5, 5_000)),
  season: fc.oneof(
    fc.constant<'auto'>('auto'),
    fc.constant<'none'>('none'),
    count.map((c) => c * 6),
  ),
})
