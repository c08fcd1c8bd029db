import { exactOf } from './decimal'
import type { Expr, Field } from '../../../shared/query/plan'
import { valuesThrough } from '../../../shared/query/expression-types'

/** Decimals that a number comes out with at most; undefined when it is floating point. */
export function scaleOfExpr(expr: Expr, scaleOf: (field: Field) => number | undefined): number | undefined {
  const both = (scales: (number | undefined)[], join: (a: number, b: number) => number): number | undefined =>
    scales.reduce((a, b) => (a === undefined || b === undefined ? undefined : join(a, b)))
  switch (expr.kind) {
    case 'field':
      return scaleOf(expr.field)
    case 'number':
      return exactOf(expr.value)?.scale
    case 'dateDiff':
      return expr.unit === 'day' || expr.unit === 'weekday' ? 0 : undefined
    case 'compare':
      return 0
    case 'coalesce':
      return both(
        expr.items.map((item) => scaleOfExpr(item, scaleOf)),
        Math.max,
      )
    case 'function':
      return scaleOfFunction(expr, scaleOf)
    case 'binary': {
      if (expr.op === 'divide') return undefined
      const sides = [scaleOfExpr(expr.left, scaleOf), scaleOfExpr(expr.right, scaleOf)]
      return both(sides, expr.op === 'multiply' ? (a, b) => a + b : Math.max)
    }
    case 'text':
    case 'concat':
      return undefined
  }
}

function scaleOfFunction(
  expr: Expr & { kind: 'function' },
  scaleOf: (field: Field) => number | undefined,
): number | undefined {
  const values = valuesThrough(expr)
  if (values.length === 0) return 0
  const own = scaleOfExpr({ kind: 'coalesce', items: values }, scaleOf)
  const decimals = expr.items[1]
  if (expr.fn !== 'round' || own === undefined) return own
  return Math.min(own, decimals?.kind === 'number' ? decimals.value : 0)
}
