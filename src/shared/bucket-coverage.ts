import { startOfUnit, type Calendar, type CalendarUnit } from './dates'

/** The newest days with rows that are enough to say how buckets usually begin and end. */
export const ROW_DAYS_MAX = 750

/** Whether rows that begin or end on a day (day numbers) do so in the middle of a bucket. */
export interface BucketCoverage {
  beginsInside: (firstDay: number) => boolean
  endsInside: (lastDay: number) => boolean
}

/**
 * Judged by the rows themselves: a bucket that they begin or end in is whole when it lacks no more days at that end than
 * buckets usually do, or only such days as often pass without a row.
 * @param rowDays day numbers with rows, oldest first
 */
export function bucketCoverage(rowDays: readonly number[], unit: CalendarUnit, calendar: Calendar): BucketCoverage {
  const start = (day: number): number => startOfUnit(day, unit, calendar)
  const next = (day: number): number => startOfUnit(day, unit, calendar, 1)
  const usual = usualGaps(rowDays, start, next)
  const isPause = pauses(rowDays)
  const lacks = (from: number, to: number, usualDays: number): boolean =>
    to - from + 1 > usualDays && !isPause(Array.from({ length: to - from + 1 }, (_, n) => from + n))
  return {
    beginsInside: (first) => lacks(start(first), first - 1, usual.before),
    endsInside: (last) => lacks(last + 1, next(last) - 1, usual.after),
  }
}

const WEEKDAY_REGULAR_MIN = 0.8
/** Days without a row that are expected less often than this are not there yet. */
const PAUSE_CHANCE_MIN = 0.05

/** 0 to 6, also of days before 1970. */
const weekdayIndex = (day: number): number => ((day % 7) + 7) % 7

/**
 * Whether some days in a row may well pass without a row. Where rows come on nearly every day, or every working day, that
 * is the product of how often these weekdays have none; else such pauses tell that lie between rows.
 */
function pauses(rowDays: readonly number[]): (days: readonly number[]) => boolean {
  const weeks = ((rowDays.at(-1) ?? 0) - (rowDays[0] ?? 0) + 1) / 7
  const counts = Array.from({ length: 7 }, () => 0)
  for (const day of rowDays) counts[weekdayIndex(day)] = (counts[weekdayIndex(day)] ?? 0) + 1
  const shares = counts.map((count) => (weeks >= 1 ? Math.min(1, count / weeks) : 0))
  if (Math.max(...shares) < WEEKDAY_REGULAR_MIN) {
    const usual = usualPause(rowDays)
    return (days) => days.length <= usual
  }
  const chance = (day: number): number => 1 - (shares[weekdayIndex(day)] ?? 0)
  return (days) => days.reduce((product, day) => product * chance(day), 1) >= PAUSE_CHANCE_MIN
}

/** So many buckets in ten have as few days without rows at their ends. */
const USUAL_SHARE = 0.8
/** Of fewer buckets nothing is usual. */
const USUAL_BUCKETS_MIN = 4
/** Nor of fewer pauses between days with rows. */
const USUAL_PAUSES_MIN = 2
/** A pause longer than this share of all pauses is no pause any more. */
const USUAL_PAUSE_SHARE = 0.95

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

/**
 * How many days without rows buckets usually begin and end with: none where there are rows each day, some where nobody
 * works at weekends, nearly all of a month where each has one row. The first and the last bucket, which may be cut short,
 * do not say. Of few buckets the pauses between rows say it.
 */
function usualGaps(
  rowDays: readonly number[],
  startOf: (day: number) => number,
  next: (start: number) => number,
): { before: number; after: number } {
  const ends = new Map<number, { from: number; to: number }>()
  for (const day of rowDays) {
    const start = startOf(day)
    ends.set(start, { from: ends.get(start)?.from ?? day, to: day })
  }
  const whole = [...ends].slice(1, -1)
  if (whole.length < USUAL_BUCKETS_MIN) {
    const pause = usualPause(rowDays)
    return { before: pause, after: pause }
  }
  return {
    before: quantile(
      whole.map(([start, { from }]) => from - start),
      USUAL_SHARE,
    ),
    after: quantile(
      whole.map(([start, { to }]) => next(start) - 1 - to),
      USUAL_SHARE,
    ),
  }
}

/** Days without rows that usually lie between two with rows, at most. */
function usualPause(rowDays: readonly number[]): number {
  const pauses = rowDays.slice(1).map((day, at) => day - (rowDays[at] ?? day) - 1)
  return pauses.length < USUAL_PAUSES_MIN ? 0 : quantile(pauses, USUAL_PAUSE_SHARE)
}
