import type { Operator } from './computed-draft'
import type { Expr, Field } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'

export const OPERATOR_SIGNS: Record<Operator, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }

/** Times and divided bind closer than plus and minus. */
const precedence = (expr: Expr): number =>
  expr.kind !== 'binary' ? 3 : expr.op === 'multiply' || expr.op === 'divide' ? 2 : 1

/** A formula as it is written on paper: "(Price − Cost) × Quantity". */
export function describeFormula(expr: Expr, columns: readonly Column[]): string {
  const name = ({ column }: Field): string =>
    columns.find(({ key }) => key === column)?.label ?? 'a column that is gone'
  const describe = (one: Expr): string => {
    switch (one.kind) {
      case 'field':
        return name(one.field)
      case 'number':
        return String(one.value).replace('-', '−')
      case 'text':
        return `“${one.value}”`
      case 'concat':
        return one.items.map(describe).join(' & ')
      case 'coalesce':
        return `first of ${one.items.map(describe).join(', ')} that is not empty`
      case 'dateDiff':
        return `days from ${name(one.from)} to ${name(one.to)}`
      case 'binary':
        return `${parenthesize(one.left, precedence(one))} ${OPERATOR_SIGNS[one.op]} ${parenthesize(one.right, precedence(one) + 1)}`
    }
  }
  const parenthesize = (one: Expr, least: number): string =>
    precedence(one) < least ? `(${describe(one)})` : describe(one)
  return describe(expr)
}
