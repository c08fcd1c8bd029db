import type { Expr, Field } from '../../shared/query'
import type { ColumnType } from '../../shared/files'

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
