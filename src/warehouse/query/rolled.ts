import { columnNumber, exprNumber } from './expr'
import type { Leaf as LeafMeasure } from './facts'
import { average, counting, filterOf, nothing, numbersOf, picked, sum } from './leaf'
import type { Leaf, LeafSql } from './leaf'
import { columnAt, refOf } from './source'
import { sql } from './sql'
import type { Sql } from './sql'
import { countKey, leastKey, mostKey, ROWS_KEY } from '../rollups/keys'
import type { ColumnKey } from '../../shared/sources'

/**
 * A measure over a rollup, whose rows stand for many: counts add up what was counted, sums what was added up, least and
 * most look among those kept. `needs.ts` lets only questions through for which that is exact.
 */
export function rolledSql(leaf: Leaf, measure: LeafMeasure): LeafSql {
  const { root } = leaf.source
  const kept = (key: ColumnKey): Sql => leaf.base.column(refOf(columnAt(root, key)))
  const counted = (key: ColumnKey): LeafSql => {
    const rows = kept(key)
    return counting(leaf, (filter) => sql`coalesce(sum(${rows})${filter}, 0)`)
  }
  if (measure.kind === 'expression') {
    const numeric = exprNumber(leaf.source, measure.row)
    const value = numbersOf(numeric, leaf.base.column(numeric.sql))
    return measure.agg === 'avg' ? average(leaf, value, counted(ROWS_KEY)) : sum(leaf, value)
  }
  if (!measure.field) return counted(ROWS_KEY)
  const { column: key } = measure.field
  const column = columnAt(root, key)
  if (measure.agg === 'countDistinct') {
    const value = kept(key)
    return counting(leaf, (filter) => sql`count(DISTINCT ${value})${filter}`)
  }
  const numeric = columnNumber(leaf.source, column)
  switch (measure.agg) {
    case 'count':
      return counted(countKey(key))
    case 'sum':
      return sum(leaf, numbersOf(numeric, kept(key)))
    case 'avg':
      return average(leaf, numbersOf(numeric, kept(key)), counted(countKey(key)))
    case 'min': {
      const value = kept(leastKey(key))
      return picked(leaf, { value, numeric, column }, (when) => sql`min(${value})${filterOf(when)}`)
    }
    case 'max': {
      const value = kept(mostKey(key))
      return picked(leaf, { value, numeric, column }, (when) => sql`max(${value})${filterOf(when)}`)
    }
    case 'median':
    case 'first':
    case 'last':
      return nothing()
  }
}
