import fc from 'fast-check'
import { expect, it } from 'vitest'
import { axisScale, isMarked, marksOf, pointScale, sharedScales, type AxisReach } from './axis-scale'

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

it('shares lines and zero between axes of two units, and holds the figures of both', () => {
  fc.assert(
    fc.property(reach, reach, fc.integer({ min: 1, max: 5 }), fc.boolean(), (one, other, steps, whole) => {
      const scales = sharedScales(
        [
          { reach: one, whole: false },
          { reach: other, whole },
        ],
        steps,
      )
      const [first, second] = scales.map(marksOf)
      expect(second).toHaveLength(first?.length ?? 0)
      expect(second?.indexOf(0)).toBe(first?.indexOf(0))
      expect(first?.indexOf(0)).toBeGreaterThanOrEqual(0)
      expect(first?.length).toBeLessThanOrEqual(Math.max(2, steps) + 1)
      for (const [at, { low, high }] of [one, other].entries()) {
        expect(scales[at]?.min).toBeLessThanOrEqual(Math.min(0, low) * (1 - 1e-9))
        expect(scales[at]?.max).toBeGreaterThanOrEqual(Math.max(0, high) * (1 - 1e-9))
      }
    }),
  )
})

it.each([
  ['a loss beside counts', { low: -40_000, high: 120_000 }, { low: 0, high: 90 }, [-50_000, 200_000], [-25, 100]],
  ['both above zero', { low: 0, high: 120_000 }, { low: 0, high: 90 }, [0, 125_000], [0, 100]],
  ['both below zero', { low: -100, high: 0 }, { low: -7, high: -1 }, [-100, 0], [-8, 0]],
  ['one above and one below', { low: 0, high: 100 }, { low: -7, high: 0 }, [-150, 100], [-7.5, 5]],
  ['nothing but zeros', { low: 0, high: 0 }, null, [0, 4], [0, 1]],
] as const)('stands %s on one zero', (_name, one, other, first, second) => {
  const scales = sharedScales([
    { reach: one, whole: false },
    { reach: other, whole: false },
  ])
  expect(scales.map(({ min, max }) => [min, max])).toEqual([first, second])
})

it('marks what lies beyond zero only where figures do', () => {
  const marked = (reach: AxisReach | null): number[] => [-5, 0, 5].filter((mark) => isMarked(mark, reach))
  expect(marked({ low: -4, high: 4 })).toEqual([-5, 0, 5])
  expect(marked({ low: 2, high: 4 })).toEqual([0, 5])
  expect(marked({ low: -4, high: -2 })).toEqual([-5, 0])
  expect(marked({ low: 0, high: 0 })).toEqual([0, 5])
  expect(marked(null)).toEqual([0, 5])
})
