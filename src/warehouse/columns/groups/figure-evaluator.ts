import { divide, type Amount } from '../../query/aggregates/amount'
import { applyFunction, decimalsOf } from '../../query/aggregates/figure-functions'
import { combine, constantAmount, type MeasureTraits } from '../../query/aggregates/calculations'
import type { AggregateMeasure, CalcOperand, GroupedMeasure } from '../../../shared/query/plan'

/** How a measure or a side of one is shown. */
export type TraitsOf = (operand: CalcOperand) => MeasureTraits

/** Where the parts of a figure are found. */
export interface FigureParts<T> {
  traitsOf: TraitsOf
  leaf: (measure: AggregateMeasure) => (at: T) => Amount
  grouped: (measure: GroupedMeasure) => (at: T) => Amount
}

/** How a measure follows from what was added up. */
export function evaluator<T>(parts: FigureParts<T>, operand: CalcOperand): (at: T) => Amount {
  const made = (side: CalcOperand): ((at: T) => Amount) => evaluator(parts, side)
  switch (operand.kind) {
    case 'number': {
      const value = constantAmount(operand.value)
      return () => value
    }
    case 'column':
    case 'expression':
      return parts.leaf(operand)
    case 'grouped':
      return parts.grouped(operand)
    case 'ratio': {
      const over = made(operand.over)
      const under = made(operand.under)
      return (at) => divide(over(at), under(at))
    }
    case 'calc': {
      const left = made(operand.left)
      const right = made(operand.right)
      const a = parts.traitsOf(operand.left)
      const b = parts.traitsOf(operand.right)
      return (at) => combine(operand.op, { face: a, value: left(at) }, { face: b, value: right(at) })
    }
    case 'function': {
      const items = operand.items.map(made)
      const decimals = decimalsOf(operand)
      return (at) =>
        applyFunction(
          operand.fn,
          items.map((item) => item(at)),
          decimals,
        )
    }
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'metric':
      throw new TypeError('A checked plan holds no such figure.')
  }
}
