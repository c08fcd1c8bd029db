import { exprNumber } from './expr'
import { isText } from './expr-type'
import { columnOf, refOf } from './source'
import type { Source } from './source'
import { bind, join, sql } from './sql'
import type { Sql } from './sql'
import type { Expr, Field } from '../../shared/query'

/** A text per row. Whole numbers are written as they are, days as ISO text. */
export function textSql(source: Source, expr: Expr): Sql {
  switch (expr.kind) {
    case 'field':
      return fieldText(source, expr.field)
    case 'text':
      return bind(expr.value.normalize('NFC'))
    case 'concat':
      return concatSql(source, expr.items)
    case 'coalesce':
      return expr.items.length === 1
        ? join(
            expr.items.map((item) => textSql(source, item)),
            ', ',
          )
        : sql`coalesce(${join(
            expr.items.map((item) => textSql(source, item)),
            ', ',
          )})`
    case 'number':
      return bind(String(expr.value))
    case 'binary':
    case 'dateDiff':
      return sql`CAST(${exprNumber(source, expr).sql} AS TEXT)`
  }
}

function fieldText(source: Source, field: Field): Sql {
  const column = columnOf(source, field)
  if (column.computed && source.inline) {
    const text = isText(column.computed, (inner) => columnOf(source, inner).type)
    return text ? textSql(source, column.computed) : sql`CAST(${exprNumber(source, column.computed).sql} AS TEXT)`
  }
  if (column.type === 'text') return refOf(column)
  if (column.type === 'date') return sql`date(${refOf(column)} * 86400, 'unixepoch')`
  return sql`CAST(${refOf(column)} AS TEXT)`
}

/** Empty items count as nothing; when nothing but literals is left, there is no text. */
function concatSql(source: Source, items: readonly Expr[]): Sql {
  const texts = items.map((item) => textSql(source, item))
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
