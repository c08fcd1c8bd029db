import type { Aggregate } from '../../../src/shared/query/functions'
import { TERMS } from '../../../src/shared/terms'

export const AGGREGATE_LABELS: Record<Aggregate, string> = {
  sum: 'Sum',
  avg: 'Average',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Count',
  countDistinct: TERMS.distinctCount,
  first: 'First',
  last: 'Last',
}
