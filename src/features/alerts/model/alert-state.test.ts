import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  acknowledge,
  initialState,
  transition,
  evaluateCondition,
  consecutivePeriodsMet,
  CONDITION_EVALUATORS,
} from './alert-state'
import type { AlertGroupState, TransitionRules, Transition, PeriodReading } from './alert-state'
import type { AlertCondition } from '../../../shared/alerts'

const DAY_MS = 86_400_000
const at = (value: number | null, compared: number | null = null): PeriodReading => ({
  period: '2026-01-01',
  value,
  compared,
})
const above = (limit: number, band = 0): AlertCondition => ({ kind: 'value', op: 'above', limit, band })

/** Any series of figures and of what people do, evaluated once a day. */
const deeds = fc.array(
  fc.record({
    value: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null, freq: 8 }),
    deed: fc.constantFrom('none', 'none', 'none', 'none', 'acknowledge', 'mute', 'unmute'),
  }),
  { maxLength: 60 },
)
const rules = fc.record({
  limit: fc.integer({ min: 5, max: 25 }),
  band: fc.integer({ min: 0, max: 6 }),
  up: fc.boolean(),
  n: fc.integer({ min: 1, max: 4 }),
  of: fc.constantFrom('periods' as const, 'evaluations' as const),
  reminderDays: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
})

interface StepResult {
  day: number
  before: AlertGroupState
  reading: PeriodReading
  stepped: Transition
  muted: boolean
  held: number
}
type Rules = typeof rules extends fc.Arbitrary<infer R> ? R : never
type Deeds = typeof deeds extends fc.Arbitrary<infer D> ? D : never

function lived(series: Deeds, { limit, band, up, n, of, reminderDays }: Rules): StepResult[] {
  const condition: AlertCondition = { kind: 'value', op: up ? 'above' : 'below', limit, band }
  const readings: PeriodReading[] = []
  let state = initialState(0)
  let mutedUntil: number | null = null
  return series.map(({ value, deed }, day) => {
    const now = (day + 1) * DAY_MS
    if (deed === 'acknowledge') state = acknowledge(state, now)
    if (deed === 'mute') mutedUntil = now + 3 * DAY_MS
    if (deed === 'unmute') mutedUntil = null
    const reading = at(value)
    readings.push(reading)
    const held = consecutivePeriodsMet(readings, condition)
    const by: TransitionRules = { hold: { n, of }, reminderDays, mutedUntil }
    const stepped = transition(state, { verdict: evaluateCondition(reading, condition), periods: held, now }, by)
    const told = { day, before: state, reading, stepped, muted: mutedUntil !== null && now < mutedUntil, held }
    state = stepped.next
    return told
  })
}
const RUNS = env['LONG'] === '1' ? 20_000 : 1_000
const holds = (check: (told: StepResult[], by: Rules) => void): void =>
  fc.assert(
    fc.property(deeds, rules, (series, by) => check(lived(series, by), by)),
    { numRuns: RUNS },
  )

describe('an alert over any series', () => {
  it('tells of an opening and of its end in turn, never one of them twice', () => {
    holds((told) => {
      const mails = told.flatMap(({ stepped }) =>
        stepped.notification === null || stepped.notification === 'reminded' ? [] : [stepped.notification],
      )
      mails.forEach((mail, place) => expect(mail).toBe(place % 2 === 0 ? 'opened' : 'resolved'))
    })
  })

  it('loses no end: whoever was told of an opening is told of its end at the first chance that is not muted', () => {
    holds((told) => {
      for (const { before, stepped, muted } of told) {
        if (stepped.next.state === 'ok' && before.told === 'open' && !muted)
          expect(stepped.notification).toBe('resolved')
        if (stepped.next.state === 'open' && before.told === 'ok' && !muted) expect(stepped.notification).toBe('opened')
      }
    })
  })

  it('opens only beyond the limit and after it has held for long enough', () => {
    holds((told, { limit, up, n, of }) => {
      for (const { stepped, reading, held } of told) {
        if (stepped.event !== 'opened') continue
        expect(up ? Number(reading.value) > limit : Number(reading.value) < limit).toBe(true)
        if (of === 'periods') expect(held).toBeGreaterThanOrEqual(n)
        else expect(stepped.next.streak).toBeGreaterThanOrEqual(n)
      }
    })
  })

  it('ends only past the band, and stays as it is within it and while nothing is known', () => {
    holds((told, { limit, band, up }) => {
      for (const { before, stepped, reading } of told) {
        const { value } = reading
        if (stepped.event === 'resolved')
          expect(value !== null && (up ? value <= limit - band : value >= limit + band)).toBe(true)
        const inBand =
          value === null || (up ? value > limit - band && value <= limit : value < limit + band && value >= limit)
        if (inBand) expect([stepped.next.state, stepped.event]).toEqual([before.state, null])
      }
    })
  })

  it('is quiet while it is acknowledged or muted', () => {
    holds((told) => {
      for (const { stepped, muted } of told) {
        if (muted) expect(stepped.notification).toBe(null)
        if (stepped.next.state === 'acknowledged') expect(stepped.notification).toBe(null)
      }
    })
  })

  it('reminds only of what is open and was told, and no sooner than agreed', () => {
    holds((told, { reminderDays }) => {
      for (const { before, stepped, day } of told) {
        if (stepped.notification !== 'reminded') continue
        expect(before.told).toBe('open')
        expect((day + 1) * DAY_MS - (before.toldAt ?? 0)).toBeGreaterThanOrEqual((reminderDays ?? Infinity) * DAY_MS)
      }
    })
  })
})

describe('what sets an alert off', () => {
  it.each([
    ['a figure above its limit', at(11), above(10), { met: true, clear: false }],
    ['not the limit itself', at(10), above(10), { met: false, clear: true }],
    ['a figure within the band', at(9), above(10, 2), { met: false, clear: false }],
    ['a figure past the band', at(8), above(10, 2), { met: false, clear: true }],
    ['nothing known', at(null), above(10), { met: false, clear: false }],
  ])('value: %s', (_words, reading, condition, verdict) => {
    expect(evaluateCondition(reading, condition)).toEqual(verdict)
  })

  const falls = (band = 0): AlertCondition => ({
    ...{ kind: 'change', against: 'year', op: 'falls', by: 0.1, unit: 'percent', band },
  })
  it.each([
    ['a fall of as much', at(90, 100), falls(), { met: true, clear: false }],
    ['a smaller fall', at(91, 100), falls(), { met: false, clear: true }],
    ['a smaller fall within the band', at(93, 100), falls(0.05), { met: false, clear: false }],
    ['a fall from below zero', at(-120, -100), falls(), { met: true, clear: false }],
    ['a change from nothing, which has no per cent', at(5, 0), falls(), { met: false, clear: false }],
    ['nothing to hold it against', at(5), falls(), { met: false, clear: false }],
  ])('change: %s', (_words, reading, condition, verdict) => {
    expect(evaluateCondition(reading, condition)).toEqual(verdict)
  })

  const said = (value: number | null): PeriodReading => ({ ...at(value, 50), band: { lower: 40, upper: 60 } })
  it.each([
    ['a figure above it', said(61), 'either', { met: true, clear: false }],
    ['a figure below it', said(39), 'either', { met: true, clear: false }],
    ['a figure at its end', said(60), 'either', { met: false, clear: true }],
    ['a figure out of it the other way', said(39), 'above', { met: false, clear: true }],
    ['a figure below it, when that is asked for', said(39), 'below', { met: true, clear: false }],
    ['a period that no run spoke of', at(99), 'either', { met: false, clear: false }],
    ['nothing known', said(null), 'either', { met: false, clear: false }],
  ] as const)('band: %s', (_words, reading, side, verdict) => {
    expect(evaluateCondition(reading, { kind: 'band', forecastId: 'fct_1', level: 80, side })).toEqual(verdict)
  })

  it('finding: one of the kinds, about the newest period', () => {
    const condition = { kind: 'finding' as const, kinds: ['outlier' as const, 'change' as const] }
    expect(CONDITION_EVALUATORS.finding({ ...at(1), findings: ['streak', 'change'] }, condition)).toEqual({
      met: true,
      clear: false,
    })
    expect(CONDITION_EVALUATORS.finding({ ...at(1), findings: [] }, condition)).toEqual({ met: false, clear: true })
    expect(CONDITION_EVALUATORS.finding(at(1), condition)).toEqual({ met: false, clear: false })
  })
})
