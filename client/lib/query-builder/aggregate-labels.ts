import type { Aggregate } from '../../../src/shared/query/plan'

export const AGGREGATE_LABELS: Record<Aggregate, string> = {
  sum: 'Sum',
  avg: 'Average',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Count',
  countDistinct: 'Distinct count',
  first: 'First',
  last: 'Last',
}
