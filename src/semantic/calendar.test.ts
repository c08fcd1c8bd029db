import { describe, expect, it } from 'vitest'
import {
  comparisonToDate,
  comparisonStart,
  endOfPeriod,
  trailingPeriods,
  latestCompletePeriod,
  startOfPeriod,
} from './calendar'
import type { Calendar } from '../shared/dates'

const calendar: Calendar = {
  ...{ timeZone: 'Europe/Stockholm', weekStart: 'monday', fiscalYearStart: 7, today: '2026-03-10' },
}
const startYearBefore = (start: string, grain: Parameters<typeof startOfPeriod>[1]) =>
  comparisonStart(start, { grain, against: 'year', calendar })

describe('periods that are held against each other', () => {
  it('are the one before, over the ends of years, of fiscal years and of years with 53 weeks', () => {
    const before = (start: string, grain: Parameters<typeof startOfPeriod>[1]) =>
      comparisonStart(start, { grain, against: 'previous', calendar })
    expect(before('2026-01-01', 'month')).toBe('2025-12-01')
    expect(before('2026-07-01', 'fiscalYear')).toBe('2025-07-01')
    expect(before('2026-01-01', 'fiscalQuarter')).toBe('2025-10-01')
    // 2026 has 53 ISO weeks: the last begins on 28 December.
    expect(before('2027-01-04', 'week')).toBe('2026-12-28')
    expect(endOfPeriod('2026-12-28', 'week', calendar)).toBe('2027-01-03')
  })

  it('are a year apart, days and weeks by whole weeks', () => {
    expect(startYearBefore('2026-03-09', 'week')).toBe('2025-03-10')
    expect(startOfPeriod(startYearBefore('2027-01-04', 'week'), 'week', calendar)).toBe(
      startYearBefore('2027-01-04', 'week'),
    )
    expect(startYearBefore('2028-02-29', 'day')).toBe('2027-03-02')
    expect(startYearBefore('2026-03-01', 'month')).toBe('2025-03-01')
  })

  it('are taken as far as today is into the running one, and no further than to their end', () => {
    const soFar = (today: string, against: 'previous' | 'year') =>
      comparisonToDate({ from: '2026-03-01', to: today }, { grain: 'month', against, calendar })
    expect(soFar('2026-03-10', 'previous')).toEqual({ from: '2026-02-01', to: '2026-02-10' })
    expect(soFar('2026-03-31', 'previous')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(soFar('2026-03-10', 'year')).toEqual({ from: '2025-03-01', to: '2025-03-10' })
  })

  it('are listed up to one, the oldest first', () => {
    expect(trailingPeriods('2026-01-01', 3, { grain: 'month', calendar })).toEqual([
      ...['2025-11-01', '2025-12-01', '2026-01-01'],
    ])
  })
})

describe('the newest period to be judged', () => {
  const values = new Map(['2026-01-01', '2026-02-01', '2026-03-01'].map((period) => [period, 1]))
  const newest = (dataAsOf: string | null) =>
    latestCompletePeriod({ total: { member: null, label: null, values }, dataAsOf }, { grain: 'month', calendar })

  it('is one that was over on the workspace’s own day when its rows came', () => {
    expect(newest('2026-03-10T08:00:00Z')).toBe('2026-02-01')
    expect(newest('2026-02-28T22:59:00Z')).toBe('2026-01-01')
    expect(newest('2026-02-28T23:01:00Z')).toBe('2026-02-01')
    expect(newest('2026-01-15T08:00:00Z')).toBe(null)
    expect(newest(null)).toBe(null)
  })
})
