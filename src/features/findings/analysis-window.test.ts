import { describe, expect, it } from 'vitest'
import { canTakeApart, chooseWindow, completeMonths } from './analysis-window'
import type { Calendar } from '../../shared/dates'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-11-21' }
const DAY_MS = 86_400_000
const eachDay = (from: string, to: string, keep: (day: Date) => boolean = () => true): string[] => {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    if (keep(new Date(at))) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
const over = (from: string, to: string, keep?: (day: Date) => boolean) => {
  const days = eachDay(from, to, keep)
  const found = chooseWindow({ from: days[0] ?? from, to: days.at(-1) ?? to, days }, CALENDAR)
  return found && [found.grain, found.buckets[0], found.buckets.at(-1), found.to]
}

describe('the buckets that a figure is looked at over', () => {
  it('are whole months, without the one still running and without one that the rows begin or end in the middle of', () => {
    expect(over('2024-01-02', '2026-11-20')).toEqual(['month', '2024-02-01', '2026-10-01', '2026-10-31'])
    expect(over('2024-01-15', '2026-09-12')).toEqual(['month', '2024-02-01', '2026-08-01', '2026-08-31'])
    expect(over('2024-01-01', '2026-10-29'), 'two days short').toEqual([
      ...['month', '2024-01-01', '2026-09-01', '2026-09-30'],
    ])
    expect(over('2024-01-01', '2027-03-01'), 'rows of days to come').toEqual([
      ...['month', '2024-01-01', '2026-10-01', '2026-10-31'],
    ])
  })

  it('end where months usually end: before a weekend, or with the one row of each', () => {
    const workday = (day: Date): boolean => day.getUTCDay() !== 0 && day.getUTCDay() !== 6
    expect(over('2024-01-01', '2026-05-29', workday), 'May 2026 ends on a Sunday').toEqual([
      ...['month', '2024-01-01', '2026-05-01', '2026-05-31'],
    ])
    expect(over('2024-01-01', '2026-05-27', workday)?.[2]).toBe('2026-04-01')
    const monthly = (day: Date): boolean => day.getUTCDate() === 1
    expect(over('2024-01-01', '2026-05-01', monthly)).toEqual(['month', '2024-01-01', '2026-05-01', '2026-05-31'])
  })

  it('are weeks or days when history is short, and none when there is hardly any', () => {
    expect(over('2026-05-04', '2026-11-20')).toEqual(['week', '2026-05-04', '2026-11-09', '2026-11-15'])
    expect(over('2026-10-20', '2026-11-20')).toEqual(['day', '2026-10-20', '2026-11-20', '2026-11-20'])
    expect(over('2026-11-15', '2026-11-20')).toBeNull()
    expect(over('no day', '2026-11-20')).toBeNull()
  })

  it('follow on each other, none left out', () => {
    const days = eachDay('2019-01-01', '2026-11-20')
    const months = chooseWindow({ from: '2019-01-01', to: '2026-11-20', days }, CALENDAR)?.buckets ?? []
    expect([months.length, new Set(months).size, months[0]]).toEqual([48, 48, '2022-11-01'])
  })

  it('are beside them the months that are there whole, of a few of them as well', () => {
    const days = eachDay('2026-05-24', '2026-08-14')
    expect(completeMonths({ from: '2026-05-24', to: '2026-08-14', days }, CALENDAR)).toEqual([
      '2026-06-01',
      '2026-07-01',
    ])
  })

  it('are taken apart by columns at any grain, but of very many rows at that of months alone', () => {
    expect(canTakeApart({ grain: 'week' }, 150_000)).toBe(true)
    expect(canTakeApart({ grain: 'week' }, 1_000_000)).toBe(false)
    expect(canTakeApart({ grain: 'month' }, 1_000_000)).toBe(true)
  })
})
