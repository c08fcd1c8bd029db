import { dayFromIso, isoFromDay, startOfUnit, type Calendar } from '../../shared/dates'

/** The complete buckets of time that a figure is looked at over. */
export interface AnalysisWindow {
  grain: 'day' | 'week' | 'month'
  /** First days, oldest first. */
  buckets: string[]
  /** First and last day of all of them. */
  from: string
  to: string
}

interface GrainOption {
  grain: AnalysisWindow['grain']
  /** Fewer say too little at this grain. */
  least: number
  most: number
}
const GRAIN_OPTIONS: readonly GrainOption[] = [
  { grain: 'month', least: 12, most: 48 },
  { grain: 'week', least: 12, most: 60 },
  { grain: 'day', least: 14, most: 90 },
  { grain: 'month', least: 6, most: 48 },
]

/** Between which days there are rows, and on which of the newest of them. ISO text. */
export interface RowDays {
  from: string
  to: string
  /** Oldest first. */
  days: readonly string[]
}
/** The newest days that are enough to say how buckets usually begin and end. */
export const ROW_DAYS_MAX = 750

/**
 * Months where there are enough of them, else weeks or days. What is still running today, or what the rows begin or end
 * in the middle of, is left out. Null when history is too short for anything.
 */
export function chooseWindow({ days, ...span }: RowDays, calendar: Calendar): AnalysisWindow | null {
  const [first, end, today] = [span.from, span.to, calendar.today].map((day) => dayFromIso(day.slice(0, 10)))
  if (first == null || end == null || today == null) return null
  const rowDays = days.flatMap((day) => dayFromIso(day.slice(0, 10)) ?? []).filter((day) => day < today)
  const last = Math.min(end, today - 1)
  for (const way of GRAIN_OPTIONS) {
    const starts = bucketStarts(way, { first, last, today, rowDays }, calendar)
    if (starts.length < way.least) continue
    const kept = starts.slice(-way.most)
    const [from = first] = kept
    const to = startOfUnit(kept.at(-1) ?? first, way.grain, calendar, 1) - 1
    return { grain: way.grain, buckets: kept.map(isoFromDay), from: isoFromDay(from), to: isoFromDay(to) }
  }
  return null
}

interface RowSpan {
  first: number
  last: number
  today: number
  rowDays: readonly number[]
}

/** First days of the buckets with rows, without those that the rows begin or end in the middle of. */
function bucketStarts({ grain }: GrainOption, { first, last, today, rowDays }: RowSpan, calendar: Calendar): number[] {
  const next = (at: number): number => startOfUnit(at, grain, calendar, 1)
  const usual = usualGaps(rowDays, (day) => startOfUnit(day, grain, calendar), next)
  const hasRows = usualWeekdays(rowDays)
  const isCut = (from: number, to: number, usualDays: number): boolean =>
    to - from + 1 > usualDays && Array.from({ length: to - from + 1 }, (_, n) => from + n).some(hasRows)
  let at = startOfUnit(first, grain, calendar)
  if (isCut(at, first - 1, usual.before)) at = next(at)
  const starts: number[] = []
  for (; next(at) <= today && at <= last; at = next(at)) {
    if (isCut(last + 1, next(at) - 1, usual.after)) break
    starts.push(at)
  }
  return starts
}

const WEEKDAY_REGULAR_MIN = 0.8
const WEEKDAY_USUAL_MIN = 0.5

/** Whether rows are expected on a day: where they come each working day none are at weekends; else on any day. */
function usualWeekdays(rowDays: readonly number[]): (day: number) => boolean {
  const weeks = ((rowDays.at(-1) ?? 0) - (rowDays[0] ?? 0) + 1) / 7
  const counts = Array.from({ length: 7 }, () => 0)
  for (const day of rowDays) counts[day % 7] = (counts[day % 7] ?? 0) + 1
  const shares = counts.map((count) => (weeks >= 1 ? count / weeks : 0))
  if (Math.max(...shares) < WEEKDAY_REGULAR_MIN) return () => true
  return (day) => (shares[day % 7] ?? 0) >= WEEKDAY_USUAL_MIN
}

/** So many buckets in ten have as few days without rows at their ends. */
const USUAL_SHARE = 0.8
/** Of fewer buckets nothing is usual. */
const USUAL_BUCKETS_MIN = 4

/**
 * How many days without rows buckets usually begin and end with: none where there are rows each day, some where nobody
 * works at weekends, nearly all of a month where each has one row. The first and the last bucket, which may be cut short,
 * do not say.
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
  if (whole.length < USUAL_BUCKETS_MIN) return { before: 0, after: 0 }
  const usual = (gaps: number[]): number =>
    gaps.toSorted((a, b) => a - b)[Math.ceil(gaps.length * USUAL_SHARE) - 1] ?? 0
  return {
    before: usual(whole.map(([start, { from }]) => from - start)),
    after: usual(whole.map(([start, { to }]) => next(start) - 1 - to)),
  }
}
