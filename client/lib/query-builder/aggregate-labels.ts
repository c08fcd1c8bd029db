import type { Aggregate } from '../../../src/shared/query/plan'

export const AGGREGATE_LABELS: Record<Aggregate, string> = {
  sum: 'Sum',
  avg: 'Average',
  median: 'Median',
  min: 'Smallest',
  max: 'Largest',
  count: 'Number of values',
  countDistinct: 'Number of different values',
  first: 'First',
  last: 'Last',
}
