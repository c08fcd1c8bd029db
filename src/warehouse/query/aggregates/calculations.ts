import { divide, isExact, numberOf, type Amount } from './amount'
import { decimalsOf } from './figure-functions'
import { calcFormat, mergeFormats } from './format'
import { exactOf, INT64_MAX, magnitude, SCALE_MAX, subtract } from '../expressions/decimal'
import { figuresThrough } from '../../../shared/query/figure-functions'
import type { ColumnFormat, ColumnType } from '../../../shared/data-sources/files'
import type { CalcMeasure } from '../../../shared/query/plan'
import type { FigureFunction } from '../../../shared/query/functions'

/** Figures that are worked out from other figures of the same group. */
type CalcOperator = CalcMeasure['op']

/** How a figure is shown, and what it means when there is none. */
export interface MeasureTraits {
  type: ColumnType
  format: ColumnFormat
  scale: number | undefined
  numeric: boolean
  /** Added up from rows: where there are none, it counts as 0 beside what it is added to. */
  additive?: boolean
  /** A number of the plan: what it is added to must be there. */
  constant?: true
}
const PLAIN = { style: 'plain' } as const
const isSum = (operator: CalcOperator): boolean => operator === 'add' || operator === 'subtract'

export const RATIO_TRAITS: MeasureTraits = { type: 'number', format: PLAIN, scale: undefined, numeric: true }

const literalOf = (value: number) => {
  const exact = exactOf(value)
  return exact && exact.scale <= SCALE_MAX && magnitude(exact.n) <= INT64_MAX / 2n ? exact : null
}
export const constantAmount = (value: number): Amount => literalOf(value) ?? value
export const constantTraits = (value: number): MeasureTraits => ({
  type: 'number',
  format: PLAIN,
  scale: literalOf(value)?.scale,
  numeric: true,
  constant: true,
})

/** @throws ProductError `mixed_currency` when amounts of two currencies are added */
export function calcTraits(operator: CalcOperator, left: MeasureTraits, right: MeasureTraits): MeasureTraits {
  const additive = isSum(operator) && left.additive === true && right.additive === true
  const isWhole = operator !== 'divide' && left.type === 'integer' && right.type === 'integer'
  return {
    type: isWhole ? 'integer' : 'number',
    format: calcFormat(operator, left.format, right.format),
    scale: scaleOf(operator, left.scale, right.scale),
    numeric: true,
    ...(additive ? { additive } : {}),
  }
}
function scaleOf(operator: CalcOperator, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined || operator === 'divide') return undefined
  return isSum(operator) ? Math.max(left, right) : Math.min(left + right, SCALE_MAX)
}

/**
 * How what comes out of a function is shown.
 * @param operands how each of them is shown
 * @throws ProductError `mixed_currency` when it chooses from or compares amounts of two currencies
 */
export function functionTraits(
  measure: { fn: FigureFunction; items: readonly object[] },
  operands: readonly MeasureTraits[],
): MeasureTraits {
  const all = figuresThrough(measure.fn, operands)
  const named = all.filter(({ constant }) => constant !== true)
  const scales = all.map(({ scale }) => scale)
  const exact = scales.flatMap((scale) => scale ?? [])
  const widest = exact.length < scales.length ? undefined : Math.max(0, ...exact)
  const scale = measure.fn === 'round' && widest !== undefined ? Math.min(widest, decimalsOf(measure)) : widest
  return {
    type: all.every(({ type }) => type === 'integer') || (measure.fn === 'round' && scale === 0) ? 'integer' : 'number',
    format: mergeFormats((named.length > 0 ? named : all).map(({ format }) => format)),
    scale,
    numeric: true,
  }
}

/** One figure out of two. Nothing comes of nothing, but for sums: what adds up no rows is 0 beside what is there. */
export function combine(
  operator: CalcOperator,
  left: { traits: MeasureTraits; value: Amount },
  right: { traits: MeasureTraits; value: Amount },
): Amount {
  if (operator === 'divide') return divide(left.value, right.value)
  if (!isSum(operator)) return product(left.value, right.value)
  const zero = { n: 0n, scale: 0 }
  if (left.value === null && left.traits.additive && right.value !== null && !right.traits.constant)
    return sumOf(operator, zero, right.value)
  if (right.value === null && right.traits.additive && left.value !== null && !left.traits.constant)
    return sumOf(operator, left.value, zero)
  return sumOf(operator, left.value, right.value)
}

/** a + b or a − b; nothing when either is missing. */
export function sumOf(op: 'add' | 'subtract' | CalcOperator, a: Amount, b: Amount): Amount {
  if (isExact(a) && isExact(b)) return subtract(a, op === 'subtract' ? b : { n: -b.n, scale: b.scale })
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left === null || right === null) return null
  return finite(op === 'subtract' ? left - right : left + right)
}
function product(a: Amount, b: Amount): Amount {
  if (isExact(a) && isExact(b) && a.scale + b.scale <= SCALE_MAX) return { n: a.n * b.n, scale: a.scale + b.scale }
  const [left, right] = [numberOf(a), numberOf(b)]
  return left === null || right === null ? null : finite(left * right)
}
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
