import { describe, expect, it } from 'vitest'
import { HOLIDAY_COUNTRIES, epochDay, epochDayOfIso, easter, publicHolidays, orthodoxEaster } from './holidays'

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

describe('holidays by rule', () => {
  it.each([
    [1818, '1818-03-22'],
    [1943, '1943-04-25'],
    [2000, '2000-04-23'],
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
  ])('put western Easter of %i on %s', (year, date) => expect(iso(easter(year))).toBe(date))

  it.each([
    [2021, '2021-05-02'],
    [2024, '2024-05-05'],
    [2025, '2025-04-20'],
    [2026, '2026-04-12'],
  ])('put eastern Easter of %i on %s', (year, date) => expect(iso(orthodoxEaster(year))).toBe(date))

  it('know the Swedish year', () => {
    expect([...publicHolidays('SE', 2026).keys()].map(iso).sort()).toEqual([
      ...['2026-01-01', '2026-01-06', '2026-04-03', '2026-04-05', '2026-04-06', '2026-05-01', '2026-05-14'],
      ...['2026-05-24', '2026-06-06', '2026-06-19', '2026-06-20', '2026-10-31'],
      ...['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-31'],
    ])
  })

  it('know moving days of others', () => {
    expect(publicHolidays('NL', 2025).has(epochDay(2025, 4, 26))).toBe(true)
    expect(publicHolidays('IE', 2026).has(epochDayOfIso('2026-02-02'))).toBe(true)
    expect(publicHolidays('IE', 2026).has(epochDayOfIso('2026-10-26'))).toBe(true)
    expect(publicHolidays('GR', 2026).has(epochDayOfIso('2026-02-23'))).toBe(true)
  })

  it('have days in every country of the Union, no rule that names none, and nothing elsewhere', () => {
    expect(HOLIDAY_COUNTRIES).toHaveLength(27)
    for (const country of HOLIDAY_COUNTRIES) {
      const days = publicHolidays(country, 2026)
      expect(days.size, country).toBeGreaterThanOrEqual(9)
      expect(
        [...days.keys()].every((day) => iso(day).startsWith('2026')),
        country,
      ).toBe(true)
    }
    expect(publicHolidays('US', 2026).size).toBe(0)
  })
})
