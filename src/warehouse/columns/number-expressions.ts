import type { ColumnVectors } from './column-vectors'
import { columnShape, DAYS_BOUND, type VectorNumber } from './vector-number'
import { numbersOf, type Numbers } from './vectors'
import { exactOf, INT64_MAX, magnitude, pow10, SAFE_MAX, SCALE_MAX } from '../query/expressions/decimal'
import type { Expr } from '../../shared/query/expression'
import type { Field } from '../../shared/query/field'

/** Half of what 64 bits hold: past it, numbers are floating point. */
const BOUND_MAX = INT64_MAX / 2n

/** Of numbers that 53 bits hold. */
export function exactNumber(numbers: Numbers, scale: number, bound: bigint): VectorNumber {
  if (bound > SAFE_MAX) throw new TypeError('Numbers past 53 bits are kept in parts.')
  return { kind: 'exact', numbers, parts: null, scale, bound }
}
const exact = exactNumber
export const realNumber = (numbers: Numbers): VectorNumber => ({
  kind: 'real',
  numbers,
  parts: null,
  scale: 0,
  bound: 0n,
})
const real = realNumber
const tooWide: Numbers = () => {
  throw new TypeError('Numbers past 53 bits are read in parts.')
}
const wide = (parts: readonly Numbers[], scale: number, bound: bigint): VectorNumber => ({
  ...{ kind: 'exact', numbers: tooWide, parts, scale, bound },
})
const partsOf = ({ numbers, parts }: VectorNumber): readonly Numbers[] => parts ?? [numbers]

/** A stored column's number. */
export function storedNumber(from: ColumnVectors): VectorNumber {
  const { kind, scale, bound } = columnShape(from.column, from.dataset.bounds)
  return kind === 'real' ? real(from.numbers()) : exact(from.numbers(), scale, bound)
}

/** Where an expression finds its columns. */
export interface ExpressionSource {
  number(field: Field): VectorNumber
  days(field: Field): Numbers
  /** Conditions, functions and differences of dates other than in days: `row-functions.ts`. */
  special(expr: Extract<Expr, { kind: 'compare' | 'function' | 'dateDiff' }>): VectorNumber
}

/** Steps that an expression takes, an array each. */
export function sizeOfExpression(expr: Expr): number {
  switch (expr.kind) {
    case 'field':
      return 0
    case 'number':
    case 'text':
    case 'dateDiff':
      return 1
    case 'coalesce':
    case 'concat':
      return expr.items.reduce((size, item) => size + sizeOfExpression(item), 1)
    case 'function':
      return expr.items.reduce((size, item) => size + sizeOfExpression(item) + 1, 1)
    case 'compare':
    case 'binary':
      // Both sides may have to be brought to one scale.
      return 3 + sizeOfExpression(expr.left) + sizeOfExpression(expr.right)
  }
}

/** Exact as long as it provably fits, floating point past that. */
export function vectorNumber(expr: Expr, source: ExpressionSource): VectorNumber {
  switch (expr.kind) {
    case 'field':
      return source.number(expr.field)
    case 'number':
      return literal(expr.value)
    case 'text':
    case 'concat':
      throw new TypeError('A checked calculation has no texts in it.')
    case 'compare':
    case 'function':
      return source.special(expr)
    case 'dateDiff': {
      if (expr.unit !== 'day') return source.special(expr)
      const from = source.days(expr.from)
      const to = source.days(expr.to)
      return exact(calculated('subtract', to, from), 0, DAYS_BOUND)
    }
    case 'coalesce':
      return coalesce(expr.items.map((item) => vectorNumber(item, source)))
    case 'binary':
      return binary(expr.op, vectorNumber(expr.left, source), vectorNumber(expr.right, source))
  }
}

const constant = (value: number): Numbers => numbersOf(({ rows }, to) => void to.fill(value, 0, rows))

function literal(value: number): VectorNumber {
  const found = exactOf(value)
  if (found && found.scale <= SCALE_MAX && magnitude(found.n) <= BOUND_MAX) {
    const [n, bound] = [Number(found.n), magnitude(found.n)]
    if (bound <= SAFE_MAX) return exact(constant(n), found.scale, bound)
    return wide([constant(n), constant(Number(found.n - BigInt(n)))], found.scale, bound)
  }
  return real(constant(value))
}

/** In its natural size. */
export function asReal(value: VectorNumber): Numbers {
  const { kind, scale } = value
  const [first, ...others] = partsOf(value)
  const whole = others.reduce((sum, part) => calculated('add', sum, part), first ?? tooWide)
  return kind === 'real' || scale === 0 ? whole : dividedBy(whole, 10 ** scale)
}

type Operator = Extract<Expr, { kind: 'binary' }>['op']

function binary(op: Operator, left: VectorNumber, right: VectorNumber): VectorNumber {
  if (op === 'divide') return real(calculated('divide', asReal(left), asReal(right)))
  if (op === 'multiply') return product(left, right)
  const common = commonFactor(left, right)
  if (common) {
    const once = product(binary(op, common.left, common.right), common.by)
    if (once.kind === 'exact') return once
  }
  const [a, b] = aligned([left, right]) ?? []
  if (a && b && a.bound + b.bound <= BOUND_MAX) {
    const bound = a.bound + b.bound
    if (bound <= SAFE_MAX) return exact(calculated(op, a.numbers, b.numbers), a.scale, bound)
    const second = partsOf(b).map((part) => (op === 'subtract' ? calculated('multiply', part, constant(-1)) : part))
    return wide([...partsOf(a), ...second], a.scale, bound)
  }
  return real(calculated(op, asReal(left), asReal(right)))
}

/** Two products of one and the same number, as amounts by one rate are: it is multiplied by what they come to. */
function commonFactor(
  { factors: left }: VectorNumber,
  { factors: right }: VectorNumber,
): { left: VectorNumber; right: VectorNumber; by: VectorNumber } | null {
  return left && right && left[1] === right[1] ? { left: left[0], right: right[0], by: left[1] } : null
}

export function product(left: VectorNumber, right: VectorNumber): VectorNumber {
  if (left.kind === 'exact' && right.kind === 'exact') {
    const scale = left.scale + right.scale
    const bound = left.bound * right.bound
    if (scale <= SCALE_MAX && bound <= BOUND_MAX)
      return { ...exactProduct(left, right, { scale, bound }), factors: [left, right] }
  }
  return real(calculated('multiply', asReal(left), asReal(right)))
}

/** What a product loses to rounding is a whole number of its own. */
export function exactProduct(
  left: VectorNumber,
  right: VectorNumber,
  { scale, bound }: Pick<VectorNumber, 'scale' | 'bound'>,
): VectorNumber {
  if (bound <= SAFE_MAX && !left.parts && !right.parts)
    return exact(calculated('multiply', left.numbers, right.numbers), scale, bound)
  const parts = partsOf(left).flatMap((a) =>
    partsOf(right).flatMap((b): Numbers[] => [
      calculated('multiply', a, b),
      numbersOf((place, to) => lostByProduct(to, a(place), b(place), place.rows)),
    ]),
  )
  return wide(parts, scale, bound)
}
/** Halves of 26 bits multiply exactly (T. J. Dekker, 1971). */
const HALF = 2 ** 27 + 1
function lostByProduct(to: Float64Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const x = a[i] ?? 0
    const y = b[i] ?? 0
    const p = HALF * x
    const q = HALF * y
    const high = p - (p - x)
    const up = q - (q - y)
    const low = x - high
    const down = y - up
    to[i] = high * up - x * y + high * down + low * up + low * down + 0
  }
}

function coalesce(items: readonly VectorNumber[]): VectorNumber {
  const [only, second] = items
  if (only && !second) return only
  const { parts, chosen } = alike(items)
  return chosen(parts.map(firstThere))
}

/** Numbers that can stand for each other: all exact with one scale, or all floating point. */
export interface AlikeNumbers {
  /** The first part of each number, the second of each, …: one part as long as 53 bits hold all of them. */
  parts: Numbers[][]
  /** One of the numbers for each row, part by part. */
  chosen: (parts: readonly Numbers[]) => VectorNumber
}

export function alike(items: readonly VectorNumber[]): AlikeNumbers {
  const same = aligned(items)
  if (!same) return { parts: [items.map(asReal)], chosen: ([numbers]) => real(numbers ?? tooWide) }
  const bound = same.reduce((most, { bound: each }) => (each > most ? each : most), 0n)
  const scale = same[0]?.scale ?? 0
  if (same.every(({ parts }) => !parts))
    return {
      parts: [same.map(({ numbers }) => numbers)],
      chosen: ([numbers]) => exact(numbers ?? tooWide, scale, bound),
    }
  // One that a number does not have is 0 where the number is there.
  const most = Math.max(...same.map((value) => partsOf(value).length))
  const padded = same.map((value) => {
    const there = calculated('multiply', asReal({ ...value, scale: 0 }), constant(0))
    return Array.from({ length: most }, (_, at) => {
      const part = partsOf(value)[at]
      return part ? calculated('add', part, there) : there
    })
  })
  const parts = Array.from({ length: most }, (_, at) => padded.flatMap((own) => own[at] ?? []))
  return { parts, chosen: (each) => wide(each, scale, bound) }
}

/** The same numbers with one scale; null when 64 bits would not hold them. */
function aligned(values: readonly VectorNumber[]): VectorNumber[] | null {
  if (values.some(({ kind }) => kind === 'real')) return null
  const scale = Math.max(...values.map((value) => value.scale))
  const bounds = values.map((value) => value.bound * pow10(scale - value.scale))
  if (bounds.some((bound) => bound > BOUND_MAX)) return null
  return values.map((value, i) => {
    const factor = 10 ** (scale - value.scale)
    if (factor === 1) return value
    const by = exact(constant(factor), scale - value.scale, BigInt(factor))
    return exactProduct(value, by, { scale, bound: bounds[i] ?? 0n })
  })
}

function calculated(op: Operator, left: Numbers, right: Numbers): Numbers {
  const fold = FOLDS[op]
  return numbersOf((place, to) => fold(to, left(place), right(place), place.rows))
}
type Fold = (to: Float64Array, a: Float64Array, b: Float64Array, rows: number) => void
const FOLDS: Record<Operator, Fold> = { add, subtract, multiply, divide }
function add(to: Float64Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? 0) + (b[i] ?? 0)
}
function subtract(to: Float64Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? 0) - (b[i] ?? 0)
}
function multiply(to: Float64Array, a: Float64Array, b: Float64Array, rows: number): void {
  // A product of 0 and less is −0 in floating point, and plain 0 in whole numbers.
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? 0) * (b[i] ?? 0) + 0
}
function divide(to: Float64Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const under = b[i] ?? 0
    // Nothing comes of a division by 0.
    to[i] = under === 0 ? Number.NaN : (a[i] ?? 0) / under
  }
}
const dividedBy = (numbers: Numbers, by: number): Numbers =>
  numbersOf((place, to) => {
    const own = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = (own[i] ?? 0) / by
  })
const firstThere = (items: readonly Numbers[]): Numbers =>
  numbersOf((place, to) => {
    to.fill(Number.NaN, 0, place.rows)
    for (const item of items) fillEmpty(to, item(place), place.rows)
  })
function fillEmpty(to: Float64Array, from: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) if (Number.isNaN(to[i] ?? 0)) to[i] = from[i] ?? Number.NaN
}
