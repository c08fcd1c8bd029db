import { columnAt, deduct, fieldOf, isReachable, type Context } from '../plan/context'
import { datasetAt } from '../plan/entities'
import type { MeasureAsk } from '../parse/measure-ask'
import type { Expr } from '../../../../shared/query/expression'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'

const countRows = (dataset: string): AggregateMeasure => ({ kind: 'column', agg: 'count', dataset })
/** "The ratio of films to actors": how many there are of each, whether or not one points at the other. */
export function ratioOfTables(context: Context, { op, left, right }: MeasureAsk & { kind: 'calc' }): Measure | null {
  const [one, two] = [left, right].map((side) =>
    (side.kind === 'count' || side.kind === 'named') && side.of !== null && side.only === undefined
      ? datasetAt(context, side.of)
      : undefined,
  )
  if (op !== 'divide' || !one || !two || one === two) return null
  const { splits, values, conditions, dates } = context.ask
  const isPlain = splits.length + values.length + conditions.length + dates.length === 0
  // Of a part of them it depends on which of the other belong to it.
  if (!isPlain) deduct(context, 0.78, 'a ratio of two tables, each with a part of its own')
  return isPlain ? { kind: 'ratio', over: countRows(one.id), under: countRows(two.id) } : null
}

/** "Quantity times price", "price minus cost" of columns: of each row, then put together. */
export function productOf(context: Context, ask: MeasureAsk & { kind: 'calc' }): Measure | null {
  if (ask.op === 'divide') return null
  const agg = ask.agg ?? 'sum'
  const [left, right] = [columnOf(context, ask.left), columnOf(context, ask.right)]
  const isSum =
    ask.op !== 'multiply' && agg === 'sum' && left?.dataset === context.home.id && right?.dataset === left.dataset
  // "Debit minus credit": what stands in the one only has no difference of its own, and still counts.
  if (isSum && left && right && left.isAdditive && right.isAdditive)
    return { kind: 'calc', op: ask.op, left: sumOf(left), right: sumOf(right) }
  const row = rowOf(context, ask)
  return row?.kind === 'binary' ? { kind: 'expression', agg, row } : null
}
const sumOf = (column: SchemaColumn): AggregateMeasure => ({ kind: 'column', agg: 'sum', field: fieldOf(column) })
function columnOf(context: Context, side: MeasureAsk): SchemaColumn | undefined {
  const column = side.kind === 'named' ? columnAt(context, side.of) : undefined
  return column?.isNumeric === true && !column.isKey ? column : undefined
}
/** A formula of columns and numbers as one of rows; null where a part of it is no column that they reach. */
function rowOf(context: Context, ask: MeasureAsk): Expr | null {
  if (ask.kind === 'number') return { kind: 'number', value: ask.value }
  const column = columnOf(context, ask)
  if (column) return isReachable(context, column.dataset) ? { kind: 'field', field: fieldOf(column) } : null
  if (ask.kind !== 'calc' || ask.only !== undefined || (ask.op === 'divide' && ask.right.kind !== 'number')) return null
  const [left, right] = [rowOf(context, ask.left), rowOf(context, ask.right)]
  return left && right ? { kind: 'binary', op: ask.op, left, right } : null
}

/** Whether some things have none of what is counted for each: they count for one reading of an average, not for the other. */
export function leavesSomeOut(context: Context, { of, by }: MeasureAsk & { kind: 'perGroup' }): boolean {
  const things = datasetAt(context, by)
  const counted = of.kind === 'count' && of.of !== null ? datasetAt(context, of.of) : undefined
  // "Per ordering customer": only those that have any.
  if (
    !things ||
    /\bper (?:[a-z]+ing |\w+ (?:who|that|which|som) (?:have |has |har )?(?:ordered|bought|bestallt|kopt|handlat))/.test(
      context.words,
    )
  )
    return false
  const from = counted?.id ?? context.home.id
  return context.schema.vocabulary.relations.some((relation) => {
    const key = context.schema.column(relation.from.dataset, relation.from.key)
    const isTheirs = relation.from.dataset === from && relation.to.dataset === things.id && !relation.further
    return isTheirs && key?.source.distinct !== undefined && key.source.distinct < things.source.rowCount
  })
}
