import { expect, it } from 'vitest'
import { hasYearBefore } from './covered-years'

it.each([
  // A last day that ends its month belongs to the newest twelve, one before it does not.
  ['2023-01-01', '2024-12-31', true],
  ['2023-01-01', '2024-12-30', false],
  ['2022-12-01', '2024-12-30', true],
  ['2023-01-02', '2024-12-31', true],
  ['2023-01-20', '2024-12-31', false],
  ['2023-01-20', '2025-01-30', false],
  ['2023-02-01', '2025-01-31', true],
  ['2023-02-01', '2025-02-27', true],
  ['2022-03-01', '2024-02-29', true],
  ['2022-03-01', '2024-02-28', false],
  ['2022-04-01', '2024-02-29', false],
  ['2024-05-01', '2024-05-31', false],
] as const)('covers two years of complete months from %s to %s: %s', (from, to, covered) => {
  expect(hasYearBefore({ from, to })).toBe(covered)
})
