import { describe, expect, it } from 'vitest'
import {
  DEAD_AFTER,
  effectiveHours,
  isDue,
  nextSlotAt,
  scheduleAfterFailure,
  slotOf,
  type FailureReason,
} from './schedule'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR
const NOW = Date.UTC(2026, 2, 28, 12)
const JITTER_MAX = 10 * MINUTE

describe('how often a source is synced', () => {
  it.each([
    { wanted: 24, allowed: 24, hours: 24 },
    { wanted: 6, allowed: 24, hours: 24 },
    { wanted: 6, allowed: 12, hours: 12 },
    { wanted: 6, allowed: 6, hours: 6 },
    { wanted: 1, allowed: 6, hours: 6 },
    { wanted: 1, allowed: 1, hours: 1 },
    { wanted: 168, allowed: 6, hours: 168 },
  ])('every $hours h, wanted every $wanted h, where the plan allows every $allowed h', ({ wanted, allowed, hours }) => {
    expect(effectiveHours(wanted, allowed)).toBe(hours)
  })

  it.each([1, 3, 6, 12, 24, 168])('every %i h of passed time, whatever clocks on walls do', (hours) => {
    // 2026-03-29 and 2026-10-25 have 23 and 25 hours in much of Europe.
    for (const startedAt of [NOW, Date.UTC(2026, 2, 29, 0, 59), Date.UTC(2026, 9, 25, 0, 59)]) {
      const late = nextSlotAt({ startedAt, hours, seed: 'src_1' }) - startedAt - hours * HOUR
      expect(late).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThanOrEqual(Math.min(JITTER_MAX, hours * HOUR * 0.05))
    }
  })

  it('spreads sources of one moment, each always alike', () => {
    const at = (seed: string) => nextSlotAt({ startedAt: NOW, hours: 24, seed })
    const seeds = Array.from({ length: 50 }, (_, n) => `src_${n}`)
    expect(new Set(seeds.map(at)).size).toBeGreaterThan(40)
    expect(seeds.map(at)).toEqual(seeds.map(at))
  })
})

describe('whether a source is due', () => {
  const next = nextSlotAt({ startedAt: NOW, hours: 24, seed: 'src_1' })
  it.each([
    { what: 'just before its time', nextAt: next, now: next - 1, due: false },
    { what: 'at its time', nextAt: next, now: next, due: true },
    { what: 'long after its time', nextAt: next, now: next + 7 * 24 * HOUR, due: true },
    { what: 'once the clock has jumped ahead by a year', nextAt: next, now: NOW + YEAR, due: true },
    { what: 'once the clock has been set back by a year', nextAt: next, now: NOW - YEAR, due: true },
    { what: 'after a day of 23 hours', nextAt: next, now: NOW + 23 * HOUR, due: false },
    { what: 'never, without a time', nextAt: null, now: NOW + YEAR, due: false },
  ])('$what: $due', ({ nextAt, now, due }) => {
    expect(isDue({ nextAt, hours: 24, now })).toBe(due)
  })

  it('as one slot, however many its clock jumped over', () => {
    expect(slotOf(next)).toBe(slotOf(next))
    expect(slotOf(next)).not.toBe(slotOf(next + 1))
  })
})

describe('what follows a failure', () => {
  const after = (failures: number, reason: FailureReason = 'down', retryAfterMs?: number) =>
    scheduleAfterFailure({ failures, reason, now: NOW, seed: 'src_1', retryAfterMs })

  it.each([
    { failures: 1, minutes: 5, state: 'degraded' },
    { failures: 2, minutes: 30, state: 'degraded' },
    { failures: 3, minutes: 120, state: 'failed' },
    { failures: 4, minutes: 120, state: 'failed' },
    { failures: DEAD_AFTER - 1, minutes: 120, state: 'failed' },
  ])('the $failures. in a row: tried again after $minutes min, $state', ({ failures, minutes, state }) => {
    const plan = after(failures)
    expect(plan).toMatchObject({ state, isDead: false })
    const wait = (plan.nextAt ?? 0) - NOW
    expect(wait).toBeGreaterThanOrEqual(minutes * MINUTE)
    expect(wait).toBeLessThanOrEqual(minutes * MINUTE * 1.05)
  })

  it.each([
    { what: 'the source says when', plan: after(1, 'down', 3 * HOUR), least: 3 * HOUR },
    { what: 'it asks for less than we wait', plan: after(3, 'down', MINUTE), least: 120 * MINUTE },
  ])('waits as long as it must where $what', ({ plan, least }) => {
    expect((plan.nextAt ?? 0) - NOW).toBeGreaterThanOrEqual(least)
    expect((plan.nextAt ?? 0) - NOW).toBeLessThanOrEqual(least + JITTER_MAX)
  })

  it.each([
    { what: 'too many in a row', plan: after(DEAD_AFTER), isDead: true },
    { what: 'refused credentials', plan: after(1, 'auth'), isDead: false },
    { what: 'credentials that cannot be read', plan: after(1, 'credential'), isDead: false },
  ])('leaves it to a person: $what', ({ plan, isDead }) => {
    expect(plan).toEqual({ state: 'failed', nextAt: null, isDead })
  })
})
