import { groupedSplit, viewOf, type GroupedSplit } from '../sources/groupings'
import { columnOf, type QuerySource } from '../sources/source'
import type { Column } from '../../../shared/data-sources/data-sources'
import { isSameField } from '../../../shared/query/plan-fields'
import type { Field, Grain, QueryPlan } from '../../../shared/query/plan'

/** One split of a plan as its answer has it. */
export interface PlanSplit {
  field: Field
  column: Column
  grain: Grain | undefined
  topN: number | undefined
  /** Seen through a grouping: how its groups are shown. */
  grouped: GroupedSplit | null
  /** Whether the split is by the period's own column: its buckets are shifted in the comparison. */
  ofPeriod: boolean
}

/** @param source the rows of any fact of the plan: every split is reached from each */
export const planSplits = (source: QuerySource, { dimensions, period }: QueryPlan): PlanSplit[] =>
  dimensions.map(({ field, grain, grouping, topN }) => {
    const column = columnOf(source, field)
    return {
      ...{ field, column, topN },
      grain: grain ?? (column.type === 'date' && !grouping ? 'day' : undefined),
      grouped: grouping ? groupedSplit(viewOf(source, grouping), grouping) : null,
      ofPeriod: period !== undefined && isSameField(period.field, field),
    }
  })
