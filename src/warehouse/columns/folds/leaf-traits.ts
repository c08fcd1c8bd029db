import type { VectorNumber } from '../vector-number'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { percentileDecimals } from '../../query/aggregates/percentile'
import { formatOf } from '../../query/aggregates/format'
import type { PlanContext } from '../../query/query-context'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ColumnFormat, ColumnType } from '../../../shared/data-sources/files'
import type { AggregateMeasure } from '../../../shared/query/plan'

/** What a measure is of, as far as it says how it is shown. */
interface LeafOperand {
  /** Whose rows it is over. */
  dataset: string
  number: Pick<VectorNumber, 'kind' | 'scale'> | null
  /** Null where the values are not those of a column. */
  column: Column | null
}

/** How an aggregate is shown. @throws ProductError `mixed_currency` when amounts of two currencies are added */
export function leafTraits(planContext: PlanContext, measure: AggregateMeasure, shown: LeafOperand): MeasureTraits {
  const format = formatIn(planContext, measure, shown.dataset)
  const { number, column } = shown
  const scale = number?.kind === 'exact' ? number.scale : undefined
  const type: ColumnType = scale === 0 ? 'integer' : 'number'
  switch (measure.agg) {
    case 'count':
    case 'countDistinct':
      return { type: 'integer', format: { style: 'plain' }, scale: 0, numeric: true, additive: true }
    case 'sum':
      return { type, format, scale, numeric: true, additive: true }
    case 'avg':
      return { type: 'number', format, scale: scale === undefined ? undefined : scale + 2, numeric: true }
    case 'median':
      return {
        type: 'number',
        format,
        scale: scale === undefined ? undefined : scale + percentileDecimals(measure.percent ?? 50),
        numeric: true,
      }
    case 'min':
    case 'max':
    case 'first':
    case 'last':
      return { type: column?.type ?? (number ? type : 'text'), format, scale, numeric: number !== null }
  }
}

/** Amounts are shown in the currency that they are brought to, each measure in its own way. */
function formatIn(planContext: PlanContext, measure: AggregateMeasure, dataset: string): ColumnFormat {
  const { money } = planContext
  const own = measure.mode === undefined || !money?.by ? planContext : { ...planContext, money: money.by(measure.mode) }
  return formatOf({ planContext: own, dataset }, measure)
}
