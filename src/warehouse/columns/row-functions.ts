import { type ColumnTable } from './column-table'
import { ExceedsBounds } from './memory'
import type { ColumnVectors, TextVectors } from './column-vectors'
import {
  DATE_PART_BOUNDS,
  hoursOfDay,
  momentsOfDays,
  partsOfDays,
  timeBetween,
  UNIT_MS,
  weekdaysBetweenDays,
} from './date-vectors'
import { alike, asReal, exactNumber, realNumber, vectorNumber, type ExpressionSource } from './number-expressions'
import { computedTexts } from './texts/computed-texts'
import { textsAt } from './texts/text-vectors'
import { DAYS_BOUND, type VectorNumber } from './vector-number'
import { allOf, anyOf, emptyNumbers, maskOf, noneOf, numbersOf } from './vectors'
import type { Mask, Numbers } from './vectors'
import { wideHalves } from './folds/wide-integers'
import { SAFE_MAX, pow10 } from '../query/expressions/decimal'
import { compareTexts } from '../query/aggregates/group-order'
import { dayFromIso } from '../../shared/dates'
import { typeOfExpression, type ValueType } from '../../shared/query/expression-types'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'
import type { ComparisonOperator } from '../../shared/query/functions'

/** Where an expression finds columns: their numbers as the question wants them, and everything else as it is stored. */
export interface ExpressionColumns {
  table: Pick<ColumnTable, 'chunks'>
  number: (field: Field) => VectorNumber
  column: (field: Field) => ColumnVectors
}

/** Conditions and functions of a row. */
export function expressionSource(columns: ExpressionColumns): ExpressionSource {
  const { number, column } = columns
  const source: ExpressionSource = {
    number(field) {
      const own = column(field)
      if (own.column.type === 'boolean') return exactNumber(own.numbers(), 0, 1n)
      return own.column.type === 'date' ? exactNumber(own.numbers(), 0, DAYS_BOUND) : number(field)
    },
    days: (field) => column(field).days(),
    special: (expr) => new RowFunctions(columns, source).number(expr),
  }
  return source
}
/** The texts of an expression that comes out as one. */
export const expressionTexts = (columns: ExpressionColumns, expr: Expr): TextVectors =>
  new RowFunctions(columns, expressionSource(columns)).texts(expr)

/** Rows for which a condition holds. */
export const expressionMask = (columns: ExpressionColumns, expr: Expr): Mask =>
  new RowFunctions(columns, expressionSource(columns)).mask(expr)

const fieldIn = (expr: Expr | undefined): Field => {
  if (expr?.kind !== 'field') throw new TypeError('A checked function of dates takes a column.')
  return expr.field
}

class RowFunctions {
  readonly #table: ExpressionColumns['table']
  readonly #column: ExpressionColumns['column']
  readonly #source: ExpressionSource
  constructor({ table, column }: ExpressionColumns, source: ExpressionSource) {
    this.#table = table
    this.#column = column
    this.#source = source
  }

  texts(expr: Expr): TextVectors {
    if (expr.kind === 'field') {
      const column = this.#column(expr.field)
      if (column.column.type === 'text') return column.texts()
    }
    return computedTexts(this.#table, expr, {
      column: this.#column,
      condition: (condition) => this.mask(condition),
    })
  }

  number(expr: Parameters<ExpressionSource['special']>[0]): VectorNumber {
    if (expr.kind === 'dateDiff') return this.#difference(expr)
    if (expr.kind === 'compare') return truth(this.#comparison(expr))
    const [first, second, third] = expr.items
    const value = (item: Expr | undefined): VectorNumber => {
      if (!item) throw new TypeError('A checked function has values.')
      return vectorNumber(item, this.#source)
    }
    switch (expr.fn) {
      case 'if': {
        const { parts, chosen } = alike([value(second), ...(third ? [value(third)] : [])])
        const condition = this.mask(first)
        return chosen(parts.map((numbers) => chosenNumbers(condition, numbers)))
      }
      case 'and':
      case 'or':
      case 'not':
      case 'isEmpty':
        return truth(this.mask(expr))
      case 'abs': {
        const { kind, numbers, scale, bound } = within53Bits(value(first))
        return kind === 'exact'
          ? exactNumber(mapped(numbers, Math.abs), scale, bound)
          : realNumber(mapped(numbers, Math.abs))
      }
      case 'round':
        return rounded(within53Bits(value(first)), second?.kind === 'number' ? second.value : 0)
      case 'least':
      case 'greatest': {
        const { parts, chosen } = alike(expr.items.map(value))
        const [numbers, second53] = parts
        if (!numbers || second53) throw new ExceedsBounds()
        return chosen([edgeNumbers(expr.fn, numbers)])
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

  mask(expr: Expr | undefined): Mask {
    if (!expr) throw new TypeError('A checked function has values.')
    if (expr.kind === 'compare') return this.#comparison(expr)
    const { fn, items } = expr.kind === 'function' ? expr : { fn: null, items: [] }
    if (fn === 'and') return allOf(items.map((item) => this.mask(item))) ?? this.mask(items[0])
    if (fn === 'or') return anyOf(items.map((item) => this.mask(item)))
    if (fn === 'not') return noneOf(this.mask(items[0]))
    return fn === 'isEmpty' ? this.#emptyMask(items[0]) : trueNumbers(vectorNumber(expr, this.#source).numbers)
  }
  #emptyMask(expr: Expr | undefined): Mask {
    if (!expr) throw new TypeError('A checked function has values.')
    const type = this.#type(expr)
    if (type === 'moment') return emptyNumbers(this.#column(fieldIn(expr)).numbers())
    if (type === 'text') return this.texts(expr).passing((text) => text === null)
    return emptyNumbers(asReal(vectorNumber(expr, this.#source)))
  }

  #comparison({ op, left, right }: Expr & { kind: 'compare' }): Mask {
    const types = [this.#type(left), this.#type(right)]
    if (types.some((type) => type === 'date' || type === 'moment')) return compared(op, ...this.#times(left, right))
    if (types.includes('text')) return this.#textComparison(op, left, right)
    const { parts } = alike([vectorNumber(left, this.#source), vectorNumber(right, this.#source)])
    const [a, b] = [0, 1].map((side) => parts.flatMap((numbers) => numbers[side] ?? []))
    return comparedParts(op, a ?? [], b ?? [])
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
  /** Beside a text that is written out, each different text is looked at once. */
  #textComparison(op: ComparisonOperator, left: Expr, right: Expr): Mask {
    const fits = TEXT_COMPARISONS[op]
    if (right.kind === 'text') {
      const wanted = right.value.normalize('NFC')
      return this.texts(left).passing((text) => fits(text, wanted))
    }
    if (left.kind === 'text') {
      const wanted = left.value.normalize('NFC')
      return this.texts(right).passing((text) => fits(wanted, text))
    }
    const [a, b] = [textsAt(this.texts(left)), textsAt(this.texts(right))]
    return maskOf((place, to) => {
      const [own, other] = [a(place), b(place)]
      for (let row = 0; row < place.rows; row += 1) to[row] = Number(fits(own(row), other(row)))
    })
  }
}

/** An empty text equals an empty one only, and is neither before nor after anything. */
const TEXT_COMPARISONS: Record<ComparisonOperator, (left: string | null, right: string | null) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a !== null && b !== null && compareTexts(a, b) < 0,
  le: (a, b) => a !== null && b !== null && compareTexts(a, b) <= 0,
  gt: (a, b) => a !== null && b !== null && compareTexts(a, b) > 0,
  ge: (a, b) => a !== null && b !== null && compareTexts(a, b) >= 0,
}

/** Functions of a single number are not worked out in parts. @throws ExceedsBounds */
function within53Bits(value: VectorNumber): VectorNumber {
  if (value.parts) throw new ExceedsBounds()
  return value
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
/** The same of numbers in parts: by their high halves, then by their low ones. */
function comparedParts(op: ComparisonOperator, left: readonly Numbers[], right: readonly Numbers[]): Mask {
  const [[a, more], [b]] = [left, right]
  if (!a || !b) throw new TypeError('Two numbers are compared.')
  if (!more) return compared(op, a, b)
  const [[high, low], [otherHigh, otherLow]] = [wideHalves(left), wideHalves(right)]
  const isTie = compared('eq', high, otherHigh)
  const within = (lowOp: ComparisonOperator): Mask => allOf([isTie, compared(lowOp, low, otherLow)]) ?? isTie
  if (op === 'eq') return within('eq')
  if (op === 'ne') return noneOf(within('eq'))
  const beyond = op === 'lt' || op === 'le' ? 'lt' : 'gt'
  return anyOf([compared(beyond, high, otherHigh), within(op)])
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
  if (bound + BigInt(half) > SAFE_MAX) throw new ExceedsBounds()
  const whole = (x: number): number => {
    const shifted = x < 0 ? x - half : x + half
    return (shifted - (shifted % by)) / by + 0
  }
  return exactNumber(mapped(numbers, whole), decimals, bound / pow10(scale - decimals) + 1n)
}
