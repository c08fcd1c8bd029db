import { columnNumber, exprNumber } from './expr'
import type { FactMeasure as LeafMeasure } from './facts'
import { average, counting, filterOf, nothing, numbersOf, pickedValue, sum } from './leaf'
import type { Aggregation, AggregationSql } from './leaf'
import { columnAt, refOf } from './source'
import { sql } from './sql'
import type { Sql } from './sql'
import { countKey, leastKey, mostKey, ROWS_KEY } from '../rollups/keys'
import type { ColumnKey } from '../../shared/sources'

/**
 * A measure over a rollup, whose rows stand for many: counts add up what was counted, sums what was added up, least and
 * most look among those kept. `needs.ts` lets only questions through for which that is exact.
 */
export function rollupMeasureSql(aggregation: Aggregation, measure: LeafMeasure): AggregationSql {
  const { root } = aggregation.source
  const kept = (key: ColumnKey): Sql => aggregation.base.column(refOf(columnAt(root, key)))
  const counted = (key: ColumnKey): AggregationSql => {
    const rows = kept(key)
    return counting(aggregation, (filter) => sql`coalesce(sum(${rows})${filter}, 0)`)
  }
  if (measure.kind === 'expression') {
    const numeric = exprNumber(aggregation.source, measure.row)
    const value = numbersOf(numeric, aggregation.base.column(numeric.sql))
    return measure.agg === 'avg' ? average(aggregation, value, counted(ROWS_KEY)) : sum(aggregation, value)
  }
  if (!measure.field) return counted(ROWS_KEY)
  const { column: key } = measure.field
  const column = columnAt(root, key)
  if (measure.agg === 'countDistinct') {
    const value = kept(key)
    return counting(aggregation, (filter) => sql`count(DISTINCT ${value})${filter}`)
  }
  const numeric = columnNumber(aggregation.source, column)
  switch (measure.agg) {
    case 'count':
      return counted(countKey(key))
    case 'sum':
      return sum(aggregation, numbersOf(numeric, kept(key)))
    case 'avg':
      return average(aggregation, numbersOf(numeric, kept(key)), counted(countKey(key)))
    case 'min': {
      const value = kept(leastKey(key))
      return pickedValue(aggregation, { value, numeric, column }, (when) => sql`min(${value})${filterOf(when)}`)
    }
    case 'max': {
      const value = kept(mostKey(key))
      return pickedValue(aggregation, { value, numeric, column }, (when) => sql`max(${value})${filterOf(when)}`)
    }
    case 'median':
    case 'first':
    case 'last':
      return nothing()
  }
}
