import type { AggregateQuery } from './aggregates/aggregate-query'
import type { Amount } from './aggregates/amount'
import type { OutputColumns, OutputGroup } from './aggregates/shape-result'
import type { RecordPage, RecordsRequest } from './plan/record-fields'
import type { PlanContext } from './query-context'
import type { ColumnBounds } from '../contract'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { ColumnKey } from '../../shared/data-sources/files'

/** The groups of an answer's page with all their figures. */
export interface AnswerGroups extends OutputColumns {
  groups: OutputGroup[]
  totals: Amount[][] | null
  /** Of all pages. */
  rowCount: number
}

/**
 * What rows come to, whoever reads them: the columns that are kept here, or the database that they lie in. What follows
 * from figures is the same for both.
 */
export interface FigureSource {
  /** @throws ProductError `query_too_complex` */
  groups(planContext: PlanContext, question: AggregateQuery): QuerySteps<AnswerGroups>
  records(planContext: PlanContext, ask: RecordsRequest): QuerySteps<RecordPage>
  /** How many rows of a dataset the asker may see, and between which values some of their columns lie. */
  visible(
    planContext: PlanContext,
    of: { dataset: string; columns: readonly ColumnKey[] },
  ): QuerySteps<{ count: number; bounds: Partial<Record<ColumnKey, ColumnBounds>> }>
}

/** What an answer is made with. */
export interface AggregateExecution {
  planContext: PlanContext
  question: AggregateQuery
  source: FigureSource
}
