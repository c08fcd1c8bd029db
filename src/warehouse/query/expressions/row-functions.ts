import { hourSql, datePart, clockTimeBetween, daysBetween, weekdaysBetween } from './date-sql'
import { pow10 } from './decimal'
import { alike, exact, real } from './row-number'
import { int, join, sql, type RowNumber, type Sql } from '../sources/sql'
import type { SourceColumn } from '../sources/source'
import { dayFromIso, DAY_MS } from '../../../shared/dates'
import type { ValueType } from '../../../shared/query/expression-types'
import type { ComparisonOperator, Expr, Field } from '../../../shared/query/plan'

/** What parts of an expression come out as, in SQL. */
export interface RowCompiler {
  type(expr: Expr): ValueType
  number(expr: Expr): RowNumber
  text(expr: Expr): Sql
  column(field: Field): SourceColumn
  /** Local day of a date or a moment. */
  day(field: Field): Sql
  /** Wall-clock milliseconds of a moment. */
  wall(field: Field): Sql
  /** As it is stored. */
  stored(field: Field): Sql
}

export function functionNumber(compiler: RowCompiler, { fn, items }: Expr & { kind: 'function' }): RowNumber {
  const [first, second, third] = items
  if (!first) throw new TypeError('A checked function has values.')
  switch (fn) {
    case 'if': {
      const { pieces, chosen } = alike(
        [second ?? first, ...(third ? [third] : [])].map((each) => compiler.number(each)),
      )
      return chosen(choice(conditionSql(compiler, first), pieces))
    }
    case 'and':
    case 'or':
    case 'not':
    case 'isEmpty':
      return exact(conditionSql(compiler, { kind: 'function', fn, items }), 0, 1n)
    case 'abs':
      return absolute(compiler.number(first))
    case 'round':
      return rounded(compiler.number(first), second?.kind === 'number' ? second.value : 0)
    case 'least':
    case 'greatest':
      return edge(
        fn,
        items.map((item) => compiler.number(item)),
      )
    case 'date':
      return exact(compiler.day(fieldIn(first)), 0, 4_000_000n)
    case 'hour':
      return hourSql(compiler.wall(fieldIn(first)))
    case 'year':
    case 'quarter':
    case 'month':
    case 'week':
    case 'day':
    case 'weekday':
      return datePart(fn, compiler.day(fieldIn(first)))
  }
}

/** One of two pieces, or nothing. */
export const choice = (condition: Sql, [then, otherwise]: readonly Sql[]): Sql =>
  sql`CASE WHEN ${condition} THEN ${then ?? sql`NULL`} ELSE ${otherwise ?? sql`NULL`} END`

const fieldIn = (expr: Expr): Field => {
  if (expr.kind !== 'field') throw new TypeError('A checked function of dates takes a column.')
  return expr.field
}

const absolute = (value: RowNumber): RowNumber => ({ ...value, sql: sql`abs(${value.sql})` })

/** From this size on, floating point holds whole numbers only, and half of it still holds halves. */
const WHOLE_REALS = 2 ** 52

/** Half away from zero. What is rounded twice is named, so that the statement does not double with every level. */
function rounded(value: RowNumber, decimals: number): RowNumber {
  if (value.kind === 'real') {
    const by = sql`CAST(${int(pow10(decimals))} AS REAL)`
    const half = sql`CASE WHEN x < 0 THEN -0.5 ELSE 0.5 END`
    const whole = sql`CAST(CAST(x * ${by} + ${half} AS INTEGER) AS REAL) / ${by}`
    return real(
      sql`(SELECT CASE WHEN abs(x * ${by}) < ${int(WHOLE_REALS)} THEN ${whole} ELSE x END FROM (SELECT ${value.sql} AS x))`,
    )
  }
  if (value.scale <= decimals) return value
  const by = pow10(value.scale - decimals)
  const half = int(by / 2n)
  const shifted = sql`CASE WHEN x < 0 THEN x - ${half} ELSE x + ${half} END`
  return exact(sql`(SELECT (${shifted}) / ${int(by)} FROM (SELECT ${value.sql} AS x))`, decimals, value.bound / by + 1n)
}

/** The least or greatest that is there: an empty one stands beyond all others, and is taken for nothing at the end. */
function edge(fn: 'least' | 'greatest', items: readonly RowNumber[]): RowNumber {
  const { kind, pieces, chosen } = alike(items)
  const beyond = { exact: fn === 'least' ? int(EDGE) : int(-EDGE), real: fn === 'least' ? sql`9e999` : sql`-9e999` }[
    kind
  ]
  const filled = join(
    pieces.map((piece) => sql`ifnull(${piece}, ${beyond})`),
    ', ',
  )
  const [, second] = pieces
  if (!second) return chosen(join(pieces, ', '))
  return chosen(sql`nullif(${fn === 'least' ? sql`min` : sql`max`}(${filled}), ${beyond})`)
}
/** No exact number is as large: their bounds are half of it. */
const EDGE = 2n ** 63n - 1n

/** True or false, never nothing. */
export function conditionSql(compiler: RowCompiler, expr: Expr): Sql {
  if (expr.kind === 'compare') return comparisonSql(compiler, expr)
  if (expr.kind === 'function' && (expr.fn === 'and' || expr.fn === 'or')) {
    const between = expr.fn === 'and' ? ' AND ' : ' OR '
    return sql`(${join(
      expr.items.map((item) => conditionSql(compiler, item)),
      between,
    )})`
  }
  const [first] = expr.kind === 'function' ? expr.items : []
  if (expr.kind === 'function' && first && expr.fn === 'not') return sql`(NOT ${conditionSql(compiler, first)})`
  if (expr.kind === 'function' && first && expr.fn === 'isEmpty') return sql`(${valueSql(compiler, first)} IS NULL)`
  return sql`ifnull(${compiler.number(expr).sql}, 0)`
}

function valueSql(compiler: RowCompiler, expr: Expr): Sql {
  const type = compiler.type(expr)
  if (type === 'moment') return compiler.stored(fieldIn(expr))
  return type === 'text' ? compiler.text(expr) : compiler.number(expr).sql
}

function comparisonSql(compiler: RowCompiler, { op, left, right }: Expr & { kind: 'compare' }): Sql {
  const types = [compiler.type(left), compiler.type(right)]
  if (types.some((type) => type === 'date' || type === 'moment')) return compared(op, ...timesOf(compiler, left, right))
  if (types.includes('text')) return compared(op, compiler.text(left), compiler.text(right))
  const [a, b] = alike([compiler.number(left), compiler.number(right)]).pieces
  return compared(op, a ?? sql`NULL`, b ?? sql`NULL`)
}

/** Moments of a zone are compared as they are, others by their wall clock, and a day with the days of anything. */
function timesOf(compiler: RowCompiler, left: Expr, right: Expr): [Sql, Sql] {
  const sides = [left, right].map((side) => (side.kind === 'field' ? compiler.column(side.field) : null))
  const both = (read: (field: Field) => Sql): [Sql, Sql] => [read(fieldIn(left)), read(fieldIn(right))]
  if (sides.every((column) => column?.type === 'datetime'))
    return sides.every((column) => column?.zoned === true)
      ? both((f) => compiler.stored(f))
      : both((f) => compiler.wall(f))
  const day = (expr: Expr): Sql => {
    if (expr.kind === 'text') return int(dayFromIso(expr.value) ?? 0)
    return compiler.type(expr) === 'moment' ? compiler.day(fieldIn(expr)) : compiler.number(expr).sql
  }
  return [day(left), day(right)]
}

const COMPARISONS: Record<Exclude<ComparisonOperator, 'eq' | 'ne'>, Sql> = {
  lt: sql`<`,
  le: sql`<=`,
  gt: sql`>`,
  ge: sql`>=`,
}
const compared = (op: ComparisonOperator, left: Sql, right: Sql): Sql =>
  op === 'eq'
    ? sql`(${left} IS ${right})`
    : op === 'ne'
      ? sql`(${left} IS NOT ${right})`
      : sql`ifnull(${left} ${COMPARISONS[op]} ${right}, 0)`

export function dateDifference(compiler: RowCompiler, { unit, from, to }: Expr & { kind: 'dateDiff' }): RowNumber {
  if (unit === 'day') return daysBetween(compiler.day(from), compiler.day(to))
  if (unit === 'weekday') return weekdaysBetween(compiler.day(from), compiler.day(to))
  const columns = [from, to].map((field) => compiler.column(field))
  const isZoned = columns.every(({ type, zoned }) => type === 'datetime' && zoned === true)
  const at = (field: Field): Sql => {
    if (isZoned) return compiler.stored(field)
    return compiler.column(field).type === 'date'
      ? sql`(${compiler.day(field)} * ${int(DAY_MS)})`
      : compiler.wall(field)
  }
  return clockTimeBetween(unit, at(from), at(to))
}
