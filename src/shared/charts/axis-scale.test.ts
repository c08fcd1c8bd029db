import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignScale, axisScale, marksOf, pointScale } from './axis-scale'

const reach = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -1e9, max: 1e9 }))
  .map(([a, b]) => ({ low: Math.min(a, b) / 1000, high: Math.max(a, b) / 1000 }))

it('holds every figure and zero, on at most seven marks', () => {
  fc.assert(
    fc.property(reach, (given) => {
      const scale = axisScale(given)
      expect(scale.min).toBeLessThanOrEqual(Math.min(0, given.low) + scale.step * 1e-6)
      expect(scale.max).toBeGreaterThanOrEqual(Math.max(0, given.high) - scale.step * 1e-6)
      expect(marksOf(scale).length).toBeLessThanOrEqual(7)
    }),
  )
})

it.each([
  [{ low: 0.05, high: 0.22 }, [0, 0.05, 0.1, 0.15, 0.2, 0.25]],
  [{ low: 0, high: 120_000 }, [0, 25_000, 50_000, 75_000, 100_000, 125_000]],
  [{ low: -4_800, high: -300 }, [-5_000, -4_000, -3_000, -2_000, -1_000, 0]],
  [{ low: 0, high: 0 }, [0, 1]],
  [null, [0, 1]],
])('of %j has the marks %j', (given, marks) => {
  expect(marksOf(axisScale(given))).toEqual(marks)
})

it('of figures too small to draw is that of zero', () => {
  expect(axisScale({ low: 0, high: 5e-324 })).toEqual({ min: 0, max: 1, step: 1 })
})

it('of counts has no halves', () => {
  expect(marksOf(axisScale({ low: 0, high: 3 }, { whole: true }))).toEqual([0, 1, 2, 3])
})

it('of points begins near the least of them', () => {
  expect(pointScale({ low: 101.2, high: 104.9 })).toEqual({ min: 101, max: 106, step: 1 })
  expect(pointScale({ low: 5, high: 105 }).min).toBe(0)
  const alone = pointScale({ low: 50, high: 50 })
  expect(alone.min).toBeLessThan(50)
  expect(alone.max).toBeGreaterThan(50)
})

it('shares the lines of another axis and still holds its figures', () => {
  fc.assert(
    fc.property(reach, reach, (one, other) => {
      const first = axisScale(one)
      const own = axisScale(other)
      const second = alignScale(own, first)
      expect(marksOf(second)).toHaveLength(marksOf(first).length)
      expect(second.min).toBeLessThanOrEqual(own.min)
      expect(second.max).toBeGreaterThanOrEqual(own.max - own.step * 1e-6)
    }),
  )
})
