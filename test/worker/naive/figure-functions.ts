import { compare, fraction, isFraction, type NaiveValue } from './values'
import type { FunctionMeasure } from '../../../src/shared/query/plan'

/** What a function makes of figures; conditions are booleans. */
export function naiveFunction({ fn, items }: FunctionMeasure, values: readonly NaiveValue[]): NaiveValue {
  const [first = null, second = null, third = null] = values
  const filled = values.filter(isFraction)
  const sign = isFraction(first) && isFraction(second) ? compare(first, second) : null
  switch (fn) {
    case 'if':
      return first === true ? second : third
    case 'and':
      return values.every((value) => value === true)
    case 'or':
      return values.includes(true)
    case 'not':
      return first !== true
    case 'isEmpty':
      return first === null
    case 'coalesce':
      return values.find((value) => value !== null) ?? null
    case 'least':
      return filled.toSorted(compare)[0] ?? null
    case 'greatest':
      return filled.toSorted(compare).at(-1) ?? null
    case 'abs':
      return isFraction(first) && first.n < 0n ? fraction(-first.n, first.d) : first
    case 'round': {
      const unit = 10n ** BigInt(items[1]?.kind === 'number' ? items[1].value : 0)
      if (!isFraction(first)) return null
      const doubled = (first.n < 0n ? -first.n : first.n) * unit * 2n + first.d
      const whole = doubled / (first.d * 2n)
      return fraction(first.n < 0n ? -whole : whole, unit)
    }
    case 'eq':
      return sign === null ? first === second : sign === 0
    case 'ne':
      return sign === null ? first !== second : sign !== 0
    case 'lt':
      return sign !== null && sign < 0
    case 'le':
      return sign !== null && sign <= 0
    case 'gt':
      return sign !== null && sign > 0
    case 'ge':
      return sign !== null && sign >= 0
  }
}
