import type { Amount } from './amount'
import { shiftOf } from './bucket'
import { sumOf } from './calc'
import type { MeasureTraits } from './calc'
import { addMonths, dayFromIso, startOfUnit } from './days'
import type { AbsolutePeriod } from './period'
import { nodeEvaluator } from './windows'
import type { WindowProgram, WindowStep } from './windows'
import type { Grain } from '../../shared/query'
import type { Calendar } from '../contract'

/** A group before it is shown: raw keys, and of each arm (the period, its comparison) the figures that SQL answered. */
export interface ResultGroup {
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
  period: AbsolutePeriod | null
}

/** Works out every window of every line: within each combination of the other splits, over the calendar's units. */
export function runWindows(
  lines: readonly ResultGroup[],
  windowProgram: WindowProgram,
  at: { bases: readonly MeasureTraits[]; axis: TimeAxis },
) {
  const { axis } = at
  for (const line of lines) for (const arm of line.arms) arm.windows = windowProgram.windows.map(() => null)
  const arms = lines[0]?.arms.length ?? 0
  const series = seriesOf(lines, axis)
  const ownDay = Array.from({ length: arms }, (_, arm) => originalDayOf(axis, arm === 1))
  for (const window of windowProgram.windows) {
    const read = nodeEvaluator(window.of, at.bases)
    const valueAt = (resultGroup: ResultGroup, arm: number): Amount => {
      const own = resultGroup.arms[arm]
      return own ? read({ base: (i) => own.bases[i] ?? null, window: (i) => own.windows[i] ?? null }) : null
    }
    for (const one of series)
      ownDay.forEach((dayOf, arm) => {
        const values = one.map(({ line }) => valueAt(line, arm))
        const found =
          window.kind === 'prev'
            ? previousValues(one, values, { window, axis })
            : runningTotals(one, values, { window, axis, dayOf })
        one.forEach(({ line }, i) => {
          const own = line.arms[arm]
          if (own) own.windows[window.index] = found[i] ?? null
        })
      })
  }
}

interface Point {
  bucket: number
  line: ResultGroup
}
/** Lines of each combination of the other splits, in the order of time. Those without a time stand in no line. */
function seriesOf(lines: readonly ResultGroup[], { at }: TimeAxis): Point[][] {
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

const stepBack = (bucket: number, steps: number, { grain, calendar }: TimeAxis): number =>
  grain === 'hour' ? bucket - steps : startOfUnit(bucket, grain, calendar, -steps)

function previousValues(
  points: readonly Point[],
  values: readonly Amount[],
  { window, axis }: { window: Extract<WindowStep, { kind: 'prev' }>; axis: TimeAxis },
): Amount[] {
  const byBucket = new Map(points.map(({ bucket }, i) => [bucket, values[i] ?? null]))
  return points.map(({ bucket }) => byBucket.get(stepBack(bucket, window.steps, axis)) ?? null)
}

function runningTotals(
  points: readonly Point[],
  values: readonly Amount[],
  at: { window: Extract<WindowStep, { kind: 'cumulative' }>; axis: TimeAxis; dayOf: (bucket: number) => number },
): Amount[] {
  const { calendar } = at.axis
  const { restart } = at.window
  const today = dayFromIso(calendar.today) ?? 0
  let [sum, year]: [Amount, number | null] = [null, null]
  return points.map(({ bucket }, i) => {
    const day = at.dayOf(bucket)
    const own = restart === 'never' ? null : startOfUnit(day, restart, calendar)
    if (own !== year) sum = null
    year = own
    const value = values[i] ?? null
    if (value !== null) sum = sum === null ? value : sumOf('add', sum, value)
    // What has not begun has no running total yet.
    return value === null && day > today ? null : sum
  })
}

/** The first day of a bucket; of the comparison, where it lay before it was laid over the period's. */
function originalDayOf({ grain, calendar, period }: TimeAxis, isComparison: boolean): (bucket: number) => number {
  const dayOf = (bucket: number): number => (grain === 'hour' ? Math.floor(bucket / 24) : bucket)
  if (!isComparison || !period?.range || !period.compare) return dayOf
  const { range, compare } = period
  const shift = shiftOf(grain, { from: range.from, compareFrom: compare.from, yearly: compare.yearly }, calendar)
  if (shift.kind === 'days') return (bucket) => dayOf(bucket) - shift.days
  const months = shift.kind === 'year' ? 12 : shift.months
  return (bucket) => addMonths(dayOf(bucket), -months)
}

/** The last running totals there are; earlier units have none over the whole. */
export function lastRunningTotals(
  lines: readonly ResultGroup[],
  windowProgram: WindowProgram,
  at: { arm: number; axis: TimeAxis },
): Amount[] {
  const points = seriesOf(lines, at.axis).flat()
  return windowProgram.windows.map(({ kind, index }) => {
    if (kind === 'prev') return null
    const values = points.map(({ line }) => line.arms[at.arm]?.windows[index] ?? null)
    return values.findLast((value) => value !== null) ?? null
  })
}
