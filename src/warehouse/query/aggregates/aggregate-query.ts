import type { WatchRows } from '../../columns/side-rows'
import type { FactDatasets } from '../plan/fact-datasets'
import type { AbsolutePeriod } from '../time/resolve-period'
import type { QueryPlan } from '../../../shared/query/plan'

/** What is asked: the plan, whose rows each measure is over, and its days. */
export interface AggregateQuery {
  plan: QueryPlan
  facts: FactDatasets
  period: AbsolutePeriod | null
  /** What reading the rows once for all of it is expected to take, ms. */
  readingMs: number
  /** What else sees the rows of a fact that is read. */
  beside?: WatchRows
}
