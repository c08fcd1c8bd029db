import { expect, it } from 'vitest'
import { dayRangeName, joinPeriodNames } from './period-range'

it.each([
  ['May 2026', 'Jul 2026', 'May–Jul 2026'],
  ['Nov 2025', 'Oct 2026', 'Nov 2025 – Oct 2026'],
  ['Q1 2026', 'Q3 2026', 'Q1–Q3 2026'],
  ['2024', '2026', '2024–2026'],
  ['3 Feb 2026', '9 Feb 2026', '3–9 Feb 2026'],
  ['3 Feb 2026', '9 Mar 2026', '3 Feb – 9 Mar 2026'],
  ['May 2026', 'May 2026', 'May 2026'],
])('%s to %s is %s', (first, last, range) => {
  expect(joinPeriodNames(first, last)).toBe(range)
})

it.each([
  ['2023-01-01', '2023-12-31', '2023'],
  ['2022-01-01', '2023-12-31', '2022–2023'],
  ['2024-01-01', '2024-02-29', 'Jan–Feb 2024'],
  ['2023-11-01', '2024-02-29', 'Nov 2023 – Feb 2024'],
  ['2024-02-01', '2024-02-28', '1–28 Feb 2024'],
  ['2024-02-03', '2024-02-03', '3 Feb 2024'],
])('names the days from %s to %s', (from, to, name) => {
  expect(dayRangeName({ from, to })).toBe(name)
})
