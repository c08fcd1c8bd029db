import { dayCount, periodEnd, periodStart, periodsBetween, yearGrainOf, type TargetGrain } from './periods'
import { sumTargetValues } from './spread'
import type { PaceBasis, PaceStatus, PeriodProgress, TargetLine } from './targets'

/** Within this part of what is expected it is on its pace. */
export const PACE_TOLERANCE = 0.02

export type TargetCells = ReadonlyMap<string, string>
export const toTargetCells = ({ values }: Pick<TargetLine, 'values'>): TargetCells =>
  new Map(values.map(({ period, value }) => [period, value]))

/** What last year says about how a period fills: its figure as far as today would be, and in whole. */
export interface LastYearProgress {
  soFar: number | null
  whole: number | null
}

/**
 * Where a running period should be by the end of today: as far as last year's same period was at this day, as a part of
 * its whole; by the share of its days that have passed where last year says nothing.
 */
export function expectedShare(
  { from, to, today }: { from: string; to: string; today: string },
  { soFar, whole }: LastYearProgress,
): { share: number; basis: PaceBasis } {
  const part = soFar !== null && whole !== null && whole > 0 ? soFar / whole : null
  // On its last day all of it is over, though last February may have been a day longer.
  if (part !== null && part >= 0 && part <= 1) return { share: today >= to ? 1 : part, basis: 'lastYear' }
  return { share: Math.min(1, dayCount(from, today) / dayCount(from, to)), basis: 'days' }
}

/** Better or worse than expected, by the favourable direction. */
export function paceStatus(actual: number, expected: number, direction: 'up' | 'down' | 'none'): PaceStatus | null {
  if (direction === 'none') return null
  const over = actual - expected
  if (Math.abs(over) <= Math.abs(expected) * PACE_TOLERANCE) return 'onPace'
  return over > 0 === (direction === 'up') ? 'ahead' : 'behind'
}

export interface PeriodProgressInput {
  period: string
  actual: number | null
  target: number
  /** Null: the figure's parts do not add up, so it has no pace. */
  pace: { share: number; basis: PaceBasis } | null
  direction: 'up' | 'down' | 'none'
}
export function periodProgress({ period, actual, target, pace, direction }: PeriodProgressInput): PeriodProgress {
  const expected = pace && target * pace.share
  const against = expected ?? target
  return {
    ...{ period, actual, target, expected, basis: pace?.basis ?? null },
    share: actual === null || target === 0 ? null : actual / target,
    status: actual === null ? null : paceStatus(actual, against, direction),
  }
}

/** Sum of the targets of whole periods; null when one of them has none. */
export function sumTargets(targetCells: TargetCells, periods: readonly string[]): string | null {
  const values = periods.map((period) => targetCells.get(period))
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 || known.length < values.length ? null : sumTargetValues(known)
}

export interface TargetLineOptions {
  grain: TargetGrain
  fiscalYearStart: number
  additive: boolean
  /** A running total: from when on it is summed. */
  running: 'never' | 'year' | 'fiscalYear' | null
}

/**
 * Targets laid over the buckets of a chart, by their first days: those of finer periods are added up, those of coarser ones
 * are not taken apart. Of a running total the line runs up too, from the beginning of its year. Null: no target there.
 */
export function targetLineValues(
  targetCells: TargetCells,
  buckets: readonly string[],
  { chart, grain, fiscalYearStart, additive, running }: TargetLineOptions & { chart: TargetGrain },
): (string | null)[] {
  const at = { grain, fiscalYearStart }
  const own = buckets.map((bucket): string | null => {
    if (chart === grain) return targetCells.get(bucket) ?? null
    if (!additive) return null
    const parts = periodsBetween(bucket, periodEnd(bucket, chart), at)
    // A coarser target has one part that begins before the bucket, or ends after it.
    const fits = parts[0] === bucket && periodEnd(parts.at(-1) ?? bucket, grain) === periodEnd(bucket, chart)
    return fits ? sumTargets(targetCells, parts) : null
  })
  if (running === null) return own
  let [sum, year] = ['0', '']
  return own.map((value, index) => {
    const bucket = buckets[index] ?? ''
    const begins = running === 'never' ? '' : periodStart(bucket, { grain: running, fiscalYearStart })
    if (begins !== year) [sum, year] = ['0', begins]
    if (value === null) return null
    sum = sumTargetValues([sum, value])
    return sum
  })
}

/** The year that a day is in, from its first day to the end of the period that is running. */
export function yearToDate(
  today: string,
  at: { grain: TargetGrain; fiscalYearStart: number },
): { start: string; over: string[]; running: string } {
  const start = periodStart(today, { ...at, grain: yearGrainOf(at.grain) })
  const periods = periodsBetween(start, today, at)
  return { start, over: periods.slice(0, -1), running: periods.at(-1) ?? start }
}
