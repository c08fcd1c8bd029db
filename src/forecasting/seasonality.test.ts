import { expect, it } from 'vitest'
import { estimateSeasonalIndices } from './seasonality'

/** Ten years of quarters: the fourth is 1.6 times the mean in the first five, then as the others. */
const changed = Float64Array.from({ length: 40 }, (_, t) => (t % 4 === 3 && t < 20 ? 160 : 100))

it('counts newer seasons for more where a season evolves, and as much as older ones where it does not', () => {
  const fourth = (evolves: boolean): number =>
    estimateSeasonalIndices(changed, 4, 'multiplicative', { shrink: false, evolves }).indices[3] ?? 0
  expect(fourth(false)).toBeCloseTo(1.2, 1)
  expect(fourth(true)).toBeLessThan(fourth(false) - 0.03)
  expect(fourth(true)).toBeGreaterThan(1)
})
