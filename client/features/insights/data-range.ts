import { useQuery } from '@tanstack/react-query'
import type { QueryResult } from '../../../src/shared/query/result'
import { dayOf } from '../../lib/time-buckets'
import { timeColumn, type DataRange } from './builder/default-draft'
import { dataRangePlan } from './queries'
import { planResultQuery } from '../../lib/plan-result'
import type { BuilderDataset } from '../../lib/query-builder/catalogue'

/** First and last day from the answer to `historyPlan`; null when no row has a date. */
export function dataRangeOf(result: QueryResult): DataRange | null {
  const [from, to] = (result.rows[0] ?? []).map((cell) => (typeof cell === 'string' ? dayOf(cell) : null))
  return from && to ? { from, to } : null
}

/** Today on the wall clock of a time zone, as ISO text. */
export const todayIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

/** The days that a dataset's time column holds; null without such a column or when they cannot be read. */
export function useDataRange(dataset: BuilderDataset): { dataRange: DataRange | null; pending: boolean } {
  const column = timeColumn(dataset)
  const rangeQuery = useQuery({
    ...planResultQuery(dataRangePlan(dataset.id, column?.key ?? 'c0')),
    enabled: column !== null,
  })
  return {
    dataRange: rangeQuery.data ? dataRangeOf(rangeQuery.data) : null,
    pending: column !== null && rangeQuery.isPending,
  }
}
