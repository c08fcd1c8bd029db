import { describe, expect, it } from 'vitest'
import { chooseWindow } from './analysis-window'
import type { Calendar } from '../../shared/dates'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-11-21' }
const over = (from: string, to: string) => {
  const found = chooseWindow({ from, to }, CALENDAR)
  return found && [found.grain, found.buckets[0], found.buckets.at(-1), found.to]
}

describe('the buckets that a figure is looked at over', () => {
  it('are whole months, without the one still running and without one that the rows begin or end in the middle of', () => {
    expect(over('2024-01-02', '2026-11-20')).toEqual(['month', '2024-01-01', '2026-10-01', '2026-10-31'])
    expect(over('2024-01-15', '2026-09-12')).toEqual(['month', '2024-02-01', '2026-08-01', '2026-08-31'])
    expect(over('2024-01-01', '2026-10-29')).toEqual(['month', '2024-01-01', '2026-10-01', '2026-10-31'])
    expect(over('2024-01-01', '2027-03-01'), 'rows of days to come').toEqual([
      ...['month', '2024-01-01', '2026-10-01', '2026-10-31'],
    ])
  })

  it('are weeks or days when history is short, and none when there is hardly any', () => {
    expect(over('2026-05-04', '2026-11-20')).toEqual(['week', '2026-05-04', '2026-11-09', '2026-11-15'])
    expect(over('2026-10-20', '2026-11-20')).toEqual(['day', '2026-10-20', '2026-11-20', '2026-11-20'])
    expect(over('2026-11-15', '2026-11-20')).toBeNull()
    expect(over('no day', '2026-11-20')).toBeNull()
  })

  it('follow on each other, none left out', () => {
    const months = chooseWindow({ from: '2019-01-01', to: '2026-11-20' }, CALENDAR)?.buckets ?? []
    expect([months.length, new Set(months).size, months[0]]).toEqual([48, 48, '2022-11-01'])
  })
})
