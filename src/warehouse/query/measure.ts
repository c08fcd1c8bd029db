import { calcSide, constantSide, ratioSide } from './calc'
import type { Piece, Side } from './calc'
import { columnNumber, exprNumber } from './expr'
import { isText } from './expr-type'
import type { Leaf as LeafMeasure } from './facts'
import { filtersSql } from './filter'
import { formatOf } from './format'
import { average, counting, edge, filterOf, median, nothing, numbersOf, picked, sum } from './leaf'
import type { Base, LeafSql, Operand } from './leaf'
import { rolledSql } from './rolled'
import { columnOf, refOf } from './source'
import type { Source } from './source'
import { sql } from './sql'
import type { Sql } from './sql'
import { textSql } from './text'
import { isLeaf } from '../../shared/plan-fields'
import type { CalcOperand, CurrencyMode } from '../../shared/query'

/** A figure that SQL works out for each group. */
export type MeasureSql = Side
/** The rows that a measure is over, and where it puts what it needs of each. */
export interface Fact {
  index: number
  source: Source
  base: Base
}

export function measureSql(factOf: (leaf: LeafMeasure) => Fact, measure: CalcOperand): MeasureSql {
  const made = (side: CalcOperand): MeasureSql => measureSql(factOf, side)
  if (measure.kind === 'number') return constantSide(measure.value)
  if (measure.kind === 'ratio') return ratioSide(made(measure.over), made(measure.under))
  if (measure.kind === 'calc') return calcSide(measure.op, made(measure.left), made(measure.right))
  if (!isLeaf(measure)) throw new TypeError('A checked plan holds no such figure.')
  const { index, source, base } = factOf(measure)
  const leaf = leafSql(source, base, measure)
  const over = (piece: Sql): Piece => ({ sql: piece, fact: index, zero: leaf.zero === true })
  return { ...leaf, pieces: (when) => leaf.pieces(when).map(over) }
}

function leafSql(given: Source, base: Base, measure: LeafMeasure): LeafSql {
  const source = measure.mode === undefined ? given : converted(given, measure.mode)
  const pass = measure.filter?.length ? base.column(filtersSql(source, measure.filter, 'measures')) : null
  const when = pass ? [pass] : []
  const leaf = { source, base, when, format: formatOf(source, measure) }
  if (source.root.dataset.rolled) return rolledSql(leaf, measure)
  if (measure.kind === 'column' && !measure.field) return counting(leaf, (filter) => sql`count(*)${filter}`)
  // What is counted is what lies there: an amount without a rate is one, too.
  const isCount = measure.agg === 'count' || measure.agg === 'countDistinct'
  const operand = operandOf(isCount ? asIs(source) : source, base, measure)
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
      return picked(leaf, operand, (when_) => sql`min(${value})${filterOf(when_)}`)
    case 'max':
      return picked(leaf, operand, (when_) => sql`max(${value})${filterOf(when_)}`)
    case 'first':
    case 'last':
      return edge(leaf, operand, measure.agg)
  }
}

/** With amounts brought to the question's currency in a way of the measure's own. */
const converted = (source: Source, mode: CurrencyMode): Source => {
  const { money } = source.world
  return money?.by ? { ...source, world: { ...source.world, money: money.by(mode) } } : source
}

const asIs = (source: Source): Source => ({ ...source, world: { ...source.world, money: undefined } })

/** What a measure is of, as a named column of the base. */
function operandOf(source: Source, base: Base, measure: LeafMeasure): Operand {
  if (measure.kind === 'expression') {
    if (isText(measure.row, (field) => columnOf(source, field).type))
      return { value: base.column(textSql(source, measure.row)), numeric: null, column: null }
    const numeric = exprNumber(source, measure.row)
    return { value: base.column(numeric.sql), numeric, column: null }
  }
  const column = measure.field ? columnOf(source, measure.field) : null
  const numeric =
    column && (column.type === 'integer' || column.type === 'number') ? columnNumber(source, column) : null
  const value = base.column(numeric ? numeric.sql : column ? refOf(column) : sql`NULL`)
  const isConverted = column !== null && numeric !== null && source.world.money?.factor(source, column)
  return { value, numeric, column: isConverted ? null : column }
}
