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
  /** So many days may be without rows at either end of a bucket that is whole all the same. */
  slack: { first: number; last: number }
}
const GRAIN_OPTIONS: readonly GrainOption[] = [
  { grain: 'month', least: 12, most: 48, slack: { first: 6, last: 4 } },
  { grain: 'week', least: 12, most: 60, slack: { first: 2, last: 2 } },
  { grain: 'day', least: 14, most: 90, slack: { first: 0, last: 0 } },
  { grain: 'month', least: 6, most: 48, slack: { first: 6, last: 4 } },
]

/**
 * Months where there are enough of them, else weeks or days. What is still running today, or what the rows begin or end
 * in the middle of, is left out. Null when history is too short for anything.
 */
export function chooseWindow(span: { from: string; to: string }, calendar: Calendar): AnalysisWindow | null {
  const [first, end, today] = [span.from, span.to, calendar.today].map((day) => dayFromIso(day.slice(0, 10)))
  if (first == null || end == null || today == null) return null
  const last = Math.min(end, today - 1)
  for (const way of GRAIN_OPTIONS) {
    const starts = bucketStarts(way, { first, last, today }, calendar)
    if (starts.length < way.least) continue
    const kept = starts.slice(-way.most)
    const [from = first] = kept
    const to = startOfUnit(kept.at(-1) ?? first, way.grain, calendar, 1) - 1
    return { grain: way.grain, buckets: kept.map(isoFromDay), from: isoFromDay(from), to: isoFromDay(to) }
  }
  return null
}

function bucketStarts(
  { grain, slack }: GrainOption,
  { first, last, today }: { first: number; last: number; today: number },
  calendar: Calendar,
): number[] {
  const starts: number[] = []
  let at = startOfUnit(first, grain, calendar)
  if (first - at > slack.first) at = startOfUnit(first, grain, calendar, 1)
  for (;;) {
    const next = startOfUnit(at, grain, calendar, 1)
    if (next > today || next - 1 > last + slack.last) return starts
    starts.push(at)
    at = next
  }
}
