import type { QueryResult } from '../../../src/shared/query-result'
import { dayOf } from '../../ui/chart/time-buckets'
import type { DataRange } from './draft-defaults'

/** First and last day from the answer to `historyPlan`; null when no row has a date. */
export function dataRangeOf(result: QueryResult): DataRange | null {
  const [from, to] = (result.rows[0] ?? []).map((cell) => (typeof cell === 'string' ? dayOf(cell) : null))
  return from && to ? { from, to } : null
}

/** Today on the wall clock of a time zone, as ISO text. */
export const todayIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
