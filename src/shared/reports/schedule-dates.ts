import { z } from 'zod'
import {
  DAY_MS,
  dayFromIso,
  firstOfMonth,
  HOUR_MS,
  isoFromDay,
  monthIndexOf,
  startOfUnit,
  type Calendar,
} from '../dates'

const hourSchema = z.int().min(0).max(23)
export const CLOSING_UNITS = ['month', 'quarter', 'year'] as const
/** When a schedule sends, on the workspace's calendar and clock. */
export const timingSchema = z.discriminatedUnion('kind', [
  /** So many days after a month, fiscal quarter or fiscal year has ended; 1 is the first day after it. */
  z.strictObject({
    kind: z.literal('afterClose'),
    unit: z.enum(CLOSING_UNITS),
    days: z.int().min(1).max(60),
    hour: hourSchema,
  }),
  /** 1 (Monday) to 7. */
  z.strictObject({ kind: z.literal('weekly'), weekday: z.int().min(1).max(7), hour: hourSchema }),
  /** A day that a month does not have is its last. */
  z.strictObject({ kind: z.literal('monthly'), day: z.int().min(1).max(31), hour: hourSchema }),
])
export type ScheduleTiming = z.output<typeof timingSchema>

export type ScheduleCalendar = Omit<Calendar, 'today'>
/** One date of a schedule. */
export interface ScheduleSlot {
  /** The day on the workspace's calendar: names the slot. */
  date: string
  /** Epoch milliseconds. */
  at: number
  /** The period that has closed, both days included; null for other timings. */
  period: { from: string; to: string } | null
}

const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone, ...digits, ...time })
  clocks.set(timeZone, made)
  return made
}

/** What a clock of the zone shows at an instant, as milliseconds of a day without zones. */
function wallClock(at: number, timeZone: string): number {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** Day number of an instant on the zone's calendar. */
export const localDay = (at: number, timeZone: string): number => Math.floor(wallClock(at, timeZone) / DAY_MS)

/**
 * The instant at which a clock of the zone first shows this hour of a day. An hour that comes twice counts the first
 * time; one that is skipped is as much later as the clock was put forward.
 */
export function instantOf(day: number, hour: number, timeZone: string): number {
  const wall = day * DAY_MS + hour * HOUR_MS
  const offset = (at: number): number => wallClock(at, timeZone) - at
  const before = offset(wall - DAY_MS)
  const at = [before, offset(wall + DAY_MS)].map((each) => wall - each).filter((each) => offset(each) === wall - each)
  return at.length === 0 ? wall - before : Math.min(...at)
}

/** The slot so many units from the one around `today`: later ones have later days. */
function slotAt(timing: ScheduleTiming, calendar: ScheduleCalendar, today: number, steps: number): ScheduleSlot {
  const on = (day: number, period: ScheduleSlot['period'] = null): ScheduleSlot => ({
    date: isoFromDay(day),
    at: instantOf(day, timing.hour, calendar.timeZone),
    period,
  })
  if (timing.kind === 'weekly') return on(today - ((today + 3) % 7) + 7 * steps + timing.weekday - 1)
  if (timing.kind === 'monthly') {
    const month = monthIndexOf(today) + steps
    return on(Math.min(firstOfMonth(month) + timing.day, firstOfMonth(month + 1)) - 1)
  }
  const unit = { month: 'month', quarter: 'fiscalQuarter', year: 'fiscalYear' } as const
  const at = (further: number): number =>
    startOfUnit(today, unit[timing.unit], { ...calendar, today: '' }, steps + further)
  return on(at(1) - 1 + timing.days, { from: isoFromDay(at(0)), to: isoFromDay(at(1) - 1) })
}

/** So many units back or ahead lies what is looked for: 60 days after a month's end are in the second one after it. */
const STEPS_AROUND = 4

/** The next slots after an instant (epoch milliseconds). */
export function nextSlots(
  timing: ScheduleTiming,
  calendar: ScheduleCalendar,
  { after, count }: { after: number; count: number },
): ScheduleSlot[] {
  const today = localDay(after, calendar.timeZone)
  const found: ScheduleSlot[] = []
  for (let steps = -STEPS_AROUND; found.length < count; steps += 1) {
    const slot = slotAt(timing, calendar, today, steps)
    if (slot.at > after) found.push(slot)
  }
  return found
}

/** The newest slot whose time has come. */
export function latestSlot(timing: ScheduleTiming, calendar: ScheduleCalendar, now: number): ScheduleSlot {
  const today = localDay(now, calendar.timeZone)
  for (let steps = STEPS_AROUND; ; steps -= 1) {
    const slot = slotAt(timing, calendar, today, steps)
    if (slot.at <= now) return slot
  }
}

/** The slot before one. */
export const slotBefore = (timing: ScheduleTiming, calendar: ScheduleCalendar, { at }: ScheduleSlot): ScheduleSlot =>
  latestSlot(timing, calendar, at - 1)

/** A slot by its day; null for a day that is none of this timing. */
export function slotOf(timing: ScheduleTiming, calendar: ScheduleCalendar, date: string): ScheduleSlot | null {
  const day = dayFromIso(date)
  if (day === null) return null
  const slot = latestSlot(timing, calendar, instantOf(day, timing.hour, calendar.timeZone))
  return slot.date === date ? slot : null
}
