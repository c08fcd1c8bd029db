import { columnAt, doubt, fieldOf, type Context } from './context'
import { datasetAt } from './entities'
import type { MeasureAsk } from '../parse/measure-ask'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'

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
  if (!isPlain) doubt(context, 0.78, 'a ratio of two tables, each with a part of its own')
  return isPlain ? { kind: 'ratio', over: countRows(one.id), under: countRows(two.id) } : null
}
/** "Quantity times price", "price minus cost" of columns: of each row, then put together. */
export function productOf(context: Context, ask: MeasureAsk & { kind: 'calc' }): Measure | null {
  const columns = [ask.left, ask.right].map((side) => (side.kind === 'named' ? columnAt(context, side.of) : undefined))
  const [left, right] = columns
  if (ask.op === 'divide' || !left?.isNumeric || !right?.isNumeric) return null
  const row = {
    kind: 'binary' as const,
    op: ask.op,
    left: { kind: 'field' as const, field: fieldOf(left) },
    right: { kind: 'field' as const, field: fieldOf(right) },
  }
  return { kind: 'expression', agg: ask.agg ?? 'sum', row }
}
