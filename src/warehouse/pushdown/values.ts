import { allOf, anyOf, listed, not, NULL, parameter, sql, written, type Sql } from './sql'
import type { Dialect } from './dialect'
import type { ForeignRows, PlacedColumn, RowPlace } from './foreign-rows'
import { columnShape, CONDITION, DAYS_BOUND, exactShape, type NumberShape } from '../columns/vector-number'
import { shapeOfExpression } from '../columns/computed/number-shape'
import { DAY_MS, dayFromIso, HOUR_MS } from '../../shared/dates'
import { typeOfExpression, type ValueType } from '../../shared/query/expression-types'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'
import type { ComparisonOperator } from '../../shared/query/functions'

const OPERATORS: Record<ComparisonOperator, string> = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' }
export const compared = (op: ComparisonOperator, left: Sql, right: Sql): Sql =>
  sql`${left} ${written(OPERATORS[op])} ${right}`

/** Values of rows, and what expressions make of them. */
export class RowValues {
  readonly rows: ForeignRows
  readonly #dialect: Dialect
  constructor(rows: ForeignRows) {
    this.rows = rows
    this.#dialect = rows.dialect
  }

  /** A column as it is calculated with: texts, exact or floating point numbers, 0 and 1, days. Of moments, milliseconds. */
  column(placed: PlacedColumn): Sql {
    const { cell, column, place } = placed
    if (cell === null) return this.#computed(place, column.computed)
    switch (column.type) {
      case 'text':
        return this.#dialect.textCell(cell)
      case 'integer':
      case 'number':
        return cell
      case 'boolean':
        return this.#dialect.flagCell(cell)
      case 'date':
        return this.#dialect.dayCell(cell)
      case 'datetime':
        return this.#dialect.momentCell(cell)
    }
  }
  field(field: Field): Sql {
    return this.column(this.rows.field(field))
  }
  /** Local days of a date or a moment. */
  days(placed: PlacedColumn): Sql {
    return placed.column.type === 'datetime'
      ? this.#dialect.floorBy(this.rows.wall(placed), DAY_MS)
      : this.column(placed)
  }
  hours(placed: PlacedColumn): Sql {
    return this.#dialect.floorBy(this.rows.wall(placed), HOUR_MS)
  }

  /** What a computed column of a row at hand comes to: nothing where the row is not there. */
  #computed(place: RowPlace, expr: Expr | undefined): Sql {
    if (!expr) throw new TypeError('A column is stored or worked out.')
    const own = new ExpressionValues(this, (field) => this.rows.at(place, field.column))
    const value = own.value(expr)
    return place.present === null ? value : sql`CASE WHEN ${place.present} THEN ${value} END`
  }

  expression(): ExpressionValues {
    return new ExpressionValues(this, (field) => this.rows.field(field))
  }
}

/** Expressions over the columns of one row. */
export class ExpressionValues {
  readonly #values: RowValues
  readonly #dialect: Dialect
  readonly #find: (field: Field) => PlacedColumn

  constructor(values: RowValues, find: (field: Field) => PlacedColumn) {
    this.#values = values
    this.#dialect = values.rows.dialect
    this.#find = find
  }

  type(expr: Expr): ValueType {
    return typeOfExpression(expr, (field) => this.#find(field).column.type)
  }
  shape(expr: Expr): NumberShape {
    return shapeOfExpression(expr, (field) => this.#shapeOf(field))
  }
  #shapeOf(field: Field): NumberShape {
    const { column, place } = this.#find(field)
    if (column.type === 'boolean') return CONDITION
    return column.type === 'date' ? exactShape(0, DAYS_BOUND) : columnShape(column, place.dataset.bounds)
  }

  /** As its type is calculated with. */
  value(expr: Expr): Sql {
    const type = this.type(expr)
    if (type === 'text') return this.text(expr)
    if (type === 'moment' && expr.kind === 'field') return this.#values.column(this.#find(expr.field))
    return this.number(expr)
  }

  /** Exact where its shape is, else floating point; conditions are 0 or 1, dates days. */
  number(expr: Expr): Sql {
    switch (expr.kind) {
      case 'field':
        return this.#ofShape(this.#values.column(this.#find(expr.field)), this.#shapeOf(expr.field))
      case 'number':
        return this.#literal(expr)
      case 'text':
        return sql`${dayFromIso(expr.value) ?? 0}`
      case 'concat':
        throw new TypeError('A checked calculation has no texts in it.')
      case 'compare':
        return this.#truth(expr)
      case 'dateDiff':
        return this.#difference(expr)
      case 'coalesce':
        return sql`COALESCE(${listed(this.#alike(expr.items, this.shape(expr)))})`
      case 'binary':
        return this.#binary(expr)
      case 'function':
        return this.#function(expr)
    }
  }

  #ofShape(value: Sql, { kind, scale }: NumberShape): Sql {
    return kind === 'exact' ? this.#dialect.decimal(value, scale) : this.#dialect.real(value)
  }
  #literal(expr: Expr & { kind: 'number' }): Sql {
    const shape = this.shape(expr)
    const text = parameter(String(expr.value), shape.kind === 'exact' ? 'decimal' : 'real')
    return this.#ofShape(text, shape)
  }
  /** The numbers of one shape. */
  #alike(items: readonly Expr[], shape: NumberShape): Sql[] {
    return items.map((item) => this.#ofShape(this.number(item), shape))
  }

  #binary(expr: Expr & { kind: 'binary' }): Sql {
    const { op, left, right } = expr
    const [a, b] = [this.number(left), this.number(right)]
    const real = (value: Sql): Sql => this.#dialect.real(value)
    if (op === 'divide') return sql`(${real(a)} / NULLIF(${real(b)}, 0))`
    const sign = op === 'add' ? '+' : op === 'subtract' ? '-' : '*'
    if (this.shape(expr).kind === 'exact') return sql`(${a} ${written(sign)} ${b})`
    return sql`(${real(a)} ${written(sign)} ${real(b)})`
  }

  #truth(expr: Expr): Sql {
    return sql`CASE WHEN ${this.condition(expr)} THEN 1 ELSE 0 END`
  }

  #function(expr: Expr & { kind: 'function' }): Sql {
    const { fn, items } = expr
    const [first, second, third] = items
    if (!first) throw new TypeError('A checked function has values.')
    switch (fn) {
      case 'if': {
        const [then = NULL, otherwise = NULL] = this.#alike(
          third && second ? [second, third] : second ? [second] : [],
          this.shape(expr),
        )
        return sql`CASE WHEN ${this.condition(first)} THEN ${then} ELSE ${otherwise} END`
      }
      case 'and':
      case 'or':
      case 'not':
      case 'isEmpty':
        return this.#truth(expr)
      case 'abs':
        return sql`ABS(${this.number(first)})`
      case 'round':
        return this.#rounded(first, second?.kind === 'number' ? second.value : 0)
      case 'least':
      case 'greatest':
        return edge(fn, this.#alike(items, this.shape(expr)))
      case 'date':
      case 'year':
      case 'quarter':
      case 'month':
      case 'week':
      case 'day':
      case 'weekday':
      case 'hour':
        return this.#partOfDate(fn, this.#find(fieldIn(first)))
    }
  }

  #rounded(expr: Expr, decimals: number): Sql {
    const [value, { kind, scale }] = [this.number(expr), this.shape(expr)]
    if (kind === 'exact') return scale <= decimals ? value : this.#dialect.round(value, decimals)
    const by = 10 ** decimals
    const shifted = sql`(${value} * ${by} + CASE WHEN ${value} < 0 THEN -0.5 ELSE 0.5 END)`
    const rounded = sql`${this.#dialect.truncate(shifted)} / ${by}`
    // Past this, floating point holds whole numbers only.
    return sql`CASE WHEN ABS(${value} * ${by}) < 4503599627370496 THEN ${rounded} ELSE ${value} END`
  }

  #partOfDate(fn: DateFunction, placed: PlacedColumn): Sql {
    const dialect = this.#dialect
    if (fn === 'hour') return sql`((${this.#values.hours(placed)} + ${HOURS_SHIFT}) % 24)`
    const day = this.#values.days(placed)
    switch (fn) {
      case 'date':
        return day
      case 'year':
        return dialect.year(day)
      case 'quarter':
        return dialect.floorBy(sql`(${dialect.month(day)} + 2)`, 3)
      case 'month':
        return dialect.month(day)
      case 'day':
        return dialect.dayOfMonth(day)
      case 'weekday':
        return sql`((${day} + ${MONDAY}) % 7 + 1)`
      case 'week': {
        const thursday = sql`(${day} - (${day} + ${MONDAY}) % 7 + 3)`
        return sql`(${dialect.floorBy(sql`(${dialect.dayOfYear(thursday)} - 1)`, 7)} + 1)`
      }
    }
  }

  #difference({ unit, from, to }: Expr & { kind: 'dateDiff' }): Sql {
    const [a, b] = [this.#find(from), this.#find(to)]
    if (unit === 'day') return sql`(${this.#values.days(b)} - ${this.#values.days(a)})`
    if (unit === 'weekday') {
      // Weekdays before a day, counted from a Monday.
      const before = (day: Sql): Sql =>
        sql`(${this.#dialect.floorBy(sql`(${day} + ${MONDAY})`, 7)} * 5 + LEAST((${day} + ${MONDAY}) % 7, 5))`
      return sql`(${before(this.#values.days(b))} - ${before(this.#values.days(a))})`
    }
    const isZoned = [a, b].every(({ column }) => column.type === 'datetime' && column.zoned === true)
    const at = (side: PlacedColumn): Sql => {
      if (isZoned) return this.#values.column(side)
      return side.column.type === 'date'
        ? sql`(${this.#values.column(side)} * ${DAY_MS})`
        : this.#values.rows.wall(side)
    }
    const by = unit === 'hour' ? HOUR_MS : HOUR_MS / 60
    return sql`(${this.#dialect.real(sql`(${at(b)} - ${at(a)})`)} / ${by})`
  }

  text(expr: Expr): Sql {
    switch (expr.kind) {
      case 'field':
        return this.#asText(this.#find(expr.field))
      case 'text':
        return this.#dialect.textCell(parameter(expr.value.normalize('NFC'), 'text'))
      case 'number':
        return this.#dialect.textCell(parameter(String(expr.value), 'text'))
      case 'coalesce':
        return sql`COALESCE(${listed(expr.items.map((item) => this.text(item)))})`
      case 'concat':
        return this.#joined(expr.items)
      case 'function': {
        const [condition, then, otherwise] = expr.items
        if (expr.fn !== 'if' || !condition || !then) break
        return sql`CASE WHEN ${this.condition(condition)} THEN ${this.text(then)} ELSE ${otherwise ? this.text(otherwise) : NULL} END`
      }
      case 'binary':
      case 'compare':
      case 'dateDiff':
        break
    }
    throw new TypeError('A checked text is made of columns, texts and whole numbers.')
  }
  #asText(placed: PlacedColumn): Sql {
    const value = this.#values.column(placed)
    const { type } = placed.column
    if (type === 'text') return value
    if (type === 'date') return this.#dialect.textCell(this.#dialect.isoDay(value))
    return this.#dialect.textCell(this.#dialect.output(value, 'number'))
  }
  /** Nothing where all that is not written out is empty. */
  #joined(items: readonly Expr[]): Sql {
    const nothing = this.#dialect.textCell(parameter('', 'text'))
    const texts = items.map((item) => this.text(item))
    const whole = this.#dialect.concat(texts.map((text) => sql`COALESCE(${text}, ${nothing})`))
    const asked = texts.filter((_, i) => !['text', 'number'].includes(items[i]?.kind ?? ''))
    if (asked.length === 0) return whole
    return sql`CASE WHEN ${anyOf(asked.map((text) => sql`${text} IS NOT NULL`))} THEN ${whole} END`
  }

  condition(expr: Expr): Sql {
    if (expr.kind === 'compare') return this.comparison(expr)
    const { fn, items } = expr.kind === 'function' ? expr : { fn: null, items: [] }
    const [first] = items
    if (fn === 'and') return allOf(items.map((item) => this.condition(item)))
    if (fn === 'or') return anyOf(items.map((item) => this.condition(item)))
    if (fn === 'not' && first) return not(this.condition(first))
    if (fn === 'isEmpty' && first) return sql`${this.value(first)} IS NULL`
    return sql`${this.number(expr)} = 1`
  }

  /** An empty value equals an empty one only, and is in no order. */
  comparison({ op, left, right }: Pick<Expr & { kind: 'compare' }, 'op' | 'left' | 'right'>): Sql {
    const [a, b] = this.#sides(left, right)
    if (op === 'eq') return this.#dialect.isSame(a, b)
    return op === 'ne' ? sql`NOT (${this.#dialect.isSame(a, b)})` : compared(op, a, b)
  }
  #sides(left: Expr, right: Expr): [Sql, Sql] {
    const types = [this.type(left), this.type(right)]
    if (types.some((type) => type === 'date' || type === 'moment')) return this.#times(left, right)
    if (types.includes('text')) return [this.#dialect.ordered(this.text(left)), this.#dialect.ordered(this.text(right))]
    const isExact = [left, right].every((side) => this.shape(side).kind === 'exact')
    const of = (side: Expr): Sql => (isExact ? this.number(side) : this.#dialect.real(this.number(side)))
    return [of(left), of(right)]
  }
  #times(left: Expr, right: Expr): [Sql, Sql] {
    const [a, b] = [left, right].map((side) => (side.kind === 'field' ? this.#find(side.field) : null))
    if (a?.column.type === 'datetime' && b?.column.type === 'datetime') {
      if (a.column.zoned === true && b.column.zoned === true) return [this.#values.column(a), this.#values.column(b)]
      return [this.#values.rows.wall(a), this.#values.rows.wall(b)]
    }
    const day = (side: Expr, placed: PlacedColumn | null | undefined): Sql =>
      placed?.column.type === 'datetime' ? this.#values.days(placed) : this.number(side)
    return [day(left, a), day(right, b)]
  }
}

type DateFunction = 'date' | 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday' | 'hour'
/** What makes every day's place after a Monday, and every hour's after midnight, a number above 0: multiples of 7 and 24. */
const MONDAY = 1_400_003
const HOURS_SHIFT = 24_000_000

function fieldIn(expr: Expr): Field {
  if (expr.kind !== 'field') throw new TypeError('A checked function of dates takes a column.')
  return expr.field
}

/** The least or largest of those that are there; databases do not agree on what is empty. */
function edge(fn: 'least' | 'greatest', items: readonly Sql[]): Sql {
  const [only, second] = items
  if (only && !second) return only
  const name = written(fn === 'least' ? 'LEAST' : 'GREATEST')
  const sides = items.map((item, i) => sql`COALESCE(${listed([item, ...items.filter((_, at) => at !== i)])})`)
  return sql`${name}(${listed(sides)})`
}
