import { bucketCoverage } from '../../shared/bucket-coverage'
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

/** Of more rows only months are taken apart by columns: weeks and days of them are too many groups to ask for. */
const FINE_GRAIN_ROWS_MAX = 300_000
/** Whether figures of so many rows are taken apart by columns at this grain. */
export const canTakeApart = ({ grain }: Pick<AnalysisWindow, 'grain'>, rows: number): boolean =>
  grain === 'month' || rows <= FINE_GRAIN_ROWS_MAX

/** Between which days there are rows, and on which of the newest of them. ISO text. */
export interface RowDays {
  from: string
  to: string
  /** Oldest first. */
  days: readonly string[]
}

/**
 * Months where there are enough of them, else weeks or days. What is still running today, or what the rows begin or end
 * in the middle of, is left out. Null when history is too short for anything.
 */
export function chooseWindow(rows: RowDays, calendar: Calendar): AnalysisWindow | null {
  const span = rowSpanOf(rows, calendar)
  if (!span) return null
  const { first } = span
  for (const way of GRAIN_OPTIONS) {
    const starts = bucketStarts(way, span, calendar)
    if (starts.length < way.least) continue
    const kept = starts.slice(-way.most)
    const [from = first] = kept
    const to = startOfUnit(kept.at(-1) ?? first, way.grain, calendar, 1) - 1
    return { grain: way.grain, buckets: kept.map(isoFromDay), from: isoFromDay(from), to: isoFromDay(to) }
  }
  return null
}

/** A month that is over and lacks no more days at its end is told: a year without its last month is told wrongly. */
const DAYS_LACKING_MAX: Partial<Record<AnalysisWindow['grain'], number>> = { month: 2 }

const DAILY_SHARE_MIN = 0.9
/** Whether there are rows on nearly every day, so that a day without any is one that lacks. */
const isDaily = (rowDays: readonly number[]): boolean =>
  rowDays.length >= DAILY_SHARE_MIN * ((rowDays.at(-1) ?? 0) - (rowDays[0] ?? 0) + 1)

interface RowSpan {
  first: number
  last: number
  today: number
  rowDays: readonly number[]
}

function rowSpanOf({ days, ...span }: RowDays, calendar: Calendar): RowSpan | null {
  const [first, end, today] = [span.from, span.to, calendar.today].map((day) => dayFromIso(day.slice(0, 10)))
  if (first == null || end == null || today == null) return null
  const rowDays = days.flatMap((day) => dayFromIso(day.slice(0, 10)) ?? []).filter((day) => day < today)
  return { first, last: Math.min(end, today - 1), today, rowDays }
}

/** First days of the months that are there whole, however few. */
export function completeMonths(rows: RowDays, calendar: Calendar): string[] {
  const span = rowSpanOf(rows, calendar)
  return span ? bucketStarts({ grain: 'month' }, span, calendar).map(isoFromDay) : []
}

/** First days of the buckets with rows, without those that the rows begin or end in the middle of. */
function bucketStarts(
  { grain }: Pick<GrainOption, 'grain'>,
  { first, last, today, rowDays }: RowSpan,
  calendar: Calendar,
): number[] {
  const next = (at: number): number => startOfUnit(at, grain, calendar, 1)
  const coverage = bucketCoverage(rowDays, grain, calendar)
  const slack = isDaily(rowDays) ? 0 : (DAYS_LACKING_MAX[grain] ?? 0)
  let at = startOfUnit(first, grain, calendar)
  if (first - at > slack && coverage.beginsInside(first)) at = next(at)
  const starts: number[] = []
  for (; next(at) <= today && at <= last; at = next(at)) {
    if (next(at) - 1 - last > slack && coverage.endsInside(last)) break
    starts.push(at)
  }
  return starts
}
