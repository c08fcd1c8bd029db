import { DAY_MS } from '../../../shared/dates'
import { expressionFieldsOf } from '../../../shared/query/plan-fields'
import type { ColumnKey } from '../../../shared/data-sources/files'
import type { Expr } from '../../../shared/query/expression'
import type { LiveDataset } from '../../physical-layout'

type Bounds = NonNullable<LiveDataset['bounds'][ColumnKey]>

/**
 * First and last day that a computed date may come out as: those of the dates it is made of, of which a condition may
 * choose fewer. Moments count by their day in UTC, as those of stored columns do.
 */
export function computedDays(dataset: Pick<LiveDataset, 'columns' | 'bounds'>, expr: Expr): Bounds {
  const days = expressionFieldsOf(expr).flatMap(({ column: key }) => {
    const column = dataset.columns.find((each) => each.key === key)
    if (column?.type !== 'date' && column?.type !== 'datetime') return []
    const known = column.computed ? computedDays(dataset, column.computed) : dataset.bounds[key]
    const { min, max } = known ?? { min: null, max: null }
    const unit = column.type === 'date' ? 1 : DAY_MS
    return min === null || max === null ? [] : [Math.floor(min / unit), Math.floor(max / unit)]
  })
  return days.length === 0 ? { min: null, max: null } : { min: Math.min(...days), max: Math.max(...days) }
}
