import { describe, expect, it } from 'vitest'
import { calendarFact } from './calendar-facts'
import type { PartFigure } from './fact-sentences'

const ABOUT = {
  ...{ subject: 'k', label: 'Sales', buckets: 6, rows: 5_000 },
  period: { from: '2023-01-01', to: '2023-06-01', grain: 'month' as const },
}
const parts = (values: readonly number[], first: number): PartFigure[] =>
  values.map((value, at) => ({ part: first + at, value }))
const told = (weekdays: readonly number[], hours: readonly number[] = [], rows = ABOUT.rows): string | undefined =>
  calendarFact({ ...ABOUT, rows }, { weekdays: parts(weekdays, 1), hours: parts(hours, 8) })
    ?.sentence.map((part) => {
      if ('text' in part) return part.text
      if ('season' in part) return part.season.from
      return 'figure' in part ? String(part.figure) : ''
    })
    .join('')

describe('when in the week and in the day a figure is highest', () => {
  it('is told with what it comes to and what part of all that is', () => {
    expect(told([100, 100, 100, 100, 160, 140, 100])).toBe(
      'Sales in  by weekday: highest on 2024-01-05 (0.2, 160), lowest on 2024-01-07 (0.125, 100).',
    )
    expect(told([100, 100, 100, 100, 160, 140, 100], [10, 20, 40, 30])).toContain(
      ' By hour: highest from 2024-01-01T10:00 (0.4, 40), lowest from 2024-01-01T08:00 (0.1, 10).',
    )
    expect(told([100, 100, 100, 100, 100, 100, 100], [10, 20, 40, 30])).toMatch(/^Sales in {2}by hour: highest from/)
  })

  it('is nothing where so few rows differ as much by luck', () => {
    const started = [113, 99, 99, 110, 100, 113, 86]
    expect(told(started, [], 900)).toBeUndefined()
    expect(told(started, [], 9_000)).toMatch(/highest on/)
  })

  it('is nothing where all are alike, where few days are worked, and where one is below nothing', () => {
    expect(told([100, 105, 100, 100, 100, 100, 100], [10, 11, 10, 11])).toBeUndefined()
    expect(told([100, 103, 101, 100, 102, 50]), 'a quiet day at the end').toBeUndefined()
    expect(told([100, 300, 100])).toBeUndefined()
    expect(told([100, 300, -100, 100, 100, 100, 100])).toBeUndefined()
  })
})
