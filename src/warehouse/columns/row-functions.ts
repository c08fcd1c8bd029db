import { NeedsRows } from './column-table'
import type { ColumnVectors } from './column-vectors'
import { hoursOfDay, momentsOfDays, partsOfDays, timeBetween, weekdaysBetweenDays } from './date-vectors'
import { alike, exactNumber, realNumber, vectorNumber, type ExpressionSource } from './number-expressions'
import type { VectorNumber } from './vector-number'
import { allOf, anyOf, emptyNumbers, marked, maskOf, noneOf, numbersOf, presentCodes } from './vectors'
import type { Mask, Numbers } from './vectors'
import { DATE_PART_BOUNDS, UNIT_MS } from '../query/expressions/date-sql'
import { SAFE_MAX, pow10 } from '../query/expressions/decimal'
import { compareTexts } from '../query/windows/windows'
import { dayFromIso } from '../../shared/dates'
import { typeOfExpression, type ValueType } from '../../shared/query/expression-types'
import type { ComparisonOperator, Expr, Field } from '../../shared/query/plan'

/** Where an expression finds columns: their numbers as the question wants them, and everything else as it is stored. */
interface ExpressionColumns {
  number: (field: Field) => VectorNumber
  column: (field: Field) => ColumnVectors
}
const DAYS_BOUND = 4_000_000n

/** Conditions and functions of a row, as the rows' own compiler (`query/expressions/row-functions.ts`) has them. */
export function expressionSource({ number, column }: ExpressionColumns): ExpressionSource {
  const source: ExpressionSource = {
    number(field) {
      const own = column(field)
      if (own.column.type === 'boolean') return exactNumber(own.numbers(), 0, 1n)
      return own.column.type === 'date' ? exactNumber(own.numbers(), 0, DAYS_BOUND) : number(field)
    },
    days: (field) => column(field).days(),
    special: (expr) => new RowFunctions(column, source).number(expr),
  }
  return source
}

const fieldIn = (expr: Expr | undefined): Field => {
  if (expr?.kind !== 'field') throw new TypeError('A checked function of dates takes a column.')
  return expr.field
}

class RowFunctions {
  readonly #column: ExpressionColumns['column']
  readonly #source: ExpressionSource
  constructor(column: ExpressionColumns['column'], source: ExpressionSource) {
    this.#column = column
    this.#source = source
  }

  number(expr: Parameters<ExpressionSource['special']>[0]): VectorNumber {
    if (expr.kind === 'dateDiff') return this.#difference(expr)
    if (expr.kind === 'compare') return truth(this.#comparison(expr))
    const [first, second, third] = expr.items
    const value = (item: Expr | undefined): VectorNumber => {
      if (!item || this.#type(item) === 'text') throw new NeedsRows()
      return vectorNumber(item, this.#source)
    }
    switch (expr.fn) {
      case 'if': {
        const { numbers, chosen } = alike([value(second), ...(third ? [value(third)] : [])])
        return chosen(chosenNumbers(this.#mask(first), numbers))
      }
      case 'and':
      case 'or':
      case 'not':
      case 'isEmpty':
        return truth(this.#mask(expr))
      case 'abs': {
        const { kind, numbers, scale, bound } = value(first)
        return kind === 'exact'
          ? exactNumber(mapped(numbers, Math.abs), scale, bound)
          : realNumber(mapped(numbers, Math.abs))
      }
      case 'round':
        return rounded(value(first), second?.kind === 'number' ? second.value : 0)
      case 'least':
      case 'greatest': {
        const { numbers, chosen } = alike(expr.items.map(value))
        return chosen(edgeNumbers(expr.fn, numbers))
      }
      case 'hour':
        return exactNumber(hoursOfDay(this.#column(fieldIn(first)).wall()), 0, 23n)
      case 'date':
        return exactNumber(this.#column(fieldIn(first)).days(), 0, DAYS_BOUND)
      case 'year':
      case 'quarter':
      case 'month':
      case 'week':
      case 'day':
      case 'weekday':
        return exactNumber(partsOfDays(expr.fn, this.#column(fieldIn(first)).days()), 0, DATE_PART_BOUNDS[expr.fn])
    }
  }

  #type(expr: Expr): ValueType {
    return typeOfExpression(expr, (field) => this.#column(field).column.type)
  }

  #difference({ unit, from, to }: Expr & { kind: 'dateDiff' }): VectorNumber {
    const [a, b] = [this.#column(from), this.#column(to)]
    if (unit === 'day' || unit === 'weekday') return exactNumber(weekdaysBetweenDays(a.days(), b.days()), 0, DAYS_BOUND)
    const isZoned = [a, b].every(({ column }) => column.type === 'datetime' && column.zoned === true)
    const at = (side: ColumnVectors): Numbers => {
      if (isZoned) return side.numbers()
      return side.column.type === 'date' ? momentsOfDays(side.days()) : side.wall()
    }
    return realNumber(timeBetween(at(a), at(b), UNIT_MS[unit]))
  }

  #mask(expr: Expr | undefined): Mask {
    if (!expr) throw new TypeError('A checked function has values.')
    if (expr.kind === 'compare') return this.#comparison(expr)
    const { fn, items } = expr.kind === 'function' ? expr : { fn: null, items: [] }
    if (fn === 'and') return allOf(items.map((item) => this.#mask(item))) ?? this.#mask(items[0])
    if (fn === 'or') return anyOf(items.map((item) => this.#mask(item)))
    if (fn === 'not') return noneOf(this.#mask(items[0]))
    return fn === 'isEmpty' ? this.#emptyMask(items[0]) : trueNumbers(vectorNumber(expr, this.#source).numbers)
  }
  #emptyMask(expr: Expr | undefined): Mask {
    if (!expr) throw new TypeError('A checked function has values.')
    const type = this.#type(expr)
    if (type === 'moment') return emptyNumbers(this.#column(fieldIn(expr)).numbers())
    if (type !== 'text') return emptyNumbers(vectorNumber(expr, this.#source).numbers)
    if (expr.kind !== 'field') throw new NeedsRows()
    return noneOf(presentCodes(this.#column(expr.field).codes()))
  }

  #comparison({ op, left, right }: Expr & { kind: 'compare' }): Mask {
    const types = [this.#type(left), this.#type(right)]
    if (types.some((type) => type === 'date' || type === 'moment')) return compared(op, ...this.#times(left, right))
    if (types.includes('text')) return this.#textComparison(op, left, right)
    const [a, b] = alike([vectorNumber(left, this.#source), vectorNumber(right, this.#source)]).numbers
    if (!a || !b) throw new TypeError('Two numbers are compared.')
    return compared(op, a, b)
  }
  /** Moments of a zone are compared as they are, others by their wall clock, and a day with the days of anything. */
  #times(left: Expr, right: Expr): [Numbers, Numbers] {
    const sides = [left, right].map((side) => (side.kind === 'field' ? this.#column(side.field) : null))
    const [a, b] = sides
    if (a?.column.type === 'datetime' && b?.column.type === 'datetime')
      return a.column.zoned === true && b.column.zoned === true ? [a.numbers(), b.numbers()] : [a.wall(), b.wall()]
    const day = (expr: Expr): Numbers => {
      if (expr.kind === 'text') return constant(dayFromIso(expr.value) ?? 0)
      return this.#type(expr) === 'moment'
        ? this.#column(fieldIn(expr)).days()
        : vectorNumber(expr, this.#source).numbers
    }
    return [day(left), day(right)]
  }
  /** A column beside a text that is written out: each different text is looked at once. */
  #textComparison(op: ComparisonOperator, left: Expr, right: Expr): Mask {
    const [field, text] = left.kind === 'field' ? [left, right] : [right, left]
    if (field.kind !== 'field' || text.kind !== 'text') throw new NeedsRows()
    const column = this.#column(field.field)
    if (column.column.type !== 'text') throw new NeedsRows()
    const wanted = text.value.normalize('NFC')
    const words = column.words()
    const marks = new Uint8Array(words.length + 1)
    marks[0] = op === 'ne' ? 1 : 0
    const sign = left.kind === 'field' ? 1 : -1
    for (const [at, word] of words.entries()) marks[at + 1] = Number(ORDERS[op](sign * compareTexts(word, wanted)))
    return marked(column.codes(), marks)
  }
}

const ORDERS: Record<ComparisonOperator, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
}

const constant = (value: number): Numbers => numbersOf(({ rows }, to) => void to.fill(value, 0, rows))
const mapped = (numbers: Numbers, map: (value: number) => number): Numbers =>
  numbersOf((place, to) => {
    const from = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = map(from[i] ?? Number.NaN)
  })

const truth = (mask: Mask): VectorNumber =>
  exactNumber(
    numbersOf((place, to) => {
      const from = mask(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = from[i] ?? 0
    }),
    0,
    1n,
  )
const trueNumbers = (numbers: Numbers): Mask =>
  maskOf((place, to) => {
    const from = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = from[i] === 1 ? 1 : 0
  })

/** An empty value equals an empty value only, and is neither less nor more than anything. */
function compared(op: ComparisonOperator, left: Numbers, right: Numbers): Mask {
  const test = COMPARISONS[op]
  return maskOf((place, to) => test(to, left(place), right(place), place.rows))
}
type Comparison = (to: Uint8Array, a: Float64Array, b: Float64Array, rows: number) => void
const COMPARISONS: Record<ComparisonOperator, Comparison> = {
  eq: (to, a, b, rows) => markEqual(to, a, b, { rows, equal: 1 }),
  ne: (to, a, b, rows) => markEqual(to, a, b, { rows, equal: 0 }),
  lt: markLess,
  le: markAtMost,
  gt: (to, a, b, rows) => markLess(to, b, a, rows),
  ge: (to, a, b, rows) => markAtMost(to, b, a, rows),
}
function markEqual(
  to: Uint8Array,
  a: Float64Array,
  b: Float64Array,
  { rows, equal }: { rows: number; equal: 0 | 1 },
): void {
  for (let i = 0; i < rows; i += 1) {
    const [x, y] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN]
    to[i] = x === y || (Number.isNaN(x) && Number.isNaN(y)) ? equal : 1 - equal
  }
}
function markLess(to: Uint8Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? Number.NaN) < (b[i] ?? Number.NaN) ? 1 : 0
}
function markAtMost(to: Uint8Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? Number.NaN) <= (b[i] ?? Number.NaN) ? 1 : 0
}

const chosenNumbers = (condition: Mask, [then, otherwise]: readonly Numbers[]): Numbers =>
  numbersOf((place, to) => {
    const passes = condition(place)
    const [yes, no] = [then?.(place), otherwise?.(place)]
    for (let i = 0; i < place.rows; i += 1) to[i] = (passes[i] === 1 ? yes?.[i] : no?.[i]) ?? Number.NaN
  })

const edgeNumbers = (fn: 'least' | 'greatest', items: readonly Numbers[]): Numbers =>
  numbersOf((place, to) => {
    to.fill(Number.NaN, 0, place.rows)
    for (const item of items) takeEdge(to, item(place), { isLeast: fn === 'least', rows: place.rows })
  })
function takeEdge(to: Float64Array, from: Float64Array, { isLeast, rows }: { isLeast: boolean; rows: number }): void {
  for (let i = 0; i < rows; i += 1) {
    const [known, next] = [to[i] ?? Number.NaN, from[i] ?? Number.NaN]
    if (Number.isNaN(known) || (isLeast ? next < known : next > known)) to[i] = next
  }
}

/** From this size on, floating point holds whole numbers only. */
const WHOLE_REALS = 2 ** 52

/** Half away from zero. */
function rounded({ kind, numbers, scale, bound }: VectorNumber, decimals: number): VectorNumber {
  if (kind === 'exact' && scale <= decimals) return exactNumber(numbers, scale, bound)
  const by = 10 ** (kind === 'exact' ? scale - decimals : decimals)
  if (kind === 'real')
    return realNumber(
      mapped(numbers, (x) => (Math.abs(x * by) < WHOLE_REALS ? Math.trunc(x * by + (x < 0 ? -0.5 : 0.5)) / by + 0 : x)),
    )
  const half = by / 2
  if (bound + BigInt(half) > SAFE_MAX) throw new NeedsRows()
  const whole = (x: number): number => {
    const shifted = x < 0 ? x - half : x + half
    return (shifted - (shifted % by)) / by + 0
  }
  return exactNumber(mapped(numbers, whole), decimals, bound / pow10(scale - decimals) + 1n)
}
