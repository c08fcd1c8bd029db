import { notFromColumns } from '../plan/plan-errors'
import { columnNumber, exprNumber, textSql } from '../expressions/expr'
import type { FactMeasure as LeafMeasure } from '../plan/fact-datasets'
import { average, counting, filterOf, nothing, numbersOf, pickedValue, sum, firstOrLast } from './aggregation'
import { percentile } from './percentile'
import type { AggregationSql, BaseTable, AggregateOperand } from './aggregation'
import { refOf, columnOf, type QuerySource } from '../sources/source'
import { sql, type Sql } from '../sources/sql'
import { calcSide, constantSide, ratioSide, type FactAggregate, type MeasureSide } from './calculations'
import { typeOfExpression } from '../../../shared/query/expression-types'
import { filtersSql } from '../sources/filters'
import { formatOf } from './format'
import { isCountMeasure, isLeafMeasure } from '../../../shared/query/plan-fields'
import type { CalcOperand, CurrencyMode } from '../../../shared/query/plan'

/** A figure that SQL works out for each group. */
export type MeasureSql = MeasureSide
/** The rows that a measure is over, and where it puts what it needs of each. */
export interface FactSource {
  index: number
  source: QuerySource
  base: BaseTable
}

export function measureSql(factOf: (factMeasure: LeafMeasure) => FactSource, measure: CalcOperand): MeasureSql {
  const made = (side: CalcOperand): MeasureSql => measureSql(factOf, side)
  if (measure.kind === 'number') return constantSide(measure.value)
  if (measure.kind === 'ratio') return ratioSide(made(measure.over), made(measure.under))
  if (measure.kind === 'calc') return calcSide(measure.op, made(measure.left), made(measure.right))
  if (measure.kind === 'grouped') throw notFromColumns()
  if (!isLeafMeasure(measure)) throw new TypeError('A checked plan holds no such figure.')
  const { index, source, base } = factOf(measure)
  const leaf = aggregationSql(source, base, measure)
  const over = (piece: Sql): FactAggregate => ({ sql: piece, fact: index, zero: leaf.zero === true })
  return { ...leaf, pieces: (when) => leaf.pieces(when).map(over) }
}

function aggregationSql(given: QuerySource, baseTable: BaseTable, measure: LeafMeasure): AggregationSql {
  const source = measure.mode === undefined ? given : withCurrencyMode(given, measure.mode)
  const pass = measure.filter?.length ? baseTable.column(filtersSql(source, measure.filter, 'measures')) : null
  const when = pass ? [pass] : []
  const leaf = { source, base: baseTable, when, format: formatOf(source, measure) }
  if (measure.kind === 'column' && !measure.field) return counting(leaf, (filter) => sql`count(*)${filter}`)
  // What is counted is what lies there: an amount without a rate is one, too.
  const operand = operandOf(isCountMeasure(measure) ? withoutConversion(source) : source, baseTable, measure)
  const { value, numeric } = operand
  switch (measure.agg) {
    case 'count':
      return counting(leaf, (filter) => sql`count(${value})${filter}`)
    case 'countDistinct':
      return counting(leaf, (filter) => sql`count(DISTINCT ${value})${filter}`)
    case 'sum':
      return numeric ? sum(leaf, numbersOf(numeric, value)) : nothing()
    case 'avg':
      return numeric ? average(leaf, numbersOf(numeric, value)) : nothing()
    case 'median':
      return numeric ? percentile(leaf, numbersOf(numeric, value), measure.percent ?? 50) : nothing()
    case 'min':
      return pickedValue(leaf, operand, (when_) => sql`min(${value})${filterOf(when_)}`)
    case 'max':
      return pickedValue(leaf, operand, (when_) => sql`max(${value})${filterOf(when_)}`)
    case 'first':
    case 'last':
      return firstOrLast(leaf, operand, measure.agg)
  }
}

/** With amounts brought to the question's currency in a way of the measure's own. */
const withCurrencyMode = (querySource: QuerySource, mode: CurrencyMode): QuerySource => {
  const { money } = querySource.world
  return money?.by ? { ...querySource, world: { ...querySource.world, money: money.by(mode) } } : querySource
}

const withoutConversion = (querySource: QuerySource): QuerySource => ({
  ...querySource,
  world: { ...querySource.world, money: undefined },
})

/** What a measure is of, as a named column of the base. */
function operandOf(querySource: QuerySource, baseTable: BaseTable, measure: LeafMeasure): AggregateOperand {
  if (measure.kind === 'expression') {
    const type = typeOfExpression(measure.row, (field) => columnOf(querySource, field).type)
    if (type === 'text')
      return { value: baseTable.column(textSql(querySource, measure.row)), numeric: null, column: null }
    const numeric = exprNumber(querySource, measure.row)
    if (type === 'date' || type === 'boolean')
      return { value: baseTable.column(numeric.sql), numeric: null, column: { type } }
    return { value: baseTable.column(numeric.sql), numeric, column: null }
  }
  const column = measure.field ? columnOf(querySource, measure.field) : null
  const numeric =
    column && (column.type === 'integer' || column.type === 'number') ? columnNumber(querySource, column) : null
  const value = baseTable.column(numeric ? numeric.sql : column ? refOf(column) : sql`NULL`)
  const isConverted = column !== null && numeric !== null && querySource.world.money?.factor(querySource, column)
  return { value, numeric, column: isConverted ? null : column }
}
