import { exprNumber } from './expr'
import { isText } from './expr-type'
import { columnOf, refOf } from './source'
import type { QuerySource } from './source'
import { bind, join, sql } from './sql'
import type { Sql } from './sql'
import type { Expr, Field } from '../../shared/query'

/** A text per row. Whole numbers are written as they are, days as ISO text. */
export function textSql(querySource: QuerySource, expr: Expr): Sql {
  switch (expr.kind) {
    case 'field':
      return fieldText(querySource, expr.field)
    case 'text':
      return bind(expr.value.normalize('NFC'))
    case 'concat':
      return concatSql(querySource, expr.items)
    case 'coalesce':
      return expr.items.length === 1
        ? join(
            expr.items.map((item) => textSql(querySource, item)),
            ', ',
          )
        : sql`coalesce(${join(
            expr.items.map((item) => textSql(querySource, item)),
            ', ',
          )})`
    case 'number':
      return bind(String(expr.value))
    case 'binary':
    case 'dateDiff':
      return sql`CAST(${exprNumber(querySource, expr).sql} AS TEXT)`
  }
}

function fieldText(querySource: QuerySource, field: Field): Sql {
  const column = columnOf(querySource, field)
  if (column.computed && querySource.inline) {
    const text = isText(column.computed, (inner) => columnOf(querySource, inner).type)
    return text
      ? textSql(querySource, column.computed)
      : sql`CAST(${exprNumber(querySource, column.computed).sql} AS TEXT)`
  }
  if (column.type === 'text') return refOf(column)
  if (column.type === 'date') return sql`date(${refOf(column)} * 86400, 'unixepoch')`
  return sql`CAST(${refOf(column)} AS TEXT)`
}

/** Empty items count as nothing; when nothing but literals is left, there is no text. */
function concatSql(querySource: QuerySource, items: readonly Expr[]): Sql {
  const texts = items.map((item) => textSql(querySource, item))
  const asked = texts.filter((_, i) => items[i]?.kind !== 'text' && items[i]?.kind !== 'number')
  const filled = texts.map((text) => sql`ifnull(${text}, '')`)
  const whole = filled.reduce((done, next) => sql`${done} || ${next}`)
  if (asked.length === 0) return sql`(${whole})`
  const empty = join(
    asked.map((text) => sql`${text} IS NULL`),
    ' AND ',
  )
  return sql`CASE WHEN ${empty} THEN NULL ELSE ${whole} END`
}
