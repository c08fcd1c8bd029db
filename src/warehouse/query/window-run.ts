import type { Amount } from './amount'
import { shiftOf } from './bucket'
import { sumOf } from './calc'
import type { Face } from './calc'
import { addMonths, dayOfIso, unitStart } from './days'
import type { Resolved } from './period'
import { readerOf } from './windows'
import type { Program, Window } from './windows'
import type { Grain } from '../../shared/query'
import type { Calendar } from '../contract'

/** A group before it is shown: raw keys, and of each arm (the period, its comparison) the figures that SQL answered. */
export interface Line {
  keys: SqlStorageValue[]
  other: boolean[]
  arms: { bases: Amount[]; windows: Amount[] }[]
}

/** The split by time that windows run over. */
export interface TimeAxis {
  /** Index of the split. */
  at: number
  grain: Grain
  calendar: Calendar
  /** How the buckets of the comparison were laid over those of the period; null when they were not. */
  period: Resolved | null
}

/** Works out every window of every line: within each combination of the other splits, over the calendar's units. */
export function runWindows(lines: readonly Line[], program: Program, at: { bases: readonly Face[]; axis: TimeAxis }) {
  const { axis } = at
  for (const line of lines) for (const arm of line.arms) arm.windows = program.windows.map(() => null)
  const arms = lines[0]?.arms.length ?? 0
  const series = seriesOf(lines, axis)
  const ownDay = Array.from({ length: arms }, (_, arm) => ownDayOf(axis, arm === 1))
  for (const window of program.windows) {
    const read = readerOf(window.of, at.bases)
    const valueAt = (line: Line, arm: number): Amount => {
      const own = line.arms[arm]
      return own ? read({ base: (i) => own.bases[i] ?? null, window: (i) => own.windows[i] ?? null }) : null
    }
    for (const one of series)
      ownDay.forEach((dayOf, arm) => {
        const values = one.map(({ line }) => valueAt(line, arm))
        const found =
          window.kind === 'prev'
            ? earlier(one, values, { window, axis })
            : running(one, values, { window, axis, dayOf })
        one.forEach(({ line }, i) => {
          const own = line.arms[arm]
          if (own) own.windows[window.index] = found[i] ?? null
        })
      })
  }
}

interface Point {
  bucket: number
  line: Line
}
/** Lines of each combination of the other splits, in the order of time. Those without a time stand in no line. */
function seriesOf(lines: readonly Line[], { at }: TimeAxis): Point[][] {
  const series = new Map<string, Point[]>()
  for (const line of lines) {
    const bucket = line.keys[at]
    if (typeof bucket !== 'number') continue
    const key = JSON.stringify([line.keys.filter((_, i) => i !== at), line.other])
    const points = series.get(key)
    if (points) points.push({ bucket, line })
    else series.set(key, [{ bucket, line }])
  }
  return [...series.values()].map((points) => points.toSorted((a, b) => a.bucket - b.bucket))
}

const stepped = (bucket: number, steps: number, { grain, calendar }: TimeAxis): number =>
  grain === 'hour' ? bucket - steps : unitStart(bucket, grain, calendar, -steps)

function earlier(
  points: readonly Point[],
  values: readonly Amount[],
  { window, axis }: { window: Extract<Window, { kind: 'prev' }>; axis: TimeAxis },
): Amount[] {
  const byBucket = new Map(points.map(({ bucket }, i) => [bucket, values[i] ?? null]))
  return points.map(({ bucket }) => byBucket.get(stepped(bucket, window.steps, axis)) ?? null)
}

function running(
  points: readonly Point[],
  values: readonly Amount[],
  at: { window: Extract<Window, { kind: 'cumulative' }>; axis: TimeAxis; dayOf: (bucket: number) => number },
): Amount[] {
  const { calendar } = at.axis
  const { restart } = at.window
  const today = dayOfIso(calendar.today) ?? 0
  let [sum, year]: [Amount, number | null] = [null, null]
  return points.map(({ bucket }, i) => {
    const day = at.dayOf(bucket)
    const own = restart === 'never' ? null : unitStart(day, restart, calendar)
    if (own !== year) sum = null
    year = own
    const value = values[i] ?? null
    if (value !== null) sum = sum === null ? value : sumOf('add', sum, value)
    // What has not begun has no running total yet.
    return value === null && day > today ? null : sum
  })
}

/** The first day of a bucket; of the comparison, where it lay before it was laid over the period's. */
function ownDayOf({ grain, calendar, period }: TimeAxis, isComparison: boolean): (bucket: number) => number {
  const dayOf = (bucket: number): number => (grain === 'hour' ? Math.floor(bucket / 24) : bucket)
  if (!isComparison || !period?.range || !period.compare) return dayOf
  const { range, compare } = period
  const shift = shiftOf(grain, { from: range.from, compareFrom: compare.from, yearly: compare.yearly }, calendar)
  if (shift.kind === 'days') return (bucket) => dayOf(bucket) - shift.days
  const months = shift.kind === 'year' ? 12 : shift.months
  return (bucket) => addMonths(dayOf(bucket), -months)
}

/** The last running totals there are; earlier units have none over the whole. */
export function lastWindows(lines: readonly Line[], program: Program, at: { arm: number; axis: TimeAxis }): Amount[] {
  const points = seriesOf(lines, at.axis).flat()
  return program.windows.map(({ kind, index }) => {
    if (kind === 'prev') return null
    const values = points.map(({ line }) => line.arms[at.arm]?.windows[index] ?? null)
    return values.findLast((value) => value !== null) ?? null
  })
}
