import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duePeriod } from './schedule'

const at = (iso: string, timeZone = 'Europe/Stockholm') => ({
  now: Date.parse(iso),
  timeZone,
  weekStart: 'monday' as const,
})

describe('when a digest is due', () => {
  it('daily: at seven on the workspace’s clock, once', () => {
    expect(duePeriod('daily', '2026-03-09', at('2026-03-10T05:59:00Z'))).toBe(null)
    expect(duePeriod('daily', '2026-03-09', at('2026-03-10T06:00:00Z'))).toBe('2026-03-10')
    expect(duePeriod('daily', '2026-03-10', at('2026-03-10T23:00:00Z'))).toBe(null)
  })

  it('weekly: on the first day of the workspace’s week, and later that week when that morning was slept through', () => {
    expect(duePeriod('weekly', '2026-03-02', at('2026-03-08T20:00:00Z'))).toBe(null)
    expect(duePeriod('weekly', '2026-03-02', at('2026-03-09T06:00:00Z'))).toBe('2026-03-09')
    expect(duePeriod('weekly', '2026-03-02', at('2026-03-12T12:00:00Z'))).toBe('2026-03-09')
    expect(duePeriod('weekly', '2026-03-02', { ...at('2026-03-08T20:00:00Z'), weekStart: 'sunday' })).toBe('2026-03-08')
    expect(duePeriod('off', null, at('2026-03-09T06:00:00Z'))).toBe(null)
  })

  it('one after three days of sleep, and none twice when the clock goes back', () => {
    expect(duePeriod('daily', '2026-03-06', at('2026-03-10T06:30:00Z'))).toBe('2026-03-10')
    expect(duePeriod('daily', '2026-03-10', at('2026-03-10T05:30:00Z'))).toBe(null)
    expect(duePeriod('daily', '2026-03-10', at('2026-03-09T12:00:00Z'))).toBe(null)
  })

  const zones = [
    'Europe/Stockholm',
    'America/Sao_Paulo',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'UTC',
  ]
  it('exactly once for each day, in any zone and through every change of clocks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 700 }), (timeZone, start) => {
        const from = Date.UTC(2025, 0, 1) + start * 86_400_000
        let last: string | null = duePeriod('daily', null, { now: from, timeZone, weekStart: 'monday' })
        const sent: string[] = []
        for (let now = from; now < from + 5 * 86_400_000; now += 20 * 60_000) {
          const due = duePeriod('daily', last, { now, timeZone, weekStart: 'monday' })
          if (due !== null) sent.push((last = due))
        }
        expect(new Set(sent).size).toBe(sent.length)
        expect(sent.length).toBe(5)
      }),
      { numRuns: 15 },
    )
  })
})
