import { choice, conditionSql, dateDifference, functionNumber, type RowCompiler } from './row-functions'
import { binary, coalesce, exact, literal, product, real } from './row-number'
import { columnOf, dayNumberOf, refOf, wallOf, type QuerySource, type SourceColumn } from '../sources/source'
import { invalidPlan } from '../plan/plan-errors'
import { bind, join, sql, type Sql, type RowNumber } from '../sources/sql'
import { typeOfExpression, type ValueType } from '../../../shared/query/expression-types'
import type { Expr, Field } from '../../../shared/query/plan'

const COLUMN_BOUND = 2n ** 53n - 1n
const DAYS_BOUND = 4_000_000n

/** A column's number; an amount as the question wants it: as it lies, or in one currency. */
export function columnNumber(querySource: QuerySource, column: SourceColumn): RowNumber {
  const stored = storedNumber(querySource, column)
  const factor = querySource.inline ? null : (querySource.world.money?.factor(querySource, column) ?? null)
  return factor ? product(stored, factor) : stored
}

function storedNumber(querySource: QuerySource, column: SourceColumn): RowNumber {
  if (column.computed && querySource.inline) return exprNumber(querySource, column.computed)
  const ref = refOf(column)
  if (column.type === 'boolean') return exact(ref, 0, 1n)
  if (column.type === 'date') return exact(ref, 0, DAYS_BOUND)
  const scale = column.type === 'integer' ? 0 : column.scale
  if (scale === undefined) return real(sql`CAST(${ref} AS REAL)`)
  const { min, max } = column.node.dataset.bounds[column.key] ?? {
    min: -Number(COLUMN_BOUND),
    max: Number(COLUMN_BOUND),
  }
  const known = [min ?? 0, max ?? 0].every((value) => Number.isSafeInteger(value))
  const bound = known ? Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)) : Number(COLUMN_BOUND)
  return exact(ref, scale, BigInt(bound))
}

/** Arithmetic stays exact as long as it provably fits; division is always floating point and gives nothing for 0. */
export function exprNumber(querySource: QuerySource, expr: Expr): RowNumber {
  switch (expr.kind) {
    case 'field':
      return columnNumber(querySource, columnOf(querySource, expr.field))
    case 'number':
      return literal(expr.value)
    case 'text':
    case 'concat':
      throw invalidPlan('measures', 'Calculations need numbers.')
    case 'dateDiff':
      return dateDifference(rowCompiler(querySource), expr)
    case 'compare':
      return exact(conditionSql(rowCompiler(querySource), expr), 0, 1n)
    case 'function':
      return functionNumber(rowCompiler(querySource), expr)
    case 'coalesce':
      return coalesce(expr.items.map((item) => exprNumber(querySource, item)))
    case 'binary':
      return binary(expr.op, exprNumber(querySource, expr.left), exprNumber(querySource, expr.right))
  }
}

const typeIn = (querySource: QuerySource, expr: Expr): ValueType =>
  typeOfExpression(expr, (field) => columnOf(querySource, field).type)

function rowCompiler(querySource: QuerySource): RowCompiler {
  const column = (field: Field): SourceColumn => columnOf(querySource, field)
  const inline = (field: Field): Expr | null => (querySource.inline ? (column(field).computed ?? null) : null)
  const made = (field: Field, plain: (column: SourceColumn) => Sql): Sql => {
    const computed = inline(field)
    return computed ? exprNumber(querySource, computed).sql : plain(column(field))
  }
  return {
    type: (expr) => typeIn(querySource, expr),
    number: (expr) => exprNumber(querySource, expr),
    text: (expr) => textSql(querySource, expr),
    column,
    day: (field) => made(field, dayNumberOf),
    wall: (field) => made(field, wallOf),
    stored: (field) => made(field, refOf),
  }
}

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
    case 'function':
      return expr.fn === 'if' ? chosenText(querySource, expr) : numberText(querySource, expr)
    case 'binary':
    case 'compare':
    case 'dateDiff':
      return numberText(querySource, expr)
  }
}

const numberText = (querySource: QuerySource, expr: Expr): Sql =>
  sql`CAST(${exprNumber(querySource, expr).sql} AS TEXT)`

function chosenText(querySource: QuerySource, { items }: Expr & { kind: 'function' }): Sql {
  const [condition, ...values] = items
  const texts = values.map((value) => textSql(querySource, value))
  return choice(condition ? conditionSql(rowCompiler(querySource), condition) : sql`0`, texts)
}

const dayText = (day: Sql): Sql => sql`date(${day} * 86400, 'unixepoch')`

function fieldText(querySource: QuerySource, field: Field): Sql {
  const column = columnOf(querySource, field)
  if (column.computed && querySource.inline) {
    const type = typeIn(querySource, column.computed)
    if (type === 'text') return textSql(querySource, column.computed)
    const number = exprNumber(querySource, column.computed).sql
    return type === 'date' ? dayText(number) : sql`CAST(${number} AS TEXT)`
  }
  if (column.type === 'text') return refOf(column)
  if (column.type === 'date') return dayText(refOf(column))
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
