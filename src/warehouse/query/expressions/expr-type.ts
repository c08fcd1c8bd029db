import { exactOf } from './decimal'
import type { Expr, Field } from '../../../shared/query/plan'
import type { ColumnType } from '../../../shared/data-sources/files'

/** Whether an expression comes out as text; else it is a number. Checked expressions are one or the other throughout. */
export function isText(expr: Expr, typeOf: (field: Field) => ColumnType | undefined): boolean {
  switch (expr.kind) {
    case 'field':
      return typeOf(expr.field) === 'text'
    case 'text':
    case 'concat':
      return true
    case 'coalesce':
      return expr.items.some((item) => isText(item, typeOf))
    case 'number':
    case 'binary':
    case 'dateDiff':
      return false
  }
}

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
      return 0
    case 'coalesce':
      return both(
        expr.items.map((item) => scaleOfExpr(item, scaleOf)),
        Math.max,
      )
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
