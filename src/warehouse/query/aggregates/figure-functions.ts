import { isExact, numberOf, type Amount } from './amount'
import { magnitude, pow10, subtract } from '../expressions/decimal'
import { isComparison } from '../../../shared/query/figure-functions'
import type { ComparisonOperator, FigureFunction } from '../../../shared/query/functions'

const TRUE: Amount = { n: 1n, scale: 0 }
const FALSE: Amount = { n: 0n, scale: 0 }
const truth = (holds: boolean): Amount => (holds ? TRUE : FALSE)
const holds = (condition: Amount): boolean => condition === TRUE

/**
 * What a function makes of figures; conditions are 1 or 0. Exact figures stay exact.
 * @param decimals of `round`
 */
export function applyFunction(fn: FigureFunction, values: readonly Amount[], decimals = 0): Amount {
  const [first = null, second = null, third = null] = values
  if (isComparison(fn)) return truth(isMet(fn, first, second))
  switch (fn) {
    case 'if':
      return holds(first) ? second : third
    case 'and':
      return truth(values.every(holds))
    case 'or':
      return truth(values.some(holds))
    case 'not':
      return truth(!holds(first))
    case 'isEmpty':
      return truth(first === null)
    case 'coalesce':
      return values.find((value) => value !== null) ?? null
    case 'least':
      return edgeOf(values, -1)
    case 'greatest':
      return edgeOf(values, 1)
    case 'abs':
      return isExact(first) ? { ...first, n: magnitude(first.n) } : absolute(numberOf(first))
    case 'round':
      return rounded(first, decimals)
  }
}

/** Decimals that a `round` leaves: its second operand, a number of the plan. */
export const decimalsOf = ({ fn, items: [, decimals] }: { fn: FigureFunction; items: readonly object[] }): number =>
  fn === 'round' && decimals && 'value' in decimals ? Number(decimals.value) : 0

/** Less than 0, 0 or more than 0; null when either is missing. */
function order(a: Amount, b: Amount): number | null {
  if (isExact(a) && isExact(b)) return Number(subtract(a, b).n)
  const [left, right] = [numberOf(a), numberOf(b)]
  return left === null || right === null ? null : left - right
}
function isMet(op: ComparisonOperator, a: Amount, b: Amount): boolean {
  const by = order(a, b)
  if (by === null) return op === 'eq' ? a === b : op === 'ne' && a !== b
  return { eq: by === 0, ne: by !== 0, lt: by < 0, le: by <= 0, gt: by > 0, ge: by >= 0 }[op]
}
const edgeOf = (values: readonly Amount[], sign: 1 | -1): Amount =>
  values.reduce<Amount>((found, value) => {
    if (found === null || value === null) return found ?? value
    return (order(value, found) ?? 0) * sign > 0 ? value : found
  }, null)
const absolute = (value: number | null): Amount => (value === null ? null : Math.abs(value))

/** Half away from zero. */
function rounded(value: Amount, decimals: number): Amount {
  if (isExact(value)) {
    if (value.scale <= decimals) return value
    const unit = pow10(value.scale - decimals)
    const whole = (magnitude(value.n) + unit / 2n) / unit
    return { n: value.n < 0n ? -whole : whole, scale: decimals }
  }
  const real = numberOf(value)
  if (real === null) return null
  const by = 10 ** decimals
  const scaled = Math.abs(real * by)
  // Past 2^52 a number has no decimals left.
  return scaled < 2 ** 52 ? (Math.sign(real) * Math.floor(scaled + 0.5)) / by + 0 : real
}
