import type { Calendar } from '../../../warehouse/contract'
import { dayOfIso, isoOfDay, unitStart } from '../../../warehouse/query/days'

/** The complete buckets of time that a figure is looked at over. */
export interface Window {
  grain: 'day' | 'week' | 'month'
  /** First days, oldest first. */
  buckets: string[]
  /** First and last day of all of them. */
  from: string
  to: string
}

interface Way {
  grain: Window['grain']
  /** Fewer say too little at this grain. */
  least: number
  most: number
  /** So many days may be without rows at either end of a bucket that is whole all the same. */
  slack: { first: number; last: number }
}
const WAYS: readonly Way[] = [
  { grain: 'month', least: 12, most: 48, slack: { first: 6, last: 4 } },
  { grain: 'week', least: 12, most: 60, slack: { first: 2, last: 2 } },
  { grain: 'day', least: 14, most: 90, slack: { first: 0, last: 0 } },
  { grain: 'month', least: 6, most: 48, slack: { first: 6, last: 4 } },
]

/**
 * Months where there are enough of them, else weeks or days. What is still running today, or what the rows begin or end
 * in the middle of, is left out. Null when history is too short for anything.
 */
export function windowOf(span: { from: string; to: string }, calendar: Calendar): Window | null {
  const [first, end, today] = [span.from, span.to, calendar.today].map((day) => dayOfIso(day.slice(0, 10)))
  if (first == null || end == null || today == null) return null
  const last = Math.min(end, today - 1)
  for (const way of WAYS) {
    const starts = startsOf(way, { first, last, today }, calendar)
    if (starts.length < way.least) continue
    const kept = starts.slice(-way.most)
    const [from = first] = kept
    const to = unitStart(kept.at(-1) ?? first, way.grain, calendar, 1) - 1
    return { grain: way.grain, buckets: kept.map(isoOfDay), from: isoOfDay(from), to: isoOfDay(to) }
  }
  return null
}

function startsOf(
  { grain, slack }: Way,
  { first, last, today }: { first: number; last: number; today: number },
  calendar: Calendar,
): number[] {
  const starts: number[] = []
  let at = unitStart(first, grain, calendar)
  if (first - at > slack.first) at = unitStart(first, grain, calendar, 1)
  for (;;) {
    const next = unitStart(at, grain, calendar, 1)
    if (next > today || next - 1 > last + slack.last) return starts
    starts.push(at)
    at = next
  }
}
