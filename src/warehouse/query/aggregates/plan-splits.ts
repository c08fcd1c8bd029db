import { binEdge, binSize, type BinSize } from './bins'
import { columnOf } from '../plan/field-columns'
import { groupedSplit, viewOf, type GroupedSplit } from '../plan/plan-groupings'
import type { PlanContext } from '../query-context'
import { partNumber } from '../time/date-parts'
import type { Column } from '../../../shared/data-sources/data-sources'
import { isSameField } from '../../../shared/query/plan-fields'
import type { QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { DatePart, Grain } from '../../../shared/query/date-range'

/** One split of a plan as its answer has it. */
export interface PlanSplit {
  field: Field
  column: Column
  grain: Grain | undefined
  part: DatePart | undefined
  /** Steps of a number. */
  bins: BinSize | undefined
  /** Of a part of dates or a bin: what an ordinal is told as. */
  numberOf?: (ordinal: number) => number
  topN: number | undefined
  /** Of keys: the column that says what they are called. */
  label?: { field: Field; column: Column }
  /** Of keys with a label: what each value of the answer is called, no two alike. */
  names?: ReadonlyMap<string | number, string>
  /** Seen through a grouping: how its groups are shown. */
  grouped: GroupedSplit | null
  /** Whether the split is by the period's own column: its buckets are shifted in the comparison. */
  ofPeriod: boolean
}

/** Whether its groups come in their own order where nobody asks for another: units of time, parts of dates and bins do. */
export const isNaturallyOrdered = (dimension: Pick<PlanSplit, 'grain' | 'part' | 'bins'> | undefined): boolean =>
  dimension?.grain !== undefined || dimension?.part !== undefined || dimension?.bins !== undefined

/** @param fact any fact of the plan: every split is reached from each */
export const planSplits = (planContext: PlanContext, fact: string, { dimensions, period }: QueryPlan): PlanSplit[] =>
  dimensions.map(({ field, label, grain, part, bins, grouping, topN }) => {
    const column = columnOf(planContext, fact, field)
    const width = bins && 'width' in bins ? bins.width : undefined
    const { calendar } = planContext
    return {
      ...{ field, column, part, topN },
      ...(label ? { label: { field: label, column: columnOf(planContext, fact, label) } } : {}),
      grain: grain ?? (column.type === 'date' && !grouping && !part ? 'day' : undefined),
      bins: width === undefined ? undefined : binSize(column, width),
      ...(width === undefined ? {} : { numberOf: (bin: number) => binEdge(bin, width) }),
      ...(part ? { numberOf: (ordinal: number) => partNumber(ordinal, part, calendar) } : {}),
      grouped: grouping ? groupedSplit(viewOf(planContext, grouping), grouping) : null,
      ofPeriod: period !== undefined && isSameField(period.field, field),
    }
  })
