import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestSlot, nextSlots, type ScheduleTiming } from './schedule-dates'
import { DAY_MS, HOUR_MS } from '../dates'

const ZONES = [
  'Europe/Stockholm',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Auckland',
  'UTC',
]
const calendarIn = (timeZone: string, fiscalYearStart = 1) =>
  ({ timeZone, fiscalYearStart, weekStart: 'monday' }) as const

const SPAN = 35
/** Around the days on which clocks are put forward or back, leap days, and the turn of a year. */
const STARTS = ['2026-03-05', '2026-10-10', '2028-02-20', '2024-04-10', '2017-10-01', '2026-12-15']
type HalfHour = { at: number; day: string; hour: number }
const walked = new Map<string, HalfHour[]>()
/** The clock on the wall, read by the platform every half hour. */
function halfHours(zone: string, start: string): HalfHour[] {
  const known = walked.get(zone + start)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const from = Date.parse(`${start}T12:30:00Z`)
  const made = Array.from({ length: SPAN * 48 }, (_, n) => {
    const [day = '', time = ''] = format.format(from + (n * HOUR_MS) / 2).split(' ')
    return { at: from + (n * HOUR_MS) / 2, day, hour: Number(time.slice(0, 2)) }
  })
  walked.set(zone + start, made)
  return made
}

const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
/** Whether something is sent on a day, by looking at the day alone. */
function isDay(timing: ScheduleTiming, fiscalYearStart: number, iso: string): boolean {
  const date = new Date(`${iso}T00:00:00Z`)
  if (timing.kind === 'weekly') return (date.getUTCDay() || 7) === timing.weekday
  const last = lastOf(date.getUTCFullYear(), date.getUTCMonth())
  if (timing.kind === 'monthly') return date.getUTCDate() === Math.min(timing.day, last)
  const closed = new Date(date.getTime() - timing.days * DAY_MS)
  if (closed.getUTCDate() !== lastOf(closed.getUTCFullYear(), closed.getUTCMonth())) return false
  const months = { month: 1, quarter: 3, year: 12 }[timing.unit]
  return (closed.getUTCMonth() + 1 - (fiscalYearStart - 1) + 12) % months === 0
}

/** Every slot of some weeks, found by walking through them by half hours. */
function naive(timing: ScheduleTiming, clock: HalfHour[], fiscalYearStart: number): number[] {
  const done = new Set<string>()
  return clock.flatMap(({ at, day, hour }) => {
    if (done.has(day) || hour < timing.hour) return []
    done.add(day)
    return isDay(timing, fiscalYearStart, day) ? [at] : []
  })
}

const hour = fc.integer({ min: 0, max: 23 })
const timings: fc.Arbitrary<ScheduleTiming> = fc.oneof(
  fc.record({ kind: fc.constant('weekly' as const), weekday: fc.integer({ min: 1, max: 7 }), hour }),
  fc.record({ kind: fc.constant('monthly' as const), day: fc.integer({ min: 1, max: 31 }), hour }),
  fc.record({
    kind: fc.constant('afterClose' as const),
    unit: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
    days: fc.integer({ min: 1, max: 60 }),
    hour,
  }),
)
describe('the dates of a schedule', () => {
  it('are those that a naive calendar finds, each once, whatever clocks and months do', () => {
    const months = fc.integer({ min: 1, max: 12 })
    const cases = fc.tuple(timings, fc.constantFrom(...ZONES), fc.constantFrom(...STARTS), months)
    fc.assert(
      fc.property(cases, ([timing, zone, start, fiscal]) => {
        const clock = halfHours(zone, start)
        // The first day is only seen in part.
        const begin = (clock[0]?.at ?? 0) + DAY_MS
        const end = clock.at(-1)?.at ?? 0
        const calendar = calendarIn(zone, fiscal)
        const found = naive(timing, clock, fiscal).filter((at) => at > begin && at < end)
        const all = nextSlots(timing, calendar, { after: begin, count: 6 }).map(({ at }) => at)
        expect(all.filter((at) => at < end)).toEqual(found.slice(0, 6))
        const newest = found.at(-1)
        if (newest !== undefined) expect(latestSlot(timing, calendar, end - 1).at).toBe(newest)
      }),
      { numRuns: 400 },
    )
  })

  it('come once where an hour is skipped or comes twice, and on the last day of short months', () => {
    const of = (timing: ScheduleTiming, zone: string, after: string, count = 3) =>
      nextSlots(timing, calendarIn(zone), { after: Date.parse(after), count }).map(({ at }) =>
        new Date(at).toISOString().slice(0, 16),
      )
    const sundays = { kind: 'weekly', weekday: 7, hour: 2 } as const
    expect(of(sundays, 'Europe/Stockholm', '2026-03-28T00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-04-05T00:00'])
    expect(of(sundays, 'Europe/Stockholm', '2026-10-24T00:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-11-01T01:00'])
    const ends = { kind: 'monthly', day: 31, hour: 7 } as const
    expect(of(ends, 'UTC', '2028-01-31T07:00Z')).toEqual(['2028-02-29T07:00', '2028-03-31T07:00', '2028-04-30T07:00'])
  })

  it('name the period that has closed, by the fiscal year of the workspace', () => {
    const timing = { kind: 'afterClose', unit: 'quarter', days: 5, hour: 7 } as const
    const [slot] = nextSlots(timing, calendarIn('Europe/Stockholm', 5), { after: Date.parse('2026-08-01'), count: 1 })
    expect(slot).toMatchObject({ date: '2026-08-05', period: { from: '2026-05-01', to: '2026-07-31' } })
  })
})
