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
})
