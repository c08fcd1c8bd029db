import { expect, it } from 'vitest'
import { joinPeriodNames } from './period-range'

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
