import type { Op } from './computed-draft'
import type { Expr, Field } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'

export const SIGNS: Record<Op, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }

/** Times and divided bind closer than plus and minus. */
const rank = (expr: Expr): number =>
  expr.kind !== 'binary' ? 3 : expr.op === 'multiply' || expr.op === 'divide' ? 2 : 1

/** A formula as it is written on paper: "(Price − Cost) × Quantity". */
export function formulaWords(expr: Expr, columns: readonly Column[]): string {
  const name = ({ column }: Field): string =>
    columns.find(({ key }) => key === column)?.label ?? 'a column that is gone'
  const words = (one: Expr): string => {
    switch (one.kind) {
      case 'field':
        return name(one.field)
      case 'number':
        return String(one.value).replace('-', '−')
      case 'text':
        return `“${one.value}”`
      case 'concat':
        return one.items.map(words).join(' & ')
      case 'coalesce':
        return `first of ${one.items.map(words).join(', ')} that is not empty`
      case 'dateDiff':
        return `days from ${name(one.from)} to ${name(one.to)}`
      case 'binary':
        return `${side(one.left, rank(one))} ${SIGNS[one.op]} ${side(one.right, rank(one) + 1)}`
    }
  }
  const side = (one: Expr, least: number): string => (rank(one) < least ? `(${words(one)})` : words(one))
  return words(expr)
}
