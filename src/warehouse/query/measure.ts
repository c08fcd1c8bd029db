import { calcSide, constantSide, ratioSide } from './calc'
import type { FactAggregate, MeasureSide } from './calc'
import { columnNumber, exprNumber } from './expr'
import { isText } from './expr-type'
import type { FactMeasure as LeafMeasure } from './facts'
import { filtersSql } from './filter'
import { formatOf } from './format'
import { average, counting, firstOrLast, filterOf, median, nothing, numbersOf, pickedValue, sum } from './leaf'
import type { BaseTable, AggregationSql, AggregateOperand } from './leaf'
import { rollupMeasureSql } from './rolled'
import { columnOf, refOf } from './source'
import type { QuerySource } from './source'
import { sql } from './sql'
import type { Sql } from './sql'
import { textSql } from './text'
import { isLeafMeasure } from '../../shared/plan-fields'
import type { CalcOperand, CurrencyMode } from '../../shared/query'

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
  if (source.root.dataset.rolled) return rollupMeasureSql(leaf, measure)
  if (measure.kind === 'column' && !measure.field) return counting(leaf, (filter) => sql`count(*)${filter}`)
  // What is counted is what lies there: an amount without a rate is one, too.
  const isCount = measure.agg === 'count' || measure.agg === 'countDistinct'
  const operand = operandOf(isCount ? withoutConversion(source) : source, baseTable, measure)
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
      return numeric ? median(leaf, numbersOf(numeric, value)) : nothing()
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
    if (isText(measure.row, (field) => columnOf(querySource, field).type))
      return { value: baseTable.column(textSql(querySource, measure.row)), numeric: null, column: null }
    const numeric = exprNumber(querySource, measure.row)
    return { value: baseTable.column(numeric.sql), numeric, column: null }
  }
  const column = measure.field ? columnOf(querySource, measure.field) : null
  const numeric =
    column && (column.type === 'integer' || column.type === 'number') ? columnNumber(querySource, column) : null
  const value = baseTable.column(numeric ? numeric.sql : column ? refOf(column) : sql`NULL`)
  const isConverted = column !== null && numeric !== null && querySource.world.money?.factor(querySource, column)
  return { value, numeric, column: isConverted ? null : column }
}
