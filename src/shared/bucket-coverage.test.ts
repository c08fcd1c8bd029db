import { describe, expect, it } from 'vitest'
import { bucketCoverage } from './bucket-coverage'
import { dayFromIso, type Calendar } from './dates'

const calendar: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }
const dayOf = (iso: string): number => dayFromIso(iso) ?? Number.NaN
/** Monday to Friday, both ends included. */
const workingDays = (from: string, to: string): number[] =>
  Array.from({ length: dayOf(to) - dayOf(from) + 1 }, (_, i) => dayOf(from) + i).filter(
    (day) => ![5, 6].includes((((day + 3) % 7) + 7) % 7),
  )

describe('a bucket that rows end in', () => {
  it.each([
    ['2024', '2024-05-01', '2024-06-28', '2024-06-14'],
    ['1969 and 1970, on both sides of the day that is counted from', '1969-12-01', '1970-01-30', '1970-01-15'],
  ])('is whole where only a weekend is missing, and not where working days are (%s)', (_, from, whole, part) => {
    const days = workingDays(from, whole)
    const coverage = bucketCoverage(days, 'month', calendar)
    expect(coverage.endsInside(dayOf(whole))).toBe(false)
    expect(coverage.endsInside(dayOf(part))).toBe(true)
  })

  const MONDAY = dayOf('2018-01-01')
  /** All days but each twelfth Monday, or two in nineteen days. */
  const ROW_DAYS = {
    daily: (day: number): boolean => (day - MONDAY) % 84 !== 0,
    seldom: (day: number): boolean => [0, 5].includes((day - MONDAY) % 19),
  }
  it.each([
    ['whole where the last day often has no row', 'daily', '2018-12-30', false],
    ['not where the last three days nearly always have some', 'daily', '2018-12-28', true],
    ['whole where the pause is as long as many', 'seldom', '2018-12-18', false],
    ['not where it is longer than any', 'seldom', '2018-12-08', true],
  ] as const)('is %s', (_, rows, last, inside) => {
    const days = Array.from({ length: dayOf(last) - MONDAY }, (__, at) => MONDAY + at).filter(ROW_DAYS[rows])
    expect(bucketCoverage([...days, dayOf(last)], 'month', calendar).endsInside(dayOf(last))).toBe(inside)
  })
})
