import { expect, it } from 'vitest'
import type { Grain } from '../query/date-range'
import { comparedBucket } from './compared-bucket'

const period = (from: string, before: string) => ({
  ...{ from, to: from, label: '', incomplete: false },
  compare: { from: before, to: before, label: '' },
})

it.each<[what: string, Grain, string, [string, string], string | null]>([
  ['a month of the year before', 'month', '2026-02-01', ['2025-11-01', '2024-11-01'], '2025-02-01'],
  ['a month of the months before', 'month', '2026-02-01', ['2026-01-01', '2025-10-01'], '2025-11-01'],
  ['a quarter of the year before', 'quarter', '2026-04-01', ['2026-01-01', '2025-01-01'], '2025-04-01'],
  ['a week 52 weeks ago', 'week', '2026-02-02', ['2026-01-05', '2025-01-06'], '2025-02-03'],
  ['a day of the year before', 'day', '2026-03-01', ['2026-02-01', '2025-02-01'], '2025-03-01'],
  ['a day of the days before', 'day', '2026-02-12', ['2026-02-10', '2026-02-03'], '2026-02-05'],
  ['no month of a period that is not moved by months', 'month', '2026-02-01', ['2026-01-15', '2025-12-01'], null],
])('a comparison draws at a bucket %s', (_what, grain, start, [from, before], own) => {
  expect(comparedBucket(start, grain, period(from, before))).toBe(own)
})

it('says nothing without a comparison', () => {
  expect(comparedBucket('2026-01-01', 'month', null)).toBeNull()
})
